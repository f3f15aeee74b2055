import { invalidInput } from '../../errors.ts';

export interface Limits {
  max_files: number;
  max_chars_per_file: number;
  max_total_chars: number;
  /** Null: tokens are not counted. */
  max_tokens: number | null;
}

/** The limits of a fallback level; null where the level lifts them. */
export type LimitsInForce = { [K in keyof Limits]: number | null };

export const DEFAULT_KEY = 'default';
export const TACTICAL_SOURCES = ['notes', 'log', 'gaps'] as const;

export const DEFAULT_BUDGET: Limits = {
  max_files: 12,
  max_chars_per_file: 2_500,
  max_total_chars: 30_000,
  max_tokens: null,
};

export const DEFAULT_PARTITIONS = {
  of: { files: 12, chars: 30_000 },
  control_plane: { files: 7, chars: 12_000 },
  tactical: { files: 1, chars: 3_000 },
  adapter: { files: 1, chars: 3_000 },
};

export const FALLBACKS = ['none', 'relaxed', 'unrestricted'] as const;
export type Fallback = (typeof FALLBACKS)[number];

export const LIMIT_NAMES = ['max_files', 'max_chars_per_file', 'max_total_chars', 'max_tokens'] as const;
const MAX_LIMIT = 1_000_000_000;

export function assertLimit(name: string, value: unknown): void {
  if (isLimit(value)) return;
  throw invalidInput(
    `${name} must be a whole number from 1 to ${MAX_LIMIT}.`,
    `Leave it out for the policy's own limit, or write for example: --${name.replaceAll('_', '-')} 20`,
  );
}

function isLimit(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 1 && value <= MAX_LIMIT;
}

/** The same question asked for each limit. */
export function eachLimit<T>(of: (name: keyof Limits) => T): Record<keyof Limits, T> {
  return Object.fromEntries(LIMIT_NAMES.map((name) => [name, of(name)])) as Record<keyof Limits, T>;
}

export function limitsOf(level: Fallback, limits: Limits): LimitsInForce {
  if (level === 'none') return limits;
  const doubled = (limit: number | null) => (limit === null ? null : limit * 2);
  return eachLimit((name) => (level === 'relaxed' ? doubled(limits[name]) : null));
}
