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

function buffersOf({ segment, prints, counts }: IndexPart): ArrayBuffer[] {
  const { paths, keys, lengths, ends, ids, counts: held } = segment;
  const lists = [paths.bytes, paths.ends, keys.bytes, keys.ends, lengths, ends, ids, held, prints, counts];
  return [...new Set(lists.map(({ buffer }) => buffer as ArrayBuffer))];
}

main();
