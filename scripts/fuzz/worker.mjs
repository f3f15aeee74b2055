// One target at a time: tries inputs, keeps those that reach new blocks, stops at the first failure and tells it.
// The input of the moment lies in shared memory, so that the parent still has it after a hang or a lack of memory.
import { parentPort, workerData } from 'node:worker_threads';
import { createChance, seedOf } from './chance.mjs';
import { mutate } from './mutate.mjs';

const { bundle, blocks, name, seed, budget, kept, shared, once } = workerData;
const header = new Int32Array(shared, 0, 4);
const room = new Uint8Array(shared, 16);
const counters = new Uint8Array(blocks);
globalThis.__blocks = counters;

const { TARGETS } = await import(bundle);
const target = TARGETS.find((candidate) => candidate.name === name);
const max = Math.min(target.max ?? 4096, room.length);
const words = (target.words ?? []).map((word) => Buffer.from(word));
const seen = new Uint8Array(blocks);
const corpus = [];
let failure = null;

async function run(input) {
  room.set(input);
  header[1] = input.length;
  Atomics.add(header, 0, 1);
  counters.fill(0);
  try {
    await target.run(Buffer.from(input));
    return true;
  } catch (error) {
    failure = { input, reason: String(error?.stack ?? error).slice(0, 4000) };
    return false;
  }
}

// A block counts as new when it runs for the first time, or more often by a power of two.
function isNew() {
  let found = false;
  for (let i = 0; i < blocks; i += 1) {
    if (counters[i] === 0) continue;
    const bucket = 1 << Math.min(7, 31 - Math.clz32(counters[i]));
    if ((seen[i] & bucket) !== 0) continue;
    seen[i] |= bucket;
    found = true;
  }
  return found;
}

// The time counts from here: a busy machine may take long to load the readers.
const begun = Date.now();
let tried = 0;
for (const input of once ? [once] : [...kept, ...target.seeds].map((one) => Buffer.from(one).subarray(0, max))) {
  tried += 1;
  if (!(await run(input))) break;
  if (isNew() || corpus.length === 0) corpus.push(input);
}
const chance = createChance(seed ^ seedOf(name));
while (!failure && !once && Date.now() - begun < budget) {
  for (let batch = 0; batch < 50 && !failure; batch += 1) {
    const input = mutate({ input: chance.pick(corpus), other: chance.pick(corpus), words, chance, max });
    tried += 1;
    if ((await run(input)) && isNew()) corpus.push(input);
  }
  // Lets the parent's messages and the engine's own work through.
  await new Promise((resolve) => setImmediate(resolve));
}
parentPort.postMessage({ tried, failure, corpus, reached: seen.filter(Boolean).length, ms: Date.now() - begun });
