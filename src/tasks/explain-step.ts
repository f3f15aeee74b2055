import { compareCodePoints } from '../code-points.ts';
import { isRecord } from '../json.ts';
import { SEEN_PARTS, type StepRecord } from './engine.ts';

export type ExplainedStep = ReturnType<typeof explainStep>;

// What one step saw, how large, and what of it was looked up.
export function explainStep(record: StepRecord) {
  const { path, name, key, type, status, model, matches, warnings = [] } = record;
  const parts = SEEN_PARTS.map((part) => ({ part, ...record[part] }));
  return { path, name, ...(key === undefined ? {} : { key }), type, status, model, parts, matches, warnings };
}

/** By their place, below before above: as they end where nothing is done at the same time or again. */
export function inPlace(seen: readonly StepRecord[]): StepRecord[] {
  // In a round the script comes before who judges it.
  const placed = seen.map((record) => ({
    record,
    place: `${record.path.replace(/\.evaluator\b/g, '.zevaluator').replaceAll(/\d+/g, (digits) => digits.padStart(9, '0'))}~`,
  }));
  return placed.sort((a, b) => compareCodePoints(a.place, b.place)).map(({ record }) => record);
}

/** Of a file that was found, which lines of it, and by which words. */
export function foundBy(why: unknown): string[] {
  const { lines, words } = isRecord(why) ? why : {};
  const at = Array.isArray(lines) ? `lines ${lines.join(', ')}` : '';
  return [at, Array.isArray(words) ? words.join(', ') : ''].filter((part) => part !== '');
}

export function tokensRead({ question, inherited, accumulated, fresh, results }: StepRecord): number {
  return [question, inherited, accumulated, fresh, results].reduce((sum, { tokens }) => sum + tokens, 0);
}
