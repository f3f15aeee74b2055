import { collapsed } from '../ledger/fingerprints.ts';
import { appendForm, blocksOf, fileEndOf } from '../ledger/text-blocks.ts';
import { fileBlocks, withoutLines } from './tidy.ts';

/** Beside the notes: blocks that were replaced or retired. Never served, always found, merged by union. */
export const ARCHIVE = 'notes-archive.md';

/** What a decision does to the archive: blocks that left the notes come in, those that went back go. */
export interface ArchiveChange {
  add: readonly string[];
  drop: readonly string[];
}

/** The archive after it. The same change twice gives the same: after a crash it is simply made again. */
export function archiveAfter(archive: string, { add, drop }: ArchiveChange): string {
  const gone = new Set(drop.map(collapsed));
  const ranges = fileBlocks(archive)
    .filter(({ lines }) => gone.has(collapsed(lines.join('\n'))))
    .map(({ firstLine, lines }) => ({ firstLine, count: lines.length }));
  let text = ranges.length === 0 ? archive : withoutLines(archive, ranges);
  const known = new Set(blocksOf(text).map(collapsed));
  for (const block of add.flatMap(blocksOf)) {
    if (known.has(collapsed(block))) continue;
    known.add(collapsed(block));
    text += appendForm(fileEndOf(text), block);
  }
  return text;
}
