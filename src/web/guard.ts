import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Proof } from '../gate/keys/confirm-level.ts';
import type { PasskeyAct } from '../gate/ledger/ledger.ts';

/** A browser that the person let in. */
export interface Visitor {
  /** What it was shown in full, by its name, and what can be decided on it: only that. */
  shown: Map<string, Deeds>;
  /** What waits for the signature of an authenticator, by the id that the browser was given. */
  unsigned: Map<string, { act: PasskeyAct; work(act: PasskeyAct): Promise<unknown> }>;
}

export type Guard = ReturnType<typeof openGuard>;

// Crockford's letters: none that looks like another.
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const CODE_LETTERS = 10;
const CODE_LIFE_MS = 10 * 60_000;
const MAX_TRIES = 5;
const MAX_VISITORS = 20;

// Cookies ignore ports, so another server of this machine may get ours. The token lives in storage, which does not:
// only both together open anything.
export function openGuard(now: () => number, onSpent: () => void) {
  const visitors = new Map<string, { token: string; visitor: Visitor }>();
  let waiting: { code: string; until: number; tries: number } | null = null;
  return {
    /** A new one-use code; the one before is void. */
    newCode(): string {
      const code = [...randomBytes(CODE_LETTERS)].map((byte) => LETTERS[byte % LETTERS.length]).join('');
      waiting = { code, until: now() + CODE_LIFE_MS, tries: 0 };
      return `${code.slice(0, 5)}-${code.slice(5)}`;
    },
    /** Null: wrong, used, too old, or tried too often. */
    enter(written: string): { cookie: string; token: string } | null {
      if (!waiting || now() > waiting.until) return null;
      waiting.tries += 1;
      const isRight = isSame(plain(written), waiting.code);
      const isSpent = waiting.tries >= MAX_TRIES;
      if (isRight || isSpent) waiting = null;
      if (!isRight && isSpent) onSpent();
      if (!isRight) return null;
      const cookie = randomBytes(32).toString('base64url');
      const token = randomBytes(32).toString('base64url');
      const [oldest] = visitors.keys();
      if (visitors.size >= MAX_VISITORS && oldest !== undefined) visitors.delete(oldest);
      visitors.set(hashOf(cookie), { token: hashOf(token), visitor: { shown: new Map(), unsigned: new Map() } });
      return { cookie, token };
    },
    visitor(cookie: string | undefined, token: string | undefined): Visitor | null {
      const known = cookie === undefined ? undefined : visitors.get(hashOf(cookie));
      return known && token !== undefined && isSame(hashOf(token), known.token) ? known.visitor : null;
    },
  };
}

function plain(code: string): string {
  return code.toUpperCase().replace(/[^0-9A-Z]/g, '');
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function isSame(a: string, b: string): boolean {
  return timingSafeEqual(createHash('sha256').update(a).digest(), createHash('sha256').update(b).digest());
}

export const ACTIONS = [
  ...(['seen', 'accept', 'decline', 'revive', 'adopt', 'take_out'] as const),
  ...(['tidy', 'keep', 'edit', 'trust', 'settle', 'retire'] as const),
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

/** What can be decided on something, bound to what was shown of it. */
export type Deeds = Partial<Record<(typeof ACTIONS)[number], Deed>>;
export type Deed = (added: Added, edit: ByPage) => Promise<Acted>;

const MAX_SHOWN = 10_000;

/** From now on this browser may decide on it, by the name that this gives. */
export function rememberShown({ shown }: Visitor, what: unknown, deeds: Deeds): string {
  // An old one makes room: looking at it again is all it takes.
  const [oldest] = shown.keys();
  if (shown.size >= MAX_SHOWN && oldest !== undefined) shown.delete(oldest);
  shown.set(nameOf(what), deeds);
  return nameOf(what);
}

export function wasShown({ shown }: Visitor, what: unknown): boolean {
  return shown.has(nameOf(what));
}

function nameOf(what: unknown): string {
  return createHash('sha256').update(JSON.stringify(what)).digest('hex');
}
