const PROVIDERS = ['anthropic', 'openai', 'openai-compatible'] as const;
type Provider = (typeof PROVIDERS)[number];

/** A model as the home's config.yaml names it. The key itself is never there: only the variable that holds it. */
export interface ModelConfig {
  name: string;
  provider: Provider;
  model: string;
  baseUrl: string | null;
  keyVariable: string | null;
  timeoutSeconds: number;
  /** Calls at the same time over all workers of an engine; null: as many as they can. */
  concurrency: number | null;
  /** Calls begun per minute over all workers of an engine. */
  perMinute: number | null;
  /** What a step that asks it may use at most; null: as everywhere. */
  maxTurns: number | null;
  maxContextTokens: number | null;
  maxOutputTokens: number | null;
}

/** Fields that are whole numbers, and how large each may be. */
const NUMBERS = {
  timeout_seconds: 3_600,
  concurrency: 10_000,
  per_minute: 1_000_000,
  max_turns: 1_000,
  max_context_tokens: 10_000_000,
  max_output_tokens: 1_000_000,
} as const;
const FIELDS = ['provider', 'model', 'base_url', 'key_variable', ...Object.keys(NUMBERS)];
const NAME = /^[A-Za-z][A-Za-z0-9._-]{0,59}$/;
const VARIABLE = /^[A-Z][A-Z0-9_]{0,99}$/;
const TAKEN = ['extract', 'command'];
const KEY_VARIABLES: Readonly<Record<Provider, string | null>> = {
  anthropic: 'ANTHROPIC_API_KEY',
  openai: 'OPENAI_API_KEY',
  'openai-compatible': null,
};
const DEFAULT_TIMEOUT_SECONDS = 300;

export interface ReadModels {
  models: ModelConfig[];
  problems: Omit<ConfigProblem, 'file'>[];
}

// `models:` of the home: a name, and under it provider, model and where it is.
export function readModels(entry: FileEntry): ReadModels {
  const models: ModelConfig[] = [];
  const problems: ReadModels['problems'] = [];
  if (!entry.children) return { models, problems: [at(entry, 'must be names with their settings under them')] };
  const names = new Set<string>();
  for (const child of entry.children) {
    const found = readModel(child);
    if (!NAME.test(child.key)) problems.push(at(child, 'has a name that is not plain letters, digits, dots or dashes'));
    else if (TAKEN.includes(child.key)) problems.push(at(child, `has a name that is taken: ${child.key}`));
    else if (names.has(child.key)) problems.push(at(child, 'has a name that appears twice'));
    else if (found.problems.length > 0) problems.push(...found.problems);
    else models.push(found.model);
    names.add(child.key);
  }
  return { models, problems };
}

function readModel(entry: FileEntry): { model: ModelConfig; problems: ReadModels['problems'] } {
  const problems: ReadModels['problems'] = [];
  const wrong = (where: FileEntry, message: string): void => {
    problems.push(at(where, message));
  };
  const fields = new Map<string, FileEntry>();
  for (const field of entry.children ?? []) {
    if (!FIELDS.includes(field.key)) wrong(field, `has a field that is not known; known: ${FIELDS.join(', ')}`);
    else if (fields.has(field.key)) wrong(field, 'has a field that appears twice');
    fields.set(field.key, field);
  }
  const text = (name: string): string | null => {
    const field = fields.get(name);
    if (!field) return null;
    if (typeof field.value === 'string' && field.value.trim() !== '' && field.value.length <= 1_000) return field.value;
    wrong(field, `has a ${name} that is not text`);
    return null;
  };
  const provider = PROVIDERS.find((name) => name === fields.get('provider')?.value);
  if (!provider) wrong(fields.get('provider') ?? entry, `needs a provider: ${PROVIDERS.join(', ')}`);
  const model = text('model');
  if (model === null) wrong(fields.get('model') ?? entry, 'needs a model: the name the provider knows it by');
  const baseUrl = text('base_url');
  if (provider === 'openai-compatible' && baseUrl === null) wrong(entry, 'needs a base_url');
  const keyVariable = text('key_variable') ?? (provider && baseUrl === null ? KEY_VARIABLES[provider] : null);
  // Whatever is there may be the key itself: it is not repeated.
  if (keyVariable !== null && !VARIABLE.test(keyVariable))
    wrong(
      fields.get('key_variable') ?? entry,
      'has a key_variable that is not the name of a variable; the key goes there',
    );
  const reason = baseUrl === null ? null : whyNotAddress(baseUrl, keyVariable !== null);
  if (reason) wrong(fields.get('base_url') ?? entry, `has a base_url that ${reason}`);
  const whole = (name: keyof typeof NUMBERS): number | null => {
    const field = fields.get(name);
    const value = Number(field?.value);
    if (!field || (value === field.value && Number.isInteger(value) && value >= 1 && value <= NUMBERS[name]))
      return field ? value : null;
    wrong(field, `has a ${name} that is not from 1 to ${NUMBERS[name]}`);
    return null;
  };
  return {
    model: {
      ...{ name: entry.key, provider: provider ?? 'openai', model: model ?? '', baseUrl, keyVariable },
      timeoutSeconds: whole('timeout_seconds') ?? DEFAULT_TIMEOUT_SECONDS,
      concurrency: whole('concurrency'),
      perMinute: whole('per_minute'),
      maxTurns: whole('max_turns'),
      maxContextTokens: whole('max_context_tokens'),
      maxOutputTokens: whole('max_output_tokens'),
    },
    problems,
  };
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

// A key goes over no line that others can read along.
function whyNotAddress(text: string, sendsKey: boolean): string | null {
  const parts = /^(https?):\/\/(\[[0-9a-fA-F:]+\]|[A-Za-z0-9.-]+)(?::\d{1,5})?(?:\/[^\s?#@]*)?$/.exec(text);
  if (!parts) return 'is not a plain http or https address';
  const [, scheme, host = ''] = parts;
  if (scheme === 'http' && sendsKey && !LOOPBACK.test(host.toLowerCase()))
    return 'would send a key without encryption: use https';
  return null;
}

function at({ line, column }: FileEntry, message: string): Omit<ConfigProblem, 'file'> {
  return { line, column, message };
}

/** One `key: value` of a file, with the place it is at. */
export interface FileEntry {
  key: string;
  value: unknown;
  /** What is under it, for a setting that is more than a value. */
  children?: readonly FileEntry[];
  line: number;
  column: number;
}

export interface ConfigProblem {
  file: string;
  line: number;
  column: number;
  message: string;
}
