import { cpSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openLibrary } from '../support/open-library.ts';
import { bearings } from '../support/process/binary.ts';
import { put, tempFolder } from '../support/temp-folder.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const root = tempFolder();
const dir = join(root, 'project');
for (const name of ['AGENTS.md', 'docs/words.md', 'src/main.ts', 'src/errors.ts', 'src/cli/views'])
  cpSync(join(ROOT, name), join(dir, name), { recursive: true });
put(dir, { '.gitignore': 'made/\n', 'made/out.ts': 'start the program\n', 'src/old.bin': '\u0000\u0001' });
const library = openLibrary(join(root, 'home'), { cwd: dir });

describe('what explain says', () => {
  it('L23 the best passage of a file is the same one in load and in match', async () => {
    let compared = 0;
    for (const task of [
      'why is a file in the bundle',
      'wrap the warning of a read',
      'columns of a table',
      'parse options',
      'what a person answers on a terminal',
    ]) {
      const ranked = await (await library.matching()).rankedMatches(task, { project: dir, top: 8 });
      for (const { path, passages } of ranked) {
        const [best] = (await (await library.loader()).explainPath(path, { dir, task, max_chars_per_file: 6000 }))
          .passages;
        if (best === undefined) continue;
        const { start, end, title } = best;
        expect(passages[0], `${path} for "${task}"`).toEqual({ start, end, title });
        compared += 1;
      }
    }
    expect(compared).toBeGreaterThan(4);
  });

  it('L7 L16 a pattern that selects the file is not said to select nothing', async () => {
    const { verdict, reasons } = await (await library.loader()).explainPath('src/main.ts', { dir, task: 'the design' });
    expect(verdict).toBe('out');
    expect(reasons[0]).toContain('the pattern src/main.* only raises a file that matches');
    expect(reasons.join(' ')).not.toContain('none of its patterns');
    const ignored = await (await library.loader()).explainPath('made/out.ts', { dir, task: 'start the program' });
    expect(ignored.reasons[1]).toContain('a .gitignore names it');
  });

  it('L16 the command prints what --json holds', () => {
    const place = { home: join(root, 'home'), cwd: dir };
    const words = ['explain', 'src/main.ts', '--task', 'the design'];
    const { reasons } = JSON.parse(bearings(place, ...words, '--json').stdout);
    const { stdout } = bearings(place, ...words);
    expect(stdout).toContain('src/main.ts is not in');
    for (const reason of reasons) expect(stdout).toContain(reason);
  });
});
