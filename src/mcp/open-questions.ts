import { randomBytes } from 'node:crypto';
import { isSameShown, type Shown } from '../proposals/proposal.ts';

/** Questions that are open in 2026-era clients: they answer in a second call, and the token ties the two together. */
export interface OpenQuestions {
  ask(shown: Shown, open: { from: number; until: number }): string;
  /** Single use. Null: never asked, too late, or about something else. */
  take(token: unknown, shown: Shown, now: number): Shown | null;
}

export function openQuestions(): OpenQuestions {
  const open = new Map<string, { shown: Shown; until: number }>();
  return {
    ask(shown, { from, until }) {
      const token = randomBytes(16).toString('hex');
      for (const [old, question] of open) if (question.until < from) open.delete(old);
      open.set(token, { shown, until });
      return token;
    },
    take(token, shown, now) {
      const asked = typeof token === 'string' ? open.get(token) : undefined;
      if (!asked) return null;
      open.delete(String(token));
      return isSameShown(asked.shown, shown) && now <= asked.until ? asked.shown : null;
    },
  };
}
