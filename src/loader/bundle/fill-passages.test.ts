import { describe, expect, it } from 'vitest';
import { loadFromMemory, sha256 } from '../../../test/memory-project.ts';
import { diffBundles, sliceDiff } from './diff.ts';

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
  it('L22 a small file is whole; of a large one the ranges say which lines stand there', () => {
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
    expect(none.warnings).toEqual(['no task file is in: no file holds a word of the task.']);
  });

  it('L23 a change log that nearly every change is written in has a place for its newest part', () => {
    const log = Array.from({ length: 80 }, (_, at) => `## 1.${80 - at}\n\n- A change of old.\n`).join('\n');
    const some = Array.from({ length: 12 }, (_, at) => found(`src/s${at}.ts`, 1 - at / 100));
    const logged = (isKept: boolean) =>
      loadFromMemory({
        ...project,
        files: {
          ...files,
          'CHANGELOG.md': log,
          ...Object.fromEntries(some.map(({ path }) => [path, `step ${path}\n`])),
        },
        matched: { files: [...some, { ...found('CHANGELOG.md', 0), isKept }], history: null },
      }).bundle.files.find(({ path }) => path === 'CHANGELOG.md');
    expect(logged(false)).toBeUndefined();
    expect(logged(true)).toMatchObject({ score: { parts: { kept: 0.1 } }, ranges: [{ start: 1 }] });
    expect(logged(true)?.chars).toBeLessThan(1_600);
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
