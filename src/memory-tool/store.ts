import { invalidInput, orNull } from '../errors.ts';
import { isRecord, parseRecord } from '../json.ts';
import { whyNotTasteName } from '../safety/hidden-characters.ts';
import type { MemoryFiles } from './commands.ts';

/** The operations of a LangGraph store, as its `batch` gets them. */
export interface StoreOperation {
  namespace?: string[];
  key?: string;
  value?: Record<string, unknown> | null;
  namespacePrefix?: string[];
  filter?: Record<string, unknown>;
  query?: string;
  limit?: number;
  offset?: number;
  maxDepth?: number;
  matchConditions?: { matchType: 'prefix' | 'suffix'; path: string[] }[];
}

type StoreItem = ReturnType<typeof itemsIn>[number];

/** The files of the memory tool, for what keeps its own form of memory in them. */
export interface MemoryAccess {
  read(path: string): Promise<string | null>;
  /** Null: it goes. */
  write(path: string, text: string | null): Promise<void>;
  files(): Promise<MemoryFiles>;
  /** What the agent was given, for the session's record. */
  served(text: string): Promise<void>;
}

const FOLDER = 'store';
const DEFAULT_LIMIT = 10;

/** Each value is a file `store/NAMESPACE…/KEY.json` of the memory tool: a put is a proposal, and this session sees it. */
export async function runStoreOperations(
  tool: MemoryAccess,
  operations: readonly StoreOperation[],
): Promise<unknown[]> {
  const answers: unknown[] = [];
  for (const operation of operations) {
    const answer = await runOne(tool, operation);
    if (answer) await tool.served(JSON.stringify(answer));
    answers.push(answer);
  }
  return answers;
}

async function runOne(tool: MemoryAccess, operation: StoreOperation): Promise<unknown> {
  const { namespace, key, value, namespacePrefix, limit = DEFAULT_LIMIT, offset = 0 } = operation;
  if (namespace !== undefined && key !== undefined && value !== undefined) return put(tool, { namespace, key, value });
  const items = itemsIn(await tool.files());
  if (namespace !== undefined && key !== undefined)
    return items.find((item) => item.key === key && isEqual(item.namespace, namespace)) ?? null;
  if (namespacePrefix !== undefined) {
    const inside = items.filter((item) => isEqual(item.namespace.slice(0, namespacePrefix.length), namespacePrefix));
    const fitting = inside.filter(({ value }) => fits(value, operation.filter ?? {}));
    return ranked(fitting, operation.query).slice(offset, offset + limit);
  }
  const { maxDepth, matchConditions = [] } = operation;
  const matching = items.filter((item) => matchConditions.every((one) => matches(item.namespace, one)));
  const cut = new Set(matching.map((item) => JSON.stringify(item.namespace.slice(0, maxDepth))));
  const all = [...cut].sort().map((each): unknown => JSON.parse(each));
  return all.slice(offset, offset + limit);
}

type Put = Required<Pick<StoreOperation, 'namespace' | 'key' | 'value'>>;

async function put(tool: MemoryAccess, { namespace, key, value }: Put): Promise<void> {
  if (namespace.length === 0)
    throw invalidInput('A namespace has at least one label.', 'For example: ["users", "ada"]');
  const path = `/memories/${FOLDER}/${[...namespace, key].map(encodedName).join('/')}.json`;
  // One value, one proposal: what was there is replaced.
  await tool.write(path, value === null ? null : jsonOf(value));
}

function jsonOf(value: unknown): string {
  // Null: a circle, or a number that JSON does not have.
  const text = orNull(() => JSON.stringify(value, null, 2));
  if (text && parseRecord(text)) return text;
  throw invalidInput('A value must be an object that JSON can hold.', 'For example: { "editor": "vim" }');
}

function itemsIn(files: MemoryFiles) {
  return [...files].flatMap(([path, { text, at }]) => {
    const value = path.startsWith(`${FOLDER}/`) && path.endsWith('.json') ? parseRecord(text) : null;
    if (!value) return [];
    const namespace = path
      .slice(FOLDER.length + 1, -'.json'.length)
      .split('/')
      .map(decoded);
    const key = namespace.pop() ?? '';
    const date = new Date(at ?? 0);
    return [{ namespace, key, value, createdAt: date, updatedAt: date }];
  });
}

/** A label may hold any character, a path is plain: the others are =HH of their bytes, as is all of a name that can't be one. `_` begins what begins so. */
export function encodedName(label: string): string {
  const plain = /[\p{L}\p{N}]/u;
  const inside = /[\p{L}\p{N}_@+-]/u;
  const name = [...label].map((each, at) => ((at === 0 ? plain : inside).test(each) ? each : hex(each))).join('');
  const fitting = whyNotTasteName(name) === null ? name : [...label].map(hex).join('');
  return fitting.replace(/^=/, '_=');
}

function hex(character: string): string {
  return Buffer.from(character).toString('hex').toUpperCase().replace(/../g, '=$&');
}

function decoded(name: string): string {
  const bytes = (codes: string) => Buffer.from(codes.replaceAll('=', ''), 'hex').toString();
  return name.replace(/^_=/, '=').replace(/(?:=[0-9A-F]{2})+/g, bytes);
}

function matches(namespace: readonly string[], { matchType, path }: { matchType: string; path: string[] }): boolean {
  const part = matchType === 'prefix' ? namespace.slice(0, path.length) : namespace.slice(-path.length);
  return part.length === path.length && path.every((label, at) => label === '*' || label === part[at]);
}

function fits(value: Record<string, unknown>, filter: Record<string, unknown>): boolean {
  return Object.entries(filter).every(([field, wanted]) =>
    Object.entries(isRecord(wanted) ? wanted : { $eq: wanted }).every(([operator, limit]) => {
      const compare = Object.hasOwn(COMPARE, operator) ? COMPARE[operator] : undefined;
      if (compare) return compare(value[field] as number, limit as number);
      throw invalidInput(`A filter compares by ${Object.keys(COMPARE).join(', ')}.`, 'Use one of these.');
    }),
  );
}

const isEqual = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);
const isIn = (value: unknown, list: unknown) => Array.isArray(list) && list.includes(value);
// As JavaScript compares them, whatever they are: the same as LangGraph's own store.
const COMPARE: Readonly<Record<string, (a: number, b: number) => boolean>> = {
  $eq: isEqual,
  $ne: (a, b) => !isEqual(a, b),
  $gt: (a, b) => a > b,
  $gte: (a, b) => a >= b,
  $lt: (a, b) => a < b,
  $lte: (a, b) => a <= b,
  $in: isIn,
  $nin: (a, b) => !isIn(a, b),
};

// Without a model: by how many words of the query the value holds.
function ranked(items: readonly StoreItem[], query: string | undefined): (StoreItem & { score?: number })[] {
  if (query === undefined) return [...items];
  const words = query.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
  const scored = items.map((item) => {
    const text = JSON.stringify(item.value).toLowerCase();
    return { ...item, score: words.filter((word) => text.includes(word)).length / Math.max(1, words.length) };
  });
  return scored.sort((a, b) => b.score - a.score);
}
