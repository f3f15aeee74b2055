import { expect, it } from 'vitest';
import { put, tempFolder } from '../../../test/support/temp-folder.ts';
import { openRooms } from '../../bearings.ts';
import { queueRoutes } from './queue.ts';

it('M49 what is proposed while the queue is being read is on the next one: nothing old is kept as if it were new', async () => {
  const home = tempFolder();
  put(home, { '.bearings/workspaces/manta/brief.md': '---\ntaste: []\n---\nA brief.\n' });
  const bearings = openRooms({ cwd: home, variables: { HOME: home } });
  const stable = async () => {
    while ((await (await bearings.page()).memoryStamp()) === null)
      await new Promise((resolve) => setTimeout(resolve, 5));
  };
  let during = async () => {};
  const waiting = async () => {
    await during();
    return [];
  };
  const routes = queueRoutes({ bearings, runs: { waiting } as never });
  const titles = async (meanwhile: () => Promise<void>) => {
    during = meanwhile;
    const { main } = await routes['GET /api/queue']({ text: () => '' });
    return main.rows.filter(({ type }) => type === 'proposal').map(({ title }) => title);
  };
  // What is made the first time would be a change by itself.
  await titles(async () => undefined);
  await stable();
  await titles(async () => {
    const session = await (await bearings.sessions()).openSession('manta', 'a test');
    await (await bearings.gate()).propose(session, { kind: 'notes', content: 'Four.' });
    await stable();
  });
  expect(await titles(async () => undefined)).toEqual(['Four.']);
});
