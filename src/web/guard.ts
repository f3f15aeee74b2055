import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { PasskeyAct } from '../gate/ledger/ledger.ts';
import type { Deeds } from '../waiting/waiting.ts';

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
      const isRight = isSame(written.toUpperCase().replace(/[^0-9A-Z]/g, ''), waiting.code);
      const isSpent = waiting.tries >= MAX_TRIES;
      if (isRight || isSpent) waiting = null;
      if (!isRight && isSpent) onSpent();
      if (!isRight) return null;
      const cookie = randomBytes(32).toString('base64url');
      const token = randomBytes(32).toString('base64url');
      const visitor = { shown: new Map(), unsigned: new Map() };
      keepNewest(visitors, MAX_VISITORS, hashOf(cookie), { token: hashOf(token), visitor });
      return { cookie, token };
    },
    visitor(cookie: string | undefined, token: string | undefined): Visitor | null {
      const known = cookie === undefined ? undefined : visitors.get(hashOf(cookie));
      return known && token !== undefined && isSame(hashOf(token), known.token) ? known.visitor : null;
    },
  };
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function isSame(a: string, b: string): boolean {
  return timingSafeEqual(Buffer.from(hashOf(a)), Buffer.from(hashOf(b)));
}

const MAX_SHOWN = 10_000;

/** From now on this browser may decide on it, by the name that this gives. */
export function rememberShown({ shown }: Visitor, what: unknown, deeds: Deeds): string {
  const name = hashOf(JSON.stringify(what));
  keepNewest(shown, MAX_SHOWN, name, deeds);
  return name;
}

export function wasShown({ shown }: Visitor, what: unknown): boolean {
  return shown.has(hashOf(JSON.stringify(what)));
}

/** An old one makes room: looking at it again, or entering again, is all it takes. */
export function keepNewest<T>(known: Map<string, T>, max: number, name: string, one: T): void {
  const [oldest] = known.keys();
  if (known.size >= max && oldest !== undefined) known.delete(oldest);
  known.set(name, one);
}
