import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { put, tempFolder } from '../../test/support/temp-folder.ts';
import { openRooms } from '../bearings.ts';
import { openLive } from './live.ts';
import { queueRoutes } from './routes/queue.ts';

it('M49 what begins in the instant a page opens is told: the first look tells, and so does each change after it', async () => {
  const home = tempFolder();
  put(home, { '.bearings/workspaces/manta/notes.md': 'A note.\n' });
  const bearings = openRooms({ cwd: home, variables: { HOME: home } });
  const live = openLive(bearings);
  const told: (() => void)[] = [];
  const next = () => new Promise<void>((resolve) => told.push(resolve));
  // The page has asked for what waits; then something changes; only then it listens.
  await live.remembered('rows', async () => []);
  appendFileSync(join(home, '.bearings/workspaces/manta/notes.md'), '\nAnother.\n');
  const first = next();
  const stop = live.onChange(() => told.shift()?.());
  await first;
  const second = next();
  appendFileSync(join(home, '.bearings/workspaces/manta/notes.md'), '\nA third.\n');
  await second;
  stop();
  live.close();
});

it('M49 what is proposed while the queue is being read is on the next one: nothing old is kept as if it were new', async () => {
  const home = tempFolder();
  put(home, { '.bearings/workspaces/manta/brief.md': '---\ntaste: []\n---\nA brief.\n' });
  const bearings = openRooms({ cwd: home, variables: { HOME: home } });
  const stable = async () => {
    while ((await (await bearings.page()).memoryStamp()) === null)
      await new Promise((resolve) => setTimeout(resolve, 5));
  };
  const live = openLive(bearings);
  const titles = async (meanwhile: () => Promise<void>) => {
    const waiting = async () => {
      await meanwhile();
      return [];
    };
    const routes = queueRoutes({ bearings, live, runs: { waiting } as never });
    const { rows } = await routes['GET /api/queue']({ text: () => '' });
    return rows.filter(({ type }) => type === 'proposal').map(({ title }) => title);
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
  live.close();
});
