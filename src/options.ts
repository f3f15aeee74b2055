import { closest } from './closest.ts';
import { BearingsError, invalidInput } from './errors.ts';
import { isRecord } from './json.ts';

/** What a value must be; `T` is the type that it has then. */
export interface Kind<T> {
  readonly words: string;
  fits(value: unknown): boolean;
  /** Of an object: its options. Of an object of ours that comes back: those that are needed of it. */
  readonly keys?: Kinds;
  readonly isOpen?: boolean;
  readonly isNeeded?: boolean;
  /** Where one comes from. */
  readonly hint?: string;
  /** Of an argument of a method: what messages call it. */
  readonly argument?: string;
  readonly type?: T;
}

export interface Needed<T> extends Kind<T> {
  readonly isNeeded: true;
}

export interface Kinds {
  readonly [name: string]: Kind<unknown>;
}

export type TypeOf<K> = K extends Kind<infer T> ? T : never;

/** The type that a table of options declares: each may be left out but those that are `needed`. */
export type OptionsOf<K> = { [P in keyof K as K[P] extends Needed<unknown> ? P : never]: TypeOf<K[P]> } & {
  [P in keyof K as K[P] extends Needed<unknown> ? never : P]?: TypeOf<K[P]> | undefined;
};

function kind<T>(words: string, fits: (value: unknown) => boolean): Kind<T> {
  return { words, fits };
}

export const text = kind<string>('a text', (value) => typeof value === 'string');
export const number = kind<number>('a finite number', Number.isFinite);
export const count = kind<number>(
  'a whole number, 0 or more',
  (value) => Number.isSafeInteger(value) && Number(value) >= 0,
);
export const flag = kind<boolean>('true or false', (value) => typeof value === 'boolean');
export const texts = listOf(text, 'a list of texts');
export const signal = kind<AbortSignal>('an AbortSignal', (value) => value instanceof AbortSignal);
export const off = kind<false>('false', (value) => value === false);
export const nothing = kind<null>('null', (value) => value === null);

export function listOf<T>(item: Kind<T>, words = 'a list of objects'): Kind<readonly T[]> {
  return kind(words, (value) => Array.isArray(value) && value.every(item.fits));
}

export function objectOf<T extends object>(): Kind<T> {
  return kind('an object', isOptions);
}

export function callback<T extends (...args: never[]) => unknown>(): Kind<T> {
  return kind('a function', (value) => typeof value === 'function');
}

export function oneOf<const T extends string>(...values: T[]): Kind<T> {
  return kind(`one of ${values.join(', ')}`, (value) => values.some((each) => each === value));
}

export function either<A, B>(one: Kind<A>, other: Kind<B>): Kind<A | B> {
  return kind(`${one.words} or ${other.words}`, (value) => one.fits(value) || other.fits(value));
}

export function options<K extends Kinds>(keys: K): Kind<OptionsOf<K>> & { readonly keys: K } {
  return { ...objectOf<OptionsOf<K>>(), keys };
}

/** An answer of ours that comes back, and what is needed of it. */
export function given<T extends object>(keys: { readonly [P in keyof T]?: Kind<unknown> }): Needed<T> {
  const needs = Object.entries(keys as Kinds).map(([name, each]) => [name, needed(each)]);
  return needed({ ...objectOf<T>(), keys: Object.fromEntries(needs), isOpen: true });
}

export function needed<K extends Kind<unknown>>(each: K): K & Needed<TypeOf<K>> {
  return { ...each, isNeeded: true } as K & Needed<TypeOf<K>>;
}

/** An argument of a method; options need no name of their own. */
export function as<K extends Kind<unknown>>(argument: string, kind: K): K {
  return { ...kind, argument };
}

/** What a method takes whose arguments are of these kinds, in their order. */
type ArgumentsOf<K> = K extends readonly [infer First, ...infer Rest]
  ? First extends Needed<unknown>
    ? [argument: ArgumentOf<First>, ...others: ArgumentsOf<Rest>]
    : [argument?: ArgumentOf<First>, ...others: ArgumentsOf<Rest>]
  : [];
// An editor shows options as they are, not the table they come from.
type ArgumentOf<K> = K extends { readonly keys: Kinds } ? { [P in keyof TypeOf<K>]: TypeOf<K>[P] } : TypeOf<K>;

// A misspelt option would be ignored without a word, and what it should have limited would not be limited.
export function checkOptions<T>(value: T, keys: Kinds, method: string): T {
  if (!isOptions(value))
    throw invalidInput(`The options of ${method} must be an object.`, 'See docs/reference/library.md.');
  checkKeys(value, options(keys), { method, within: '' });
  return value;
}

/** A method of the library: it refuses arguments that are not of these kinds, before anything is read. */
export function method<const K extends readonly Kind<unknown>[], A extends ArgumentsOf<K>, R>(
  method: string,
  kinds: K,
  call: (...args: A) => Promise<R>,
) {
  return async (...args: A): Promise<R> => {
    const own = new Set<unknown>();
    try {
      for (const [at, kind] of kinds.entries()) {
        checkValue(args[at], kind.argument ?? 'options', kind, { method, within: '' });
        if (kind.keys && !kind.isOpen && args[at]) args[at] = withOwnErrors(args[at] as never, own);
      }
      return await call(...args);
    } catch (error) {
      throw own.has(error) ? error : ofUse(error, method);
    }
  };
}

// What a callback of the caller throws is the caller's own, whatever kind of error it is.
function withOwnErrors(given: Record<string, unknown>, own: Set<unknown>): Record<string, unknown> {
  const watched =
    (call: (...args: unknown[]) => unknown) =>
    (...args: unknown[]): unknown => {
      try {
        return call(...args);
      } catch (error) {
        own.add(error);
        throw error;
      }
    };
  const entries = Object.entries(given).filter(([, value]) => value !== undefined);
  return Object.fromEntries(
    entries.map(([name, value]) => [name, typeof value === 'function' ? watched(value as never) : value]),
  );
}

const HINT = 'The types of the package say what each method takes: an editor shows them.';

// An object that is not what it seemed to be shows deep inside.
function ofUse(error: unknown, method: string): unknown {
  if (error instanceof BearingsError && error.hint && !/bearings [a-z]/.test(error.hint)) {
    const { code, message, data, cause } = error;
    return new BearingsError(code, message, { hint: inCode(error.hint), data, cause });
  }
  if (!(error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError)) return error;
  return new BearingsError('invalid_input', `${method} can't use what it was given.`, { hint: HINT, cause: error });
}

// What a person types, as a program writes it: `--max-files 3` is `{ maxFiles: 3 }`.
const inCode = (hint: string): string =>
  hint.replace(
    /--([a-z][a-z-]*)(?: (\d+|"[^"]*"|[a-z.][\w./-]*)(?=$|[.,;]?\s))?/g,
    (_, flag: string, value?: string) => {
      const name = flag.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
      if (value === undefined) return name;
      return `{ ${name}: ${/^[\d"]/.test(value) ? value : `'${value}'`} }`;
    },
  );

interface Where {
  method: string;
  within: string;
  hint?: string | undefined;
}

function checkKeys(value: Record<string, unknown>, { keys = {}, isOpen }: Kind<unknown>, where: Where): void {
  const names = Object.keys(keys);
  const unknown = isOpen ? undefined : Object.keys(value).find((key) => !names.includes(key));
  if (unknown !== undefined) {
    const near = closest(unknown, names);
    throw invalidInput(
      `${where.method} has no option "${[...unknown].slice(0, 60).join('')}".`,
      near === null ? `It knows ${names.join(', ')}.` : `Did you mean: ${near}`,
      { key: unknown },
    );
  }
  for (const [name, kind] of Object.entries(keys)) checkValue(value[name], name, kind, where);
}

function checkValue(value: unknown, name: string, kind: Kind<unknown>, { method, within, hint = HINT }: Where): void {
  if (value === undefined && !kind.isNeeded) return;
  const key = `${within}${name}`;
  if (value === undefined) throw invalidInput(`${method} needs "${key}": ${kind.words}.`, hint, { key });
  if (!kind.fits(value))
    throw invalidInput(`"${key}" of ${method} must be ${kind.words}, not ${whatIs(value, kind.words)}.`, hint, { key });
  if (kind.keys) checkKeys(value as Record<string, unknown>, kind, { method, within: `${key}.`, hint: kind.hint });
}

// A promise that nobody awaited, a date or a map has no keys of its own: it would pass for an object that says nothing.
function isOptions(value: unknown): value is Record<string, unknown> {
  return isRecord(value) && Object.prototype.toString.call(value) === '[object Object]';
}

// Never the value itself, but for a number: it may be a text that nobody should see.
function whatIs(value: unknown, words: string): string {
  if (value === null) return 'null';
  if (value instanceof Promise) return 'a promise: await it';
  if (Array.isArray(value)) return words.includes('list') ? 'such a list' : 'a list';
  if (typeof value === 'number') return words.includes('number') ? String(value) : 'a number';
  if (typeof value === 'string') return /text|one of/.test(words) ? 'this text' : 'a text';
  if (typeof value === 'boolean') return 'true or false';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
