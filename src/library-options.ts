// What the methods of the library take: one table each, with its type inferred.
import type { ProposalInput } from './gate/proposals/proposal.ts';
import type { Session } from './gate/sessions/sessions.ts';
import type { Bundle } from './loader/bundle/bundle.ts';
import type { Evaluation } from './loader/evaluate-past.ts';
import type { Fallback } from './loader/policy/limits.ts';
import {
  callback,
  count,
  either,
  flag,
  given,
  type Kind,
  listOf,
  needed,
  nothing,
  number,
  type OptionsOf,
  objectOf,
  off,
  oneOf,
  options,
  signal,
  text,
  texts,
} from './options.ts';
import type { Progress } from './project/project-indexes.ts';
import type { ProposalWish, RunEvent, StepRecord } from './tasks/engine.ts';
import type { SomeLimits } from './tasks/results.ts';
import type { Model } from './tasks/steps.ts';
import type { Task } from './tasks/template/template.ts';

export const WORKSPACE = {
  /** A workspace's id. Default: the one that `openBearings` was given, else the one of the repository that `cwd` is in. */
  workspace: text,
};
const PROJECT = {
  /** The folder of the project. Default: the working directory. */
  project: text,
};
export const READ = options({
  ...WORKSPACE,
  /** Keeps every text within what the settings allow an agent. Default: whole texts. */
  forAgent: flag,
  /** A profile of the policy: only its parts of memory, within its tokens. */
  for: text,
});
export const NOTES = options({
  ...WORKSPACE,
  /** Keeps every text within what the settings allow an agent. Default: whole texts. */
  forAgent: flag,
  /** The first line, counted from 0. */
  offset: number,
  /** How many lines, at most 2000. */
  limit: number,
});
export const SESSION = options({
  /** A workspace's id; null: none. Proposals are made from it. */
  workspace: either(text, nothing),
  /** What the program calls itself. */
  client: needed(text),
});
export const OPERATION = options({
  ...WORKSPACE,
  op: needed(text),
  details: needed(objectOf<Record<string, unknown>>()),
});
export const GAP = options({
  ...WORKSPACE,
  sessionId: text,
  description: needed(text),
  intent: text,
  intentCategory: text,
  missingCapability: text,
  operationsInvolved: texts,
  vocabularyUsed: texts,
  satisfaction: either(number, nothing),
  snapshotHash: text,
  notes: text,
  workaround: text,
});
export const PROPOSAL = options({
  kind: needed(oneOf('notes', 'taste')),
  content: text,
  category: text,
  /** Of a taste: its file. */
  file: text,
  reason: text,
  /** The block that `content` takes the place of. */
  replaces: text,
  /** A block that no longer holds, in place of `replaces` and `content`. */
  retires: text,
  /** When to review it again: a date, or a span such as `6 months`. */
  until: text,
  /** Paths and globs of the files it belongs to, such as `src/api/**`. */
  paths: texts,
  /** A proposal of the same session that this one takes the place of. */
  supersedes: text,
} satisfies { readonly [K in keyof ProposalInput]-?: Kind<unknown> });
export const VERIFY = options({
  passphrase: text,
  /** The code or the fingerprint that the person wrote down. */
  expected: text,
});
export const LOAD = options({
  ...PROJECT,
  task: text,
  policy: text,
  maxFiles: number,
  maxCharsPerFile: number,
  maxTotalChars: number,
  maxTokens: number,
  fallback: text as Kind<Fallback>,
  /** Also what memory says of the task. */
  tactical: flag,
  ...WORKSPACE,
  adapters: texts,
  /** A JSON file of the project with items, without a definition in a policy. */
  adapterFile: text,
  /** So many items of every adapter, whatever its definition says. */
  adapterMaxItems: number,
  /** Older than this is stale, whatever the definition of an adapter says. */
  adapterStaleSeconds: number,
  redact: flag,
  /** A profile of the policy: its slices and its budget, where nothing else is said here. */
  for: text,
  /** A time; ages are measured against it. */
  now: text,
  /** Keep a receipt of the bundle in the workspace: `new_session`, `window_rollover`, `pre_mutation`, `pre_closeout`. */
  receipt: text,
  /** Told while files are read for the first time. */
  onProgress: callback<Progress>(),
});
export const DRIFT = options({
  ...PROJECT,
  /** Only this slice has to be the same: `control_plane` for what must be stable. */
  slice: text,
});
export const EVALUATE = options({
  ...PROJECT,
  /** How many of the newest commits that can be measured; default 50. */
  commits: count,
  /** In place of the subjects of the newest commits: what was asked for, and which commit did it; or a file of such lines. */
  tasks: either(text, listOf(objectOf<{ commit: string; task: string }>())),
  /** Policies to compare; default: the one in force. */
  policies: texts,
  maxFiles: count,
  maxCharsPerFile: count,
  maxTotalChars: count,
  maxTokens: count,
  /** Told of every case; true ends the work. */
  onCase: callback<(done: Evaluation['cases'][number], count: number, total: number) => boolean | undefined>(),
});
export const MATCH_INPUT = options({ taskText: needed(text), inheritedContext: text, previousOutputs: text });
export const MATCH = options({
  ...PROJECT,
  /** Also cut the inherited context down to what belongs to the task. */
  subset: flag,
  /** Only these paths are asked. */
  only: texts,
  onProgress: callback<Progress>(),
  /** Told where the task is cut. */
  onWarning: callback<(warning: string) => void>(),
});
export const RANK = options({
  ...PROJECT,
  /** How many; default 10. */
  top: count,
  /** Only these paths compete. */
  only: texts,
  /** How many commits may help, or false; default 1,000. */
  history: either(count, off),
  /** The best passages of each file, at most this many; default 1. */
  passages: count,
  /** False: answer from the index as it was last brought up to date. */
  rescan: flag,
  /** An index that lacks more files than this is asked as it is; default: it is brought up to date first. */
  mostRead: count,
  onProgress: callback<Progress>(),
  /** Told where the task is cut. */
  onWarning: callback<(warning: string) => void>(),
});
export const CHECK = options({
  /** The template must be inside of it. */
  project: text,
  /** Warnings are problems. */
  strict: flag,
  /** What the format does not know is a warning. */
  lenient: flag,
});
const WATCH = {
  /** Ends the run as `execution_halted`; it can be resumed. */
  signal,
  deadlineMs: count,
  /** More models by name, for a program that brings its own. */
  models: objectOf<Readonly<Record<string, Model>>>(),
  onStarted: callback<(run: string) => void>(),
  onEvent: callback<(event: RunEvent) => void>(),
  onRecord: callback<(record: StepRecord) => void>(),
};
const RUN = {
  /** The template's file, if it has one. */
  file: text,
  /** `K=V`. */
  input: texts,
  /** By name; or `K=FILE.jsonl` and `K=GLOB`. */
  inputs: either(texts, objectOf<Readonly<Record<string, unknown>>>()),
  model: text,
  contextFile: text,
  propose: objectOf<ProposalWish>(),
  /** What the run starts from, before the template's word: a workspace by its id or `here`, a task for the loader. */
  root: objectOf<{ memory?: string; load?: string }>(),
  /** For every step, whatever the template says. */
  limits: objectOf<SomeLimits>(),
  /** Where lists and fresh context come from; then they must be inside of it. Default: the working directory. */
  project: text,
};
const ENGINE = {
  /** The address of a PostgreSQL database. */
  engine: needed(text),
};
export const SUBMIT = options({
  ...RUN,
  ...ENGINE,
});
export const FOLLOW = options({
  ...WATCH,
  ...ENGINE,
  /** Told once when no worker is at the database. */
  onNoWorker: callback<() => void>(),
});
// What came from these methods, and what they need of it when it comes back.
export const OPENED = given<Session>({ session_id: text, client: text, record: callback(), end: callback() });
export const SAVED = given<Bundle>({ arguments: objectOf() });
export const BUNDLE = given<Bundle>({
  policy: objectOf(),
  control_plane: objectOf(),
  files: listOf(objectOf()),
  dropped: listOf(objectOf()),
  adapters: listOf(objectOf()),
  warnings: texts,
});
// As `check` or `defineTask` gives it: a plain object with a prompt is not a task yet.
export const TASK = {
  ...given<Task>({
    type: text,
    id: text,
    name: text,
    inputs: listOf(objectOf()),
    settings: objectOf(),
    limits: objectOf(),
    filePaths: texts,
  }),
  hint: 'A task comes from defineTask(), parseTask() or tasks.check(): a plain object is not one yet.',
};

export const IN_WORKSPACE = options(WORKSPACE);
/** Of one workspace, or of all. */
export const targetOf = ({ workspace }: OptionsOf<typeof WORKSPACE>) =>
  workspace === undefined ? 'all' : { id: workspace };
export const WATCH_OPTIONS = options(WATCH);
export const RUN_OPTIONS = options({ ...RUN, ...WATCH });
