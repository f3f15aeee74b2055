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

/** Where a value is: its field, the objects around it, and what they say about it. */
type Place = { field: string; above: readonly object[]; around: Surroundings };

const DROPPED = Symbol('dropped');

// Ends the work on an entry: what is in it cannot be cut out safely.
class Refusal extends Error {
  readonly field: string;
  constructor(kind: string, field: string) {
    super(kind);
    this.field = field;
  }
}

// Payloads of others, before anything else sees them (L17). What cannot be cleaned is dropped: an object in a list leaves
// the list, anything else takes the whole value with it. Actions name class and field, never the value.
export function sanitiseValue(value: unknown, options: SanitiseOptions = {}): Sanitised {
  const { path = '', maxDepth = 32, maxNodes = 100_000 } = options;
  const actions: SanitiseAction[] = [];
  const keys = new Map<string, { text: string; kinds: string[] }>();
  let nodes = 0;

  const cleanEntry = (entry: unknown, place: Place): unknown => {
    const before = actions.length;
    try {
      return cleanValue(entry, place);
    } catch (error) {
      // Whatever else was thrown may quote the value, so it stays here.
      const refusal = error instanceof Refusal ? error : new Refusal('sanitiser_failed', place.field);
      actions.splice(before, actions.length, { field: refusal.field, kind: refusal.message, action: 'dropped' });
      return DROPPED;
    }
  };

  const cleanValue = (value: unknown, place: Place): unknown => {
    nodes += 1;
    if (nodes > maxNodes) throw new Refusal('too_large', place.field);
    if (value === null || value === undefined || typeof value === 'boolean') return value ?? null;
    if (typeof value === 'string') return cleanText(value, place);
    // A card number is one in digits too.
    if (Number.isFinite(value)) {
      const text = cleanText(String(value), place);
      return text === String(value) ? value : text;
    }
    if (typeof value !== 'object') throw new Refusal('not_plain_data', place.field);
    if (place.above.length >= maxDepth || place.above.includes(value)) throw new Refusal('too_deep', place.field);
    const inside = { ...place, above: [...place.above, value] };
    return Array.isArray(value) ? cleanList(value, inside) : cleanFields(value, inside);
  };

  const cleaned = (text: string, around: Surroundings, field: string) => {
    const clean = text === '' ? { text, kinds: [] } : sanitiseText(text, around);
    if (clean.refused !== undefined) throw new Refusal(clean.refused, field);
    return clean;
  };

  const tell = (kinds: readonly string[], field: string): void => {
    for (const kind of kinds) actions.push({ field, kind, action: 'redacted' });
  };

  const cleanText = (written: string, { field, around }: Place): string => {
    const { text, kinds } = cleaned(written, around, field);
    tell(kinds, field);
    return text;
  };

  const cleanList = (list: unknown[], place: Place): unknown[] => {
    const items = list.map((item, index) => {
      const inside = { ...place, field: `${place.field}[${index}]` };
      const isEntry = typeof item === 'object' && item !== null && !Array.isArray(item);
      return isEntry ? cleanEntry(item, inside) : cleanValue(item, inside);
    });
    return items.filter((item) => item !== DROPPED);
  };

  const cleanFields = (object: object, place: Place): object => {
    const prototype: unknown = Object.getPrototypeOf(object);
    if (prototype !== null && prototype !== Object.prototype) throw new Refusal('not_plain_data', place.field);
    const taken = new Map<string, number>();
    const fields = new Map<string, unknown>();
    for (const [key, value] of Object.entries(object))
      if (value !== undefined) fields.set(unused(cleanKey(key, place), taken), value);
    // The name beside a value is cleaned first: what it hides must not hide the value.
    const namesFirst = [...fields].sort(([a], [b]) => Number(NAME_KEYS.test(b)) - Number(NAME_KEYS.test(a)));
    const found = new Map<string, unknown>();
    let name: unknown;
    for (const [key, value] of namesFirst) {
      const around = besideOthers(besideName(underKey(place.around, key), key, name), key, fields);
      found.set(key, cleanValue(value, { ...place, field: place.field + step(key, place.field), around }));
      if (NAME_KEYS.test(key)) name ??= found.get(key);
    }
    return Object.fromEntries([...fields.keys()].map((key) => [key, found.get(key)]));
  };

  // Keys repeat from entry to entry, so each is read once.
  const cleanKey = (key: string, { field }: Place): string => {
    if (key === '__proto__') throw new Refusal('forged_structure', field);
    const clean = keys.get(key) ?? cleaned(key, IN_A_KEY, field);
    keys.set(key, clean);
    tell(clean.kinds, field + step(clean.text, field));
    return clean.text;
  };

  const answer = cleanEntry(value, { field: path, above: [], around: NOWHERE });
  return { value: answer === DROPPED ? null : answer, actions };
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
