import { setMaxListeners } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parentPort } from 'node:worker_threads';
import { propertyFor } from '@fast-check/worker';
import fc from 'fast-check';
import { inputsOf } from './inputs.ts';
import { TARGETS } from './targets.ts';

// Of the same copy of the library as the properties: it ends their workers.
export { assert } from '@fast-check/worker';

// Inputs run in a worker, where one that never ends can be stopped. The worker loads this file too and finds a property by its
// number: both sides make all of them, in one order.
const property = propertyFor(new URL(import.meta.url), { isolationLevel: 'file' });

// Every property listens there.
if (parentPort) setMaxListeners(0, parentPort);

export const PROPERTIES = TARGETS.map((target) => {
  const holds = async (bytes: Uint8Array) => target.run(Buffer.from(bytes));
  return {
    name: target.name,
    explore: property(inputsOf(target, corpusOf(target.name)), holds),
    /** For the smallest form of a finding, whatever it was made of: bytes go, or become smaller. */
    shrink: property(fc.uint8Array({ maxLength: target.max ?? 4096 }), holds),
  };
});

function corpusOf(name: string): Buffer[] {
  const folder = join('test/fuzz/corpus', name);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .sort()
    .map((file) => readFileSync(join(folder, file)));
}
