import { BearingsError } from '../../src/errors.ts';

/** A reader of text that others wrote, and what must hold whatever the text is. */
export interface FuzzTarget {
  name: string;
  /** Words of the format, for the inputs to be made of. */
  words: readonly string[];
  seeds: readonly (string | Uint8Array)[];
  /** The longest input, in bytes. Default 4,096. */
  max?: number;
  /** Throws when a promise is broken. */
  run(bytes: Buffer): void | Promise<void>;
}

export function hold(fact: boolean, promise: string): asserts fact {
  if (!fact) throw new Error(`broken promise: ${promise}`);
}

export function same(a: unknown, b: unknown, promise: string): void {
  const [left, right] = [JSON.stringify(a), JSON.stringify(b)];
  if (left !== right)
    throw new Error(`broken promise: ${promise}: ${left?.slice(0, 300)} is not ${right?.slice(0, 300)}`);
}

// The only error that may come out is ours, and it tells nothing of the machine.
export async function onlyOurErrors<T>(work: () => T | Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof BearingsError)) throw error;
    holdPlain(`${error.message} ${error.hint ?? ''} ${JSON.stringify(error.data)}`);
    return null;
  }
}

// Sentences for a person or an agent: bounded, without a place of this machine but one that the asker named, without what
// moves a cursor.
export function holdPlain(sentence: string, asked = ''): void {
  hold(sentence.length <= 20_000, 'a sentence stays short');
  const places = sentence.match(/\/(?:tmp|work|home|root|usr)\//g) ?? [];
  hold(
    places.every((place) => asked.includes(place)),
    'no absolute path in a sentence',
  );
  hold(!/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/.test(sentence), 'no control character in a sentence');
}
