import { expect, it } from 'vitest';
import { closest } from './closest.ts';

const KNOWN = ['init', 'read', 'brief', 'notes', 'tastes', 'workspaces', 'b'];

it.each([
  ['reed', 'read'],
  ['inti', 'init'],
  ['note', 'notes'],
  ['taste', 'tastes'],
  ['workspace', 'workspaces'],
  ['xyz', null],
  ['x', null],
  ['', null],
  ['x'.repeat(1_000_000), null],
])('M31 guesses what %.20s meant', (word, meant) => expect(closest(word, KNOWN)).toBe(meant));
