import { FINGERPRINT_NUMBERS, fingerprintsOf } from '../../../files/file-fingerprint.ts';
import { SegmentWriter } from '../../../matching/index/segment.ts';
import type { Tokenizer } from '../../../matching/text/terms.ts';
import type { IndexPart } from './index-store.ts';
import { readSource } from './source-reader.ts';

/** Files of a project in path order, and the project's real path. */
export interface FilesToRead {
  root: string;
  names: readonly string[];
}

// One segment is written before it takes more memory than this many postings do.
const MOST_POSTINGS = 500_000;
const NAMES_PER_STEP = 100;

// Calls `onStep` with how many files were read, time and again: whoever reads in the main thread can let others have it then. The
// fingerprints are taken before the files are read: a change while they are read shows as one since.
export async function* readParts(
  { root, names }: FilesToRead,
  tokenizer: Tokenizer,
  onStep: (done: number) => void | Promise<void>,
): AsyncGenerator<IndexPart> {
  const prints = fingerprintsOf(root, names);
  let [writer, counts, from] = [new SegmentWriter(tokenizer), [] as number[], 0];
  for (let at = 0; at < names.length; ) {
    const end = Math.min(at + NAMES_PER_STEP, names.length);
    for (; at < end; at += 1) {
      const name = names[at] as string;
      const text = readSource(root, name);
      writer.add(name, text);
      counts.push(text === null ? 0 : 1);
    }
    await onStep(at);
    if (at < names.length && writer.postings < MOST_POSTINGS) continue;
    const own = prints.slice(from * FINGERPRINT_NUMBERS, at * FINGERPRINT_NUMBERS);
    yield { segment: writer.end(), prints: own, counts: Uint8Array.from(counts) };
    [writer, counts, from] = [new SegmentWriter(tokenizer), [], at];
  }
}
