import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { tempFolder } from '../../../test/temp-folder.ts';
import type { RunSpec } from '../engine.ts';
import { localEngine } from './local-engine.ts';

it('T12 a run that begins is told by the time of its folder’s folder once it can be listed, so that no open page misses it', async () => {
  const runs = join(tempFolder(), 'runs');
  const now = new Date('2031-05-04T03:02:01.000Z');
  const engine = localEngine({ runs, now: () => now, sleep: async () => undefined });
  const task = { id: '1', type: 'atomic', name: 'one' };
  const run = await engine.start({
    file: 'one.xml',
    task,
    inputs: {},
    limits: {},
    propose: null,
  } as unknown as RunSpec);
  // A clock that no disk has: only who tells after the journal was written leaves it there.
  expect(statSync(runs).mtime).toEqual(now);
  expect(await engine.list()).toHaveLength(1);
  await run.leave();
});
