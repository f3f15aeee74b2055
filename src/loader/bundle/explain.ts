import type { ProjectSource } from '../../project/project-source.ts';
import { DEFAULT_KEY, type Policy } from '../policy/policy.ts';
import { type Score, scoreWords } from '../slices/matched.ts';
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
  passages: PassageReason[];
  entry: Omit<FileEntry, 'excerpt'> | null;
  dropped: Dropped | null;
}

interface PassageReason extends Unit {
  why: string;
}

export interface ExplainInput extends BuiltBundle {
  policy: Policy;
  source: ProjectSource;
  exists(path: string): boolean;
}

const DROP_WORDS: Record<DropReason, string> = {
  budget_files: 'the files of its slice are used up; raise --max-files',
  budget_chars: 'the characters of its slice are used up; raise --max-total-chars',
  budget_tokens: 'the tokens of its slice are used up; raise --max-tokens',
  duplicate: 'the same file is already in under another name or in an earlier slice',
  unsafe: 'it is not a plain file of this project: a link out of it, a pipe or a device',
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
  return [`match ${scoreWords(score)}`, `made of ${parts.map(([name, value]) => `${name} ${value}`).join(', ')}`];
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
function passageReasons({ truncated }: FileEntry, passages: readonly Unit[]): PassageReason[] {
  if (!truncated) return [];
  return passages.map((unit) => {
    const { start, end, title, score } = unit;
    const about = title === null ? '' : ` (${title})`;
    const why = score > 0 ? `its words ${score.toFixed(2)}` : 'no word of its own, but its file ranks high';
    return { ...unit, why: `lines ${start}-${end}${about}: ${why}` };
  });
}

function outWords(path: string, { policy, source, hit, ignored, exists }: ExplainInput, why: string): string[] {
  const passed = ignored.get(path);
  if (passed) return [`the control plane looks for it, but ${passed}`];
  if (path.startsWith('/') || path.split('/').includes('..')) return ['it lies outside of the project'];
  if (!exists(path)) return ['there is no such file in the project'];
  const patterns = hit.intent.include.join(', ') || 'none';
  const others = policy.intents
    .filter(
      (intent) =>
        intent.key !== hit.intent.key && intent.include.some((pattern) => source.list(pattern).includes(path)),
    )
    .map(({ key, words }) =>
      key === DEFAULT_KEY ? 'default (a task with no known word)' : `${key} (words: ${words.join(', ')})`,
    );
  return [
    `the task key is ${hit.intent.key} because ${why}, and none of its patterns selects the file`,
    `patterns: ${patterns}`,
    ...(policy.match === null
      ? []
      : ['the task shares too few words with it, or it is not among the files that match']),
    others.length > 0
      ? `it would come in with the task key ${others.join(' or ')}`
      : 'no pattern of the policy selects it',
  ];
}
