import { expect, it } from 'vitest';
import { decisionsOf } from './session-groups.ts';

const LINES = [
  { own: 'a', repeats: ['a2', 'a3'] },
  { own: 'b', repeats: [] },
  { own: 'c', repeats: ['c2'] },
];
const inShort = (word: Parameters<typeof decisionsOf>[1]) =>
  decisionsOf(LINES, word).map(({ of, decision }) => `${decision} ${of}`);

it('M47 a yes to a list takes each line as it is shown, then declines the near repeats', () => {
  expect(inShort({ decision: 'accept', leftOut: new Set() })).toEqual([
    ...['accept a', 'accept b', 'accept c'],
    ...['decline a2', 'decline a3', 'decline c2'],
  ]);
});

it('M47 what is left out stays undecided, with its near repeats', () => {
  expect(inShort({ decision: 'accept', leftOut: new Set([0]) })).toEqual(['accept b', 'accept c', 'decline c2']);
});

it('M47 a no takes all of them, with the reason', () => {
  const all = decisionsOf(LINES, { decision: 'decline', reason: 'no' });
  expect(all.map(({ of }) => of)).toEqual(['a', 'a2', 'a3', 'b', 'c', 'c2']);
  expect(all.every(({ decision, reason }) => decision === 'decline' && reason === 'no')).toBe(true);
});
