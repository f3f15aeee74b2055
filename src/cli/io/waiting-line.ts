import { Worker } from 'node:worker_threads';
import { writeStandard } from './standard-output.ts';

// A thread of its own: the work it speaks of may leave no room for a timer. Of three numbers, the first says stop, the
// second that a line is just being written, the third that one was.
const PROGRAM = `
const { workerData: { state, words, silentMs, stepMs } } = require('node:worker_threads');
const { writeSync } = require('node:fs');
for (let ms = silentMs; Atomics.wait(state, 0, 0, ms === silentMs ? silentMs : stepMs) === 'timed-out'; ms += stepMs) {
  Atomics.store(state, 1, 1);
  try {
    if (Atomics.load(state, 0) === 0) {
      writeSync(2, '\\r\\u001b[2K' + words + ' · ' + Math.floor(ms / 1000) + ' s');
      Atomics.store(state, 2, 1);
    }
  } catch {}
  Atomics.store(state, 1, 0);
  Atomics.notify(state, 1);
}`;
const SILENT_MS = 1000;
const STEP_MS = 500;
const PATIENCE_MS = 1000;
const ERASE = '\r\u001b[2K';

/** Says on the error stream what is being waited for, from the second second on. Call what comes back to take it away. */
export function startWaitingLine(words: string): () => void {
  const state = new Int32Array(new SharedArrayBuffer(12));
  const worker = new Worker(PROGRAM, {
    eval: true,
    workerData: { state, words, silentMs: SILENT_MS, stepMs: STEP_MS },
  });
  worker.unref();
  return () => {
    if (Atomics.exchange(state, 0, 1) === 1) return;
    Atomics.notify(state, 0);
    Atomics.wait(state, 1, 1, PATIENCE_MS);
    if (Atomics.load(state, 2) === 1) writeStandard(2, ERASE);
  };
}
