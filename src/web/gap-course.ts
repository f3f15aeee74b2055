const DAY_MS = 86_400_000;
const MAX_BARS = 30;

export interface Course {
  /** How often in each span, the oldest first. */
  counts: number[];
  /** Days in one span. */
  days: number;
  from: string;
  to: string;
}

/** How often something was recorded, in spans of equal length that end today; null where no time is known. */
export function courseOf(times: readonly string[], now: number): Course | null {
  const known = times.map((time) => Date.parse(time)).filter((time) => Number.isFinite(time) && time <= now);
  if (known.length === 0) return null;
  const first = known.reduce((least, time) => Math.min(least, time));
  const days = Math.max(1, Math.ceil((now - first) / DAY_MS / MAX_BARS));
  const span = days * DAY_MS;
  const bars = Math.max(2, Math.floor((now - first) / span) + 1);
  const counts = Array.from({ length: bars }, () => 0);
  for (const time of known) {
    const at = bars - 1 - Math.floor((now - time) / span);
    counts[at] = (counts[at] ?? 0) + 1;
  }
  return { counts, days, from: new Date(now - bars * span).toISOString(), to: new Date(now).toISOString() };
}
