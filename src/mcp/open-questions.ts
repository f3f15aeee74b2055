import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { isSameShown, type Shown } from '../gate/proposals/proposal.ts';

export type OpenQuestions = ReturnType<typeof openQuestions>;

/** Questions that are open in 2026-era clients: they answer in a second call, and the token ties the two together. */
export function openQuestions() {
  const open = new Map<string, { shown: Shown; from: number; until: number }>();
  const key = randomBytes(32);
  const sealed = (name: string) => `${name}${createHmac('sha256', key).update(name).digest('hex').slice(0, 32)}`;
  return {
    ask(shown: Shown, { from, until }: { from: number; until: number }): string {
      const token = sealed(randomBytes(16).toString('hex'));
      for (const [old, question] of open) if (question.until < from) open.delete(old);
      open.set(token, { shown, from, until });
      return token;
    },
    /** When it was asked. Single use. Null: never asked, or about something else. */
    take(token: unknown, shown: Shown): number | null {
      const asked = typeof token === 'string' ? open.get(token) : undefined;
      if (!asked) return null;
      open.delete(String(token));
      return isSameShown(asked.shown, shown) ? asked.from : null;
    },
    /** Whether a token was made here: one that was changed on its way is refused as such. */
    isOurs(token: string): boolean {
      const expected = Buffer.from(sealed(token.slice(0, 32)));
      const given = Buffer.from(token);
      return given.length === expected.length && timingSafeEqual(given, expected);
    },
  };
}
