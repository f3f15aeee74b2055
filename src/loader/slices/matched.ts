import { compareCodePoints } from '../../code-points.ts';
import type { ScorePassages } from '../../matching/score-passages.ts';

/** A file that fits the words of the task, as matching found it. */
export interface MatchedFile {
  path: string;
  score: number;
  /** What each signal gave. */
  parts: Readonly<Record<string, number>>;
  /** Words of the task that the file holds. */
  words: readonly string[];
}

/** The past that helped to rank: part of the state. */
export interface UsedHistory {
  head: string;
  /** Commits that were there to look at; a shallow clone has fewer. */
  depth: number;
}

/** A file of the project that no index holds, so that its words can't speak for it. */
export interface UnindexedFile {
  path: string;
  /** A link, a pipe or a device whose path holds a word of the task. */
  called: boolean;
}

/** How a file did that is not among the best. */
export interface Standing {
  /** Matching looks at it: the policy lets it, and no .gitignore names it. */
  listed: boolean;
  /** Its text was read. */
  indexed: boolean;
  /** Words of the task that it holds. */
  words: readonly string[];
}

export interface Matched {
  files: readonly MatchedFile[];
  /** Of any path of the project; only worked out when asked for. */
  standing(path: string): Standing;
  unindexed: readonly UnindexedFile[];
  passages: ScorePassages;
  history: UsedHistory | null;
}

/** As the bundle prints it. */
export interface Score {
  parts: Record<string, number>;
  total: number;
  words: string[];
}

// What the policy names for this kind of task was worth writing down: it counts beside the words.
const NAMED_BY_PATTERN = 0.2;

// Commits that said nothing of any of these files are no part of what the bundle rests on.
export function countedHistory({ files, history }: Pick<Matched, 'files' | 'history'>): UsedHistory | null {
  return files.some(({ parts }) => (parts.similar ?? 0) !== 0 || (parts.subjects ?? 0) !== 0) ? history : null;
}

// Two digits: a word more in some far file moves the rest, and a bundle should not drift for nothing.
// Best first, equal ones by path. Ranking is the loader's: what matching found, and what the policy says.
export function rankMatched(
  files: readonly MatchedFile[],
  isNamed: (path: string) => boolean,
): { path: string; score: Score }[] {
  return files
    .map(({ path, score, parts, words }) => {
      const named = isNamed(path) ? NAMED_BY_PATTERN : 0;
      const all = Object.entries({ ...parts, pattern: named }).map(([name, value]) => [name, rounded(value)] as const);
      return {
        path,
        score: {
          parts: Object.fromEntries(all.filter(([, value]) => value !== 0)),
          total: rounded(score + named),
          words: [...words],
        },
      };
    })
    .sort((a, b) => b.score.total - a.score.total || compareCodePoints(a.path, b.path));
}

/** What the kind of a file leaves of all that speaks for it: from 0 to 1. */
export function leftByKind({ parts }: Score): number {
  let [gained, lost] = [0, 0];
  for (const value of Object.values(parts)) {
    if (value > 0) gained += value;
    else lost -= value;
  }
  return gained === 0 ? 1 : Math.max(0, 1 - lost / gained);
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}

/** For a person: `0.74: visual, rules`. */
export function scoreWords({ total, words }: Score): string {
  return words.length === 0 ? total.toFixed(2) : `${total.toFixed(2)}: ${words.join(', ')}`;
}
