import {
  afterOption,
  besideName,
  besideOthers,
  headsOf,
  IN_A_KEY,
  inColumn,
  isHeadKey,
  isNameKey,
  NOWHERE,
  underKey,
} from './field-labels.ts';
import { type Scan, type Surroundings, sanitiseText } from './sanitise-text.ts';

export type SanitiseAction = { field: string; kind: string; action: 'redacted' | 'dropped' };
export type Sanitised = { value: unknown; actions: SanitiseAction[] };
export type SanitiseOptions = {
  scan: Scan;
  /** The path in front of every field, for a value that is part of a payload: `items[3]`. */
  path?: string;
  maxDepth?: number;
  maxNodes?: number;
};

type Walk = {
  scan: Scan;
  maxDepth: number;
  nodes: number;
  above: Set<object>;
  keys: Map<string, { name: string; kinds: string[] }>;
};
// `heads` name the columns of the rows in a list.
type Place = {
  field: string;
  depth: number;
  around: Surroundings;
  actions: SanitiseAction[];
  heads?: string[] | null | undefined;
};

// Ends the work on an entry: what is in it cannot be cut out safely.
class Refusal extends Error {
  readonly kind: string;
  readonly field: string;
  constructor(kind: string, field: string) {
    super(kind);
    this.kind = kind;
    this.field = field;
  }
}

// Payloads of others, before anything else sees them (L17). What cannot be cleaned is dropped: an object in a list leaves
// the list, anything else takes the whole value with it. Actions name class and field, never the value.
export async function sanitiseValue(value: unknown, options: SanitiseOptions): Promise<Sanitised> {
  const { scan, path = '', maxDepth = 32, maxNodes = 100_000 } = options;
  const walk: Walk = { scan, maxDepth, nodes: maxNodes, above: new Set(), keys: new Map() };
  const actions: SanitiseAction[] = [];
  const cleaned = await cleanEntry(value, { field: path, depth: 0, around: NOWHERE, actions }, walk);
  return { value: cleaned === DROPPED ? null : cleaned, actions };
}

const DROPPED = Symbol('dropped');

async function cleanEntry(value: unknown, place: Place, walk: Walk): Promise<unknown> {
  const actions: SanitiseAction[] = [];
  const above = new Set(walk.above);
  try {
    const cleaned = await cleanValue(value, { ...place, actions }, walk);
    place.actions.push(...actions);
    return cleaned;
  } catch (error) {
    // Whatever else was thrown may quote the value, so it stays here.
    const refusal = error instanceof Refusal ? error : new Refusal('sanitiser_failed', place.field);
    place.actions.push({ field: refusal.field, kind: refusal.kind, action: 'dropped' });
    walk.above = above;
    return DROPPED;
  }
}

async function cleanValue(value: unknown, place: Place, walk: Walk): Promise<unknown> {
  walk.nodes -= 1;
  if (walk.nodes < 0) throw new Refusal('too_large', place.field);
  switch (typeof value) {
    case 'string':
      return cleanText(value, place, walk);
    case 'number':
      return cleanNumber(value, place, walk);
    case 'boolean':
    case 'undefined':
      return value ?? null;
    case 'object':
      return value === null ? null : cleanObject(value, place, walk);
    default:
      throw new Refusal('not_plain_data', place.field);
  }
}

async function cleanText(text: string, place: Place, walk: Walk): Promise<string> {
  if (text === '') return text;
  const cleaned = await sanitiseText(text, place.around, walk.scan);
  if (cleaned.refused !== undefined) throw new Refusal(cleaned.refused, place.field);
  for (const kind of cleaned.kinds) place.actions.push({ field: place.field, kind, action: 'redacted' });
  return cleaned.text;
}

// A card number is one in digits too.
async function cleanNumber(value: number, place: Place, walk: Walk): Promise<unknown> {
  if (!Number.isFinite(value)) throw new Refusal('not_plain_data', place.field);
  const cleaned = await cleanText(String(value), place, walk);
  return cleaned === String(value) ? value : cleaned;
}

async function cleanObject(value: object, place: Place, walk: Walk): Promise<unknown> {
  if (place.depth >= walk.maxDepth || walk.above.has(value)) throw new Refusal('too_deep', place.field);
  walk.above.add(value);
  const cleaned = Array.isArray(value) ? await cleanList(value, place, walk) : await cleanFields(value, place, walk);
  walk.above.delete(value);
  return cleaned;
}

async function cleanList(list: unknown[], place: Place, walk: Walk): Promise<unknown[]> {
  const kept: unknown[] = [];
  // Rows of a table know their columns, from the names beside the list or from its first row.
  const isTable = list.every(Array.isArray);
  const heads = isTable ? (place.heads ?? headsOf(list[0])) : null;
  for (const [index, item] of list.entries()) {
    const option = afterOption(place.around, kept.at(-1));
    const around = isTable ? option : inColumn(option, place.heads?.[index]);
    const isHead = isTable && index === 0 && !place.heads;
    const field = `${place.field}[${index}]`;
    const inside = { ...place, field, depth: place.depth + 1, around, heads: isHead ? null : heads };
    const isEntry = typeof item === 'object' && item !== null && !Array.isArray(item);
    const cleaned = isEntry ? await cleanEntry(item, inside, walk) : await cleanValue(item, inside, walk);
    if (cleaned !== DROPPED) kept.push(cleaned);
  }
  return kept;
}

async function cleanFields(object: object, place: Place, walk: Walk): Promise<object> {
  const prototype: unknown = Object.getPrototypeOf(object);
  if (prototype !== null && prototype !== Object.prototype) throw new Refusal('not_plain_data', place.field);
  const fields: { key: string; value: unknown }[] = [];
  const taken = new Map<string, number>();
  for (const [original, value] of Object.entries(object)) {
    if (value === undefined) continue;
    const key = unused(await cleanKey(original, place, walk), taken);
    fields.push({ key, value });
  }
  // The name beside a value is cleaned first: what it hides must not hide the value.
  const cleaned = new Map<string, unknown>();
  const namesFirst = [...fields.filter(({ key }) => isNameKey(key)), ...fields.filter(({ key }) => !isNameKey(key))];
  const others = new Map(fields.map(({ key, value }) => [key, value]));
  const heads = headsOf(fields.find(({ key }) => isHeadKey(key))?.value);
  let name: unknown;
  for (const { key, value } of namesFirst) {
    const around = besideOthers(besideName(underKey(place.around, key), key, name), key, others);
    const field = place.field + step(key, place.field);
    const inside = { ...place, field, depth: place.depth + 1, around, heads: isHeadKey(key) ? null : heads };
    cleaned.set(key, await cleanValue(value, inside, walk));
    if (isNameKey(key)) name ??= cleaned.get(key);
  }
  return Object.fromEntries(fields.map(({ key }) => [key, cleaned.get(key)]));
}

// Keys repeat from entry to entry, so each is read once.
async function cleanKey(key: string, place: Place, walk: Walk): Promise<string> {
  if (key === '__proto__') throw new Refusal('forged_structure', place.field);
  let known = walk.keys.get(key);
  if (!known) {
    const cleaned = key === '' ? { text: '', kinds: [] } : await sanitiseText(key, IN_A_KEY, walk.scan);
    if (cleaned.refused !== undefined) throw new Refusal(cleaned.refused, place.field);
    known = { name: cleaned.text, kinds: cleaned.kinds };
    walk.keys.set(key, known);
  }
  const field = place.field + step(known.name, place.field);
  for (const kind of known.kinds) place.actions.push({ field, kind, action: 'redacted' });
  return known.name;
}

// Two keys may be the same once they are clean; the count keeps a thousand of them from taking a thousand tries each.
function unused(key: string, taken: Map<string, number>): string {
  let name = key;
  let number = taken.get(key) ?? 1;
  for (; taken.has(name); name = `${key}_${number}`) number += 1;
  taken.set(key, number);
  taken.set(name, taken.get(name) ?? 1);
  return name;
}

function step(key: string, field: string): string {
  const shown = [...key].length > 60 ? `${[...key].slice(0, 60).join('')}…` : key;
  if (!/^[\p{L}_$][\p{L}\p{N}_$-]*$/u.test(shown)) return `[${JSON.stringify(shown)}]`;
  return field === '' ? shown : `.${shown}`;
}
