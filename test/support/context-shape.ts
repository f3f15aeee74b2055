// The exact shape of a context, kept apart from the code's own types: keys, their order, no others, types of all values.
type Check = (value: unknown, at: string) => void;

const GAP_KEYS = [
  ...['timestamp', 'image_id', 'description', 'session_id', 'snapshot_hash', 'intent', 'intent_category'],
  ...['missing_capability', 'operations_involved', 'vocabulary_used', 'satisfaction', 'notes'],
];

const text = is('a text', (value) => typeof value === 'string');
const maybeText = is('a text or null', (value) => value === null || typeof value === 'string');
const flag = is('true or false', (value) => typeof value === 'boolean');
const texts = listOf(text);
const satisfaction = is('-1, 0, 1 or null', (value) => value === null || [-1, 0, 1].includes(value as number));

const gapFields: Record<string, Check> = {
  ...Object.fromEntries(GAP_KEYS.map((key) => [key, text])),
  session_id: maybeText,
  snapshot_hash: maybeText,
  intent: maybeText,
  missing_capability: maybeText,
  operations_involved: texts,
  vocabulary_used: texts,
  satisfaction,
};
const gap = keysInOrder(gapFields);
const gapWithWorkaround = keysInOrder({ ...gapFields, workaround: maybeText });

const context = keysInOrder({
  tastes: keysInOrder({
    default: text,
    genres: mapOf(text),
    conflicts: listOf(keysInOrder({ point: text, files: texts })),
  }),
  brief: keysInOrder({ raw: text, intent: text, tastes: texts }),
  notes: keysInOrder({ summary: text, truncated: flag }),
  recent_log: atMostTen(keysInOrder({ timestamp: text, op: text, details: mapOf(() => {}) })),
  recent_gaps: atMostTen((value, at) =>
    (isObject(value) && 'workaround' in value ? gapWithWorkaround : gap)(value, at),
  ),
});

export function assertContextShape(value: unknown): void {
  context(value, 'context');
  // What is sent is the JSON of it: that must have the same shape and lose nothing.
  context(JSON.parse(JSON.stringify(value)), 'context as JSON');
}

function keysInOrder(fields: Record<string, Check>): Check {
  return (value, at) => {
    if (!isObject(value)) throw new Error(`${at} is not an object`);
    const [wanted, found] = [Object.keys(fields).join(', '), Object.keys(value).join(', ')];
    if (wanted !== found) throw new Error(`${at} has the keys ${found}, not ${wanted}`);
    for (const [key, check] of Object.entries(fields)) check(value[key], `${at}.${key}`);
  };
}

function mapOf(check: Check): Check {
  return (value, at) => {
    if (!isObject(value)) throw new Error(`${at} is not an object`);
    for (const [key, item] of Object.entries(value)) check(item, `${at}.${key}`);
  };
}

function listOf(check: Check): Check {
  return (value, at) => {
    if (!Array.isArray(value)) throw new Error(`${at} is not a list`);
    for (const [index, item] of value.entries()) check(item, `${at}[${index}]`);
  };
}

function atMostTen(check: Check): Check {
  return (value, at) => {
    listOf(check)(value, at);
    if ((value as unknown[]).length > 10) throw new Error(`${at} has more than ten items`);
  };
}

function is(what: string, test: (value: unknown) => boolean): Check {
  return (value, at) => {
    if (!test(value)) throw new Error(`${at} is not ${what}`);
  };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
