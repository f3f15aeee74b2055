import { whyNotPath } from '../../safety/names.ts';
import {
  type LocatedNode,
  list,
  oneOf,
  type Reader,
  readMap,
  refuse,
  type TreeProblem,
  text,
  wholeNumber,
  yesOrNo,
} from '../../settings/tree-reader.ts';
import { ITEM_FIELDS, ITEM_STATES } from '../slices/adapter-items.ts';
import type { AdapterConfig } from './policy.ts';

const DEFAULT_TIMEOUT_MS = 2_000;
const MAX_TIMEOUT_MS = 30_000;
const DEFAULT_MAX_BYTES = 8 * 1024 * 1024;
const MAX_BYTES = 256 * 1024 * 1024;
const KINDS = ['file', 'command', 'mcp'] as const;
/** Which keys belong to which kind, beside those that all have. */
const OWN_KEYS: Record<(typeof KINDS)[number], readonly string[]> = {
  file: ['path'],
  command: ['command', 'env', 'timeout_ms', 'max_bytes', 'anywhere'],
  mcp: ['command', 'env', 'timeout_ms', 'max_bytes', 'anywhere', 'tool', 'arguments', 'resource'],
};

export const plainName = text((value) =>
  /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(value) ? null : 'must be a plain name of letters, digits, dots and dashes',
);
export const path = text((value) => (/[*?]/.test(value) ? 'must be one path without * or ?' : whyNotPath(value)));
const word = text((value) =>
  value.length > 4_000 || value.includes('\0') ? 'must be at most 4000 characters without NUL' : null,
);
const fieldPath = text((value) =>
  value.length <= 200 && value.split('.').every((step) => step !== '')
    ? null
    : 'must be a dotted path such as data.issues',
);
const variableName = text((value) =>
  /^[A-Za-z_][A-Za-z0-9_]{0,99}$/.test(value) ? null : 'is not the name of a variable',
);
const itemMap: Reader<Record<string, string>> = (node, problems) =>
  readMap(node, Object.fromEntries(ITEM_FIELDS.map((field) => [field, fieldPath])), problems) as
    | Record<string, string>
    | undefined;

const homeAdapters: Reader<AdapterConfig[]> = list(adapter, { max: 20 });

// No project can say of its own adapter that it needs no word.
export const adapterList: Reader<AdapterConfig[]> = (node, problems) => {
  const found = homeAdapters(node, problems);
  const vouched = found?.find((each) => each.kind !== 'file' && each.anywhere !== undefined);
  return vouched ? refuse(node, 'anywhere is allowed only in adapters.yaml of the home', problems) : found;
};

export function whyNotAdapters(adapters: readonly AdapterConfig[]): string | null {
  return new Set(adapters.map(({ name }) => name)).size < adapters.length
    ? 'the same name appears twice in adapters'
    : null;
}

function adapter(node: LocatedNode, problems: TreeProblem[]): AdapterConfig | undefined {
  const before = problems.length;
  const found = readMap(
    node,
    {
      name: plainName,
      kind: oneOf(KINDS),
      path,
      command: list(word, { min: 1, max: 100 }),
      env: list(variableName, { max: 50 }),
      timeout_ms: wholeNumber(1, MAX_TIMEOUT_MS),
      max_bytes: wholeNumber(1, MAX_BYTES),
      anywhere: yesOrNo,
      tool: word,
      arguments: anyMap,
      resource: word,
      items: fieldPath,
      map: itemMap,
      states: stateWords,
      fetched_at: fieldPath,
      stale_after_hours: wholeNumber(1, 1_000_000),
      max_items: wholeNumber(1, 100),
    },
    problems,
  );
  if (!found || problems.length > before) return undefined;
  const { name, kind } = found;
  if (name === undefined || kind === undefined) return refuse(node, 'needs name and kind', problems);
  const foreign = Object.values(OWN_KEYS)
    .flat()
    .find((key) => Object.hasOwn(found, key) && !OWN_KEYS[kind].includes(key));
  if (foreign !== undefined) return refuse(node, `${foreign} has no meaning for the kind ${kind}`, problems);
  const shape = {
    name,
    stale_after_hours: found.stale_after_hours ?? 24 * 7,
    ...present({
      max_items: found.max_items,
      items: found.items,
      map: found.map,
      states: found.states,
      fetched_at: found.fetched_at,
    }),
  };
  if (kind === 'file')
    return found.path === undefined
      ? refuse(node, 'needs name, kind and path', problems)
      : { kind, path: found.path, ...shape };
  if (found.command === undefined || found.command[0] === '')
    return refuse(node, 'needs command: the program and its arguments as a list', problems);
  const program = {
    command: found.command,
    timeout_ms: found.timeout_ms ?? DEFAULT_TIMEOUT_MS,
    max_bytes: found.max_bytes ?? DEFAULT_MAX_BYTES,
    ...present({ env: found.env, anywhere: found.anywhere }),
  };
  if (kind === 'command') return { kind, ...program, ...shape };
  if ((found.tool === undefined) === (found.resource === undefined))
    return refuse(node, 'needs either tool or resource', problems);
  return {
    kind,
    ...program,
    ...present({ tool: found.tool, arguments: found.arguments, resource: found.resource }),
    ...shape,
  };
}

// What is not written is not there: a definition shows, and is hashed, as it was written.
function present<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}

const stateWord = oneOf([...ITEM_STATES, 'omit'] as const);

function stateWords(node: LocatedNode, problems: TreeProblem[]) {
  if (node.kind !== 'map') return refuse(node, 'must be a map from their words to ours', problems);
  if (node.entries.length > 100) return refuse(node, 'may have at most 100 entries', problems);
  const words: Record<string, (typeof ITEM_STATES)[number] | 'omit'> = {};
  for (const { key, value } of node.entries) {
    const ours = stateWord(value, problems);
    if (ours !== undefined && key !== '__proto__') words[key.trim().toLowerCase()] = ours;
  }
  return words;
}

function anyMap(node: LocatedNode, problems: TreeProblem[]): Record<string, unknown> | undefined {
  return node.kind === 'map' ? (plain(node) as Record<string, unknown>) : refuse(node, 'must be a map', problems);
}

function plain(node: LocatedNode): unknown {
  if (node.kind === 'scalar') return node.value;
  if (node.kind === 'list') return node.items.map(plain);
  return Object.fromEntries(node.entries.map(({ key, value }) => [key, plain(value)]));
}

// A file of adapters only: the home's own.
export function readAdapterFile(tree: LocatedNode): { adapters: AdapterConfig[]; problems: TreeProblem[] } {
  const problems: TreeProblem[] = [];
  if (tree.kind === 'scalar' && tree.value === null) return { adapters: [], problems };
  const adapters = readMap(tree, { adapters: homeAdapters }, problems)?.adapters ?? [];
  const twice = whyNotAdapters(adapters);
  if (twice) refuse(tree, twice, problems);
  return { adapters: problems.length === 0 ? adapters : [], problems };
}
