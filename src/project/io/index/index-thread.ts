import { parentPort, workerData } from 'node:worker_threads';
import { createTokenizer } from '../../../matching/text/terms.ts';
import type { IndexPart } from './index-store.ts';
import { type FilesToRead, readParts, type ThreadMessage } from './read-parts.ts';

// The entry of a thread that reads some files of a first index: a part is handed over, not copied.
async function main(): Promise<void> {
  const say = (message: ThreadMessage, handedOver: ArrayBuffer[] = []): void =>
    parentPort?.postMessage(message, handedOver);
  for await (const part of readParts(workerData as FilesToRead, createTokenizer(), (done) => say({ done })))
    say({ part }, buffersOf(part));
}

function buffersOf({ segment: { paths, lengths, imports, keys, postings }, prints, counts }: IndexPart): ArrayBuffer[] {
  const lists = [paths, imports, keys, postings].flatMap(({ bytes, ends }) => [bytes, ends]);
  return [...new Set([...lists, lengths, prints, counts].map(({ buffer }) => buffer as ArrayBuffer))];
}

main();
