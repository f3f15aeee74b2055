import type { Rooms } from '../bearings.ts';

export type Live = ReturnType<typeof openLive>;

const LEAST_PAUSE_MS = 500;
// Looking may cost a twentieth of the time; but one slow look on a busy machine must not leave the page behind for long.
const PAUSE_PER_COST = 20;
const LONGEST_PAUSE_MS = 5_000;

// What was read stays true until a file changes. Looks only while somebody watches.
export function openLive(bearings: Rooms) {
  const listeners = new Set<() => void>();
  let known: { stamp: string; values: Map<string, Promise<unknown>> } | null = null;
  let told: string | null = null;
  let timer: NodeJS.Timeout | undefined;
  const look = async (): Promise<void> => {
    const started = performance.now();
    const stamp = await (await bearings.page()).memoryStamp().catch(() => null);
    // The first look tells too: what began between the page's first question and now would else be missed.
    if (stamp !== null && stamp !== told) for (const listener of listeners) listener();
    told = stamp ?? told;
    const wanted = (performance.now() - started) * PAUSE_PER_COST;
    const pause = Math.min(LONGEST_PAUSE_MS, Math.max(LEAST_PAUSE_MS, wanted));
    timer = listeners.size > 0 ? setTimeout(() => void look(), pause).unref() : undefined;
  };
  return {
    /** Kept while nothing of memory changes. */
    async remembered<T>(key: string, make: () => Promise<T>): Promise<T> {
      const stamp = await (await bearings.page()).memoryStamp();
      if (stamp === null) return make();
      if (known?.stamp !== stamp) known = { stamp, values: new Map() };
      const { values } = known;
      const value = values.get(key) ?? make();
      values.set(key, value);
      // A failure is not kept: the next one tries again.
      value.catch(() => values.delete(key));
      return value as Promise<T>;
    },
    /** Calls after each change, until the answer is called. */
    onChange(work: () => void): () => void {
      listeners.add(work);
      // What another was told of before this one came, this one has missed.
      told = null;
      timer ??= setTimeout(() => void look(), 0).unref();
      return () => void listeners.delete(work);
    },
    close: (): void => clearTimeout(timer),
  };
}
