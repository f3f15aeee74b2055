import { describe, expect, it } from 'vitest';
import { loadFromMemory, sha256 } from '../../../test/memory-project.ts';
import { diffBundles, sliceDiff } from './diff.ts';
import { inOrderOfWorth } from './passage-choice.ts';

const body = (name: string, lines: number) =>
  `export function ${name}() {\n${Array.from({ length: lines }, (_, at) => `  step(${at}, '${name}');\n`).join('')}}\n`;
const LONG = ['alpha', 'beta', 'gamma', 'delta'].map((name) => body(name, 40)).join('\n');
const found = (path: string, score: number) => ({ path, score, parts: { words: score }, words: ['step'] });
const matched = { files: [found('src/long.ts', 1), found('src/small.ts', 0.5)], history: null };
const files = {
  'AGENTS.md': 'Rules.',
  'src/long.ts': LONG,
  'src/small.ts': 'export const small = 1;\n',
  'docs/a.md': 'a',
};
const project = { files, matched, options: { task: 'change a step' } };

describe('passages in a bundle', () => {
  it('L22 a small file is whole; of a large one the ranges say which lines are there', () => {
    const { bundle } = loadFromMemory({ ...project, options: { ...project.options, max_chars_per_file: 2_500 } });
    const [, long, small] = bundle.files;
    expect(small).toMatchObject({ path: 'src/small.ts', truncated: false, ranges: [{ start: 1, end: 1 }] });
    expect(long).toMatchObject({ path: 'src/long.ts', truncated: true });
    const lines = LONG.split('\n');
    const shown = new Set((long?.ranges ?? []).flatMap(({ start, end }) => lines.slice(start - 1, end)));
    for (const line of (long?.excerpt ?? '').split('\n'))
      expect(shown.has(line) || /^\[lines? [\d-]+ left out\]$/.test(line) || line === '').toBe(true);
    expect(shown.size).toBeGreaterThan(10);
  });

  it('L23 patterns of the task bring in nothing that its words did not find, and an empty slice is told', () => {
    const { bundle } = loadFromMemory(project);
    expect(bundle.files.map(({ path }) => path)).toEqual(['AGENTS.md', 'src/long.ts', 'src/small.ts']);
    const none = loadFromMemory({ ...project, matched: { files: [], history: null } }).bundle;
    expect(none.files.map(({ path }) => path)).toEqual(['AGENTS.md']);
    expect(none.warnings).toEqual([
      'beyond what every task gets, no file of the project is in: no file holds a word of the task.',
    ]);
  });

  it('L23 a change log that nearly every change is written in has a place for its newest part', () => {
    const log = Array.from({ length: 80 }, (_, at) => `## 1.${80 - at}\n\n- A change of old.\n`).join('\n');
    const some = Array.from({ length: 12 }, (_, at) => found(`src/s${at}.ts`, 1 - at / 100));
    const logged = (isChangeLog: boolean) =>
      loadFromMemory({
        ...project,
        files: {
          ...files,
          'CHANGELOG.md': log,
          ...Object.fromEntries(some.map(({ path }) => [path, `step ${path}\n`])),
        },
        matched: { files: [...some, { ...found('CHANGELOG.md', 0), isChangeLog }], history: null },
      }).bundle.files.find(({ path }) => path === 'CHANGELOG.md');
    expect(logged(false)).toBeUndefined();
    expect(logged(true)).toMatchObject({ score: { parts: { kept: 0.1 } }, ranges: [{ start: 1 }] });
    expect(logged(true)?.chars).toBeLessThan(1_600);
  });

  it('L23 a change log whose newest part is very long gives the first lines of that part, not its heading alone', () => {
    const log = `# Changes\n\n## Next\n\n${Array.from({ length: 90 }, (_, at) => `- Change ${at} of a step.\n`).join('')}`;
    const { bundle } = loadFromMemory({
      ...project,
      files: { ...files, 'CHANGELOG.md': log.padEnd(4_000, '-') },
      matched: { files: [...matched.files, { ...found('CHANGELOG.md', 0), isChangeLog: true }], history: null },
    });
    const entry = bundle.files.find(({ path }) => path === 'CHANGELOG.md');
    expect(entry?.excerpt).toContain('- Change 30 of a step.');
    expect(entry?.chars).toBeLessThan(1_600);
  });

  it('L22 a README that is too long for its share gives its beginning and what the task is about', () => {
    const lines = Array.from({ length: 400 }, (_, at) => `line ${at} of the guide`);
    const readme = `${lines.join('\n')}\n`;
    const passage = { start: 301, end: 306, title: null, score: 3, text: '' };
    const load = (within: [] | [typeof passage], text = readme) =>
      loadFromMemory({
        ...project,
        files: { ...files, 'README.md': text },
        matched: { ...matched, within: () => within },
      });
    const plain = load([]).bundle.files.find(({ path }) => path === 'README.md');
    expect(plain?.ranges).toHaveLength(1);
    const { bundle, passages } = load([passage]);
    const entry = bundle.files.find(({ path }) => path === 'README.md');
    expect(entry).toMatchObject({ source_class: 'control_plane', truncated: true });
    expect(entry?.ranges?.at(-1)).toEqual({ start: 301, end: 306 });
    expect(entry?.excerpt.startsWith('line 0 of')).toBe(true);
    expect(entry?.excerpt).toContain('line 305 of');
    expect(entry?.chars).toBeLessThanOrEqual(2_500);
    expect(passages.get('README.md')).toMatchObject([{ start: 301, end: 306 }]);
    const short = load([passage], 'short\n').bundle.files.find(({ path }) => path === 'README.md');
    expect(short).toMatchObject({ truncated: false, excerpt: 'short\n' });
  });

  it('L23 after the best passage of each file, what says most for its size comes first', () => {
    const unit = (start: number, score: number) => ({ start, end: start + 9, title: null, score });
    const order = inOrderOfWorth(
      [
        { place: 0, path: 'a.ts', score: 1, units: [unit(1, 0), unit(11, 9), unit(21, 8)], sizes: [300, 3_000, 3_000] },
        { place: 1, path: 'b.ts', score: 0.9, units: [unit(1, 0), unit(11, 8), unit(21, 7)], sizes: [300, 500, 500] },
      ],
      2,
    ).map(({ place, unit: { start } }) => [place, start]);
    expect(order.slice(0, 4)).toEqual([
      [0, 11],
      [1, 11],
      [1, 21],
      [0, 21],
    ]);
  });

  it('L23 the last third of the places goes to a better passage of a file further down, weighed by the kind of the file', () => {
    const contender = (place: number, score: number, own: number) => ({
      place,
      path: `${place}.ts`,
      score,
      units: [{ start: 1, end: 9, title: null, score: own }],
      sizes: [500],
    });
    const files = [1, 0.9, 0.8, 0.5, 0.4, 0.3].map((score, place) => contender(place, score, place === 5 ? 10 : 1));
    const firstThree = (contenders: Parameters<typeof inOrderOfWorth>[0]) =>
      inOrderOfWorth(contenders, 3)
        .slice(0, 3)
        .map(({ place }) => place)
        .sort();
    expect(firstThree(files)).toEqual([0, 1, 5]);
    expect(firstThree(files.map((file) => ({ ...file, leftByKind: 0.3 })))).toEqual([0, 1, 2]);
    expect(firstThree(files.map((file, at) => ({ ...file, score: at === 2 ? 1 : file.score })))).toEqual([0, 1, 2]);
  });

  it('L22 a passage comes with the line that follows it, so that the place after it can be seen', () => {
    const passage = { start: 100, end: 105, title: null, score: 3, text: '' };
    const shown = (between: number) => {
      const lines = Array.from({ length: 400 }, (_, at) =>
        at < 105 || at >= 105 + between ? `step number ${at}` : '',
      );
      const { bundle } = loadFromMemory({
        ...project,
        files: { ...files, 'src/long.ts': `${lines.join('\n')}\n` },
        matched: { ...matched, passages: () => [passage] },
      });
      return bundle.files.find(({ path }) => path === 'src/long.ts')?.ranges;
    };
    expect(shown(0)).toEqual([{ start: 100, end: 106 }]);
    expect(shown(2)).toEqual([{ start: 100, end: 108 }]);
    expect(shown(3)).toEqual([{ start: 100, end: 105 }]);
  });

  it('L22 explain and the bundle agree on the passages', () => {
    const { bundle, passages } = loadFromMemory({
      ...project,
      options: { ...project.options, max_chars_per_file: 2_500 },
    });
    for (const { start, end } of passages.get('src/long.ts') ?? [])
      expect(bundle.files[1]?.ranges?.some((range) => range.start <= start && end <= range.end)).toBe(true);
    expect(passages.get('src/long.ts')?.length).toBeGreaterThan(0);
  });

  it('L27 a slice can be held by itself: what follows the task may move', () => {
    const before = loadFromMemory(project).bundle;
    const moved = loadFromMemory({
      ...project,
      files: { ...files, 'src/small.ts': 'export const small = 2;\n' },
    }).bundle;
    const ruled = loadFromMemory({ ...project, files: { ...files, 'AGENTS.md': 'Other rules.' } }).bundle;
    const slices = (after: typeof before) =>
      (['control_plane', 'task'] as const).map(
        (slice) => sliceDiff({ before, after, slice }, diffBundles(before, after, sha256)).same,
      );
    expect(slices(before)).toEqual([true, true]);
    expect(slices(moved)).toEqual([true, false]);
    expect(slices(ruled)).toEqual([false, true]);
  });
});
