import { join } from 'node:path';
import { isBundleText } from '../loader/bundle-text.ts';
import { indexDocument } from '../matching/document.ts';
import { isSecretName } from '../matching/paths.ts';
import { type Segment, SegmentWriter } from '../matching/segment.ts';
import type { Tokenizer } from '../matching/terms.ts';
import { withFile } from './open-file.ts';
import { decode, readRange } from './read-text.ts';

export type Progress = (done: number, total: number) => void;

const MAX_BYTES = 1024 * 1024;
const BINARY_LOOK = 8000;
// One segment is written out before it takes more memory than this.
const SEGMENT_WEIGHT = 40 * 1024 * 1024;
const FILES_BETWEEN_PAUSES = 100;

// Reads files, in path order, into segments. What can't or may not be read is left out without a word.
export async function* segmentsOf(
  { root, tokenizer }: { root: string; tokenizer: Tokenizer },
  names: readonly string[],
  onProgress?: Progress,
): AsyncGenerator<Segment> {
  let writer = new SegmentWriter();
  for (const [done, name] of names.entries()) {
    const text = readIndexable(root, name);
    if (text !== null) writer.add(indexDocument(name, text, tokenizer));
    if (writer.weight > SEGMENT_WEIGHT) {
      yield writer.end();
      writer = new SegmentWriter();
    }
    if (done % FILES_BETWEEN_PAUSES === FILES_BETWEEN_PAUSES - 1) {
      onProgress?.(done + 1, names.length);
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
  onProgress?.(names.length, names.length);
  if (writer.count > 0) yield writer.end();
}

function readIndexable(root: string, name: string): string | null {
  if (isSecretName(name)) return null;
  const read = withFile(join(root, name), root, ({ fd, size }) => {
    if (size > MAX_BYTES) return null;
    const bytes = readRange(fd, 0, size);
    if (bytes.subarray(0, BINARY_LOOK).includes(0)) return null;
    const { text } = decode(bytes);
    return isBundleText(text) ? null : text;
  });
  return read.status === 'ok' ? read.value : null;
}
