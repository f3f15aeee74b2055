import { isRecord, parseJson } from '../../json.ts';
import type { ProjectSource, Reading } from '../../project/project-source.ts';
import type { Candidate } from '../bundle/fill.ts';
import { skim } from '../bundle/skim.ts';
import type { ControlFile, ControlNewest, Policy } from '../policy/policy.ts';
import { oneLine } from './adapter-slice.ts';
import { dateInHeader, datesInReport, inactiveInReport, inactiveWord, newestFirst } from './decisions.ts';

type ControlFileStatus = 'present' | 'missing' | 'unreadable' | 'invalid';

export interface ControlPlane {
  /** `complete`: every required file is there; `incomplete`: one is not; `missing`: there is none at all. */
  status: 'complete' | 'incomplete' | 'missing';
  /** The word the project's own audit has for its health, where it can be read. */
  health: string | null;
  files: { path: string; required: boolean; status: ControlFileStatus }[];
}

export interface ControlSelection {
  plane: ControlPlane;
  candidates: Candidate[];
  warnings: string[];
  /** Why a file that a pattern names is not a candidate. */
  ignored: Map<string, string>;
}

const HEADER_CHARS = 4_000;
const HEALTH_CHARS = 40;

// The files in the policy's fixed order. Each is looked at even where the budget has no room for it: the state of the
// control plane is never a matter of budget.
export function selectControlPlane(
  policy: Policy,
  source: ProjectSource,
  wordsIn: (path: string) => readonly string[] = () => [],
): ControlSelection {
  const selection: ControlSelection = {
    plane: { status: 'missing', health: null, files: [] },
    candidates: [],
    warnings: [],
    ignored: new Map(),
  };
  for (const entry of policy.control_plane) {
    if ('path' in entry) addFile(entry, { source, wordsIn }, selection);
    else if ('first' in entry) {
      const found = entry.first.find((name) => source.probe(name).status !== 'missing');
      const path = found ?? (entry.required ? entry.first[0] : undefined);
      if (path !== undefined)
        addFile(
          { path, required: entry.required, json: path.endsWith('.json'), health: [], ...mostOf(entry) },
          { source, wordsIn },
          selection,
        );
    } else addNewest(entry, source, selection);
  }
  const { files } = selection.plane;
  const lacks = files.some(({ required, status }) => required && status !== 'present');
  if (files.some(({ status }) => status === 'present')) selection.plane.status = lacks ? 'incomplete' : 'complete';
  return selection;
}

function addFile(
  file: ControlFile,
  { source, wordsIn }: { source: ProjectSource; wordsIn(path: string): readonly string[] },
  { plane, candidates, warnings }: ControlSelection,
): void {
  const state = stateOf(file, source);
  if (plane.files.some(({ path }) => path === file.path)) return;
  plane.files.push({ path: file.path, required: file.required, status: state.status });
  if (state.status === 'missing') {
    if (file.required) warnings.push(`${file.path} is required and missing.`);
    return;
  }
  if (state.status !== 'present') warnings.push(`${file.path} ${state.reason}.`);
  plane.health ??= state.status === 'present' ? healthOf(state.json, file.health) : null;
  const { required } = file;
  candidates.push({
    ...candidateOf(file.path, 'control_plane', source, state),
    ...mostOf(file),
    ...(file.max_chars === undefined
      ? {}
      : { skim: (text, maxChars) => skim(file.path, text, maxChars, wordsIn(file.path)) }),
    required,
  });
}

type State =
  | { status: 'present'; json: unknown }
  | { status: 'missing' }
  | { status: 'unreadable'; reason: string; unsafe: boolean }
  | { status: 'invalid'; reason: string; unsafe: false };

function stateOf(file: ControlFile, source: ProjectSource): State {
  const reading: Reading<unknown> = file.json ? source.readWhole(file.path) : source.probe(file.path);
  if (reading.status === 'missing') return { status: 'missing' };
  if (reading.status === 'unreadable')
    return { status: 'unreadable', reason: `can't be read: ${reading.reason}`, unsafe: reading.unsafe };
  if (!file.json) return { status: 'present', json: null };
  const json = parseJson(String(reading.value));
  return isRecord(json)
    ? { status: 'present', json }
    : { status: 'invalid', reason: 'is broken: it holds no JSON object', unsafe: false };
}

// What can't be read or parsed still has its place in the list of what was dropped.
function candidateOf(path: string, selected_by: string, source: ProjectSource, state: State): Candidate {
  const refused = state.status === 'unreadable' || state.status === 'invalid';
  return {
    path,
    source_class: 'control_plane',
    selected_by,
    provenance: { authoritative: true, origin: 'project' },
    read: (maxChars) =>
      refused ? { status: 'unreadable', unsafe: state.unsafe, reason: '' } : source.read(path, maxChars),
  };
}

function mostOf({ max_chars }: { max_chars?: number }): { max_chars?: number } {
  return max_chars === undefined ? {} : { max_chars };
}

function healthOf(json: unknown, fields: readonly string[]): string | null {
  if (!isRecord(json)) return null;
  for (const field of fields) {
    const value = Object.hasOwn(json, field) ? json[field] : undefined;
    const word = isRecord(value) ? value.status : value;
    if (typeof word === 'string' && word.trim() !== '') return [...oneLine(word)].slice(0, HEALTH_CHARS).join('');
  }
  return null;
}

function addNewest(entry: ControlNewest, source: ProjectSource, selection: ControlSelection): void {
  const { plane, candidates, warnings, ignored } = selection;
  const report = reportOf(entry, source);
  const reported = inactiveInReport(report);
  const paths = new Set(entry.newest.flatMap((pattern) => source.list(pattern)));
  let found = 0;
  for (const path of newestFirst(paths, report === null ? undefined : dateFinder(report, source))) {
    if (plane.files.some((file) => file.path === path)) continue;
    if (found >= entry.count) {
      ignored.set(path, `it is not among the ${entry.count} newest active ones`);
      continue;
    }
    const reading = source.read(path, HEADER_CHARS);
    if (reading.status === 'missing') continue;
    const state: State =
      reading.status === 'ok'
        ? { status: 'present', json: null }
        : { status: 'unreadable', reason: reading.reason, unsafe: reading.unsafe };
    const word = entry.active && reading.status === 'ok' ? (reported(path) ?? inactiveWord(reading.value.text)) : null;
    if (word) {
      ignored.set(path, `it is marked ${word}`);
      continue;
    }
    plane.files.push({ path, required: false, status: state.status });
    if (state.status === 'unreadable') warnings.push(`${path} can't be read: ${state.reason}.`);
    else found += 1;
    const by = entry.active ? 'control_plane:active_decision' : 'control_plane';
    candidates.push({ ...candidateOf(path, by, source, state), ...mostOf(entry) });
  }
}

// Null: no report is kept of these decisions, and their names alone order them.
function reportOf({ active, inactive_in }: ControlNewest, source: ProjectSource): object | null {
  if (!active || inactive_in === null) return null;
  const report = source.readWhole(inactive_in);
  const json = report.status === 'ok' ? parseJson(report.value) : null;
  return typeof json === 'object' && json !== null ? json : {};
}

function dateFinder(report: object, source: ProjectSource): (path: string) => number | null {
  const reported = datesInReport(report);
  return (path) => {
    const reading = source.read(path, HEADER_CHARS);
    return (reading.status === 'ok' ? dateInHeader(reading.value.text) : null) ?? reported(path);
  };
}
