import { createHash } from 'node:crypto';
import type { Proof } from '../gate/keys/confirm-level.ts';

export const ACTIONS = [
  ...(['seen', 'accept', 'decline', 'revive', 'adopt', 'take_out'] as const),
  ...(['tidy', 'keep', 'trust', 'settle', 'erase', 'retire'] as const),
];

/** What the person adds to their word. */
export interface Added {
  edited?: string | undefined;
  reason?: string | undefined;
  /** A date or a span to look at it again. */
  until?: string | undefined;
}

/** What the level in force asked for, and where the person said it. */
export type ByPage = Proof & { via: 'page' };

/** What came of a decision. */
export interface Acted {
  status: string;
  target: string;
  ledger: number | null;
}

/** What can be decided on something, bound to what was shown of it. Null: it is no longer that. */
export type Deeds = Partial<Record<(typeof ACTIONS)[number], (added: Added, edit: ByPage) => Promise<Acted | null>>>;

interface Browser {
  shown: Map<string, Deeds>;
}

const MAX_SHOWN = 10_000;

/** From now on this browser may decide on it, by the name that this gives. */
export function rememberShown({ shown }: Browser, what: unknown, deeds: Deeds): string {
  // An old one makes room: looking at it again is all it takes.
  const [oldest] = shown.keys();
  if (shown.size >= MAX_SHOWN && oldest !== undefined) shown.delete(oldest);
  shown.set(nameOf(what), deeds);
  return nameOf(what);
}

export function wasShown({ shown }: Browser, what: unknown): boolean {
  return shown.has(nameOf(what));
}

function nameOf(what: unknown): string {
  return createHash('sha256').update(JSON.stringify(what)).digest('hex');
}

export const done = (status: string, target: string): Acted => ({ status, target, ledger: null });
