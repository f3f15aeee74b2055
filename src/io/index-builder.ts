import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { DocumentCounter } from '../matching/document-counter.ts';
import type { Segment } from '../matching/segment.ts';
import type { ThreadPart, ThreadWork } from './index-thread.ts';
import { NameBatches } from './name-batches.ts';
import { SegmentMaker } from './segment-maker.ts';

export type Progress = (done: number, total: number) => void;

interface Sources {
  root: string;
  counter: DocumentCounter;
  /** How many threads may help; else as many as there are processors. */
  helpers?: number;
  /** The file that they run. */
  thread?: string;
}

// A thread takes some time to start: it must have enough to do.
const NAMES_PER_THREAD = 2_000;
const MOST_HELPERS = 3;

// Reads files, in path order, into segments, on several processors where there are many files. Which file stands in which
// segment changes nothing of what the index says.
export async function* segmentsOf(
  { root, counter, helpers = availableParallelism() - 1, thread = THREAD }: Sources,
  names: readonly string[],
  onProgress?: Progress,
): AsyncGenerator<Segment> {
  const batches = new NameBatches(names);
  const wanted = Math.min(helpers, MOST_HELPERS, Math.floor(names.length / NAMES_PER_THREAD) - 1);
  const threads = Array.from({ length: Math.max(0, wanted) }, () =>
    startThread(thread, { root, names, taken: batches.taken }),
  );
  const missing = new Set(Array.from({ length: batches.count }, (_, batch) => batch));
  const maker = new SegmentMaker(root, counter);
  const handed = function* () {
    for (const thread of threads) {
      for (const { segment, batches } of thread.parts.splice(0)) {
        for (const batch of batches) missing.delete(batch);
        if (segment) yield segment;
      }
    }
  };
  const read = async function* (next: () => number | null) {
    for (let batch = next(); batch !== null; ) {
      maker.add(batches.at(batch));
      missing.delete(batch);
      batch = next();
      const segment = batch === null || maker.full ? maker.end() : null;
      if (segment) yield segment;
      if (batch === null) return;
      onProgress?.(batches.begun, names.length);
      await new Promise((resolve) => setImmediate(resolve));
      yield* handed();
    }
  };
  try {
    yield* read(() => batches.take());
    for (const thread of threads) await thread.ended;
    yield* handed();
    // Of a thread that failed.
    const left = [...missing].values();
    yield* read(() => left.next().value ?? null);
    onProgress?.(names.length, names.length);
  } finally {
    for (const thread of threads) await thread.stop();
  }
}

interface Thread {
  /** What it has handed over and nobody has taken yet. */
  parts: ThreadPart[];
  /** It has nothing more to hand over, for whatever reason. */
  ended: Promise<void>;
  stop(): Promise<unknown>;
}

function startThread(file: string, work: ThreadWork): Thread {
  const parts: ThreadPart[] = [];
  const worker = new Worker(file, { workerData: work, execArgv: [] });
  worker.on('message', (part: ThreadPart) => parts.push(part));
  const ended = new Promise<void>((resolve) => {
    worker.on('error', () => resolve());
    worker.on('exit', () => resolve());
  });
  return { parts, ended, stop: () => worker.terminate() };
}

// One file for the library, the binary and the tests, wherever the build has put this one.
const THREAD = threadFile(import.meta.url);

function threadFile(here: string): string {
  const way = here.endsWith('.ts') ? '../../dist/bin/' : here.endsWith('.cjs') ? './' : './bin/';
  return fileURLToPath(new URL(`${way}index-thread.cjs`, here));
}
