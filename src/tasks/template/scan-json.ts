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

const BLANK = /[ \t\r\n]*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /true|false|null/y;

export function scanJson(text: string, limits: { depth: number; values: number }): JsonNode {
  let at = 0;
  let values = 0;

  const take = (pattern: RegExp): string | null => {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    at += match?.[0].length ?? 0;
    return match?.[0] ?? null;
  };
  const skip = (): void => void take(BLANK);
  const fault = (message: string): never => {
    throw new JsonFault(Math.min(at, text.length), message);
  };

  // Long texts go piece by piece: a pattern with millions of steps would end the stack.
  const string = (): string => {
    if (text[at] !== '"') fault('Expected a "name".');
    let end = at + 1;
    while (end < text.length && text[end] !== '"') end += text[end] === '\\' ? 2 : 1;
    try {
      const value = JSON.parse(text.slice(at, end + 1)) as string;
      at = end + 1;
      return value;
    } catch {
      return fault('This string is not closed, or has a wrong escape.');
    }
  };

  const value = (depth: number): JsonNode => {
    skip();
    const start = at;
    values += 1;
    if (values > limits.values) fault(`There are more than ${limits.values} values.`);
    if (depth > limits.depth) fault(`Values are nested deeper than ${limits.depth} levels.`);
    if (text[at] === '{') return { kind: 'object', at: start, entries: list('}', () => entry(depth)) };
    if (text[at] === '[') return { kind: 'array', at: start, items: list(']', () => value(depth + 1)) };
    if (text[at] === '"') return { kind: 'scalar', at: start, value: string() };
    const word = take(WORD) ?? take(NUMBER);
    if (word !== null) return { kind: 'scalar', at: start, value: JSON.parse(word) };
    return fault(at >= text.length ? 'The file ends too early.' : 'This is not a JSON value.');
  };

  const entry = (depth: number): JsonEntry => {
    const keyAt = at;
    const key = string();
    skip();
    if (text[at] !== ':') fault('Expected a colon.');
    at += 1;
    return { key, at: keyAt, value: value(depth + 1) };
  };

  const list = <T>(end: string, item: () => T): T[] => {
    const items: T[] = [];
    for (at += 1, skip(); text[at] !== end; skip()) {
      if (items.length > 0) {
        if (text[at] !== ',') fault(at >= text.length ? 'The file ends too early.' : `Expected a comma or ${end}.`);
        at += 1;
        skip();
        if (text[at] === end) fault('There is nothing after this comma.');
      }
      items.push(item());
    }
    at += 1;
    return items;
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
