import type { DecisionKind, EntryTexts, Sha256 } from '../ledger/entry.ts';
import { inOrder } from '../ledger/home-state.ts';
import {
  fileBlocks,
  fileEndOf,
  findBlock,
  fingerprintOf,
  withoutLines,
  withoutOuterBlankLines,
} from '../ledger/text-blocks.ts';
import { ENDS_BLOCKS, originOf, type SignedEntry } from './accounts.ts';

/** One decision on a file, with its difference. */
export type HistoryEntry = ReturnType<typeof historyOf>[number];

const CHANGES_TEXT = new Set<DecisionKind>(['accept', 'replace', 'retire', 'edit', 'remove', 'undo', 'restore']);

/** The oldest first. */
export function historyOf(chains: readonly (readonly SignedEntry[])[]) {
  const decisions = inOrder(chains);
  const texts = new Map<string, string>();
  for (const { said } of decisions)
    for (const { print, text } of [...said.blocks, ...said.replaced]) if (text !== null) texts.set(print, text);
  const blocksOf = (blocks: EntryTexts['blocks']): HistoryBlock[] =>
    blocks.map(({ print }) => ({ fingerprint: print, text: texts.get(print) ?? null }));
  const entries = decisions.map((decision) => {
    const { entry, said } = decision;
    const [blocks, replaced] = [blocksOf(said.blocks), blocksOf(said.replaced)];
    const takesOut = ENDS_BLOCKS.has(entry.decision);
    const changes = CHANGES_TEXT.has(entry.decision) || replaced.length > 0;
    const { key: _, ...origin } = originOf(decision);
    return {
      ...{ ...origin, via: entry.via, reason: said.reason },
      added: takesOut ? [] : blocks,
      removed: takesOut ? [...blocks, ...replaced] : replaced,
      /** False: it says something of these blocks and left the text as it was. */
      changed_text: changes && !entry.already_present && blocks.length + replaced.length > 0,
      /** Of `undo`: the decision it took back; of `restore`: the one it went back to. */
      subject: entry.subject ?? null,
      /** How many of its texts were erased. */
      erased: said.gone,
    };
  });
  const undone = new Set<string>();
  // An undo that was itself taken back takes nothing back.
  for (const { decision, decision_id, subject } of entries.toReversed())
    if (decision === 'undo' && subject !== null && !undone.has(decision_id)) undone.add(subject);
  /** `undone`: it was taken back since. */
  return entries.map((entry) => ({ ...entry, undone: undone.has(entry.decision_id) }));
}

/** Blocks in the order in which they were first decided on: where one that comes back belongs. */
export function orderOf(history: readonly HistoryEntry[]): string[] {
  return [...new Set(history.flatMap(({ added }) => added.map(({ fingerprint }) => fingerprint)))];
}

/** What was done, as a person reads it in a history. */
export const DECISION_WORDS: Readonly<Record<string, string>> = {
  accept: 'accepted',
  decline: 'declined',
  replace: 'replaced',
  retire: 'retired',
  edit: 'edited by hand',
  adopt: 'adopted as it was',
  remove: 'taken out',
  tidy: 'tidied after a merge',
  undo: 'undone',
  restore: 'restored',
  erase: 'a text was erased',
  look_again: 'reviewed again',
};

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
  const others = [...change.added, ...change.removed];
  const missing = change.removed.filter((block) => block.text !== null && !standsIn(text, block, others, sha256));
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

/** Apart from the others: lines within a longer one of them belong to that one. */
export function standsIn(text: string, block: HistoryBlock, others: readonly HistoryBlock[], sha256: Sha256): boolean {
  const place = placeOf(text, block, sha256);
  return (
    place !== null &&
    !others.some((other) => {
      const around = placeOf(text, other, sha256);
      return around && around.start <= place.start && around.end >= place.end && around.count > place.count;
    })
  );
}

/** Where it is, as a block or within one as whole lines. */
function placeOf(text: string, block: HistoryBlock, sha256: Sha256) {
  const whole = fileBlocks(text).findLast(({ lines }) => fingerprintOf(lines.join('\n'), sha256) === block.fingerprint);
  const place = whole ?? (block.text === null ? null : findBlock(text, block.text));
  return place && { ...place, count: text.slice(place.start, place.end).split(/\r\n|\n|\r/).length };
}

function inserted(text: string, block: HistoryBlock, { order, sha256 }: { order: readonly string[]; sha256: Sha256 }) {
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
