import fc from 'fast-check';
import { expect, it } from 'vitest';
import { effort } from '../../../test/effort.ts';
import { type SlotStore, sharedSlots } from './model-slots.ts';

const moment = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

// As the table does it: one row for each place, and an answer that takes its time.
function table(bound: number): SlotStore & { taken: Set<number> } {
  const taken = new Set<number>();
  return {
    taken,
    async take(most) {
      await moment(1);
      const got: number[] = [];
      for (let place = 1; place <= bound && got.length < most; place += 1) if (!taken.has(place)) got.push(place);
      for (const place of got) taken.add(place);
      return got;
    },
    async give(place) {
      await moment(1);
      taken.delete(place);
    },
    room: () => Number.POSITIVE_INFINITY,
  };
}

it('T22 never more calls at the same time than a model has places over all workers; all are made, all places come back', async () => {
  const calls = fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 12 });
  const workers = fc.array(calls, { minLength: 1, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(workers, fc.integer({ min: 1, max: 5 }), async (given, bound) => {
      const store = table(bound);
      let [under, most, made] = [0, 0, 0];
      const asked = given.flatMap((lengths) => {
        const atPlace = sharedSlots(store, new AbortController().signal);
        return lengths.map((ms) =>
          atPlace(async () => {
            under += 1;
            most = Math.max(most, under);
            await moment(ms);
            under -= 1;
            made += 1;
          }),
        );
      });
      await Promise.all(asked);
      expect(made).toBe(given.flat().length);
      expect(most).toBeLessThanOrEqual(bound);
      while (store.taken.size > 0) await moment(1);
    }),
    { numRuns: effort(40) },
  );
});

it('T22 a call that fails leaves its place', async () => {
  const store = table(1);
  const atPlace = sharedSlots(store, new AbortController().signal);
  await expect(atPlace(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await atPlace(() => Promise.resolve('yes'))).toBe('yes');
});
