import type { Sha256 } from '../ledger/entry.ts';
import {
  fileBlocks,
  fileEndOf,
  findBlock,
  fingerprintOf,
  withoutLines,
  withoutOuterBlankLines,
} from '../ledger/text-blocks.ts';

/** A block of a decision; its text is null where only its fingerprint is kept. */
export interface HistoryBlock {
  fingerprint: string;
  text: string | null;
}

/** What a decision did to a file. */
export interface Change {
  added: readonly HistoryBlock[];
  removed: readonly HistoryBlock[];
}

const BYTE_ORDER_MARK = '\ufeff';

// A block goes back to where it was: in the place of what replaced it, else after the block that was decided before it.
export function earlierText(
  whole: string,
  change: Change,
  { order, sha256 }: { order: readonly string[]; sha256: Sha256 },
): string {
  const mark = whole.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : '';
  let text = whole.slice(mark.length);
  const find = (block: HistoryBlock) => placeOf(text, block, sha256);
  const standing = change.added.filter((block) => find(block) !== null);
  const missing = change.removed.filter((block) => block.text !== null && find(block) === null);
  const paired = standing.length === missing.length && change.added.length === change.removed.length;
  for (const [index, block] of standing.entries()) {
    const place = find(block);
    if (!place) continue;
    const back = paired ? missing.slice(index, index + 1) : index === 0 ? missing : [];
    const texts = back.map((each) => each.text ?? '');
    text =
      texts.length === 0
        ? withoutLines(text, [place])
        : text.slice(0, place.start) + joined(text, texts) + text.slice(place.end);
  }
  if (standing.length === 0) for (const block of missing) text = inserted(text, block, { order, sha256 });
  return mark + text;
}

export function standsIn(text: string, block: HistoryBlock, sha256: Sha256): boolean {
  return placeOf(text, block, sha256) !== null;
}

/** Where it is, as a block or within one as whole lines. */
function placeOf(text: string, block: HistoryBlock, sha256: Sha256) {
  const asBlock = fileBlocks(text).findLast(
    ({ lines }) => fingerprintOf(lines.join('\n'), sha256) === block.fingerprint,
  );
  const place = asBlock ?? (block.text === null ? null : findBlock(text, block.text));
  return place && { ...place, count: text.slice(place.start, place.end).split(/\r\n|\n|\r/).length };
}

function inserted(
  text: string,
  block: HistoryBlock,
  { order, sha256 }: { order: readonly string[]; sha256: Sha256 },
): string {
  const content = joined(text, [block.text ?? '']);
  const gap = fileEndOf(text).lineEnd.repeat(2);
  const at = order.indexOf(block.fingerprint);
  const places = new Map(fileBlocks(text).map((place) => [fingerprintOf(place.lines.join('\n'), sha256), place]));
  const before = order.slice(0, Math.max(0, at)).findLast((print) => places.has(print));
  const after = at === -1 ? undefined : order.slice(at + 1).find((print) => places.has(print));
  const start = places.get(after ?? '')?.start;
  if (before === undefined && start !== undefined) return text.slice(0, start) + content + gap + text.slice(start);
  const end = places.get(before ?? '')?.end ?? fileBlocks(text).at(-1)?.end;
  const { lineEnd } = fileEndOf(text);
  return end === undefined ? content + lineEnd : text.slice(0, end) + gap + content + (text.slice(end) || lineEnd);
}

function joined(text: string, blocks: readonly string[]): string {
  const { lineEnd } = fileEndOf(text);
  return blocks.map((block) => withoutOuterBlankLines(block).split('\n').join(lineEnd)).join(lineEnd + lineEnd);
}
