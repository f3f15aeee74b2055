import { closest } from '../closest.ts';
import { invalidInput } from '../errors.ts';
import { shownName } from '../safety/hidden-characters.ts';
import { readModels } from './models.ts';
import type { LocatedNode, TreeProblem } from './tree-reader.ts';

export interface ConfigProblem extends TreeProblem {
  file: string;
}

/** One `key: value` of a file, with the place it is at. */
type FileEntry = (LocatedNode & { kind: 'map' })['entries'][number];

export interface ConfigFile {
  /** How the file is called towards a person: `config.yaml` or `.bearings/config.yaml`. */
  label: string;
  owner: 'home' | 'project';
  entries: readonly FileEntry[];
  problems: readonly ConfigProblem[];
}

export interface Setting {
  key: string;
  value: string | number | null;
  /** Where the value comes from: `option`, a variable's name, `file:line`, or `default`. */
  origin: string;
}

// Option, variable, project, home, default: the first that says something wins.
export function resolveConfig(sources: {
  options: Readonly<Record<string, string | undefined>>;
  variables: Readonly<Record<string, string | undefined>>;
  project: ConfigFile | null;
  home: ConfigFile | null;
}): Setting[] {
  return CONFIG_KEYS.map((key) => {
    const option = sources.options[key.name];
    if (option) return { key: key.name, value: option, origin: 'option' };
    const variable = key.variables.find((name) => sources.variables[name]);
    if (variable) return { key: key.name, value: sources.variables[variable] ?? null, origin: variable };
    return (
      fromFile(key, sources.project) ??
      fromFile(key, sources.home) ?? { key: key.name, value: key.fallback, origin: 'default' }
    );
  });
}

export function problemsOf(file: ConfigFile): ConfigProblem[] {
  const found = [...file.problems];
  for (const entry of file.entries) {
    const at = { file: file.label, line: entry.line, column: entry.column };
    const key = CONFIG_KEYS.find(({ name }) => name === entry.key);
    if (!key)
      found.push({
        ...at,
        message: `there is no setting "${shownName(entry.key)}"; ${nearKey(entry.key).toLowerCase()}${knownKeys(file.owner)}`,
      });
    else if (file.owner === 'project' && !key.allowedInProject) {
      found.push({ ...at, message: `"${entry.key}" may only be set in the home's config.yaml, not by a project` });
    } else if (key.kind === 'models') {
      const { problems } = readModels(entry.value);
      found.push(
        ...problems.map(({ message, ...place }) => ({ ...place, file: file.label, message: `models: ${message}` })),
      );
    } else {
      const reason = whyNotValue(key, plainValue(entry));
      if (reason) found.push({ ...at, message: `"${entry.key}" ${reason}` });
    }
  }
  return found;
}

/** The file without the lines that are wrong. */
export function soundPart(file: ConfigFile): ConfigFile {
  const isSound = (entry: FileEntry) => problemsOf({ ...file, problems: [], entries: [entry] }).length === 0;
  return { ...file, entries: file.entries.filter(isSound) };
}

/** By its name; a near one is guessed. */
export function keyNamed(name: string): ConfigKey {
  const key = CONFIG_KEYS.find((known) => known.name === name);
  if (key) return key;
  if (name === 'confirm')
    throw invalidInput(
      'confirm is the state of your key, not a setting.',
      'Change it: bearings config confirm passphrase',
    );
  throw invalidInput(`There is no setting "${shownName(name)}".`, `${nearKey(name)}See all: bearings config list`);
}

function nearKey(name: string): string {
  const near = closest(
    name,
    CONFIG_KEYS.map((key) => key.name),
  );
  return near ? `Did you mean ${near}? ` : '';
}

export function assertNoProblems(problems: readonly ConfigProblem[]): void {
  const [first] = problems;
  if (!first) return;
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : '';
  throw invalidInput(`${placed(first)}${more}.`, 'Fix the file, then run: bearings config check', {
    problems: problems.slice(0, 20),
  });
}

/** A problem with its place, as a person reads it. */
export function placed({ file, line, column, message }: ConfigProblem): string {
  return `${file}:${line}:${column}: ${message}`;
}

function fromFile(key: ConfigKey, file: ConfigFile | null): Setting | null {
  const entry = file?.entries.find((candidate) => candidate.key === key.name);
  if (!file || !entry) return null;
  const names = key.kind === 'models' ? readModels(entry.value).models.map(({ name }) => name) : null;
  const value = names?.join(', ') ?? (plainValue(entry) as string | number);
  return { key: key.name, value, origin: `${file.label}:${entry.line}` };
}

function plainValue({ value }: FileEntry): unknown {
  return value.kind === 'scalar' ? value.value : {};
}

export function whyNotValue(key: ConfigKey, value: unknown): string | null {
  if (key.kind === 'whole_number') {
    const [min, max] = [key.min ?? 0, key.max ?? Number.MAX_SAFE_INTEGER];
    return typeof value === 'number' && Number.isSafeInteger(value) && value >= min && value <= max
      ? null
      : `must be a whole number from ${min} to ${max}`;
  }
  if (key.kind === 'choice')
    return key.choices?.some((choice) => choice === value) ? null : `must be one of ${key.choices?.join(', ')}`;
  if (typeof value !== 'string' || value.trim() === '') return 'must be a text';
  if (key.kind === 'heading' && (value.length > 100 || /[\p{Cc}\p{Zl}\p{Zp}]/u.test(value)))
    return 'must be one line of at most 100 characters';
  return value.includes('\0') ? 'contains a NUL character' : null;
}

function knownKeys(owner: ConfigFile['owner']): string {
  const names = CONFIG_KEYS.filter((key) => owner === 'home' || key.allowedInProject).map(({ name }) => name);
  return `known: ${names.join(', ')}`;
}

// The one table of settings: what `config list` prints, what `config check` accepts, what the docs list.
export interface ConfigKey {
  name: string;
  kind: 'folder' | 'program' | 'whole_number' | 'choice' | 'names' | 'models' | 'heading';
  about: string;
  /** Variables that set it, first non-empty wins. */
  variables: readonly string[];
  /** Null: worked out from the home folder. */
  fallback: string | number | null;
  /** Only these may be in a project's own file: nothing that runs a program, names an address or a place. */
  allowedInProject: boolean;
  min?: number;
  max?: number;
  choices?: readonly string[];
}

export const CONFIG_KEYS: readonly ConfigKey[] = [
  key('workspaces', 'folder', 'folder that holds one folder per workspace', {
    variables: ['BEARINGS_WORKSPACES'],
    fallback: null,
  }),
  key('tastes', 'folder', 'folder that holds _default.md and one file per genre', {
    variables: ['BEARINGS_TASTES_DIR', 'CHEMIGRAM_TASTES_DIR'],
    fallback: null,
  }),
  key('editor', 'program', 'program that `bearings edit` opens', { variables: ['VISUAL', 'EDITOR'], fallback: 'vi' }),
  inProject(count('max_chars', 'characters per text that an agent gets through MCP', 60_000, [1_000, 1_000_000])),
  inProject(
    count('max_record_chars', 'characters per log or gap record that an agent gets through MCP', 4_000, [200, 100_000]),
  ),
  key('on_session_end', 'choice', 'what happens to undecided proposals at a clean end: discard or keep', {
    fallback: 'discard',
    choices: ['discard', 'keep'],
  }),
  onOff('propose_brief', 'whether an agent may propose a change of a brief: on or off', 'off'),
  key('elicitation_off', 'names', 'clients that are not asked by elicitation, as comma-separated names; * for all'),
  count('ask_timeout_seconds', 'how long a question to the person through a client may stay open', 300, [1, 3600]),
  count('keep_served', 'megabytes of served contexts to store for later, for 90 days; 0 stores none', 50, [0, 10_000]),
  onOff('hook.prompts', 'whether a hook adds notes and places to a prompt: on or off', 'on'),
  count('hook.max_tokens', 'tokens that a hook adds to one prompt at most', 1_500, [100, 8_000]),
  onOff(
    'hook.wrap_up',
    'whether the first prompt after a compaction asks the agent to propose what it learnt: on or off',
    'off',
  ),
  key('models', 'models', 'models by name: provider, model, base_url, key_variable, timeout_seconds'),
  count('max_turns', 'questions to a model in one step of a run', 20, [1, 1_000]),
  count('max_context_tokens', 'tokens of a question with its context in a step of a run', 100_000, [1, 10_000_000]),
  count('max_output_tokens', 'tokens of an answer in a step of a run', 8_000, [1, 1_000_000]),
  heading('inherited', 'Context'),
  heading('accumulated', 'What earlier steps found'),
  heading('fresh', 'Related files'),
  heading('results', 'Results to combine'),
  heading('task', 'Task'),
  onOff('run_task', 'whether agents get the MCP tool run_task: on or off', 'off'),
  key('model_command', 'program', 'command line of the model "command": prompt on its input, answer from its output'),
  key(
    'model_command_env',
    'names',
    'variables that model_command may see beside the usual ones, as comma-separated names',
  ),
];

function key(name: string, kind: ConfigKey['kind'], about: string, more: Partial<ConfigKey> = {}): ConfigKey {
  return { name, kind, about, variables: [], fallback: '', allowedInProject: false, ...more };
}

function count(name: string, about: string, fallback: number, [min, max]: readonly [number, number]): ConfigKey {
  return key(name, 'whole_number', about, { fallback, min, max });
}

function inProject(setting: ConfigKey): ConfigKey {
  return { ...setting, allowedInProject: true };
}

function onOff(name: string, about: string, fallback: 'on' | 'off'): ConfigKey {
  return key(name, 'choice', about, { fallback, choices: ['on', 'off'] });
}

function heading(part: string, fallback: string): ConfigKey {
  return key(`heading_${part}`, 'heading', `heading over the part "${part}" of a prompt`, { fallback });
}

type Bound<S, T> = {
  [Name in keyof T]: T[Name] extends (settings: S, ...given: infer Given) => infer Answer
    ? (...given: Given) => Promise<Awaited<Answer>>
    : never;
};

/** Use cases, each with the settings that are in force when it is called. */
export function withSettings<S, T extends Record<string, (settings: S, ...given: never[]) => unknown>>(
  app: { settings(): Promise<S> },
  useCases: T,
): Bound<S, T> {
  const bound = Object.entries(useCases).map(([name, work]) => [
    name,
    async (...given: never[]) => work(await app.settings(), ...given),
  ]);
  return Object.fromEntries(bound) as Bound<S, T>;
}
