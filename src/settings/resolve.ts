import { closest } from '../closest.ts';
import { invalidInput } from '../errors.ts';
import { shownName } from '../safety/hidden-characters.ts';
import { CONFIG_KEYS, type ConfigKey } from './keys.ts';
import { type ConfigProblem, type FileEntry, readModels } from './models.ts';

export type { ConfigProblem };

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

export interface ConfigSources {
  options: Readonly<Record<string, string | undefined>>;
  variables: Readonly<Record<string, string | undefined>>;
  project: ConfigFile | null;
  home: ConfigFile | null;
}

// Option, variable, project, home, default: the first that says something wins.
export function resolveConfig(sources: ConfigSources): Setting[] {
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
  const seen = new Set<string>();
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
    } else if (seen.has(entry.key)) found.push({ ...at, message: `"${entry.key}" is set twice` });
    else if (key.kind === 'models') {
      const { problems } = readModels(entry);
      for (const problem of problems)
        found.push({ ...problem, file: file.label, message: `a model ${problem.message}` });
    } else {
      const reason = whyNotValue(key, entry.value);
      if (reason) found.push({ ...at, message: `"${entry.key}" ${reason}` });
    }
    seen.add(entry.key);
  }
  return found;
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
  throw invalidInput(
    `${first.file}:${first.line}:${first.column}: ${first.message}${more}.`,
    'Fix the file, then run: bearings config check',
    { problems: problems.slice(0, 20) },
  );
}

function fromFile(key: ConfigKey, file: ConfigFile | null): Setting | null {
  const entry = file?.entries.find((candidate) => candidate.key === key.name);
  if (!file || !entry) return null;
  const value = key.kind === 'models' ? namesIn(entry) : (entry.value as string | number);
  return { key: key.name, value, origin: `${file.label}:${entry.line}` };
}

function namesIn(entry: FileEntry): string {
  return readModels(entry)
    .models.map(({ name }) => name)
    .join(', ');
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
