import { openSession } from './connect.ts';

/** Rings when a run ends, so that nobody has to ask all the time. */
export interface RunEndListener {
  /** Until it rings for the run, or for so long at most. */
  wait(ms: number): Promise<void>;
  close(): Promise<void>;
}

export const ENDED = 'bearings_ended';

// Only ever a hint: behind a pool that passes no notices on, whoever waits simply looks again after a while.
export function listenForRunEnds(url: string, run: string): RunEndListener {
  let rung = false;
  let wake = (): void => {};
  const listening = openSession(url).then(
    async (session) => {
      session.on('notification', ({ payload }) => {
        if (payload !== run) return;
        rung = true;
        wake();
      });
      await session.query(`LISTEN ${ENDED}`).catch(() => {});
      return session;
    },
    () => null,
  );
  return {
    wait(ms) {
      if (rung) return Promise.resolve();
      return new Promise((resolve) => {
        const clock = setTimeout(resolve, ms);
        wake = () => {
          clearTimeout(clock);
          resolve();
        };
      });
    },
    async close() {
      await (await listening)?.end().catch(() => {});
    },
  };
}
