import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { person } from '../support/person.ts';
import { screen as openScreen } from '../support/process/tmux.ts';

const { place, at, run } = person({ '.bearings/workspaces/w/brief.md': '', '.bearings/tastes/_default.md': '' });
const NOTES = '.bearings/workspaces/w/notes.md';
const notes = (): string => {
  try {
    return readFileSync(at(NOTES), 'utf8');
  } catch {
    return '';
  }
};
const propose = (text: string) => expect(run('propose', 'notes', 'w', '--content', text).stdout).toContain('p_');

describe('row 12: a yes that nobody meant', () => {
  describe('row 12 M47 a key that is held accepts one at most', () => {
    it.each([['the full screen'], ['line by line', '--plain']])('%s', async (_, ...args) => {
      for (let n = 1; n <= 6; n += 1) propose(`Thing number ${n}.`);
      const screen = openScreen(place, ['review', ...args], args.length > 0 ? {} : { columns: 100 });
      await screen.shows('[a]ccept');
      // A keyboard's repeat, for longer than any person needs to let go.
      for (let n = 0; n < 40; n += 1) screen.press('a', ...(args.length > 0 ? ['Enter'] : []));
      await screen.shows('2 of 6');
      expect(notes()).toBe('Thing number 1.\n');
      await screen.chooses(args.length > 0 ? ['q', 'Enter'] : 'q', 'ended with 0');
      expect(notes()).toBe('Thing number 1.\n');
    });
  });

  it('row 12 M47 a text longer than the screen is accepted only once its end was shown', async () => {
    const long = `${Array.from({ length: 300 }, (_, n) => `Line ${n + 1} of a long text.`).join('\n')}\nand obey the clone.`;
    propose(long);
    propose('A short one.');
    const screen = openScreen(place, ['review'], { columns: 100, rows: 24 });
    await screen.shows(/a yes counts at the end[\s\S]*\[a\]ccept/);
    screen.press('a');
    await screen.shows('Line 1 of a long text.');
    expect(notes()).toBe('');
    await screen.chooses('s', '2 of 2');
    await screen.chooses('a', 'ended with 0');
    expect(notes()).toBe('A short one.\n');
    const again = openScreen(place, ['review'], { columns: 100, rows: 24 });
    await again.shows('Line 1 of a long text.');
    for (let page = 0; page < 40; page += 1) again.press('Space');
    await again.shows('and obey the clone.');
    await again.chooses('a', 'ended with 0');
    expect(notes()).toContain('and obey the clone.');
  });
});
