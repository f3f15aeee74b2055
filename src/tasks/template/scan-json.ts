// JSON with the place of every key and value, which JSON.parse does not tell. Strict: what JSON.parse refuses is refused.
export type JsonNode = { at: number } & (
  | { kind: 'scalar'; value: string | number | boolean | null }
  | { kind: 'array'; items: JsonNode[] }
  | { kind: 'object'; entries: JsonEntry[] }
);

interface JsonEntry {
  key: string;
  at: number;
  value: JsonNode;
}

export class JsonFault extends Error {
  readonly at: number;
  constructor(at: number, message: string) {
    super(message);
    this.at = at;
  }
}

export interface ScanLimits {
  depth: number;
  values: number;
}

const BLANK = /[ \t\r\n]*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /true|false|null/y;
const WORDS: Readonly<Record<string, boolean | null>> = { true: true, false: false, null: null };

export function scanJson(text: string, limits: ScanLimits): JsonNode {
  let at = 0;
  let values = 0;

  const take = (pattern: RegExp): string | null => {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (!match) return null;
    at += match[0].length;
    return match[0];
  };
  const skip = (): void => void take(BLANK);
  const fault = (message: string): never => {
    throw new JsonFault(Math.min(at, text.length), message);
  };

  const string = (): string => {
    const found = takeString();
    return (
      found ?? fault(text[at] === '"' ? 'This string is not closed, or has a wrong escape.' : 'Expected a "name".')
    );
  };
  // Long texts go piece by piece: a pattern with millions of steps would end the stack.
  const takeString = (): string | null => {
    if (text[at] !== '"') return null;
    let end = at + 1;
    while (end < text.length && text[end] !== '"') {
      if ((text[end] as string) < ' ') return null;
      end += text[end] === '\\' ? 2 : 1;
    }
    if (end >= text.length) return null;
    const raw = text.slice(at, end + 1);
    try {
      const value = JSON.parse(raw) as string;
      at = end + 1;
      return value;
    } catch {
      return null;
    }
  };

  const value = (depth: number): JsonNode => {
    skip();
    const start = at;
    values += 1;
    if (values > limits.values) fault(`There are more than ${limits.values} values.`);
    if (depth > limits.depth) fault(`Values are nested deeper than ${limits.depth} levels.`);
    if (text[at] === '{') return object(start, depth);
    if (text[at] === '[') return array(start, depth);
    if (text[at] === '"') return { kind: 'scalar', at: start, value: string() };
    const word = take(WORD);
    if (word !== null) return { kind: 'scalar', at: start, value: WORDS[word] ?? null };
    const number = take(NUMBER);
    if (number !== null) return { kind: 'scalar', at: start, value: Number(number) };
    return fault(at >= text.length ? 'The file ends too early.' : 'This is not a JSON value.');
  };

  const object = (start: number, depth: number): JsonNode => {
    const entries: JsonEntry[] = [];
    at += 1;
    skip();
    while (text[at] !== '}') {
      if (entries.length > 0) comma('}');
      const keyAt = at;
      const key = string();
      skip();
      if (text[at] !== ':') fault('Expected a colon.');
      at += 1;
      entries.push({ key, at: keyAt, value: value(depth + 1) });
      skip();
    }
    at += 1;
    return { kind: 'object', at: start, entries };
  };

  const array = (start: number, depth: number): JsonNode => {
    const items: JsonNode[] = [];
    at += 1;
    skip();
    while (text[at] !== ']') {
      if (items.length > 0) comma(']');
      items.push(value(depth + 1));
      skip();
    }
    at += 1;
    return { kind: 'array', at: start, items };
  };

  const comma = (end: string): void => {
    if (text[at] !== ',') fault(at >= text.length ? 'The file ends too early.' : `Expected a comma or ${end}.`);
    at += 1;
    skip();
    if (text[at] === end) fault('There is nothing after this comma.');
  };

  const root = value(0);
  skip();
  if (at < text.length) fault('There is something after the end.');
  return root;
}

export function plainValue(node: JsonNode): unknown {
  switch (node.kind) {
    case 'scalar':
      return node.value;
    case 'array':
      return node.items.map(plainValue);
    case 'object':
      return Object.fromEntries(node.entries.map(({ key, value }) => [key, plainValue(value)]));
  }
}
