import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { IndexPart } from './index-store.ts';
import type { FilesToRead } from './read-parts.ts';

/** What a thread says while it reads. */
export type ThreadMessage = { done: number } | { part: IndexPart };

// A thread takes a tenth of a second to start: with fewer files it is not worth it.
const FILES_WORTH_A_THREAD = 1_000;
const MOST_SHARES = 4;

/** The files in as many shares as it is worth reading at once; the first is the caller's own. */
export function sharesOf(names: readonly string[]): string[][] {
  const file = threadFile();
  const most = file === null ? 1 : Math.min(availableParallelism(), MOST_SHARES);
  const count = Math.max(1, Math.min(most, Math.floor(names.length / FILES_WORTH_A_THREAD)));
  const size = Math.ceil(names.length / count);
  return Array.from({ length: count }, (_, i) => names.slice(i * size, (i + 1) * size));
}

/** Reads the files in a thread of its own. */
export function readInThread(files: FilesToRead, onStep: (done: number) => void): Promise<IndexPart[]> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(threadFile() as string, { workerData: files });
    const parts: IndexPart[] = [];
    worker.on('message', (message: ThreadMessage) => {
      if ('part' in message) parts.push(message.part);
      else onStep(message.done);
    });
    worker.on('error', reject);
    worker.on('exit', (code) => (code === 0 ? resolve(parts) : reject(new Error(`the thread ended with ${code}`))));
  });
}

// Built beside the binary; the library's own file is one folder higher. Where nothing is built there are no threads.
function threadFile(): string | null {
  const files = ['./index-thread.cjs', './bin/index-thread.cjs'].map((name) =>
    fileURLToPath(new URL(name, import.meta.url)),
  );
  return files.find((file) => existsSync(file)) ?? null;
}
