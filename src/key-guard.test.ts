import { expect, it } from 'vitest';
import { keyGuard } from './key-guard.ts';

function at(): { guard: ReturnType<typeof keyGuard>; wait(ms: number): void } {
  let time = 0;
  const guard = keyGuard(() => time);
  guard.screenChanged();
  return {
    guard,
    wait(ms) {
      time += ms;
    },
  };
}

it('M47 a key counts after 300 ms without any key since the screen changed', () => {
  const { guard, wait } = at();
  wait(299);
  expect(guard.press('a')).toBe(false);
  wait(299);
  expect(guard.press('d')).toBe(false);
  wait(300);
  expect(guard.press('e')).toBe(true);
});

it('M47 the same key counts after 800 ms without it, also over a change of the screen', () => {
  const { guard, wait } = at();
  wait(300);
  expect(guard.press('a')).toBe(true);
  guard.screenChanged();
  wait(799);
  expect(guard.press('a')).toBe(false);
  wait(400);
  expect([guard.press('d'), guard.readyIn()]).toEqual([true, 800]);
  wait(400);
  expect(guard.press('a')).toBe(true);
});

it.each([10, 33, 250, 500, 799])('M47 a key that is held, every %i ms, counts once at most', (every) => {
  const { guard, wait } = at();
  let counted = 0;
  for (let time = 0; time < 60_000; time += every) {
    wait(every);
    if (!guard.press('a')) continue;
    counted += 1;
    guard.screenChanged();
  }
  expect(counted).toBeLessThanOrEqual(1);
});
