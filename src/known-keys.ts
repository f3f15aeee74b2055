import { closest } from './closest.ts';
import { invalidInput } from './errors.ts';
import { isRecord } from './json-record.ts';

/** Every key of an options object; the compiler refuses a list that lacks one. */
export type KeysOf<T> = Record<keyof Required<T>, true>;

// A misspelt option would be ignored without a word, and what it should have limited would not be limited.
export function knownKeys<T>(options: T, keys: KeysOf<T>, method: string): T {
  if (!isRecord(options)) throw invalidInput(`The options of ${method} must be an object.`, `See docs/library.md.`);
  const known = Object.keys(keys);
  const unknown = Object.keys(options).find((key) => !Object.hasOwn(keys, key));
  if (unknown === undefined) return options;
  const near = closest(unknown, known);
  throw invalidInput(
    `${method} has no option "${[...unknown].slice(0, 60).join('')}".`,
    near === null ? `It knows ${known.join(', ')}.` : `Did you mean: ${near}`,
    { key: unknown },
  );
}
