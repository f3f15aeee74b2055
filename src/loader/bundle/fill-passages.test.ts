import { describe, expect, it } from 'vitest';
import { loadFromMemory, sha256 } from '../../../test/support/memory-project.ts';
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

  it('L28 a change log is no evidence: its words bring it in only where it is called by its name', () => {
    const log = Array.from({ length: 80 }, (_, at) => `## 1.${80 - at}\n\n- A change of a step.\n`).join('\n');
    const record = { ...found('CHANGELOG.md', 0.3), parts: { words: 1, record: -0.7 } };
    const { bundle } = loadFromMemory({
      ...project,
      files: { ...files, 'CHANGELOG.md': log },
      matched: { files: [...matched.files, record], history: null },
    });
    expect(bundle.files.map(({ path }) => path)).not.toContain('CHANGELOG.md');
  });

  const README = [
    '<p align="center"><img src="logo.svg"></p>',
    '',
    '# Shelf',
    '[![build](https://a.b/c.svg)](https://a.b)',
    '',
    'Shelf keeps small things in order.',
    '',
    '```sh',
    'npm i shelf',
    '```',
    '',
    'It has no dependencies.',
    '## Sponsors',
    'A sponsor of ours.',
    '',
  ].join('\n');
  const MANIFEST = (version: string, test = 'vitest run') =>
    `{\n  "name": "shelf",\n  "version": "${version}",\n  "scripts": {\n    "test": "${test}"\n  },\n  "engines": { "node": ">=20" },\n  "files": [\n    "dist"\n  ]\n}\n`;
  const shelf = (text: string, manifest: string) =>
    loadFromMemory({ ...project, files: { ...files, 'README.md': text, 'package.json': manifest } }).bundle;

  it('L29 of a README its first prose comes in, of a manifest its scripts and engines, whatever the task', () => {
    const given = new Map(shelf(README, MANIFEST('1.0.0')).files.map(({ path, excerpt }) => [path, excerpt]));
    const prose = (given.get('README.md') ?? '').split('\n').filter((line) => !/^(?:\[lines? |$)/.test(line));
    expect(prose).toEqual(['Shelf keeps small things in order.', 'It has no dependencies.']);
    const runs = (given.get('package.json') ?? '').split('\n').filter((line) => !/^(?:\[lines? |$)/.test(line));
    expect(runs.map((line) => line.trim())).toEqual([
      '"scripts": {',
      '"test": "vitest run"',
      '},',
      '"engines": { "node": ">=20" },',
    ]);
    const long = shelf(`${'A long sentence of prose. '.repeat(40)}\n${README}`, '{}').files;
    expect(long.find(({ path }) => path === 'README.md')?.chars).toBeLessThanOrEqual(600);
  });

  it('L29 a version number or a README moves no control plane, a script does', () => {
    const before = shelf(README, MANIFEST('1.0.0'));
    const isSame = (after: typeof before) =>
      sliceDiff({ before, after, slice: 'control_plane' }, diffBundles(before, after, sha256)).same;
    expect(isSame(shelf(README.replace('small', 'large'), MANIFEST('2.0.0')))).toBe(true);
    expect(isSame(shelf(README, MANIFEST('1.0.0', 'jest')))).toBe(false);
  });

  it('L28 one order over the definitions of all files, and it ends where the value falls', () => {
    const unit = (start: number, score: number, title: string | null = null, text = 'x'.repeat(5_000)) => ({
      ...{ start, end: start + 9, title, score, text },
    });
    const orderOf = (contenders: Parameters<typeof inOrderOfWorth>[0]) =>
      inOrderOfWorth(contenders).map(({ place, unit: { start } }) => [place, start]);
    const [first, second] = [
      { place: 0, path: 'a.ts', score: 1, units: [unit(1, 0), unit(111, 9), unit(221, 0.5)] },
      { place: 1, path: 'b.ts', score: 1, units: [unit(1, 8), unit(111, 1)] },
    ];
    expect(orderOf([first, second])).toEqual([
      [0, 111],
      [1, 1],
    ]);
    expect(orderOf([first, { ...second, leftByKind: 0.3 }])).toEqual([[0, 111]]);
    // Less than a page goes on to what is worth far less, but not to what is worth nothing.
    const short = [first, second].map(({ units, ...file }) => ({
      ...file,
      units: units.map((one) => ({ ...one, text: 'x'.repeat(100) })),
    }));
    expect(orderOf(short)).toHaveLength(4);
    // What the best of them calls comes before what is worth as much.
    const calling = {
      ...first,
      units: [unit(1, 9, 'A.run', 'this.helper(1)'), unit(111, 3, 'A.other'), unit(221, 3, 'A.helper')],
    };
    expect(
      orderOf([{ ...calling, units: [...calling.units, ...[331, 441, 551].map((at) => unit(at, 4))] }]).slice(0, 2),
    ).toEqual([
      [0, 1],
      [0, 221],
    ]);
  });

  it('L28 what lies near a good passage comes with it, the head of the file does not', () => {
    const unit = (start: number, end: number, score: number, title: string | null) => ({
      ...{ start, end, score, title, text: '' },
    });
    const units = [unit(1, 10, 0.1, null), unit(11, 30, 9, 'a'), unit(31, 50, 0.1, 'b'), unit(51, 150, 0.1, 'c')];
    const choices = inOrderOfWorth([{ place: 0, score: 1, units }]);
    expect(choices.map(({ unit: { title } }) => title)).toEqual(['a', 'b']);
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
