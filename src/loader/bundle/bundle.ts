import { sortedByCodePoint } from '../../code-points.ts';
import { canonicalJson } from '../../json.ts';
import type { ProjectSource } from '../../project/project-source.ts';
import { findIntent, type IntentHit } from '../policy/extend-policy.ts';
import { eachLimit, type Fallback, type Limits, type LimitsInForce } from '../policy/limits.ts';
import type { Intent, Policy } from '../policy/policy.ts';
import { type AdapterReport, type CleanReading, type Sha256, selectAdapterItems } from '../slices/adapter-slice.ts';
import { type ControlPlane, selectControlPlane } from '../slices/control-plane.ts';
import { countedHistory, type Matched, rankMatched, type Score, type UsedHistory } from '../slices/matched.ts';
import { selectTactical, type TacticalMemory } from '../slices/tactical.ts';
import { type Attempt, type Degraded, requiredOut, type SlicesFilled, tryLevels } from './fallback.ts';
import type { Candidate, Dropped, FileEntry } from './fill.ts';
import type { MatchedCandidate } from './fill-passages.ts';
import { type Room, SLICES, type Slice } from './partitions.ts';
import type { Unit } from './passage-choice.ts';

const BUNDLE_VERSION = 1;
const MAX_DROPPED = 200;
const MAX_WARNINGS = 100;

/** Beyond the adapters of a policy; each only where the caller said it. */
export interface AdapterArguments {
  /** A JSON file of the project with items, without a definition in a policy: the adapter `beads`. */
  adapter_file?: string;
  /** So many items of every adapter, whatever its definition says. */
  adapter_max_items?: number;
  /** Older than this is stale, whatever the definition of an adapter says. */
  adapter_stale_seconds?: number;
}

/** All that shaped a bundle, as the caller gave it: null where the policy decides. */
export interface LoadArguments extends AdapterArguments, Record<keyof Limits, number | null> {
  task: string;
  policy: string | null;
  fallback: Fallback;
  tactical: boolean;
  workspace: string | null;
  adapters: string[];
  /** Replace what is certainly a secret in the project's own files by its class. */
  redact: boolean;
  /** A time; ages are measured against it. */
  now: string | null;
  /** A profile of the policy: its slices and its budget, where nothing else is said here. Only where one was named. */
  for?: string;
}

export interface PartitionReport {
  max_files: number | null;
  max_chars: number | null;
  used_files: number;
  used_chars: number;
  dropped: number;
  /** Only where tokens are counted. */
  max_tokens?: number | null;
  used_tokens?: number;
}

interface BudgetReport extends LimitsInForce {
  used_files: number;
  used_chars: number;
  used_tokens: number | null;
  /** Who counted the tokens; null where nobody did. */
  tokenizer: string | null;
  partitions: Partial<Record<Slice, PartitionReport>>;
}

export interface Bundle {
  version: typeof BUNDLE_VERSION;
  arguments: LoadArguments;
  policy: { name: string; source: string; sha256: string };
  /** The git history that helped to rank; null where no commit counted for a file. */
  history: UsedHistory | null;
  task: string;
  task_key: string;
  budget: BudgetReport;
  control_plane: ControlPlane;
  files: FileEntry[];
  /** At most 200; `dropped_beyond` counts the rest. */
  dropped: Dropped[];
  dropped_beyond: number;
  adapters: AdapterReport[];
  warnings: string[];
  fallback: { level: Fallback; attempts: Attempt[]; degraded: Degraded[] };
  bundle_sha256: string;
}

export interface BundleInput {
  arguments: LoadArguments;
  policy: Policy;
  /** `built-in`, or the file it was read from. */
  policySource: string;
  source: ProjectSource;
  /** Files that fit the words of the task; null where the policy does not match. */
  matched: Matched | null;
  /** Null: the slice is off. */
  tactical: TacticalMemory | null;
  adapters: readonly CleanReading[];
  now: number | null;
  /** What was noticed on the way here. */
  warnings: readonly string[];
  sha256: Sha256;
  tokenizer: { name: string; count(text: string): number } | null;
}

/** The bundle, and what `explain` needs beyond it. */
export interface BuiltBundle {
  bundle: Bundle;
  hit: IntentHit;
  dropped: Dropped[];
  ignored: ReadonlyMap<string, string>;
  /** Of all that matching chose, in the bundle or not. */
  scores: ReadonlyMap<string, Score>;
  /** What each file that words chose is given by, the best first. */
  passages: ReadonlyMap<string, readonly Unit[]>;
  /** How any other file did; null where patterns chose and not the words of the task. */
  standing: Matched['standing'] | null;
}

// The whole job: what each slice would take, then what the budget lets in, then one sealed answer.
export function buildBundle(input: BundleInput): BuiltBundle {
  const { policy, source } = input;
  const hit = findIntent(input.arguments.task, policy.intents);
  const control = selectControlPlane(policy, source, (path) => input.matched?.standing(path).words ?? []);
  const earlier = new Set(control.plane.files.map(({ path }) => path));
  // Words decide where they can; only without any do the policy's places.
  const matched = input.matched ? selectMatched(hit.intent, source, { matched: input.matched, earlier }) : null;
  const task = matched ? [] : selectNamed(hit.intent, source);
  const tactical = input.tactical ? selectTactical(input.tactical, policy.tactical, input.sha256) : [];
  const adapters = selectAdapterItems(input.adapters, input.now, input.sha256);
  const on = {
    tactical: input.tactical !== null,
    adapters: input.adapters.filter(({ status }) => status !== 'disabled').length,
  };
  const limits = limitsAsked(input.arguments, policy.budget);
  const { filled, fallback } = tryLevels({
    task: input.arguments.task,
    candidates: { control_plane: control.candidates, task, tactical, adapter: adapters.candidates },
    matched,
    unindexed: input.matched ? selectUnindexed(hit.intent, source, { matched: input.matched, earlier }) : [],
    limits,
    shares: policy.partitions,
    on,
    allowed: input.arguments.fallback,
    countTokens: limits.max_tokens === null ? null : (input.tokenizer?.count ?? null),
  });
  filled.dropped.push(...adapters.dropped);
  const lacking = requiredOut(control.candidates, filled);
  const degraded = adapters.reports.flatMap(({ id, status, reason }) =>
    status === 'degraded' ? [{ adapter: id, reason: reason ?? '' }] : [],
  );
  const unsealed: Omit<Bundle, 'bundle_sha256'> = {
    version: BUNDLE_VERSION,
    arguments: input.arguments,
    policy: { name: policy.name, source: input.policySource, sha256: input.sha256(canonicalJson(policy)) },
    history: input.matched && countedHistory(input.matched),
    task: input.arguments.task,
    task_key: hit.intent.key,
    budget: budgetReport(filled, {
      on,
      tokenizer: limits.max_tokens === null ? null : (input.tokenizer?.name ?? null),
    }),
    control_plane: lacking.length > 0 ? { ...control.plane, status: 'incomplete' } : control.plane,
    files: filled.files,
    dropped: filled.dropped.slice(0, MAX_DROPPED),
    dropped_beyond: Math.max(0, filled.dropped.length - MAX_DROPPED),
    adapters: adapters.reports.map((report) => ({
      ...report,
      selected: filled.files.reduce(
        (count, { provenance }) =>
          count + (provenance.origin === 'adapter' && provenance.adapter === report.id ? provenance.items.length : 0),
        0,
      ),
    })),
    warnings: bounded([
      ...input.warnings,
      ...control.warnings,
      ...lacking.map(
        ({ path, reason }) => `${path} is required and had no room (${reason}): no task file comes in before it.`,
      ),
      ...adapters.warnings,
      ...filled.warnings,
      ...emptyTask(input, filled),
      ...staleItems(filled),
      ...source.warnings(),
    ]),
    fallback: { ...fallback, degraded },
  };
  return {
    bundle: { ...unsealed, bundle_sha256: input.sha256(canonicalJson(unsealed)) },
    hit,
    dropped: filled.dropped,
    ignored: control.ignored,
    passages: filled.passages,
    standing: input.matched?.standing ?? null,
    scores: new Map((matched ?? []).flatMap(({ path, score }) => (score ? [[path, score]] : []))),
  };
}

function candidateOf(path: string, source: ProjectSource, by: string): Candidate {
  return {
    path,
    source_class: 'task',
    selected_by: by,
    provenance: { authoritative: false, origin: 'project' },
    read: (maxChars) => source.read(path, maxChars),
  };
}

// What fits the words, the best first; a pattern of the task's kind raises a file and brings in none. Whatever the
// control plane holds is in already, or has its place among what is left out.
function selectMatched(
  intent: Intent,
  source: ProjectSource,
  { matched, earlier }: { matched: Matched; earlier: ReadonlySet<string> },
): MatchedCandidate[] {
  const named = new Set(intent.include.flatMap((pattern) => source.list(pattern)));
  const others = matched.files.filter(({ path }) => !earlier.has(path));
  return rankMatched(others, (path) => named.has(path)).map(({ path, score }) => ({
    ...candidateOf(path, source, `task:${intent.key}:match`),
    score,
    worth: score.total,
    passages: (text) => matched.passages(path, text),
  }));
}

// Links, pipes and what can't be read, where a pattern names it or its path holds a word of the task: nothing of them comes
// in, but each is listed.
function selectUnindexed(
  intent: Intent,
  source: ProjectSource,
  { matched, earlier }: { matched: Matched; earlier: ReadonlySet<string> },
): Candidate[] {
  const others = new Map(matched.unindexed.filter(({ path }) => !earlier.has(path)).map((each) => [each.path, each]));
  const named = selectNamed(intent, source).filter(({ path }) => others.has(path));
  for (const { path } of named) others.delete(path);
  const called = [...others.values()].filter(({ called }) => called);
  return [...named, ...called.map(({ path }) => candidateOf(path, source, `task:${intent.key}:match`))];
}

// Pattern by pattern, within a pattern by path. A file that two of them name belongs to the first.
function selectNamed(intent: Intent, source: ProjectSource): Candidate[] {
  const seen = new Set<string>();
  return intent.include.flatMap((pattern) => {
    const fresh = source.list(pattern).filter((path) => !seen.has(path));
    for (const path of fresh) seen.add(path);
    return sortedByCodePoint(fresh).map((path) => candidateOf(path, source, `task:${intent.key}:${pattern}`));
  });
}

export function limitsAsked(asked: LoadArguments, otherwise: Limits): Limits {
  return eachLimit((name) => asked[name] ?? otherwise[name]) as Limits;
}

function budgetReport(
  { limits, rooms, used, dropped }: SlicesFilled,
  { on, tokenizer }: { on: { tactical: boolean; adapters: number }; tokenizer: string | null },
): BudgetReport {
  const isOn = (slice: Slice) => (slice === 'tactical' ? on.tactical : slice === 'adapter' ? on.adapters > 0 : true);
  const report = (slice: Slice): PartitionReport => ({
    max_files: printed(rooms[slice].files),
    max_chars: printed(rooms[slice].chars),
    used_files: used[slice].files,
    used_chars: used[slice].chars,
    dropped: dropped.filter(({ source_class }) => source_class === slice).length,
    ...(tokenizer === null ? {} : { max_tokens: printed(rooms[slice].tokens), used_tokens: used[slice].tokens }),
  });
  const sum = (unit: keyof Room) => SLICES.reduce((total, slice) => total + used[slice][unit], 0);
  return {
    ...limits,
    used_files: sum('files'),
    used_chars: sum('chars'),
    used_tokens: tokenizer === null ? null : sum('tokens'),
    tokenizer,
    partitions: Object.fromEntries(SLICES.filter(isOn).map((slice) => [slice, report(slice)])),
  };
}

function printed(room: number): number | null {
  return room === Number.POSITIVE_INFINITY ? null : room;
}

function bounded(warnings: string[]): string[] {
  const beyond = warnings.length - MAX_WARNINGS;
  return beyond > 0 ? [...warnings.slice(0, MAX_WARNINGS), `and ${beyond} more warnings.`] : warnings;
}

// A bundle without a task file looks like one that needs none.
function emptyTask({ arguments: { task }, matched }: BundleInput, { used }: SlicesFilled): string[] {
  if (used.task.files > 0) return [];
  const isUnknown = task !== '' && matched?.files.length === 0;
  const none = 'beyond what every task gets, no file of the project is in';
  return [isUnknown ? `${none}: no file holds a word of the task.` : `${none}.`];
}

function staleItems({ files }: SlicesFilled): string[] {
  return files.flatMap(({ provenance }) =>
    provenance.origin === 'adapter'
      ? provenance.items.flatMap(({ id, stale }) => (stale ? [`adapter ${provenance.adapter}: ${id} is stale.`] : []))
      : [],
  );
}
