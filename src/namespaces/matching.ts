import { type ArgumentsOf, checkedMethods, type KeysOf } from '../known-keys.ts';
import type { Match } from '../matching/match.ts';
import type { FreshReason } from '../project/fresh-passages.ts';
import type { IndexReport, MatchInput, matchingUseCases, RankedMatch, RankOptions } from '../project/match-project.ts';
import type { Progress } from '../project/project-indexes.ts';

export interface MatchOptions {
  project: string;
  /** Also cut the inherited context down to what belongs to the task. */
  subset?: boolean;
  /** Only these paths are asked. */
  only?: readonly string[];
  onProgress?: Progress | undefined;
  /** Told where the task is cut. */
  onWarning?: ((warning: string) => void) | undefined;
}

export interface FreshOptions {
  project: string;
  /** Default: 12,000 characters. */
  maxChars?: number;
  /** How many commits may help, or false; default 1,000. */
  history?: number | false;
  /** Only these paths compete. */
  only?: readonly string[];
}

/** Which files of a project belong to a task. Offline; the index lies in the cache folder. */
export interface Matching {
  /** The files that are related to a task, in no order (`getRelevantContextFor`). */
  match(input: MatchInput, options: MatchOptions): Promise<{ context: string; matches: Match[] }>;

  /** The files that belong most to a task, the best first, with the parts of each score and the best passages. */
  rank(task: string, options: RankOptions): Promise<RankedMatch[]>;

  /** The best passages of the best files as one text, as many as fit. */
  freshContext(
    input: MatchInput,
    options: FreshOptions,
  ): Promise<{ text: string; matches: string[]; why: FreshReason[]; warnings: string[] }>;

  /** Whether a project has an index, and how much is in it. */
  indexStatus(project: string): Promise<IndexReport>;

  /** Rebuilds a project's index. */
  rebuildIndex(project: string, onProgress?: Progress): Promise<IndexReport>;
}

const INPUT: KeysOf<MatchInput> = { taskText: 'text', 'inheritedContext?': 'text', 'previousOutputs?': 'text' };
const MATCH: KeysOf<MatchOptions> = {
  project: 'text',
  'subset?': 'flag',
  'only?': 'texts',
  'onProgress?': 'function',
  'onWarning?': 'function',
};
const RANK: KeysOf<RankOptions> = {
  project: 'text',
  'top?': 'count',
  'only?': 'texts',
  'history?': 'count|flag',
  'passages?': 'count',
  'rescan?': 'flag',
  'mostRead?': 'count',
  'onProgress?': 'function',
  'onWarning?': 'function',
};
const FRESH: KeysOf<FreshOptions> = {
  project: 'text',
  'maxChars?': 'count',
  'history?': 'count|flag',
  'only?': 'texts',
};
const ARGUMENTS: ArgumentsOf<Matching> = {
  match: { input: INPUT, options: MATCH },
  rank: { task: 'text', options: RANK },
  freshContext: { input: INPUT, options: FRESH },
  indexStatus: { project: 'text' },
  rebuildIndex: { project: 'text', 'onProgress?': 'function' },
};

export type MatchingUseCases = ReturnType<typeof matchingUseCases>;

export function matchingNamespace(matching: () => Promise<MatchingUseCases>): Matching {
  return checkedMethods('matching', ARGUMENTS, {
    match: async (input, options) => (await matching()).relevantContext(input, options),
    rank: async (task, options) => (await matching()).rankedMatches(task, options),
    freshContext: async (input, options) => (await matching()).freshContext(input, options),
    indexStatus: async (project) => (await matching()).indexStatus(project),
    rebuildIndex: async (project, onProgress) => (await matching()).rebuildIndex(project, onProgress),
  });
}
