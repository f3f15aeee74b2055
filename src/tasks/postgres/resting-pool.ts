import type { Pool } from 'pg';

/** The way of the library to the database. While there is nothing to do, what it asks waits here. */
export interface RestingPool {
  readonly pool: Pool;
  /** There may be work: whatever waits goes on. */
  wake(): void;
  /** A look that found no work. After a few in a row the pool rests. */
  quiet(): void;
  /** Never rests again. */
  end(): void;
}

/** Said by whoever submits a run: workers that rest look at once. */
export const GIVEN = 'bearings_given';

// More than one: a notice may come in between a look and what is made of it.
const QUIET_LOOKS = 3;

// The library looks into each queue many times a second and can't be told that something came. So it is the looks that wait,
// before they have a connection.
export function restingPool(pool: Pool): RestingPool {
  let quietLooks = 0;
  let ended = false;
  let waiting: (() => void)[] = [];
  const pass = async (): Promise<void> => {
    if (!ended && quietLooks >= QUIET_LOOKS) await new Promise<void>((resolve) => waiting.push(resolve));
  };
  const after =
    (say: (...given: unknown[]) => unknown) =>
    async (...given: unknown[]) => {
      await pass();
      return say.apply(pool, given);
    };
  const awaited = { connect: after(pool.connect as never), query: after(pool.query as never) };
  const wake = (): void => {
    quietLooks = 0;
    for (const goOn of waiting) goOn();
    waiting = [];
  };
  return {
    pool: new Proxy(pool, {
      get(target, name) {
        if (name === 'connect' || name === 'query') return awaited[name];
        const value = Reflect.get(target, name);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    }),
    wake,
    quiet() {
      quietLooks += 1;
    },
    end() {
      ended = true;
      wake();
    },
  };
}
