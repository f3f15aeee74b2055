import { invalidInput } from '../errors.ts';
import { isRecord } from '../json.ts';
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

interface StoreItem {
  namespace: string[];
  key: string;
  value: Record<string, unknown>;
  createdAt: Date;
  updatedAt: Date;
}

interface Tool {
  write(path: string, text: string | null): Promise<void>;
  files(): Promise<MemoryFiles>;
  /** What the agent was given, for the session's record. */
  served(text: string): Promise<void>;
}

const FOLDER = 'store';
const DEFAULT_LIMIT = 10;

/** Each value is a file `store/NAMESPACE…/KEY.json` of the memory tool: a put is a proposal, and this session sees it. */
export async function runStoreOperations(tool: Tool, operations: readonly StoreOperation[]): Promise<unknown[]> {
  const answers: unknown[] = [];
  for (const operation of operations) {
    const answer = await runOne(tool, operation);
    if (answer) await tool.served(JSON.stringify(answer));
    answers.push(answer);
  }
  return answers;
}

async function runOne(tool: Tool, operation: StoreOperation): Promise<unknown> {
  const { namespace, key, value, namespacePrefix, limit = DEFAULT_LIMIT, offset = 0 } = operation;
  if (namespace !== undefined && key !== undefined && value !== undefined) return put(tool, { namespace, key, value });
  const items = itemsIn(await tool.files());
  if (namespace !== undefined && key !== undefined)
    return items.find((item) => item.key === key && isSame(item.namespace, namespace)) ?? null;
  if (namespacePrefix !== undefined) {
    const inside = items.filter((item) => isSame(item.namespace.slice(0, namespacePrefix.length), namespacePrefix));
    const fitting = inside.filter(({ value }) => fits(value, operation.filter ?? {}));
    return ranked(fitting, operation.query).slice(offset, offset + limit);
  }
  const { maxDepth, matchConditions = [] } = operation;
  const matching = items
    .map((item) => item.namespace)
    .filter((each) => matchConditions.every((one) => matches(each, one)));
  const cut = matching.map((each) => each.slice(0, maxDepth));
  const unique = new Map(cut.map((each) => [each.join('\0'), each]));
  return [...unique.keys()]
    .sort()
    .map((each) => unique.get(each))
    .slice(offset, offset + limit);
}

async function put(
  tool: Tool,
  { namespace, key, value }: Required<Pick<StoreOperation, 'namespace' | 'key' | 'value'>>,
): Promise<void> {
  if (namespace.length === 0)
    throw invalidInput('A namespace has at least one label.', 'For example: ["users", "ada"]');
  // One value, one proposal: what was there is replaced.
  await tool.write(
    `/memories/${FOLDER}/${[...namespace, key].map(encodedName).join('/')}.json`,
    value === null ? null : jsonOf(value),
  );
}

function jsonOf(value: unknown): string {
  try {
    if (isRecord(value)) return JSON.stringify(value, null, 2);
  } catch {
    // A circle, or a number that JSON does not have.
  }
  throw invalidInput('A value must be an object that JSON can hold.', 'For example: { "editor": "vim" }');
}

function itemsIn(files: MemoryFiles): StoreItem[] {
  return [...files].flatMap(([path, { text, at }]) => {
    const names = path.replace(/\.json$/, '').split('/');
    const value = path.startsWith(`${FOLDER}/`) && path.endsWith('.json') ? parsed(text) : null;
    if (value === null) return [];
    const [key = '', ...labels] = names.slice(1).map(decoded).reverse();
    const date = new Date(at ?? 0);
    return [{ namespace: labels.reverse(), key, value, createdAt: date, updatedAt: date }];
  });
}

function parsed(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}

/** A label may hold any character, a path is plain: the others are =HH of their bytes, as is all of a name that can't be one. `_` begins what begins so. */
export function encodedName(label: string): string {
  const plain = /[\p{L}\p{N}]/u;
  const inside = /[\p{L}\p{N}_@+-]/u;
  const name = [...label].map((sign, at) => ((at === 0 ? plain : inside).test(sign) ? sign : hex(sign))).join('');
  const fitting = whyNotTasteName(name) === null ? name : [...label].map(hex).join('');
  return fitting.replace(/^=/, '_=');
}

function hex(sign: string): string {
  return [...new TextEncoder().encode(sign)]
    .map((byte) => `=${byte.toString(16).padStart(2, '0').toUpperCase()}`)
    .join('');
}

function decoded(name: string): string {
  return name
    .replace(/^_=/, '=')
    .replace(/(?:=[0-9A-F]{2})+/g, (bytes) =>
      new TextDecoder().decode(Uint8Array.from(bytes.match(/[0-9A-F]{2}/g) ?? [], (byte) => Number.parseInt(byte, 16))),
    );
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((label, at) => label === b[at]);
}

function matches(
  namespace: readonly string[],
  { matchType, path }: { matchType: string; path: readonly string[] },
): boolean {
  const part = matchType === 'prefix' ? namespace.slice(0, path.length) : namespace.slice(-path.length);
  return part.length === path.length && path.every((label, at) => label === '*' || label === part[at]);
}

function fits(value: Record<string, unknown>, filter: Record<string, unknown>): boolean {
  return Object.entries(filter).every(([field, wanted]) => {
    const actual = value[field];
    if (!isRecord(wanted)) return JSON.stringify(actual) === JSON.stringify(wanted);
    return Object.entries(wanted).every(([operator, limit]) => compare(operator, actual, limit));
  });
}

function compare(operator: string, actual: unknown, limit: unknown): boolean {
  const [a, b] = [actual as number, limit as number];
  switch (operator) {
    case '$eq':
      return JSON.stringify(actual) === JSON.stringify(limit);
    case '$ne':
      return JSON.stringify(actual) !== JSON.stringify(limit);
    case '$gt':
      return a > b;
    case '$gte':
      return a >= b;
    case '$lt':
      return a < b;
    case '$lte':
      return a <= b;
    case '$in':
    case '$nin':
      return (Array.isArray(limit) && limit.includes(actual)) === (operator === '$in');
    default:
      throw invalidInput('A filter compares by $eq, $ne, $gt, $gte, $lt, $lte, $in or $nin.', 'Use one of these.');
  }
}

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
