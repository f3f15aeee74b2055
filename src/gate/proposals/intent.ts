import type { Sha256 } from '../ledger/entry.ts';
import { normalised } from '../ledger/text-blocks.ts';
import type { ArchiveChange } from '../standing/tidy.ts';

/** What is about to be written, synced before the first byte of it: after a crash it tells what is whose. */
export type Intent = IntentBase &
  (
    | { kind: 'append' /** Size of the file before. */; offset: number; text: string }
    /** The whole file: blocks taken out or replaced, or cleared up after a merge. */
    | { kind: 'rewrite'; before_sha256: string; after_sha256: string }
    /** From where an older home has the file to its place in the folder. */
    | { kind: 'move' }
    /** A decision that changes no text. */
    | { kind: 'record' }
  );
export type AppendIntent = Extract<Intent, { kind: 'append' }>;

interface IntentBase {
  version: 1;
  proposal_id: string;
  /** Name of the file in its folder. */
  file: string;
  /** The signed line that says so once the text is written. */
  ledger_line: string;
  /** Records that go next to the chain before it. */
  texts: string[];
  /** Of the first decision in a folder: the line of the home's chain that says whose folder it is. */
  home_line?: string;
  /** The file of the proposal, gone at the end; null where there is none. */
  pending: string | null;
  /** What leaves the notes goes to the archive in the same step. */
  archive?: ArchiveChange;
}

export function encodeIntent(intent: object, sha256: Sha256): string {
  const body = JSON.stringify(intent);
  return `${sha256(body)} ${body}\n`;
}

// A torn intent was never synced, so nothing of it was written: it counts as none.
export function decodeIntent<T extends object = Intent>(text: string, sha256: Sha256): T | null {
  const [, hash, body] = /^([0-9a-f]{64}) (.*)\n$/s.exec(text) ?? [];
  return body !== undefined && sha256(body) === hash ? JSON.parse(body) : null;
}

export type AppendRecovery = { step: 'done' } | { step: 'complete'; from: number } | { step: 'append_again' };

// `tail`: the bytes from the intent's offset to the end of the file, null where the file is shorter.
export function planAppendRecovery(
  bytes: Uint8Array,
  tail: Uint8Array | null,
  standsElsewhere: () => boolean,
): AppendRecovery {
  if (tail !== null && startsWith(tail, bytes)) return { step: 'done' };
  // Only our own unfinished tail is completed: a hand edit in between shows in other bytes, and is left alone.
  if (tail !== null && tail.length > 0 && startsWith(bytes, tail)) return { step: 'complete', from: tail.length };
  return standsElsewhere() ? { step: 'done' } : { step: 'append_again' };
}

export function contentOf(intent: AppendIntent): string {
  return normalised(intent.text);
}

function startsWith(whole: Uint8Array, start: Uint8Array): boolean {
  return start.length <= whole.length && start.every((byte, index) => whole[index] === byte);
}
