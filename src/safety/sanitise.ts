import { foldLookAlikes, type Surroundings, sanitiseText } from './clean-text.ts';
import { namesSecret } from './secret-names.ts';

export type SanitiseAction = { field: string; kind: string; action: 'redacted' | 'dropped' };
export type Sanitised = { value: unknown; actions: SanitiseAction[] };
export type SanitiseOptions = {
  /** The path in front of every field, for a value that is part of a payload: `items[3]`. */
  path?: string;
  maxDepth?: number;
  maxNodes?: number;
};

type Walk = {
  maxDepth: number;
  nodes: number;
  above: Set<object>;
  keys: Map<string, { name: string; kinds: string[] }>;
};
type FieldState = { field: string; depth: number; around: Surroundings; actions: SanitiseAction[] };

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
export function sanitiseValue(value: unknown, options: SanitiseOptions = {}): Sanitised {
  const { path = '', maxDepth = 32, maxNodes = 100_000 } = options;
  const walk: Walk = { maxDepth, nodes: maxNodes, above: new Set(), keys: new Map() };
  const actions: SanitiseAction[] = [];
  const cleaned = cleanEntry(value, { field: path, depth: 0, around: NOWHERE, actions }, walk);
  return { value: cleaned === DROPPED ? null : cleaned, actions };
}

const DROPPED = Symbol('dropped');

function cleanEntry(value: unknown, place: FieldState, walk: Walk): unknown {
  const actions: SanitiseAction[] = [];
  const above = new Set(walk.above);
  try {
    const cleaned = cleanValue(value, { ...place, actions }, walk);
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

function cleanValue(value: unknown, place: FieldState, walk: Walk): unknown {
  walk.nodes -= 1;
  if (walk.nodes < 0) throw new Refusal('too_large', place.field);
  switch (typeof value) {
    case 'string':
      return cleanText(value, place);
    case 'number':
      return cleanNumber(value, place);
    case 'boolean':
    case 'undefined':
      return value ?? null;
    case 'object':
      return value === null ? null : cleanObject(value, place, walk);
    default:
      throw new Refusal('not_plain_data', place.field);
  }
}

function cleanText(text: string, place: FieldState): string {
  if (text === '') return text;
  const cleaned = sanitiseText(text, place.around);
  if (cleaned.refused !== undefined) throw new Refusal(cleaned.refused, place.field);
  for (const kind of cleaned.kinds) place.actions.push({ field: place.field, kind, action: 'redacted' });
  return cleaned.text;
}

// A card number is one in digits too.
function cleanNumber(value: number, place: FieldState): unknown {
  if (!Number.isFinite(value)) throw new Refusal('not_plain_data', place.field);
  const cleaned = cleanText(String(value), place);
  return cleaned === String(value) ? value : cleaned;
}

function cleanObject(value: object, place: FieldState, walk: Walk): unknown {
  if (place.depth >= walk.maxDepth || walk.above.has(value)) throw new Refusal('too_deep', place.field);
  walk.above.add(value);
  const cleaned = Array.isArray(value) ? cleanList(value, place, walk) : cleanFields(value, place, walk);
  walk.above.delete(value);
  return cleaned;
}

function cleanList(list: unknown[], place: FieldState, walk: Walk): unknown[] {
  const kept: unknown[] = [];
  for (const [index, item] of list.entries()) {
    const inside = { ...place, field: `${place.field}[${index}]`, depth: place.depth + 1 };
    const isEntry = typeof item === 'object' && item !== null && !Array.isArray(item);
    const cleaned = isEntry ? cleanEntry(item, inside, walk) : cleanValue(item, inside, walk);
    if (cleaned !== DROPPED) kept.push(cleaned);
  }
  return kept;
}

function cleanFields(object: object, place: FieldState, walk: Walk): object {
  const prototype: unknown = Object.getPrototypeOf(object);
  if (prototype !== null && prototype !== Object.prototype) throw new Refusal('not_plain_data', place.field);
  const fields: { key: string; value: unknown }[] = [];
  const taken = new Map<string, number>();
  for (const [original, value] of Object.entries(object)) {
    if (value === undefined) continue;
    const key = unused(cleanKey(original, place, walk), taken);
    fields.push({ key, value });
  }
  // The name beside a value is cleaned first: what it hides must not hide the value.
  const cleaned = new Map<string, unknown>();
  const namesFirst = [...fields.filter(({ key }) => isNameKey(key)), ...fields.filter(({ key }) => !isNameKey(key))];
  const others = new Map(fields.map(({ key, value }) => [key, value]));
  let name: unknown;
  for (const { key, value } of namesFirst) {
    const around = besideOthers(besideName(underKey(place.around, key), key, name), key, others);
    const field = place.field + step(key, place.field);
    const inside = { ...place, field, depth: place.depth + 1, around };
    cleaned.set(key, cleanValue(value, inside, walk));
    if (isNameKey(key)) name ??= cleaned.get(key);
  }
  return Object.fromEntries(fields.map(({ key }) => [key, cleaned.get(key)]));
}

// Keys repeat from entry to entry, so each is read once.
function cleanKey(key: string, place: FieldState, walk: Walk): string {
  if (key === '__proto__') throw new Refusal('forged_structure', place.field);
  let known = walk.keys.get(key);
  if (!known) {
    const cleaned = key === '' ? { text: '', kinds: [] } : sanitiseText(key, IN_A_KEY);
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

// Fields that hold text of many lines; every other one is a single line.
const LONG_FIELDS = new Set(
  (
    'text body summary description content contents excerpt note notes comment comments message details detail markdown md ' +
    'html log logs output stdout stderr error stack trace diff patch code snippet source readme brief gap gaps question ' +
    'answer reason steps transcript prompt'
  ).split(' '),
);
// Keys that say nothing about their value; the name above them does.
const GENERIC =
  /^(?:value|val|default|current|old|new|previous|plain|plaintext|raw|text|data|content|string|prod|production|staging|dev|test|live|primary|secondary|main|backup|home|work|office|private|number|[0-9]+)$/i;
const LOGIN_KEYS = /^(?:user|user_?name|login|account|host|email|benutzer|usuario)$/i;
const NAME_KEYS =
  /^(?:name|key|field|variable|header|label|option|env|parameter|param|property|attribute|question|prompt|setting|type|k)$/i;
const VALUE_KEYS = /^(?:value|val|default|content|data|text|answer|plain|v)$/i;

// Short for a password in a field, everyday words in a text.
const SHORT_PASSWORD = /^(?:pw|passcode)$/i;

const NOWHERE: Surroundings = { label: '', field: '', oneLine: false };
const IN_A_KEY: Surroundings = { ...NOWHERE, oneLine: true };

// `db.password`, `{ "password": { "current": … } }`, `{ "passwords": { "bob": … } }`, `{ "cookies": { "sid": … } }`.
function underKey(above: Surroundings, key: string): Surroundings {
  const own = foldLookAlikes(key).slice(-100);
  const oneLine = !LONG_FIELDS.has(own.toLowerCase());
  const field = own.replace(/([a-z0-9])(?=[A-Z])/g, '$1 ');
  if (SHORT_PASSWORD.test(own)) return { label: 'password', field, oneLine };
  if (/cookies?$/i.test(above.label)) return { label: 'session_token', field, oneLine };
  if (GENERIC.test(own) && above.label) return { ...above, field: `${above.field} ${own}`.slice(-100), oneLine };
  if (namesSecret(own) || !namesSecret(above.label)) return { label: own, field, oneLine };
  return { label: above.label.endsWith('s') ? above.label : own, field, oneLine };
}

// `{ "name": "DB_PASSWORD", "value": … }`
function isNameKey(key: string): boolean {
  return NAME_KEYS.test(key);
}

function besideName(around: Surroundings, key: string, name: unknown): Surroundings {
  if (typeof name !== 'string' || name === '' || !VALUE_KEYS.test(key)) return around;
  if (around.label === 'session_token') return around;
  const label = foldLookAlikes(name).slice(-100);
  return { ...around, label, field: label };
}

// What the fields beside a key say about it: a login, a key in JSON, a secret of Kubernetes.
function besideOthers(around: Surroundings, key: string, fields: ReadonlyMap<string, unknown>): Surroundings {
  const keys = [...fields.keys()];
  const secret = (label: string) => ({ ...around, label });
  // On its own "pass" may also count tests.
  if (/^(?:pass|code|key)$/i.test(key) && keys.some((other) => LOGIN_KEYS.test(other)))
    return secret(key.toLowerCase() === 'pass' ? 'password' : around.label);
  if (fields.has('kty') && /^(?:d|p|q|dp|dq|qi|k)$/.test(key)) return secret('private_key');
  if (fields.get('kind') === 'Secret' && /^(?:data|stringData)$/.test(key)) return secret('passwords');
  return around;
}
