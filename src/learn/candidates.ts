import { compareCodePoints } from '../code-points.ts';
import { createTokenizer } from '../matching/text/terms.ts';
import type { Wish, WishKind } from './wishes.ts';

/** What was asked for or corrected, in whatever words, with what speaks for it. */
export interface Candidate {
  kind: WishKind;
  /** As a note would say it: the clearest of the sentences. */
  text: string;
  /** How often it was said, and in how many sessions. */
  count: number;
  sessions: number;
  /** The day it was last said; null where no transcript says when. */
  last: string | null;
  /** At most three, the newest first, as they were typed. */
  quotes: string[];
  score: number;
  /** The clients whose transcripts hold it. */
  from: string[];
}

export interface Said {
  /** As it was typed. */
  sentence: string;
  at: string;
  session: string;
  from: string;
}

interface Group {
  /** Its wordings, with how often each was used. */
  wordings: Map<string, { wish: Wish; count: number }>;
  terms: ReadonlySet<string>;
  negated: boolean;
  count: number;
  sessions: Set<string>;
  /** A session that was saved twice or went on elsewhere is still of its day. */
  days: Set<string>;
  from: Set<string>;
  said: Pick<Said, 'sentence' | 'at'>[];
}

const MOST_GROUPS = 20_000;
const MOST_SESSIONS = 1_000;
const MOST_WORDINGS = 50;
const MOST_QUOTES = 3;
const LONGEST_QUOTE = 140;
const LEAST_SHARED = 0.55;
const NEGATED =
  /\b(?:not|no|never|avoid|stop|without|instead of|rather than|cannot|\w+n['’]t|(?:do|does|is|are|ca|wo|should|must)nt)\b/i;
// Said on one day, a sentence must say itself that it lasts; said on several, that it was said again does.
const LEAST_DAYS = 2;
const FULL_SCORE = 2 * Math.log2(LEAST_DAYS);
const LEAST_SCORE = 0.9 * FULL_SCORE;
// Six times on two days, or four times on three.
const LEAST_ROUTINE = 12;

/** Sentences with the same words are one wish; the first that was met names the group. */
export function gatherWishes() {
  const tokenizer = createTokenizer();
  const groups: Group[] = [];
  const byTerm = new Map<string, number[]>();
  const routines = new Map<string, Group>();

  const nearest = (terms: ReadonlySet<string>, negated: boolean): Group | undefined => {
    const shared = new Map<number, number>();
    for (const term of terms) for (const at of byTerm.get(term) ?? []) shared.set(at, (shared.get(at) ?? 0) + 1);
    let best: { group: Group; part: number } | null = null;
    for (const [at, count] of shared) {
      const group = groups[at] as Group;
      const [smaller, larger] = [Math.min(terms.size, group.terms.size), Math.max(terms.size, group.terms.size)];
      // The same with a few words more is the same.
      const part = count === smaller && larger <= 2 * smaller ? 1 : count / (smaller + larger - count);
      if (group.negated === negated && part >= LEAST_SHARED && part > (best?.part ?? 0)) best = { group, part };
    }
    return best?.group;
  };

  return {
    add(wish: Wish, { sentence, at, session, from }: Said): void {
      const terms = new Set(wish.isRoutine ? [] : tokenizer.list(wish.text));
      if (terms.size < 2 && !wish.isRoutine) return;
      const negated = NEGATED.test(wish.text);
      let group = wish.isRoutine ? routines.get(wish.text) : nearest(terms, negated);
      if (!group) {
        if (groups.length >= MOST_GROUPS) return;
        group = {
          wordings: new Map(),
          terms,
          negated,
          count: 0,
          sessions: new Set(),
          days: new Set(),
          from: new Set(),
          said: [],
        };
        if (wish.isRoutine) routines.set(wish.text, group);
        for (const term of terms) byTerm.set(term, [...(byTerm.get(term) ?? []), groups.length]);
        groups.push(group);
      }
      const key = wish.text.toLowerCase();
      const wording = group.wordings.get(key);
      if (wording) wording.count += 1;
      else if (group.wordings.size < MOST_WORDINGS) group.wordings.set(key, { wish, count: 1 });
      group.count += 1;
      if (group.sessions.size < MOST_SESSIONS) group.sessions.add(session);
      if (group.days.size < MOST_SESSIONS) group.days.add(at.slice(0, 10) || session);
      group.from.add(from);
      group.said.push({ sentence: quoteOf(sentence), at });
      group.said.sort((a, b) => compareCodePoints(b.at, a.at));
      const seen = new Set<string>();
      group.said = group.said.filter(({ sentence: said }) => !seen.has(said) && seen.add(said)).slice(0, MOST_QUOTES);
    },

    /** The best first. */
    list(): Candidate[] {
      return groups
        .map((group): Candidate => {
          const { wordings, count, sessions, days, from, said } = group;
          const best = clearest([...wordings.values()]);
          return {
            ...{ kind: best.kind, text: best.text, count, sessions: sessions.size },
            last: said[0]?.at.slice(0, 10) || null,
            quotes: said.map(({ sentence }) => sentence),
            score: scoreOf(best, days.size, count),
            from: [...from].sort(compareCodePoints),
          };
        })
        .filter(({ score }) => score >= LEAST_SCORE)
        .sort(
          (a, b) =>
            b.score - a.score || compareCodePoints(b.last ?? '', a.last ?? '') || compareCodePoints(a.text, b.text),
        );
    },
  };
}

// Below the bound unless it lasts by its own words or was said on several days. A task of each day asks for tests: who asks for
// them all the time wants them with every change.
function scoreOf({ lasts, isRoutine = false }: Wish, days: number, count: number): number {
  if (isRoutine)
    return days * count < LEAST_ROUTINE || days < LEAST_DAYS
      ? 0
      : FULL_SCORE + Math.log2((days * count) / LEAST_ROUTINE) / 2;
  return lasts * FULL_SCORE + 2 * Math.log2(days) + Math.log2(count) / 4;
}

// The wording that was used most; among those one that says itself that it lasts, in the fewest words.
function clearest(wordings: readonly { wish: Wish; count: number }[]): Wish {
  const [first] = [...wordings].sort(
    (a, b) => b.count - a.count || b.wish.lasts - a.wish.lasts || a.wish.text.length - b.wish.text.length,
  );
  return (first as { wish: Wish }).wish;
}

function quoteOf(sentence: string): string {
  const points = [...sentence];
  return points.length > LONGEST_QUOTE ? `${points.slice(0, LONGEST_QUOTE - 1).join('')}…` : sentence;
}
