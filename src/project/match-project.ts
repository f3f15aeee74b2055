import { invalidInput, notFound } from '../errors.ts';
import { isPlainFile } from '../files/file-fingerprint.ts';
import { join, lstatOf, realPath, resolve } from '../files/paths.ts';
import { readText } from '../files/read-file.ts';
import { FIELD } from '../matching/index/fields.ts';
import { type IndexView, viewWithout } from '../matching/index/index-view.ts';
import { type Match, match } from '../matching/match.ts';
import type { ScoredPassage } from '../matching/passages.ts';
import { cutWarnings, parseInput, parseQuery, type Query, type QueryInput } from '../matching/query.ts';
import { rank } from '../matching/rank.ts';
import { bestFirst, givenPassages } from '../matching/score-passages.ts';
import type { Signal } from '../matching/signals/signals.ts';
import { subsetOf } from '../matching/subset.ts';
import { askedOf } from '../matching/talk.ts';
import { createTokenizer } from '../matching/text/terms.ts';
import type { AppContext } from '../settings/app-context.ts';
import { traced } from '../settings/io/tracing.ts';
import { type FreshPassages, fillFresh, withUnranked } from './fresh-passages.ts';
import { gitWarnings } from './io/git.ts';
import { readSource } from './io/index/read-parts.ts';
import { type IndexedProject, type Progress, projectIndexes, scanProject } from './project-indexes.ts';

export type MatchInput = QueryInput;

export interface RankOptions {
  project: string;
  /** How many; default 10. */
  top?: number;
  /** Only these paths compete. */
  only?: readonly string[];
  /** How many commits may help, or false; default 1,000. */
  history?: number | false;
  /** The best passages of each file, at most this many; default 1. */
  passages?: number;
  /** False: answer from the index as it was last brought up to date. */
  rescan?: boolean;
  /** An index that lacks more files than this is asked as it is; default: it is brought up to date first. */
  mostRead?: number;
  onProgress?: Progress;
  /** Told where the task is cut. */
  onWarning?: ((warning: string) => void) | undefined;
}

export interface RankedMatch {
  path: string;
  score: number;
  parts: Partial<Record<Signal, number>>;
  /** Words of the task that the file holds. */
  words: string[];
  passages: { start: number; end: number; title: string | null }[];
}

export interface IndexReport {
  state: 'none' | 'current';
  files: number;
  documents: number;
  parts: number;
}

const DEFAULT_TOP = 10;
const MOST_TOP = 1000;
const DEFAULT_HISTORY = 1000;
const DEFAULT_FRESH_CHARS = 12_000;
const FRESH_FILES = 20;

// Which files of a project belong to a task. All of it offline; the index is derived and stays in the cache folder.
export function matchingUseCases(app: AppContext, excludedIn: (root: string) => Promise<readonly string[]>) {
  const tokenizer = createTokenizer();
  const scan = async (root: string) => scanProject(root, await excludedIn(root));
  const indexes = projectIndexes({ cacheFolder: app.cacheFolder, tokenizer, scan });
  const projects: typeof indexes = {
    ...indexes,
    async ask(root, options, use) {
      const answer = await indexes.ask(root, options, use);
      for (const warning of gitWarnings(root)) app.warn(warning);
      return answer;
    },
  };
  const rootOf = (project: string): string => {
    const root = realPath(resolve(app.cwd, project));
    if (root === null || !lstatOf(root)?.isDirectory())
      throw notFound('There is no such project folder.', 'Name a folder that exists.');
    return root;
  };
  const rankIn = async (
    { view, history }: IndexedProject,
    text: string | QueryInput,
    options: Omit<RankOptions, 'project'> & { root: string },
  ) => {
    const { root, top = DEFAULT_TOP, only, history: depth = DEFAULT_HISTORY } = options;
    return rank(view, text, {
      tokenizer,
      top,
      read: (path) => readSource(root, path),
      history: depth === false ? null : await history(depth),
      ...(only ? { only: new Set(only) } : {}),
    });
  };

  const indexStatus = async (project: string): Promise<IndexReport> => {
    const root = rootOf(project);
    const files = await scan(root);
    const status = projects.indexOf(root).status(files);
    if (status === null) return { state: 'none', files: 0, documents: 0, parts: 0 };
    const isFile = (_: string, place: number) => isPlainFile(files.prints, place);
    return { state: 'current', files: files.names.filter(isFile).length, ...status };
  };

  return {
    /** getRelevantContextFor: matches, no rank. */
    async relevantContext(
      input: MatchInput,
      options: {
        project: string;
        subset?: boolean;
        only?: readonly string[];
        /** Never these, nor what their words weigh: a running template is no context of itself. */
        without?: readonly string[];
        onProgress?: Progress | undefined;
        onWarning?: RankOptions['onWarning'];
      },
    ): Promise<{ context: string; matches: Match[]; missed?: true }> {
      assertTask(input.taskText);
      for (const warning of cutWarnings(input.taskText)) options.onWarning?.(warning);
      const root = rootOf(options.project);
      const only = options.only && new Set(options.only);
      const { without = [] } = options;
      const matches = await counted(() =>
        projects.ask(root, options, ({ view }) => match(viewWithout(view, without), input, tokenizer)),
      );
      const parent = input.inheritedContext ?? '';
      const subset = options.subset ? subsetOf(parent, input, tokenizer) : null;
      return {
        context: subset?.text ?? parent,
        matches: only ? matches.filter(([path]) => only.has(path)) : matches,
        ...(subset?.missed ? { missed: true } : {}),
      };
    },

    /** The best first, with the parts of each score. */
    async rankedMatches(text: string, options: RankOptions): Promise<RankedMatch[]> {
      assertTask(text);
      assertTop(options.top);
      for (const warning of cutWarnings(text)) options.onWarning?.(warning);
      const root = rootOf(options.project);
      const wanted = options.passages ?? 1;
      const answer = async (index: IndexedProject) => {
        const ranked = await rankIn(index, text, { ...options, root });
        const query = parseQuery(text, tokenizer);
        const wordsOf = wordFinder(index.view, askedOf(index.view, query));
        const scored = givenPassages(index.view, query, tokenizer);
        const best = (path: string) => {
          const read = wanted === 0 ? null : readText(join(root, path), root);
          return read?.status === 'ok' ? bestFirst(scored(path, read.value.text)).slice(0, wanted) : [];
        };
        return ranked.map(({ id, path, score, parts }) => ({
          path,
          score: Math.round(score * 1000) / 1000,
          parts,
          words: wordsOf(id),
          passages: best(path).map(withoutText),
        }));
      };
      return counted(() => projects.ask(root, options, answer));
    },

    /** The best passages of the best files, as many as fit, secrets cut out. */
    async freshContext(
      input: MatchInput,
      options: {
        project: string;
        maxChars?: number;
        history?: number | false;
        /** Only these files; a path that the index knows not is read as it is. */
        only?: readonly string[];
        /** Never these: a template is no context of itself. */
        without?: readonly string[];
        /** What the reader has already: no passage of it. */
        present?: string;
      },
    ): Promise<FreshPassages & { matches: string[] }> {
      assertTask(input.taskText);
      const { project, maxChars = DEFAULT_FRESH_CHARS, without = [], only, present = '', ...rest } = options;
      const root = rootOf(project);
      const wanted = only?.filter((path) => !without.includes(path));
      const fresh = await projects.ask(root, {}, async (whole) => {
        const index = { ...whole, view: viewWithout(whole.view, without) };
        const wordsOf = wordFinder(index.view, askedOf(index.view, parseQuery(input.taskText, tokenizer)));
        const best = await rankIn(index, input, {
          ...rest,
          root,
          top: FRESH_FILES,
          ...(wanted ? { only: wanted } : {}),
        });
        const ranked = best.map(({ id, path }) => ({ path, words: wordsOf(id) }));
        const files = withUnranked(ranked, wanted ?? []).slice(0, FRESH_FILES);
        const scored = givenPassages(index.view, parseInput(input, tokenizer), tokenizer);
        return fillFresh(files, { root, scored, maxChars, present });
      });
      return {
        ...fresh,
        matches: fresh.why.map(({ path }) => path),
        warnings: [...cutWarnings(input.taskText), ...gitWarnings(root), ...fresh.warnings],
      };
    },

    /** True where an index was built before, whatever it holds. */
    hasIndex: (project: string): boolean => indexes.indexOf(rootOf(project)).isBuilt(),

    indexStatus,

    async rebuildIndex(project: string, onProgress?: Progress): Promise<IndexReport> {
      const root = rootOf(project);
      await projects.indexOf(root).rebuild(await scan(root), onProgress);
      return indexStatus(project);
    },
  };
}

// Which words of the task a document holds, in the order of the task.
function wordFinder(view: IndexView, { terms }: Query): (id: number) => string[] {
  const holders = terms.map(({ term, word }) => ({ word, lists: holdersOf(view, term) }));
  return (id) => [
    ...new Set(holders.filter(({ lists }) => lists.some((ids) => holds(ids, id))).map(({ word }) => word)),
  ];
}

function holdersOf(view: IndexView, term: string): Uint32Array[] {
  return [FIELD.body, FIELD.path].map((field) => view.postings(field + term).ids);
}

// The ids ascend.
function holds(ids: Uint32Array, id: number): boolean {
  let [low, high] = [0, ids.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ids[middle] as number) < id) low = middle + 1;
    else high = middle;
  }
  return ids[low] === id;
}

function withoutText({ start, end, title }: ScoredPassage): { start: number; end: number; title: string | null } {
  return { start, end, title };
}

function assertTask(text: string): void {
  if (typeof text !== 'string' || text.trim() === '')
    throw invalidInput('The task text is empty.', 'Say in a few words what is to be done.');
}

function assertTop(top: number | undefined): void {
  if (top !== undefined && (!Number.isInteger(top) || top < 1 || top > MOST_TOP))
    throw invalidInput(`top is a whole number from 1 to ${MOST_TOP}.`, 'For example: 10');
}

// How many files were found; not what was asked for.
function counted<T>(find: () => Promise<T[]>): Promise<T[]> {
  const facts = () => ({ 'gen_ai.operation.name': 'retrieval', 'gen_ai.data_source.id': 'project' });
  return traced({ name: 'retrieval project', facts }, async (span) => {
    const files = await find();
    span?.setAttributes({ 'bearings.match.files': files.length });
    return files;
  });
}
