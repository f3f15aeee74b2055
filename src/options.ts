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

export function options<K extends Kinds>(keys: K): Kind<OptionsOf<K>> {
  return { ...objectOf<OptionsOf<K>>(), keys };
}

/** An answer of ours that comes back, and what is needed of it. */
export function given<T extends object>(keys: { readonly [P in keyof T]?: Kind<unknown> }): Needed<T> {
  const needs = Object.entries<Kind<unknown> | undefined>(keys).map(([name, each]) => [
    name,
    needed(each as Kind<unknown>),
  ]);
  return needed({ ...objectOf<T>(), keys: Object.fromEntries(needs), isOpen: true });
}

export function needed<T>(each: Kind<T>): Needed<T> {
  return { ...each, isNeeded: true };
}

// A misspelt option would be ignored without a word, and what it should have limited would not be limited.
export function checkOptions<T>(value: T, keys: Kinds, method: string): T {
  if (!isOptions(value))
    throw invalidInput(`The options of ${method} must be an object.`, 'See docs/reference/library.md.');
  checkKeys(value, options(keys), { method, within: '' });
  return value;
}

/** A method of the library: it refuses arguments that are not of these kinds, in their order, before anything is read. */
export function method<A extends unknown[], R>(name: string, kinds: Kinds, call: (...args: A) => Promise<R>) {
  return async (...args: A): Promise<R> => {
    const own = new Set<unknown>();
    try {
      for (const [at, [argument, each]] of Object.entries(kinds).entries()) {
        checkValue(args[at], argument, each, { method: name, within: '' });
        if (each.keys && !each.isOpen && args[at]) args[at] = withOwnErrors(args[at] as never, each.keys, own);
      }
      return await call(...args);
    } catch (error) {
      throw own.has(error) ? error : ofUse(error, name);
    }
  };
}

// What a callback of the caller throws is the caller's own, whatever kind of error it is.
function withOwnErrors(given: Record<string, unknown>, keys: Kinds, own: Set<unknown>): Record<string, unknown> {
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
  const there = Object.keys(keys).filter((name) => given[name] !== undefined);
  return Object.fromEntries(
    there.map((name) => [name, typeof given[name] === 'function' ? watched(given[name] as never) : given[name]]),
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
  return new BearingsError('invalid_input', `${method} can't use what it was given.`, {
    hint: HINT,
    cause: error,
  });
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

function checkKeys(
  value: Record<string, unknown>,
  { keys = {}, isOpen }: Kind<unknown>,
  { method, within, hint }: Where,
): void {
  const names = Object.keys(keys);
  const unknown = isOpen ? undefined : Object.keys(value).find((key) => !names.includes(key));
  if (unknown !== undefined) {
    const near = closest(unknown, names);
    throw invalidInput(
      `${method} has no option "${[...unknown].slice(0, 60).join('')}".`,
      near === null ? `It knows ${names.join(', ')}.` : `Did you mean: ${near}`,
      { key: unknown },
    );
  }
  for (const [name, each] of Object.entries(keys)) checkValue(value[name], name, each, { method, within, hint });
}

function checkValue(value: unknown, name: string, each: Kind<unknown>, { method, within, hint = HINT }: Where): void {
  if (value === undefined && !each.isNeeded) return;
  const path = `${within}${name}`;
  if (!each.fits(value))
    throw invalidInput(
      value === undefined
        ? `${method} needs "${path}": ${each.words}.`
        : `"${path}" of ${method} must be ${each.words}, not ${whatIs(value, each.words)}.`,
      hint,
      { key: path },
    );
  if (each.keys) checkKeys(value as Record<string, unknown>, each, { method, within: `${path}.`, hint: each.hint });
}

// A promise that nobody awaited, a date or a map has no keys of its own: it would pass for an object that says nothing.
function isOptions(value: unknown): value is Record<string, unknown> {
  return isRecord(value) && Object.prototype.toString.call(value) === '[object Object]';
}

// Never the value itself: it may be a text that nobody should see.
function whatIs(value: unknown, words: string): string {
  if (value === null) return 'null';
  if (typeof value === 'number' && words.includes('number')) return String(value);
  if (value instanceof Promise) return 'a promise: await it';
  if (Array.isArray(value)) return words.includes('list') ? 'such a list' : 'a list';
  const word = {
    string: /text|one of/.test(words) ? 'this text' : 'a text',
    boolean: 'true or false',
    object: 'an object',
    number: 'a number',
  };
  return word[typeof value as keyof typeof word] ?? `a ${typeof value}`;
}
