import { describe, expect, it } from 'vitest';
import { typedName } from './closest.ts';

describe('a name in a suggested command', () => {
  it.each([
    ['manta_001', 'manta_001'],
    ['Grüße', 'Grüße'],
    ['bad name', '"bad name"'],
    ['a;b', '"a;b"'],
    ['~', '"~"'],
    ["it's", '"it\'s"'],
    ['$HOME', "'$HOME'"],
    [`"it's"`, `'"it'\\''s"'`],
    ['-x', '-- -x'],
    ['-x y', '-- "-x y"'],
  ])('M31 %s is typed %s', (name, typed) => {
    expect(typedName(name)).toBe(typed);
  });
});
