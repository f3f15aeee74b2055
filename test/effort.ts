// How often a repetition repeats: a tenth by default, in full with BEARINGS_TEST_LONG=1.
const SHARE = process.env.BEARINGS_TEST_LONG ? 1 : 0.1;

/** Of `full` runs of a property, or of so many bytes, those that this run makes; never fewer than `least`. */
export function effort(full: number, least = 10): number {
  return Math.min(full, Math.max(least, Math.ceil(full * SHARE)));
}
