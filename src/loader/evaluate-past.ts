import { invalidInput } from '../errors.ts';
import { join } from '../files/paths.ts';
import { whyPrivate } from '../matching/text/paths.ts';
import { type CommitStates, commitStates, type PastCommit } from '../project/io/commit-states.ts';
import { gitWarnings } from '../project/io/git.ts';
import type { AppContext } from '../settings/app-context.ts';
import { gitRoot } from '../settings/io/workspace-folders.ts';
import { tokenCounter } from '../tokens.ts';
import type { Bundle } from './bundle/bundle.ts';
import { folderOf, OWN_POLICY, policyName } from './choose-policy.ts';
import { BaselineCorpus, type BaselineRoom } from './evaluate/baselines.ts';
import {
  type Change,
  type Coverage,
  changedLines,
  coverageOf,
  type Figures,
  figuresOf,
  isFocused,
  isGenerated,
  isTask,
  type Selection,
  tellingLines,
} from './evaluate/measure.ts';
import { copyInto, evaluateLastCommit, inTemporaryFolder, readForBaseline } from './io/temporary-folder.ts';
import { bundleLoader, type LoadRequest } from './load.ts';
import { BUILT_IN } from './policy/extend-policy.ts';
import { eachLimit, type Limits } from './policy/limits.ts';

export interface EvaluateRequest extends Pick<LoadRequest, 'dir' | keyof Limits> {
  /** How many of the newest commits that can be measured; default 50. */
  commits?: number | undefined;
  /** Policies to compare; default: the one in force. */
  policies?: readonly string[] | undefined;
  /** False: no BM25 beside the bundles. */
  baselines?: boolean | undefined;
  /** Told of every case; true ends the work. */
  onCase?: ((done: EvaluatedCase, count: number, total: number) => boolean | undefined) | undefined;
}

export interface EvaluatedCase {
  commit: string;
  task: string;
  /** How many files it changed that can be measured. */
  changed: number;
  held: Record<string, Coverage>;
}

export interface Evaluation {
  cases: EvaluatedCase[];
  /** Empty without a case. By policy, and for `bm25 files` and `bm25 chunks` in as many characters as the first policy's bundle has for the task. */
  figures: Record<string, Figures>;
  /** The clone holds only the newest commits: there may be more cases. */
  shallow: boolean;
}

const DEFAULT_COMMITS = 50;
const MOST_COMMITS = 1000;
// So many commits are looked at for each one that can be measured.
const LOOKED_AT = 20;
const FILES = 'bm25 files';
const CHUNKS = 'bm25 chunks';

// How much of past changes the bundles would have contained: the subject of a commit is the task, its parent the state. The
// repository is only read; states are written into a temporary folder.
export function evaluateUseCases(app: AppContext) {
  return {
    /** Of the repository that the person is in; null where it is not known by the signal. */
    async lastCommit(signal: AbortSignal): Promise<EvaluatedCase | null> {
      const root = gitRoot(app.cwd);
      const printed = root === null ? null : await evaluateLastCommit(app, root, signal);
      return printed === null ? null : ((JSON.parse(printed) as Evaluation).cases[0] ?? null);
    },

    async evaluate(request: EvaluateRequest = {}): Promise<Evaluation> {
      const { onCase } = request;
      const limits = eachLimit((name) => request[name]);
      const baselines = request.baselines === false ? [] : [FILES, CHUNKS];
      const wanted = request.commits ?? DEFAULT_COMMITS;
      if (!Number.isInteger(wanted) || wanted < 1 || wanted > MOST_COMMITS)
        throw invalidInput(`commits is a whole number from 1 to ${MOST_COMMITS}.`, 'For example: --commits 50');
      const repository = folderOf(app, request.dir);
      const policies = policiesIn(app, repository, request);
      return inTemporaryFolder(async (folder) => {
        const states = await commitStates(repository, join(folder, 'tree'));
        const load = bundleLoader({ ...app, cacheFolder: join(folder, 'cache'), home: join(folder, 'home') });
        const corpus = new BaselineCorpus();
        const countTokens = limits.max_tokens == null ? null : await tokenCounter();
        const cases: EvaluatedCase[] = [];
        for (const commit of await states.commits(wanted * LOOKED_AT)) {
          if (cases.length >= wanted) break;
          const { id, subject: task } = commit;
          const change = isTask(task) ? await changeOf(states, commit) : null;
          if (change === null) continue;
          const held: Record<string, Coverage> = {};
          const bundles: Bundle[] = [];
          for (const policy of policies) {
            policy.bring(states.folder);
            const { bundle } = await load({ ...limits, dir: states.folder, task, policy: policy.file });
            bundles.push(bundle);
            held[policy.name] = coverageOf(change, selectionOf(bundle), controlOf(bundle));
          }
          if (baselines.length > 0) {
            await useFiles(corpus, states);
            const first = bundles[0] as Bundle;
            const room = roomLeft(first, countTokens);
            const baseline = (selection: Selection) => coverageOf(change, joined(selection, first), controlOf(first));
            held[FILES] = baseline(corpus.wholeFiles(task, room));
            held[CHUNKS] = baseline(corpus.chunks(task, room));
          }
          const done = { commit: id, task, changed: change.size, held };
          cases.push(done);
          if (onCase?.(done, cases.length, wanted)) break;
        }
        for (const warning of gitWarnings(states.folder)) app.warn(warning);
        const names = cases.length === 0 ? [] : [...policies.map(({ name }) => name), ...baselines];
        const figures = names.map((name) => [name, figuresOf(cases.flatMap(({ held }) => held[name] ?? []))]);
        return { cases, figures: Object.fromEntries(figures), shallow: states.isShallow };
      });
    },
  };
}

interface AskedPolicy {
  name: string;
  file: string | undefined;
  /** Puts the policy as it is today into a past state. */
  bring(folder: string): void;
}

function policiesIn(app: AppContext, repository: string, { policies = [], dir }: EvaluateRequest): AskedPolicy[] {
  const bring = (folder: string) => copyInto(folder, OWN_POLICY, { project: repository, path: OWN_POLICY });
  if (policies.length === 0) return [{ name: 'bundle', file: undefined, bring }];
  return policies.map((written, at) => {
    const name = policyName(app, written, dir) ?? written;
    if (Object.hasOwn(BUILT_IN, name)) return { name, file: name, bring: () => {} };
    const file = `.bearings/evaluated-${at}.yaml`;
    return { name, file, bring: (folder) => copyInto(folder, file, { project: repository, path: name }) };
  });
}

// Null where the commit has no lines to find, or too many. The work tree is at its parent afterwards.
async function changeOf(states: CommitStates, commit: PastCommit): Promise<Change | null> {
  const diff = await states.diff(commit);
  const changed = [...changedLines(diff ?? '')].filter(([path]) => !isGenerated(path));
  if (!isFocused(changed.map(([path]) => path)) || !(await states.stand(commit.parent))) return null;
  const change = new Map<string, string[]>();
  for (const [path, numbers] of changed) {
    const text = readForBaseline(join(states.folder, path));
    const lines = text === null ? [] : tellingLines(text, numbers);
    if (lines.length > 0) change.set(path, lines);
  }
  return change.size === 0 ? null : change;
}

async function useFiles(corpus: BaselineCorpus, states: CommitStates): Promise<void> {
  const files = (await states.files()).filter(({ path }) => !isGenerated(path) && whyPrivate(path) === null);
  corpus.use(
    files.map(({ path, blob }) => ({ path, version: blob, read: () => readForBaseline(join(states.folder, path)) })),
  );
}

function selectionOf({ files }: Bundle): Selection {
  return new Map(files.map(({ path, excerpt }) => [path, excerpt]));
}

// The control plane is not a matter of retrieval: everyone has it, and everyone has what it leaves.
function joined(selection: Selection, { files }: Bundle): Selection {
  const all = new Map(selection);
  for (const { path, excerpt, source_class } of files)
    if (source_class === 'control_plane') all.set(path, `${all.get(path) ?? ''}\n${excerpt}`);
  return all;
}

function controlOf({ files }: Bundle): ReadonlySet<string> {
  return new Set(files.flatMap(({ source_class, path }) => (source_class === 'control_plane' ? [path] : [])));
}

// As much as the bundle used for the task: a bundle ends where it likes, and is compared with others of its size.
function roomLeft({ files }: Bundle, countTokens: BaselineRoom['countTokens']): BaselineRoom {
  const task = files.filter(({ source_class }) => source_class === 'task');
  const tokens = countTokens ? task.reduce((sum, file) => sum + (file.tokens ?? 0), 0) : Number.POSITIVE_INFINITY;
  return { chars: task.reduce((sum, file) => sum + file.chars, 0), tokens, countTokens };
}
