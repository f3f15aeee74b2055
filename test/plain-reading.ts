import { ByteReader } from '../src/matching/bytes.ts';
import { indexDocument } from '../src/matching/document.ts';
import type { DocumentCounter } from '../src/matching/document-counter.ts';
import { livePostings } from '../src/matching/machine.ts';
import { importsOf, SegmentWriter } from '../src/matching/segment.ts';
import type { Tokenizer } from '../src/matching/terms.ts';
import { sourceOf } from './source-of.ts';

const ONE_ALIVE = new Uint8Array(1);

/** Everything that a segment of one file says: keys with their counts, lengths, imports. */
function saidBy(path: string, bytes: Uint8Array, counter: DocumentCounter): object {
  const writer = new SegmentWriter(counter);
  writer.add(path, sourceOf(bytes));
  const { blocks, totals, imports } = writer.end();
  const keys: Record<string, number[]> = {};
  const reader = new ByteReader(blocks);
  while (!reader.done) {
    const key = reader.text();
    keys[`=${key}`] = [...livePostings(reader.raw(reader.number()), ONE_ALIVE, 0).counts];
  }
  return { keys, lengths: totals, imports: importsOf(imports) };
}

/** The segment of a file, and what the plain reading says of it: they must be equal. */
export function bothReadings(
  path: string,
  bytes: Uint8Array,
  { counter, tokenizer }: { counter: DocumentCounter; tokenizer: Tokenizer },
): { counted: object; plain: object } {
  const text = sourceOf(bytes).slice(0);
  const { keys, lengths, imports } = indexDocument(path, text, tokenizer);
  const plain = Object.fromEntries([...keys].map(([key, count]) => [`=${key}`, [count]]));
  return { counted: saidBy(path, bytes, counter), plain: { keys: plain, lengths, imports } };
}
