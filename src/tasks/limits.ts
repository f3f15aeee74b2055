import { exhausted, type Resource } from './results.ts';

export interface Limits {
  turns: number;
  /** Tokens. */
  context: number;
  /** Tokens. */
  output: number;
}

const DEFAULT_LIMITS: Limits = { turns: 20, context: 100_000, output: 8_000 };

export type SomeLimits = Partial<Readonly<Limits>>;

/** What the person allows, in tokens and questions; the first that says something wins. */
export function limitsOf(...words: readonly (SomeLimits | undefined)[]): Limits {
  const pick = (name: keyof Limits): number =>
    words.find((word) => word?.[name] !== undefined)?.[name] ?? DEFAULT_LIMITS[name];
  return { turns: pick('turns'), context: pick('context'), output: pick('output') };
}

export const LIMIT_RANGES: Readonly<Record<keyof Limits, readonly [number, number]>> = {
  turns: [1, 1_000],
  context: [100, 10_000_000],
  output: [1, 1_000_000],
};

const WARN_AT = 0.8;
// No tokenizer makes more tokens than UTF-8 bytes, and a UTF-16 unit has at most three of them.
const MAX_TOKENS_PER_UNIT = 3;
// Past so many units per allowed token no text can fit; counting it would only cost time.
const MAX_UNITS_PER_TOKEN = 64;

export type CountTokens = (text: string) => Promise<number>;

// Counts only where the answer is not plain from the length: most texts cost nothing. A warning, or nothing; throws at
// the hard limit.
export async function checkSize(
  resource: Resource,
  text: string,
  measure: { limit: number; countTokens: CountTokens },
): Promise<string | null> {
  const { limit, countTokens } = measure;
  if (text.length * MAX_TOKENS_PER_UNIT < limit * WARN_AT) return null;
  if (text.length > limit * MAX_UNITS_PER_TOKEN) throw exhausted(resource, Math.ceil(text.length / 4), limit);
  return checkUse(resource, await countTokens(text), limit);
}

export function checkUse(resource: Resource, used: number, limit: number): string | null {
  if (used > limit) throw exhausted(resource, used, limit);
  if (used < limit * WARN_AT) return null;
  return `${resource}: ${used} of at most ${limit} are used.`;
}
