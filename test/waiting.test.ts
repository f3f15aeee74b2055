import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { bearings } from './binary.ts';
import { put, tempFolder } from './temp-folder.ts';
import { screen } from './tmux.ts';

const home = tempFolder();
const place = { home, cwd: join(home, 'project'), variables: { BEARINGS_CACHE: join(home, 'cache') } };
// Large enough to take seconds on any machine: no word comes twice.
const FILES = 500;
const WORDS = 3_000;

beforeAll(() => {
  put(home, { 'project/README.md': 'x\n' });
  for (let file = 0; file < FILES; file += 1) {
    const words = Array.from({ length: WORDS }, (_, index) => `w${(file * WORDS + index).toString(36)}`);
    writeFileSync(join(home, `project/f${file}.md`), words.join(' '));
  }
}, 120_000);

const BAR = /reading the project █*░* [\d,.’ ]+ of [\d,.’ ]+/;

describe('what takes more than a second', () => {
  it('shows how far the first index of a project is, and takes it away', async () => {
    const pane = screen(place, ['index', 'rebuild']);
    expect(await pane.shows('reading the project █')).toMatch(BAR);
    expect(await pane.ends()).toBe(0);
    const left = pane.text();
    expect(left).not.toMatch(/reading the project/);
    expect(left).toMatch(/files in the index/);
  }, 120_000);

  it('is silent into a pipe and for a program, on a terminal too', async () => {
    expect(bearings(place, 'index', 'rebuild')).toMatchObject({ code: 0, stderr: '' });
    const pane = screen(place, ['index', 'rebuild', '--json']);
    let seen = '';
    while (!seen.includes('ended with')) {
      seen = pane.text();
      expect(seen).not.toMatch(/reading the project/);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect(seen).toContain('"documents"');
  }, 180_000);
});
