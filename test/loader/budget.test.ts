import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openRooms } from '../../src/bearings.ts';
import { canonicalJson } from '../../src/json.ts';
import type { Bundle } from '../../src/loader/bundle/bundle.ts';
import type { LineRange } from '../../src/loader/bundle/line-ranges.ts';
import { SLICES } from '../../src/loader/bundle/partitions.ts';
import { BUILT_IN } from '../../src/loader/policy/extend-policy.ts';
import { LIMIT_NAMES } from '../../src/loader/policy/limits.ts';
import type { Policy } from '../../src/loader/policy/policy.ts';
import { ITEM_STATES } from '../../src/loader/slices/adapter-items.ts';
import { effort } from '../support/effort.ts';
import { loadFromMemory, type MemoryFile, type MemoryProject, sha256 } from '../support/memory-project.ts';
import { numberedLines } from '../support/numbered-lines.ts';
import { put, tempFolder } from '../support/temp-folder.ts';

const text = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', 'b ', '\n', '😀', 'ü', 'word '), maxLength: 60 }),
  fc.integer({ min: 0, max: 6000 }).map((size) => 'a line of text\n'.repeat(size).slice(0, size)),
);
const file: fc.Arbitrary<MemoryFile> = fc.oneof(
  { weight: 9, arbitrary: text },
  { weight: 1, arbitrary: fc.record({ unreadable: fc.constant('no'), unsafe: fc.boolean() }) },
);
const places = [
  ...['AGENTS.md', 'CLAUDE.md', 'README.md', 'package.json', 'docs/decisions/0001-a.md', 'docs/decisions/0002-b.md'],
  ...['docs/a.md', 'docs/b.md', 'docs/c/d.md', 'src/index.ts', 'src/z.ts', 'SECURITY.md', 'specs/one.md', 'x.md'],
  ...[
    '.cortex/manifest_v0.json',
    '.cortex/reports/lifecycle_audit_v0.json',
    '.cortex/artifacts/spec_a.md',
    'policies/p.md',
  ],
  ...['.cortex/artifacts/decisions/decision_a_v1.md', '.cortex/artifacts/decisions/decision_b_v10.md'],
];
const files = fc.dictionary(fc.constantFrom(...places), file, { maxKeys: places.length });
const limit = fc.option(
  fc.oneof(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 40_000 })),
  { nil: null },
);
const options = fc.record({
  task: fc.constantFrom('', 'fix the docs', 'the spec', 'review the visual rules', 'goal'),
  max_files: limit,
  max_chars_per_file: limit,
  max_total_chars: limit,
  max_tokens: limit,
  fallback: fc.constantFrom('none' as const, 'relaxed' as const, 'unrestricted' as const),
});
const item = fc.record({
  id: fc.oneof(fc.string({ minLength: 1, maxLength: 8 }), fc.integer()),
  title: text,
  summary: text,
  state: fc.constantFrom(...ITEM_STATES, 'odd'),
  priority: fc.oneof(fc.integer({ min: 0, max: 4 }), fc.constantFrom('P1', 'high', null)),
});
const payload = fc.oneof(
  { weight: 6, arbitrary: fc.record({ items: fc.array(item, { maxLength: 6 }) }) },
  { weight: 1, arbitrary: fc.constant('it is broken') },
);
const share = (max: number) =>
  fc.record({ files: fc.integer({ min: 0, max }), chars: fc.integer({ min: 0, max: 4000 }) });
const policy = fc
  .record({
    base: fc.constantFrom('repo' as const, 'cortex' as const),
    own: fc.option(fc.record({ control_plane: share(14), tactical: share(4), adapter: share(4) }), { nil: null }),
  })
  .map(({ base, own }): Policy => {
    const adapters = ['one', 'two'].map((name) => ({
      name,
      kind: 'file' as const,
      path: 'a.json',
      stale_after_hours: 1,
    }));
    const partitions = own ? { of: { files: 12, chars: 4000 }, ...own } : BUILT_IN[base].partitions;
    return { ...BUILT_IN[base], adapters, partitions };
  });
const matched = fc.record({
  files: fc.uniqueArray(
    fc.record({
      path: fc.constantFrom(...places, 'src/only/match.ts', 'gone.ts'),
      score: fc.float({ min: 0, max: 4, noNaN: true }),
      parts: fc.constantFrom<Record<string, number>>({ words: 1 }, { words: 1, similar: 0.2 }, { subjects: 0.1 }),
      words: fc.constantFrom([], ['fix'], ['fix', 'docs']),
    }),
    { selector: ({ path }) => path },
  ),
  history: fc.constantFrom(null, { head: 'a'.repeat(40), depth: 3 }),
});
const project: fc.Arbitrary<MemoryProject> = fc.record({
  files,
  matched: fc.option(matched, { nil: null }),
  policy,
  options,
  tactical: fc.option(fc.record({ notes: text, log: fc.constant([]), gaps: fc.constant([]) }), { nil: null }),
  payloads: fc.dictionary(fc.constantFrom('one', 'two'), payload, { maxKeys: 2 }),
});

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function checkBudget({ budget, files, dropped, dropped_beyond }: Bundle): void {
  const within = (used: number, max: number | null) =>
    expect(used).toBeLessThanOrEqual(max ?? Number.POSITIVE_INFINITY);
  within(files.length, budget.max_files);
  within(sum(files.map(({ excerpt }) => [...excerpt].length)), budget.max_total_chars);
  for (const entry of files) {
    within(entry.chars, budget.max_chars_per_file);
    expect(entry.chars).toBe([...entry.excerpt].length);
  }
  if (budget.max_tokens !== null)
    within(sum(files.map(({ excerpt }) => excerpt.split(/\s+/).filter(Boolean).length)), budget.max_tokens);
  for (const slice of SLICES) {
    const own = files.filter(({ source_class }) => source_class === slice);
    const partition = budget.partitions[slice];
    if (!partition) expect(own).toEqual([]);
    else {
      within(own.length, partition.max_files);
      within(sum(own.map(({ chars }) => chars)), partition.max_chars);
      expect(partition.used_files).toBe(own.length);
      expect(partition.used_chars).toBe(sum(own.map(({ chars }) => chars)));
    }
  }
  expect(budget.used_files).toBe(files.length);
  expect(dropped.length).toBeLessThanOrEqual(200);
  const counted = sum(SLICES.map((slice) => budget.partitions[slice]?.dropped ?? 0));
  expect(counted).toBe(dropped.length + dropped_beyond);
}

// L22: every line is in the file under its number, and the lines between say which are left out.
function expectPassages(text: string, excerpt: string, ranges: readonly LineRange[]): void {
  const own = text.split('\n');
  const numbered = numberedLines(excerpt, ranges);
  expect(numbered).not.toBeNull();
  for (const { number, text: line } of numbered ?? []) if (number !== null) expect(line).toBe(own[number - 1]);
}

describe('budget', () => {
  it('L8 L9 limits in force are never exceeded and partitions never overrun, over random projects', () => {
    fc.assert(
      fc.property(project, (made) => {
        const { bundle } = loadFromMemory(made);
        checkBudget(bundle);
        // L1: in slice order, each path once.
        const order = bundle.files.map(({ source_class }) => SLICES.indexOf(source_class));
        expect(order).toEqual([...order].sort((a, b) => a - b));
        const names = bundle.files.map(({ path, source_class }) => `${source_class === 'adapter'} ${path}`);
        expect(new Set(names).size).toBe(names.length);
        // L7: what matching chose comes first in its slice, best first, with its score.
        const totals = bundle.files.flatMap(({ score }) => (score ? [score.total] : []));
        expect(totals).toEqual([...totals].sort((a, b) => b - a));
        for (const { selected_by, score } of bundle.files)
          expect(selected_by.endsWith(':match')).toBe(score !== undefined);
        // Only where a commit counted for a file is the git history part of the state.
        const isCounted = made.matched?.files.some(({ parts }) => (parts.similar ?? 0) + (parts.subjects ?? 0) > 0);
        expect(bundle.history).toEqual(isCounted ? made.matched?.history : null);
        expect(bundle.files.map(({ rank }) => rank)).toEqual(bundle.files.map((_, at) => at + 1));
        // L14: the same again is the same bytes, and the hash says so.
        const again = loadFromMemory({ ...made, files: Object.fromEntries(Object.entries(made.files).reverse()) });
        expect(canonicalJson(again.bundle)).toBe(canonicalJson(bundle));
        const { bundle_sha256, ...rest } = bundle;
        expect(bundle_sha256).toBe(sha256(canonicalJson(rest)));
      }),
      { numRuns: effort(2500, 100) },
    );
  });

  it('L8 L9 the same holds on disk, over random projects', async () => {
    const root = tempFolder();
    let made = 0;
    await fc.assert(
      fc.asyncProperty(files, options, async (all, asked) => {
        const dir = join(root, `p${made++}`);
        mkdirSync(dir);
        put(
          dir,
          Object.fromEntries(
            Object.entries(all).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
          ),
        );
        const { max_tokens: _, ...limits } = asked;
        const bundle = await (await openRooms({ home: join(root, 'home'), cwd: root }).loader()).loadContext({
          dir,
          ...limits,
        });
        checkBudget(bundle);
        for (const { path, excerpt, ranges, chars, total_chars, truncated, sha256: hash } of bundle.files) {
          const text = readFileSync(join(dir, path), 'utf8');
          if (!text.startsWith(excerpt)) expectPassages(text, excerpt, ranges ?? []);
          expect(hash).toBe(sha256(text));
          expect(truncated).toBe(chars < (total_chars ?? 0));
        }
        rmSync(dir, { recursive: true });
      }),
      {
        numRuns: effort(200),
        // Not one line of prose fits.
        examples: [
          [
            { 'README.md': '\nab ' },
            {
              task: '',
              fallback: 'none',
              max_files: null,
              max_chars_per_file: 1,
              max_total_chars: null,
              max_tokens: null,
            },
          ],
        ],
      },
    );
  });

  it('L9 at the default budget every adapter that is on has its best item in, over random projects', () => {
    fc.assert(
      fc.property(project, (made) => {
        const base = { ...made.policy, partitions: BUILT_IN.repo.partitions } as Policy;
        const task = made.options?.task;
        const { bundle } = loadFromMemory({ ...made, policy: base, options: { task } });
        for (const { status, items, selected } of bundle.adapters)
          if (status === 'loaded' && items > 0) expect(selected).toBeGreaterThanOrEqual(1);
        checkBudget(bundle);
      }),
      { numRuns: effort(500) },
    );
  });

  it('L12 the limits in force are those of the level in use; a level that gains nothing is not used', () => {
    fc.assert(
      fc.property(project, (made) => {
        const { bundle } = loadFromMemory(made);
        const { level, attempts } = bundle.fallback;
        const used = attempts.find((attempt) => attempt.level === level);
        expect(used?.limits).toEqual(Object.fromEntries(LIMIT_NAMES.map((name) => [name, bundle.budget[name]])));
        expect(attempts.map((attempt) => attempt.level)).toEqual(
          ['none', 'relaxed', 'unrestricted'].slice(0, attempts.length),
        );
        expect(attempts.slice(0, -1).every(({ success }) => !success)).toBe(true);
        const has = (slice: string) => bundle.files.some(({ source_class }) => source_class === slice);
        expect(used?.success).toBe(has('control_plane') && has('task'));
        if (level !== 'none') {
          const before = loadFromMemory({ ...made, options: { ...made.options, fallback: 'none' } }).bundle;
          const reached = (files: Bundle['files']) =>
            new Set(files.map(({ source_class }) => source_class).filter((slice) => /control|task/.test(slice))).size;
          expect(reached(bundle.files)).toBeGreaterThan(reached(before.files));
        }
      }),
      { numRuns: effort(500) },
    );
  });

  it('L12 doubles, then lifts, only as far as the caller allows', () => {
    const made = { files: { 'AGENTS.md': 'rules', 'docs/a.md': 'page' } };
    const load = (fallback: 'none' | 'relaxed') =>
      loadFromMemory({ ...made, options: { max_files: 1, fallback } }).bundle;
    expect(load('none').files.map(({ path }) => path)).toEqual(['AGENTS.md']);
    expect(load('relaxed').files.map(({ path }) => path)).toEqual(['AGENTS.md', 'docs/a.md']);
    expect(load('relaxed').fallback).toMatchObject({
      level: 'relaxed',
      attempts: [{ success: false }, { success: true }],
    });
    expect(load('relaxed').budget.max_files).toBe(2);
  });

  it('L11 what did not get in is listed with its reason, at most 200, the rest counted', () => {
    const many = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`docs/${at}.md`, 'x']));
    const { bundle } = loadFromMemory({
      files: { 'AGENTS.md': 'a', 'CONTRIBUTING.md': 'c', ...many, 'docs/0.md': { unreadable: 'out', unsafe: true } },
      options: { max_files: 4 },
    });
    expect(bundle.dropped).toHaveLength(200);
    // 302 files and two that a second slice names again.
    expect(bundle.dropped_beyond).toBe(304 - bundle.files.length - 200);
    expect(bundle.dropped[0]).toEqual({
      path: 'docs/0.md',
      source_class: 'task',
      selected_by: 'task:default:docs/*.md',
      reason: 'unsafe',
    });
    expect(bundle.dropped[1]?.reason).toBe('budget_files');
  });

  it('L11 budget_chars, budget_tokens and duplicate', () => {
    const words = 'word '.repeat(500);
    const made = {
      files: { 'AGENTS.md': words, 'README.md': words, 'docs/a.md': words, 'docs/b.md': words, 'docs/c.md': words },
    };
    const reasons = (options: object) =>
      loadFromMemory({ ...made, options: { ...options, task: 'docs' } }).bundle.dropped.map(
        ({ path, reason }) => `${path} ${reason}`,
      );
    expect(reasons({ max_total_chars: 2600 })).toContain('docs/b.md budget_chars');
    expect(reasons({ max_tokens: 200 })).toContain('docs/b.md budget_tokens');
    expect(reasons({})).toEqual(['AGENTS.md duplicate', 'README.md duplicate']);
  });

  it('L5 after the budget is used up nothing more is read', () => {
    const many = Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`docs/${at}.md`, 'x'.repeat(3000)]));
    const made = { files: { 'AGENTS.md': 'a', ...many } };
    const reads: string[] = [];
    loadFromMemory(made, {
      source: {
        list: (pattern) => (pattern === 'docs/*.md' ? Object.keys(many) : []),
        read: (path, max) => {
          reads.push(path);
          return path === 'AGENTS.md' || path in many
            ? {
                status: 'ok',
                value: {
                  text: 'x'.repeat(max),
                  whole: true,
                  total_chars: max,
                  total_bytes: max,
                  sha256: '',
                  identity: path,
                  valid: true,
                },
              }
            : { status: 'missing' };
        },
        probe: (path) => (path === 'AGENTS.md' ? { status: 'ok', value: null } : { status: 'missing' }),
        readWhole: () => ({ status: 'missing' }),
        warnings: () => [],
      },
    });
    expect(reads.filter((path) => path.startsWith('docs/')).length).toBeLessThanOrEqual(12);
  });

  it.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, '3' as unknown as number])(
    'L8 a limit of %s is refused',
    (bad) => {
      for (const name of LIMIT_NAMES)
        expect(() => loadFromMemory({ files: {}, options: { [name]: bad } })).toThrow(/whole number/);
    },
  );
});
