import { whyNotPath } from '../../safety/hidden-characters.ts';
import {
  type LocatedNode,
  list,
  oneOf,
  type ReadBy,
  type Reader,
  record,
  refuse,
  type TreeProblem,
  text,
  wholeNumber,
  yesOrNo,
} from '../../settings/tree-reader.ts';
import { ITEM_FIELDS, ITEM_STATES, type ItemField, type ItemState } from '../slices/adapter-items.ts';

const DEFAULT_HOURS = 24 * 7;
const DEFAULT_TIMEOUT_MS = 2_000;
const MAX_TIMEOUT_MS = 30_000;
const DEFAULT_MAX_BYTES = 8 * 1024 * 1024;
const MAX_BYTES = 256 * 1024 * 1024;

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

const FILE = { path };
const PROGRAM = {
  /** The program and its arguments; no shell reads them. */
  command: list(word, { min: 1, max: 100 }),
  /** Names of variables it may see beyond the usual ones. */
  env: list(variableName, { max: 50 }),
  timeout_ms: wholeNumber(1, MAX_TIMEOUT_MS),
  max_bytes: wholeNumber(1, MAX_BYTES),
  /** In the home's file only: it runs nothing of a project's, so that no project is asked about. */
  anywhere: yesOrNo,
};
const MCP = { tool: word, arguments: anyMap, resource: word };
const KINDS = { file: FILE, command: PROGRAM, mcp: { ...PROGRAM, ...MCP } };
const SHAPE = {
  /** Where the list of items is, for example `data.issues`. Default: the whole, or its `items`. */
  items: fieldPath,
  /** Where an item's fields are in what a source gives: dotted paths, a step into a list takes every element. */
  map: record(Object.fromEntries(ITEM_FIELDS.map((field) => [field, fieldPath])) as Record<ItemField, Reader<string>>),
  /** The source's words for a state, in ours; `omit` leaves such items out. */
  states: stateWords,
  /** Where the time of the payload is. Default: `fetched_at`. */
  fetched_at: fieldPath,
  /** Older than this counts as stale. */
  stale_after_hours: wholeNumber(1, 1_000_000),
  /** So many of its items, the best first, are in its entry; default 4. */
  max_items: wholeNumber(1, 100),
};
const anyAdapter = record(
  { name: plainName, kind: oneOf(['file', 'command', 'mcp']), ...FILE, ...PROGRAM, ...MCP, ...SHAPE },
  { needs: ['name', 'kind'], otherwise: { stale_after_hours: DEFAULT_HOURS } },
);

type Written = ReadBy<typeof anyAdapter>;
type Shape = Pick<Written, 'name' | keyof typeof SHAPE>;
type Program = Shape &
  Pick<Written, 'env' | 'anywhere'> &
  Required<Pick<Written, 'command' | 'timeout_ms' | 'max_bytes'>>;
/** A file inside the project. */
export type FileAdapter = Shape & { kind: 'file'; path: string };
export type CommandAdapter = Program & { kind: 'command' };
/** A tool or a resource of an MCP server over stdio. */
export type McpAdapter = Program & Pick<Written, keyof typeof MCP> & { kind: 'mcp' };
export type AdapterConfig = FileAdapter | CommandAdapter | McpAdapter;
/** Those that run something: they need the person's word. */
export type RunningAdapter = CommandAdapter | McpAdapter;

// What is not written is not there: a definition shows, and is hashed, as it was written.
function adapter(node: LocatedNode, problems: TreeProblem[]): AdapterConfig | undefined {
  const found = anyAdapter(node, problems);
  if (!found) return undefined;
  const { kind, tool, resource } = found;
  const foreign = Object.keys({ ...FILE, ...PROGRAM, ...MCP }).find(
    (key) => Object.hasOwn(found, key) && !Object.hasOwn(KINDS[kind], key),
  );
  if (foreign !== undefined) return refuse(node, `${foreign} has no meaning for the kind ${kind}`, problems);
  if (kind === 'file')
    return found.path === undefined ? refuse(node, 'needs name, kind and path', problems) : (found as FileAdapter);
  if (!found.command?.[0]) return refuse(node, 'needs command: the program and its arguments as a list', problems);
  if (kind === 'mcp' && (tool === undefined) === (resource === undefined))
    return refuse(node, 'needs either tool or resource', problems);
  return { timeout_ms: DEFAULT_TIMEOUT_MS, max_bytes: DEFAULT_MAX_BYTES, ...found } as RunningAdapter;
}

const homeAdapters = list(adapter, { max: 20 });

// No project can say of its own adapter that it needs no word.
export const adapterList: Reader<AdapterConfig[]> = (node, problems) => {
  const found = homeAdapters(node, problems);
  const vouched = found?.find((each) => each.kind !== 'file' && each.anywhere !== undefined);
  return vouched ? refuse(node, 'anywhere is allowed only in adapters.yaml of the home', problems) : found;
};

/** Says where one name stands twice in a list. */
export function refuseTwice(section: string, list: readonly { name: string }[] = [], said: (message: string) => void) {
  if (new Set(list.map(({ name }) => name)).size < list.length) said(`the same name appears twice in ${section}`);
}

const stateWord = oneOf([...ITEM_STATES, 'omit']);

function stateWords(node: LocatedNode, problems: TreeProblem[]) {
  if (node.kind !== 'map') return refuse(node, 'must be a map from their words to ours', problems);
  if (node.entries.length > 100) return refuse(node, 'may have at most 100 entries', problems);
  const words: Record<string, ItemState | 'omit'> = {};
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
  const adapters = record({ adapters: homeAdapters })(tree, problems)?.adapters ?? [];
  refuseTwice('adapters', adapters, (message) => refuse(tree, message, problems));
  return { adapters: problems.length === 0 ? adapters : [], problems };
}
