import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import type { RunSpec } from '../engine.ts';
import type { TaskResult } from '../results.ts';
import { localEngine } from './local-engine.ts';

const SPEC = {
  file: 'one.xml',
  project: '/project',
  task: { id: '1', type: 'atomic', name: 'one' },
  inputs: {},
  limits: {},
  propose: null,
} as unknown as RunSpec;

it('T12 of runs that begin in the same second the newest is listed first', async () => {
  let at = Date.parse('2031-05-04T03:02:01.000Z');
  const engine = localEngine(join(tempFolder(), 'runs'), () => new Date(at));
  const begun: string[] = [];
  for (let count = 0; count < 8; count += 1) {
    at += 100;
    const run = await engine.start(SPEC);
    begun.unshift(run.id);
    await run.leave();
  }
  expect((await engine.list()).map(({ id }) => id)).toEqual(begun);
});

it('T12 a run that begins is told by the time of its folder’s folder once it can be listed, so that no open page misses it', async () => {
  const runs = join(tempFolder(), 'runs');
  const now = new Date('2031-05-04T03:02:01.000Z');
  const engine = localEngine(runs, () => now);
  const run = await engine.start(SPEC);
  // A clock that no disk has: only who tells after the journal was written leaves it there.
  expect(statSync(runs).mtime).toEqual(now);
  expect(await engine.list()).toHaveLength(1);
  await run.leave();
});

it('T12 a run that ends in the moment in which it is cancelled keeps its result', async () => {
  const engine = localEngine(join(tempFolder(), 'runs'), () => new Date());
  const run = await engine.start(SPEC);
  // Its journal is read up to here, and has no end yet.
  const cancelled = engine.cancel(run.id);
  await run.end({ content: 'found it', status: 'COMPLETE', notes: {} } as unknown as TaskResult);
  expect(await cancelled).toBe('complete');
  expect(await engine.read(run.id)).toMatchObject({ state: 'complete', result: { content: 'found it' } });
});
