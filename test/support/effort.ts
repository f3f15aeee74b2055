// BEARINGS_TEST_LONG=1 does everything in full, 2 twice as much, 0.5 half; without it a tenth is done.
const { BEARINGS_TEST_LONG } = process.env;
/** Every step and not only some of them. */
export const isLong = BEARINGS_TEST_LONG !== undefined && BEARINGS_TEST_LONG !== '';
const FACTOR = Number(BEARINGS_TEST_LONG) || 1;

/** Of `full` repetitions or bytes those that this run makes: `usual` ones, or as many as a long run is asked for. */
export function effort(full: number, usual = Math.max(10, Math.ceil(full / 10))): number {
  return isLong ? Math.ceil(full * FACTOR) : Math.min(full, usual);
}

/** Until when a test that kills and waits is given up. */
export const LONGEST_MS = isLong ? 6 * 3_600_000 : 900_000;
