import type { Gap } from './read-context.ts';

/** One thing that is missing, with every record that says so. */
export type RankedGap = ReturnType<typeof gapOf>;

/** Half of a gap's weight is gone after this. */
const HALF_LIFE_DAYS = 30;
const DAY_MS = 86_400_000;

// How often, how recent, how badly: each record weighs less with its age, and twice as much where the work failed.
export function rankGaps(gaps: readonly Gap[], now: number, keyOf: (text: string) => string): RankedGap[] {
  const groups = new Map<string, Gap[]>();
  for (const gap of gaps) {
    const words = wordsOf(gap.missing_capability ?? gap.description);
    groups.set(words, [...(groups.get(words) ?? []), gap]);
  }
  const ranked = [...groups].map(([words, records]) => gapOf(keyOf(words), records, now));
  return ranked.sort((a, b) => b.weight - a.weight || (a.key < b.key ? -1 : 1));
}

function gapOf(key: string, records: Gap[], now: number) {
  const byTime = [...records].sort((a, b) => (a.timestamp < b.timestamp ? -1 : a.timestamp > b.timestamp ? 1 : 0));
  const last = byTime.at(-1) as Gap;
  const said = records.flatMap(({ satisfaction }) => (satisfaction === null ? [] : [satisfaction]));
  return {
    /** Short and steady: the same words have the same one on every machine. */
    key,
    description: last.description,
    intent_category: last.intent_category,
    missing_capability: last.missing_capability,
    count: records.length,
    first_at: byTime[0]?.timestamp ?? '',
    last_at: last.timestamp,
    /** Mean of what was recorded, from -1 (badly) to 1; null where nobody said. */
    satisfaction: said.length === 0 ? null : said.reduce((sum: number, each) => sum + each, 0) / said.length,
    sessions: new Set(records.map(({ session_id }) => session_id)).size,
    /** How often, how recent and how badly, as one figure. */
    weight: gapWeight(records, now),
    records: byTime,
  };
}

function gapWeight(records: readonly Gap[], now: number): number {
  return records.reduce((sum, { timestamp, satisfaction }) => {
    const age = Math.max(0, now - Date.parse(timestamp)) / DAY_MS;
    const freshness = Number.isFinite(age) ? 0.5 ** (age / HALF_LIFE_DAYS) : 0;
    return sum + freshness * (satisfaction === -1 ? 2 : satisfaction === 1 ? 0.5 : 1);
  }, 0);
}

/** Case, spacing and punctuation do not make another gap. */
function wordsOf(text: string): string {
  return (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(' ');
}
