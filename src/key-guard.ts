// A yes is a person's act (M47): a key counts once nothing was pressed for a moment, and it itself for a longer one, since
// the screen changed. One that does not count starts both again: a key that is held never counts.
const QUIET_MS = 300;
const SAME_KEY_MS = 800;

export function keyGuard(now: () => number) {
  let quietSince = Number.NEGATIVE_INFINITY;
  const pressed = new Map<string, number>();
  return {
    /** Something else is on the screen from now on. */
    screenChanged() {
      quietSince = now();
    },
    /** Every press, also of keys without a meaning; true where it counts. */
    press(key: string): boolean {
      const at = now();
      const counts = at - quietSince >= QUIET_MS && at - (pressed.get(key) ?? Number.NEGATIVE_INFINITY) >= SAME_KEY_MS;
      quietSince = at;
      pressed.set(key, at);
      return counts;
    },
    /** Milliseconds until every key counts; 0: now. */
    readyIn(): number {
      const last = Math.max(Number.NEGATIVE_INFINITY, ...pressed.values());
      return Math.max(0, quietSince + QUIET_MS - now(), last + SAME_KEY_MS - now());
    },
  };
}
