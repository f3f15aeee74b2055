import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'vitest';
import { put, tempFolder } from '../../test/temp-folder.ts';
import { openBearings } from '../bearings.ts';
import { openLive } from './live.ts';

it('M49 what begins in the instant a page opens is told: the first look tells, and so does each change after it', async () => {
  const home = tempFolder();
  put(home, { '.bearings/workspaces/manta/notes.md': 'A note.\n' });
  const bearings = openBearings({ cwd: home, variables: { HOME: home } });
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
