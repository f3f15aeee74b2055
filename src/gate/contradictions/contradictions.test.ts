import { expect, it } from 'vitest';
import {
  FRESH,
  HELD_OUT,
  LAST,
  MEASURED_ONCE,
  SECOND,
  THIRD,
  TUNED,
  UNSEEN,
} from '../../../test/samples/contradictions.ts';
import { contradictionsWith } from './contradictions.ts';

const isTold = (first: string, second: string) =>
  contradictionsWith(second, [{ place: 'notes.md', line: 1, text: first }]).length > 0;

it.each([
  ['tuned on', TUNED],
  ['written with the list at hand', HELD_OUT],
  ['written without the list', FRESH],
  ['tuned on, second part', SECOND],
  ['written before the rules were changed', UNSEEN],
  ['looked at once, first part', LAST],
  ['looked at once, second part', THIRD],
  ['written when the rules were set, and nothing was changed for it', MEASURED_ONCE],
])('M17 at least 80 percent of likely contradictions are found, at most 5 percent false: %s', (_, pairs) => {
  const [opposed, others] = [pairs.filter(([, , is]) => is), pairs.filter(([, , is]) => !is)];
  const missed = opposed.filter(([a, b]) => !isTold(a, b));
  const wrong = others.filter(([a, b]) => isTold(a, b));
  expect(missed.length, JSON.stringify(missed)).toBeLessThanOrEqual(opposed.length * 0.2);
  expect(wrong.length, JSON.stringify(wrong)).toBeLessThanOrEqual(others.length * 0.05);
});

it('M17 what is used in place of another is told beside a line that uses the other, whichever came first', () => {
  for (const wanted of ['Use pnpm; npm breaks the workspace links.', 'Use pnpm, not npm.', 'Always use pnpm.'])
    for (const other of ['Install with npm ci.', 'Install the packages with npm.', '- Use npm.']) {
      expect(isTold(other, wanted), `${wanted} ${other}`).toBe(true);
      expect(isTold(wanted, other), `${other} ${wanted}`).toBe(true);
    }
  for (const other of [
    'Install with pnpm.',
    'Publish to npm with npm publish.',
    'Install with npm if pnpm is missing.',
  ])
    expect(isTold(other, 'Use pnpm.'), other).toBe(false);
  expect(isTold('In the legacy package tests run with jest.', 'Use vitest.')).toBe(false);
});

it('M17 a contradiction names its file, its line and why, in either direction', () => {
  const blocks = [{ place: 'tastes/a.md', line: 3, text: 'Keep it quiet.\n- Group papers by method' }];
  expect(contradictionsWith('Never group papers by method.', blocks)).toEqual([
    { place: 'tastes/a.md', line: 4, text: '- Group papers by method', why: 'negation' },
  ]);
  const negated = [{ place: 'b', line: 1, text: 'Never group papers by method.' }];
  expect(contradictionsWith('Group papers by method', negated)).toHaveLength(1);
  expect(contradictionsWith('Keep it quiet.', blocks)).toEqual([]);
});

it('M17 one property with two values is told, two properties and two things are not', () => {
  expect(isTold('The default branch is main', 'The default branch is trunk')).toBe(true);
  expect(isTold('Only admins may invite', 'Guests may invite')).toBe(true);
  expect(isTold('Tokens live 1 hour', 'Tokens live 60 minutes')).toBe(false);
  expect(isTold('The left lens is scratched', 'The right lens is scratched')).toBe(false);
  expect(isTold('Only the lead merges', 'The lead reviews')).toBe(false);
});
