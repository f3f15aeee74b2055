import type { ProjectSource } from '../../project/project-source.ts';
import type { Intent, Policy } from '../policy/policy.ts';
import { type Score, type Standing, scoreWords } from '../slices/matched.ts';
import type { BuiltBundle } from './bundle.ts';
import type { Dropped, DropReason, FileEntry } from './fill.ts';
import { rangeWords } from './line-ranges.ts';
import type { Unit } from './passage-choice.ts';
import type { AdapterProvenance } from './provenance.ts';

export interface Explanation {
  path: string;
  verdict: 'in' | 'cut' | 'dropped' | 'out';
  task_key: string;
  /** Why, in sentences for a person. */
  reasons: string[];
  /** The passages that a cut file is given by, the best first, each with its sentence of `reasons`. */
  passages: (Unit & { why: string })[];
  entry: Omit<FileEntry, 'excerpt'> | null;
  dropped: Dropped | null;
}

export interface ExplainInput extends BuiltBundle {
  policy: Policy;
  source: ProjectSource;
  exists(path: string): boolean;
}

const DROP_WORDS: Record<DropReason, string> = {
  budget_files: 'the files of its slice are used up',
  budget_chars: 'the characters of its slice are used up',
  budget_tokens: 'the tokens of its slice are used up',
  low_value: 'it says too little of the task beside what is in',
  duplicate: 'the same file is already in under another name or in an earlier slice',
  unsafe: 'it is not one of the files that may be read here: a link out, a pipe, ignored by git, or Bearings’ own',
  unreadable: 'it could not be read or is broken; see the warnings',
};

export function explainPath(path: string, input: ExplainInput): Explanation {
  const { bundle, hit } = input;
  const entry = bundle.files.find((file) => isCalled(file, path));
  const dropped = input.dropped.find((drop) => drop.path === path) ?? null;
  const base = { path, task_key: hit.intent.key, passages: [], entry: null, dropped: null };
  const why = hit.word === null ? 'no word of the task names another' : `the task says "${hit.word}"`;
  if (entry) {
    const { excerpt: _, ...rest } = entry;
    const passages = passageReasons(entry, input.passages.get(path) ?? []);
    return {
      ...base,
      verdict: entry.truncated ? 'cut' : 'in',
      reasons: [
        entry.provenance.origin === 'adapter' ? itemWords(entry.provenance) : selectedWords(entry.selected_by, why),
        ...matchWords(entry.score),
        `it ranks ${entry.rank} of ${bundle.files.length}`,
        entry.truncated ? cutWords(entry) : `all of its ${entry.chars} characters are in`,
        ...passages.map(({ why }) => why),
      ],
      passages,
      entry: rest,
    };
  }
  if (dropped) {
    return {
      ...base,
      verdict: 'dropped',
      reasons: [
        selectedWords(dropped.selected_by, why),
        ...matchWords(input.scores.get(path)),
        DROP_WORDS[dropped.reason],
      ],
      dropped,
    };
  }
  return { ...base, verdict: 'out', reasons: outWords(path, input, why) };
}

/** By its path; an adapter's entry also by that of an item in it. */
export function isCalled({ path, provenance }: FileEntry, name: string): boolean {
  if (path === name) return true;
  return provenance.origin === 'adapter' && provenance.items.some(({ id }) => `${path}/${id}` === name);
}

function itemWords({ adapter, items }: AdapterProvenance): string {
  const said = items.map(({ id, state, stale }) => `${id} as ${state}${stale && state !== 'stale' ? ', stale' : ''}`);
  return `the adapter ${adapter} reports ${said.join('; ')}`;
}

function selectedWords(selectedBy: string, why: string): string {
  const [kind, key, pattern] = partsOf(selectedBy);
  if (kind === 'task' && pattern === 'match') return `what it says fits the words of the task (task key ${key})`;
  if (kind === 'task') return `the pattern ${pattern} of the task key ${key} selects it; ${why}`;
  if (selectedBy === 'control_plane:active_decision') return 'it is one of the newest active decisions';
  if (kind === 'control_plane') return 'the policy puts it in the control plane, whatever the task';
  return kind === 'tactical' ? 'it is the memory of the workspace' : `the adapter ${key} reports it as ${pattern}`;
}

function matchWords(score: Score | undefined): string[] {
  if (!score) return [];
  const parts = Object.entries(score.parts).sort(([, a], [, b]) => Math.abs(b) - Math.abs(a));
  // Each was rounded alone: what that left over is told with the largest, so that they add up to the score.
  const [largest] = parts;
  const rest = score.total - parts.reduce((sum, [, value]) => sum + value, 0);
  if (largest && Math.abs(rest) < 0.05) largest[1] += rest;
  const made = parts.map(([name, value]) => `${name} ${Number(value.toFixed(2))}`).join(', ');
  return [`match ${scoreWords(score)}`, `made of ${made}`];
}

// A pattern may hold colons itself.
function partsOf(selectedBy: string): [string, string, string] {
  const [kind = '', key = '', ...rest] = selectedBy.split(':');
  return [kind, key, rest.join(':')];
}

function cutWords({ chars, total_chars, total_bytes, ranges = [] }: Omit<FileEntry, 'excerpt'>): string {
  const all = total_chars === null ? `${total_bytes} bytes` : `${total_chars} characters`;
  const isHead = ranges.length <= 1 && (ranges[0]?.start ?? 1) === 1;
  return isHead ? `its first ${chars} of ${all} are in` : `${chars} of ${all} are in: lines ${rangeWords(ranges)}`;
}

// Why each passage is in; the lines that only enclose one are not counted.
function passageReasons({ truncated }: FileEntry, passages: readonly Unit[]): Explanation['passages'] {
  if (!truncated) return [];
  // By what each says itself, as `match` names them: who calls it decides only whether it comes in.
  const best = [...passages].sort((a, b) => b.score - a.score || a.start - b.start);
  return best.map((unit) => {
    const { start, end, title, score } = unit;
    const about = title === null ? '' : ` (${title})`;
    const why = score > 0 ? `its words ${score.toFixed(2)}` : 'no word of its own, but its file ranks high';
    return { ...unit, why: `lines ${start}-${end}${about}: ${why}` };
  });
}

function outWords(path: string, input: ExplainInput, why: string): string[] {
  const passed = input.ignored.get(path);
  if (passed) return [`the control plane looks for it, but ${passed}`];
  if (path.startsWith('/') || path.split('/').includes('..')) return ['it lies outside of the project'];
  if (!input.exists(path)) return ['there is no such file in the project'];
  return input.standing ? unmatchedWords(path, input, input.standing(path)) : unnamedWords(path, input, why);
}

// The words of the task choose: a pattern raises a file among those that match, and brings none in.
function unmatchedWords(path: string, { hit, source }: ExplainInput, standing: Standing): string[] {
  const pattern = patternFor(path, hit.intent, source);
  const raised = pattern === undefined ? '' : `; the pattern ${pattern} only raises a file that matches`;
  return [`the words of the task choose the files, not the patterns of the policy${raised}`, standingWords(standing)];
}

function standingWords({ listed, indexed, words }: Standing): string {
  if (!listed) return 'matching does not look at it: a .gitignore names it, or the policy does not let it';
  if (!indexed) return 'matching cannot read it: it is no text, a link, or a file made to hold secrets';
  return words.length === 0
    ? 'matching finds no telling word of the task in it'
    : `it shares with the task: ${words.join(', ')}; that is too little beside the best`;
}

function unnamedWords(path: string, { policy, source, hit }: ExplainInput, why: string): string[] {
  const isNamed = policy.intents.some((intent) => patternFor(path, intent, source) !== undefined);
  return [
    `the task key is ${hit.intent.key} because ${why}, and none of its patterns selects the file`,
    `patterns: ${hit.intent.include.join(', ') || 'none'}`,
    ...(isNamed ? [] : ['no pattern of the policy selects it']),
  ];
}

function patternFor(path: string, { include }: Intent, source: ProjectSource): string | undefined {
  return include.find((pattern) => source.list(pattern).includes(path));
}
