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

interface Gathered {
  wish: Wish;
  said: Said;
  terms: ReadonlySet<string>;
  negated: boolean;
}

interface Group extends Pick<Gathered, 'terms' | 'negated'> {
  members: Gathered[];
  sessions: Set<string>;
}

const MOST_GATHERED = 50_000;
const MOST_QUOTES = 3;
const LONGEST_QUOTE = 140;
const LEAST_SHARED = 0.5;
// Who comes back to it within one session means the same by fewer of the same words.
const LEAST_SHARED_IN_SESSION = 0.3;
// Says that it is a wish, not what for.
const FRAME =
  /\b(?:please|always|never|instead|rather|from now on|going forward|us(?:e|ing)|as (?:much|little|often|few) as possible|i(?:['’]d| would)? (?:want|like|prefer) to|give me|make sure|at all)\b/gi;
const CHANGE = /\b(?:updat|edit|modify|touch|alter)(?:e|ing|ed)?\b/gi;
const NEGATED =
  /\b(?:not|no|never|avoid|stop|without|instead of|rather than|cannot|\w+n['’]t|(?:do|does|is|are|ca|wo|should|must)nt)\b/i;
// What does not say itself that it lasts: on so many days, or in so many sessions in other words.
const LEAST_TIMES = 3;
const FULL_SCORE = 2 * Math.log2(LEAST_TIMES);
// Six times on two days, or four times on three.
const LEAST_ROUTINE = 12;
// Who wants it every time asks for it in more than one session of so many.
const MOST_SESSIONS_BETWEEN = 8;

/** Sentences with the same words are one wish. */
export function gatherWishes() {
  const tokenizer = createTokenizer();
  const gathered: Gathered[] = [];
  return {
    add(wish: Wish, said: Said): void {
      const negated = NEGATED.test(wish.text);
      // Not to edit, update or touch it is one refusal.
      const text = wish.text.replace(FRAME, ' ').replace(CHANGE, negated ? 'change' : '$&');
      // A routine goes by its name, which is no word of a sentence.
      const terms = new Set(wish.isRoutine ? [wish.text] : tokenizer.list(text));
      if (terms.size > 0 && gathered.length < MOST_GATHERED) gathered.push({ wish, said, terms, negated });
    },

    /** The best first; `read` is in how many sessions the person typed. */
    list: (read: number): Candidate[] =>
      groupsOf(gathered)
        .map(({ members, sessions }): Candidate => {
          const { wish, retold } = wordingOf(members);
          const said = members.map((member) => member.said).sort((a, b) => compareCodePoints(b.at, a.at));
          // A session that was saved twice or went on elsewhere is still of its day.
          const days = new Set(said.map(({ at, session }) => at.slice(0, 10) || session)).size;
          const times = wish.isRoutine ? days : Math.max(Math.min(days, sessions.size), retold);
          const isRare = wish.isRoutine === true && sessions.size * MOST_SESSIONS_BETWEEN < read;
          return {
            ...{ kind: wish.kind, text: wish.text, count: said.length, sessions: sessions.size },
            last: said[0]?.at.slice(0, 10) || null,
            quotes: [...new Set(said.map(({ sentence }) => quoteOf(sentence)))].slice(0, MOST_QUOTES),
            score: isRare ? 0 : scoreOf(wish, times, said.length),
            from: [...new Set(said.map(({ from }) => from))].sort(compareCodePoints),
          };
        })
        .filter(({ score }) => score >= FULL_SCORE)
        .sort(
          (a, b) =>
            b.score - a.score || compareCodePoints(b.last ?? '', a.last ?? '') || compareCodePoints(a.text, b.text),
        ),
  };
}

// The most general first: what says more of the same joins it.
function groupsOf(gathered: readonly Gathered[]): Group[] {
  const groups: Group[] = [];
  const byTerm = new Map<string, Group[]>();

  const nearest = ({ wish, said, terms, negated }: Gathered): Group | undefined => {
    const shared = new Map<Group, number>();
    for (const term of terms)
      for (const group of byTerm.get(term) ?? []) shared.set(group, (shared.get(group) ?? 0) + 1);
    let best: { group: Group; part: number } | null = null;
    for (const [group, count] of shared) {
      const [smaller, larger] = [Math.min(terms.size, group.terms.size), Math.max(terms.size, group.terms.size)];
      // The same with a few words more is the same.
      const part = count === smaller && larger <= 2 * smaller ? 1 : count / (smaller + larger - count);
      const least = wish.lasts && group.sessions.has(said.session) ? LEAST_SHARED_IN_SESSION : LEAST_SHARED;
      if (group.negated === negated && part >= least && part > (best?.part ?? 0)) best = { group, part };
    }
    return best?.group;
  };

  for (const one of gathered.toSorted((a, b) => a.terms.size - b.terms.size)) {
    const { terms, negated } = one;
    let group = nearest(one);
    if (!group) {
      group = { terms, negated, members: [], sessions: new Set() };
      for (const term of terms) (byTerm.get(term) ?? byTerm.set(term, []).get(term))?.push(group);
      groups.push(group);
    }
    group.members.push(one);
    group.sessions.add(one.said.session);
  }
  return groups;
}

// Below the bound unless it lasts by its own words or was said again and again; a routine, nearly always.
function scoreOf({ lasts, isRoutine = false }: Wish, times: number, count: number): number {
  if (!isRoutine) return lasts * FULL_SCORE + 2 * Math.log2(times) + Math.log2(count) / 4;
  const often = times * count;
  return often < LEAST_ROUTINE || times < 2 ? 0 : FULL_SCORE + Math.log2(often / LEAST_ROUTINE) / 2;
}

// The wording used most, and how many sessions found words of their own, which no copy of a session does.
function wordingOf(members: readonly Gathered[]): { wish: Wish; retold: number } {
  const wordings = new Map<string, { wish: Wish; count: number; session: string }>();
  for (const { wish, said } of members) {
    const key = wish.text.toLowerCase();
    const wording = wordings.get(key) ?? { wish, count: 0, session: said.session };
    wordings.set(key, { ...wording, count: wording.count + 1 });
  }
  const all = [...wordings.values()].sort(
    (a, b) => b.count - a.count || b.wish.lasts - a.wish.lasts || a.wish.text.length - b.wish.text.length,
  );
  return { wish: (all[0] as { wish: Wish }).wish, retold: new Set(all.map(({ session }) => session)).size };
}

function quoteOf(sentence: string): string {
  const points = [...sentence];
  return points.length > LONGEST_QUOTE ? `${points.slice(0, LONGEST_QUOTE - 1).join('')}…` : sentence;
}
