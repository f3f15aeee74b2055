import { clipContext, mostThatFits } from './clip-context.ts';
import type { Context } from './read-context.ts';

/** Parts of a context that a profile may name. */
export const MEMORY_PARTS = ['tastes', 'brief', 'notes', 'log', 'gaps'] as const;
export type MemoryPart = (typeof MEMORY_PARTS)[number];

const EMPTY: Context = {
  tastes: { default: '', genres: {}, conflicts: [] },
  brief: { raw: '', intent: '', tastes: [] },
  notes: { summary: '', truncated: false },
  recent_log: [],
  recent_gaps: [],
};
const KEYS = { tastes: 'tastes', brief: 'brief', notes: 'notes', log: 'recent_log', gaps: 'recent_gaps' } as const;
const LEAST_CHARS = 80;
// No text has so many characters in a token.
const MOST_CHARS_PER_TOKEN = 16;
const RECORD_CHARS = 400;

// The parts of a profile within its tokens, all keys there. What the person keeps is cut evenly; what agents wrote without a
// yes gets the room that is left.
export function fitContext(
  whole: Context,
  { parts, max_tokens }: { parts: readonly MemoryPart[]; max_tokens: number },
  countTokens: (text: string) => number,
) {
  const wanted: Context = { ...EMPTY, ...Object.fromEntries(parts.map((part) => [KEYS[part], whole[KEYS[part]]])) };
  const fits = (context: Context): boolean => countTokens(JSON.stringify(context)) <= max_tokens;
  const memory = fitMemory({ ...wanted, recent_log: [], recent_gaps: [] }, max_tokens, fits);
  const context = withEvidence(memory, wanted, fits);
  const same = (part: MemoryPart, a: Context, b: Context): boolean =>
    JSON.stringify(a[KEYS[part]]) === JSON.stringify(b[KEYS[part]]);
  return {
    context,
    /** Parts that hold something and are not in. */
    leftOut: MEMORY_PARTS.filter((part) => !same(part, whole, EMPTY) && same(part, context, EMPTY)),
    /** Parts of which something is missing. */
    cut: MEMORY_PARTS.filter((part) => !same(part, wanted, context) && !same(part, context, EMPTY)),
  };
}

function fitMemory(whole: Context, maxTokens: number, fits: (context: Context) => boolean): Context {
  if (fits(whole)) return whole;
  const { default: standard } = whole.tastes;
  // Where names alone are too many, lists give way before texts do.
  const smaller = [
    whole,
    { ...whole, tastes: { ...whole.tastes, conflicts: [] } },
    { ...whole, tastes: { default: standard, genres: {}, conflicts: [] }, brief: { ...whole.brief, tastes: [] } },
  ];
  for (const form of smaller) {
    const cutTo = (maxChars: number): Context => clipContext(form, { maxChars, maxRecordChars: RECORD_CHARS }).context;
    if (fits(cutTo(LEAST_CHARS)))
      return cutTo(mostThatFits(LEAST_CHARS, maxTokens * MOST_CHARS_PER_TOKEN, (most) => fits(cutTo(most))));
  }
  return EMPTY;
}

function withEvidence(
  memory: Context,
  { recent_log, recent_gaps }: Context,
  fits: (context: Context) => boolean,
): Context {
  const whole = { ...memory, recent_log, recent_gaps };
  if (fits(whole)) return whole;
  for (let count = Math.max(recent_log.length, recent_gaps.length); count > 0; count -= 1) {
    const newest = { ...memory, recent_log: recent_log.slice(0, count), recent_gaps: recent_gaps.slice(0, count) };
    const limits = { maxChars: Number.MAX_SAFE_INTEGER, maxRecordChars: RECORD_CHARS };
    const { context } = clipContext(newest, limits);
    if (fits(context)) return context;
  }
  return memory;
}
