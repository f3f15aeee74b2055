// The second thread of a build. It takes batches of names as the first one does, and hands over finished segments.
import { parentPort, workerData } from 'node:worker_threads';
import type { Segment } from '../matching/segment.ts';
import { createTokenizer } from '../matching/terms.ts';
import { NameBatches } from './name-batches.ts';
import { newCounter } from './new-counter.ts';
import { SegmentMaker } from './segment-maker.ts';

/** What the thread is given. */
export interface ThreadWork {
  root: string;
  names: readonly string[];
  taken: Int32Array;
}

/** What it hands over: a segment and the batches that are in it. */
export interface ThreadPart {
  segment: Segment | null;
  batches: number[];
}

const { root, names, taken } = workerData as ThreadWork;
const all = new NameBatches(names, taken);
const maker = new SegmentMaker(root, newCounter(createTokenizer()));
let batches: number[] = [];

function handOver(): void {
  const segment = maker.end();
  const part: ThreadPart = { segment, batches };
  parentPort?.postMessage(part, segment ? buffersOf(segment) : []);
  batches = [];
}

for (let batch = all.take(); batch !== null; batch = all.take()) {
  maker.add(all.at(batch));
  batches.push(batch);
  if (maker.full) handOver();
}
handOver();

// Moved and not copied; each once, and only what is theirs alone.
function buffersOf(segment: Segment): ArrayBuffer[] {
  const parts = Object.values(segment).filter((value) => ArrayBuffer.isView(value));
  return [...new Set(parts.map(({ buffer }) => buffer as ArrayBuffer))];
}
