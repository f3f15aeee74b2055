import type { DecisionKind } from '../ledger/entry.ts';
import { inOrder } from '../ledger/home-state.ts';
import { type Origin, originOf, type SignedEntry } from './accounts.ts';
import type { Change, HistoryBlock } from './earlier-text.ts';

/** One decision on a file, with its difference. */
export interface HistoryEntry extends Change, Omit<Origin, 'key'> {
  /** Whole; the first characters are enough to name it. */
  decision_id: string;
  via: string;
  reason: string | null;
  /** False: it says something of these blocks and left the text as it was. */
  changed_text: boolean;
  /** Of `undo`: the decision it took back; of `restore`: the one it went back to. */
  subject: string | null;
  /** It was taken back since. */
  undone: boolean;
  /** How many of its texts were erased. */
  erased: number;
}

const TAKES_OUT: ReadonlySet<DecisionKind> = new Set(['remove', 'retire']);
const CHANGES_TEXT: ReadonlySet<DecisionKind> = new Set([
  'accept',
  'replace',
  'retire',
  'edit',
  'remove',
  'undo',
  'restore',
]);

/** The oldest first. */
export function historyOf(chains: readonly (readonly SignedEntry[])[]): HistoryEntry[] {
  const decisions = inOrder(chains);
  const texts = new Map(decisions.flatMap(({ entry }) => entry.texts ?? []));
  const blocksOf = (prints: readonly string[] = []): HistoryBlock[] =>
    prints.map((fingerprint) => ({ fingerprint, text: texts.get(fingerprint) ?? null }));
  const entries = decisions.map(({ entry, owner, hash }) => {
    const [blocks, replaced] = [blocksOf(entry.blocks), blocksOf(entry.replaced)];
    const takesOut = TAKES_OUT.has(entry.decision);
    const changes = CHANGES_TEXT.has(entry.decision) || replaced.length > 0;
    const { key: _, ...origin } = originOf(entry, owner);
    return {
      ...{ ...origin, decision_id: hash, via: entry.via, reason: entry.reason },
      added: takesOut ? [] : blocks,
      removed: takesOut ? [...blocks, ...replaced] : replaced,
      changed_text: changes && !entry.already_present && blocks.length + replaced.length > 0,
      subject: entry.subject ?? null,
      erased: entry.texts_gone ?? 0,
    };
  });
  const undone = new Set<string>();
  // An undo that was itself taken back takes nothing back.
  for (const { decision, decision_id, subject } of entries.toReversed())
    if (decision === 'undo' && subject !== null && !undone.has(decision_id)) undone.add(subject);
  return entries.map((entry) => ({ ...entry, undone: undone.has(entry.decision_id) }));
}

/** Blocks in the order in which they were first decided on: where one that comes back belongs. */
export function orderOf(history: readonly HistoryEntry[]): string[] {
  return [...new Set(history.flatMap(({ added }) => added.map(({ fingerprint }) => fingerprint)))];
}

/** What was done, as a person reads it in a history. */
export const DECISION_WORDS: Readonly<Record<DecisionKind, string>> = {
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
  approve: 'approved',
  level: 'another level',
  key: 'another key',
  trust: 'a key was trusted',
  untrust: 'a key is no longer trusted',
  allow: 'a program was allowed',
  revoke: 'a program is no longer allowed',
  workspace: 'a folder was named as yours',
  settle: 'a fault was settled',
  checkpoint: 'a checkpoint',
};
