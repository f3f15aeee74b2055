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
const BY_PATTERN = 'by-pattern.yaml';
put(dir, {
  [BY_PATTERN]: [
    'version: 1',
    'name: by-pattern',
    'control_plane: [{path: AGENTS.md}]',
    'intents:',
    '  - {key: design, words: [design], include: ["docs/*.md"]}',
    '  - {key: default, words: [], include: ["src/*.ts"]}',
    '',
  ].join('\n'),
});

const FILES = ['src/main.ts', 'docs/words.md', 'made/out.ts', 'src/old.bin'];
const TASKS = ['', 'the design', 'why is a file in the bundle'];
const library = openLibrary(join(root, 'home'), { cwd: dir });

/** What a sentence promises, as it would be asked for. */
function promised(reason: string): Record<string, unknown> | null {
  if (!reason.startsWith('it would come in ')) return null;
  if (reason === 'it would come in without a task') return { task: '' };
  const named = /(?:with the task|as in) "(.+?)"/.exec(reason);
  if (named) return { task: named[1] };
  const [, name = '', value] = /with --([a-z-]+) (\d+)$/.exec(reason) ?? [];
  expect(name, reason).not.toBe('');
  return { [name.replaceAll('-', '_')]: Number(value) };
}

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
        const [best] = (await (await library.loader()).explainPath(path, { dir, task, max_chars_per_file: 3000 }))
          .passages;
        if (best === undefined) continue;
        const { start, end, title } = best;
        expect(passages[0], `${path} for "${task}"`).toEqual({ start, end, title });
        compared += 1;
      }
    }
    expect(compared).toBeGreaterThan(4);
  });

  it.each(['repo', BY_PATTERN])('L16 whatever it promises holds when it is tried: policy %s', async (policy) => {
    let tried = 0;
    for (const task of TASKS)
      for (const path of FILES) {
        const request = { dir, task, policy, max_files: 4 };
        for (const reason of (await (await library.loader()).explainPath(path, request)).reasons) {
          const changed = promised(reason);
          if (changed === null) continue;
          const { files } = await (await library.loader()).loadContext({ ...request, ...changed });
          expect(
            files.map((file) => file.path),
            `${path} with "${task}": ${reason}`,
          ).toContain(path);
          tried += 1;
        }
      }
    expect(tried).toBeGreaterThan(2);
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
