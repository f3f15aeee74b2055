import { closest } from './closest.ts';
import { invalidInput } from './errors.ts';
import { isRecord } from './json-record.ts';

const KINDS = {
  text: { words: 'a text', fits: (value: unknown) => typeof value === 'string' },
  number: { words: 'a finite number', fits: Number.isFinite },
  count: {
    words: 'a whole number, 0 or more',
    fits: (value: unknown) => Number.isSafeInteger(value) && Number(value) >= 0,
  },
  flag: { words: 'true or false', fits: (value: unknown) => typeof value === 'boolean' },
  texts: { words: 'a list of texts', fits: (value: unknown) => isList(value) && value.every(isText) },
  objects: { words: 'a list of objects', fits: (value: unknown) => isList(value) && value.every(isOptions) },
  object: { words: 'an object', fits: isOptions },
  signal: { words: 'an AbortSignal', fits: (value: unknown) => value instanceof AbortSignal },
  function: { words: 'a function', fits: (value: unknown) => typeof value === 'function' },
  target: { words: "a workspace's id or { id, root }", fits: (value: unknown) => isText(value) || isOptions(value) },
  null: { words: 'null', fits: (value: unknown) => value === null },
} as const;

type Word = keyof typeof KINDS;

/** What a value must be: a word or two, one of these texts, or an object with these keys. */
type Kind = Word | `${Word}|${Word}` | readonly string[] | Keys;

/** By name, with `?` behind what may be left out. The key `...`: it may hold more than is listed. */
interface Keys {
  readonly [name: string]: Kind;
}

type Marked<T, K extends keyof T & string> = Record<never, never> extends Pick<T, K> ? `${K}?` : K;

/** Every key of an options object; the compiler refuses a list that lacks one. */
export type KeysOf<T> = { readonly [K in keyof T & string as Marked<T, K>]-?: Kind };

/** Those keys of an answer of ours that a method needs when it is handed back. */
export type SomeKeysOf<T> = Partial<KeysOf<T>> & { readonly '...': 'object' };

/** The arguments of every method of a namespace, in their order. */
export type ArgumentsOf<T> = { readonly [M in keyof T]: Keys };

// A misspelt option would be ignored without a word, and what it should have limited would not be limited.
export function knownKeys<T>(options: T, keys: KeysOf<T>, method: string): T {
  if (!isOptions(options)) throw invalidInput(`The options of ${method} must be an object.`, 'See docs/library.md.');
  checkKeys(options, keys as Keys, { method, within: '' });
  return options;
}

/** The same methods; each refuses wrong arguments before anything is loaded or read. */
export function checkedMethods<T extends object>(space: string, kinds: ArgumentsOf<T>, methods: T): T {
  const checked = Object.entries(methods).map(([name, call]) => {
    const declared = Object.entries(kinds[name as keyof T]);
    const method = `${space}.${name}`;
    return [
      name,
      async (...given: unknown[]) => {
        for (const [at, [argument, kind]] of declared.entries())
          checkValue(given[at], argument, kind, { method, within: '' });
        return call(...given);
      },
    ];
  });
  return Object.fromEntries(checked);
}

/** The same methods; what each of them fails with is put into other words. */
export function failingWith<T extends object>(methods: T, words: (error: unknown, name: string) => unknown): T {
  const told = Object.entries(methods).map(([name, call]) => [
    name,
    (...given: unknown[]) =>
      call(...given).catch((error: unknown) => {
        throw words(error, name);
      }),
  ]);
  return Object.fromEntries(told);
}

interface Place {
  method: string;
  within: string;
}

function checkKeys(value: Record<string, unknown>, keys: Keys, { method, within }: Place): void {
  const known = Object.keys(keys).map(bare);
  const unknown = Object.hasOwn(keys, '...') ? undefined : Object.keys(value).find((key) => !known.includes(key));
  if (unknown !== undefined) {
    const near = closest(unknown, known);
    throw invalidInput(
      `${method} has no option "${[...unknown].slice(0, 60).join('')}".`,
      near === null ? `It knows ${known.join(', ')}.` : `Did you mean: ${near}`,
      { key: unknown },
    );
  }
  for (const [name, kind] of Object.entries(keys))
    if (name !== '...') checkValue(value[bare(name)], name, kind, { method, within });
}

function checkValue(value: unknown, name: string, kind: Kind, { method, within }: Place): void {
  if (value === undefined && name.endsWith('?')) return;
  const path = `${within}${bare(name)}`;
  if (!fits(value, kind))
    throw invalidInput(
      value === undefined
        ? `${method} needs "${path}": ${wordsOf(kind)}.`
        : `"${path}" of ${method.replace(/^A /, 'a ')} must be ${wordsOf(kind)}, not ${whatIs(value, kind)}.`,
      'The arguments of every method are in docs/library.md.',
      { key: path },
    );
  if (isKeys(kind)) checkKeys(value as Record<string, unknown>, kind, { method, within: `${path}.` });
}

function fits(value: unknown, kind: Kind): boolean {
  if (typeof kind === 'string') return kind.split('|').some((word) => KINDS[word as Word].fits(value));
  return isKeys(kind) ? isOptions(value) : kind.some((text) => text === value);
}

function wordsOf(kind: Kind): string {
  if (typeof kind === 'string')
    return kind
      .split('|')
      .map((word) => KINDS[word as Word].words)
      .join(' or ');
  return isKeys(kind) ? KINDS.object.words : `one of ${kind.join(', ')}`;
}

// A promise that nobody awaited, a date or a map has no keys of its own: it would pass for an object that says nothing.
function isOptions(value: unknown): value is Record<string, unknown> {
  return isRecord(value) && Object.prototype.toString.call(value) === '[object Object]';
}

// Never the value itself: it may be a text that nobody should see.
function whatIs(value: unknown, kind: Kind): string {
  if (value === null) return 'null';
  if (typeof value === 'number' && wordsOf(kind).includes('number')) return String(value);
  if (value instanceof Promise) return 'a promise: await it';
  if (isList(value)) return 'such a list';
  const word = { string: 'this text', boolean: 'true or false', object: 'an object', number: 'a number' };
  return word[typeof value as keyof typeof word] ?? `a ${typeof value}`;
}

function isKeys(kind: Kind): kind is Keys {
  return isRecord(kind);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

function bare(name: string): string {
  return name.endsWith('?') ? name.slice(0, -1) : name;
}
