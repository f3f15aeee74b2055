// How often a repetition repeats: in full with BEARINGS_TEST_LONG=1, less by default, and least in `npm run test:quick`.
const SHARE = process.env.BEARINGS_TEST_LONG ? 1 : process.env.BEARINGS_TEST_QUICK ? 0.1 : 0.3;

/** Of `full` runs of a property, or of so many bytes, those that this run makes; never fewer than `least`. */
export function effort(full: number, least = 10): number {
  return Math.min(full, Math.max(least, Math.ceil(full * SHARE)));
}
