import { expect, it } from 'vitest';
import { mayChangeUnseen } from './clock-tick.ts';

it('L14 a file may change unseen within the tick of its clock, which is long where only seconds are kept', () => {
  const now = 1_700_000_000_123;
  expect([49, 50, 51].map((ago) => mayChangeUnseen(now - ago, now))).toEqual([true, false, false]);
  const whole = 1_700_000_000_000;
  expect([1_999, 2_000, 2_001].map((ago) => mayChangeUnseen(whole, whole + ago))).toEqual([true, false, false]);
  expect(mayChangeUnseen(now + 10_000, now)).toBe(true);
});
