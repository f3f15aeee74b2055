import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { indexDocument, memoryIndex } from '../../test/support/memory-index.ts';
import { type Segment, SegmentWriter } from './index/segment.ts';
import { type SegmentPart, segmentedIndex } from './index/segmented-index.ts';
import { rank } from './rank.ts';
import { createTokenizer } from './text/terms.ts';

const tokenizer = createTokenizer();
const FILES: Record<string, string> = {
  'src/router/trie.ts': 'export class TrieRouter {\n  match(path: string) {\n    return path;\n  }\n}\n',
  'src/router/trie.test.ts': "import { TrieRouter } from './trie';\ntest('match', () => new TrieRouter());\n",
  'src/middleware/body-limit.ts': 'export const bodyLimit = (max: number) => max;\n',
  'src/http/status.ts':
    'export type StatusCode = 200 | 404;\nexport function isOk(code: StatusCode) { return code === 200; }\n',
  'README.md': '# Router\n\nThe router matches a path. bodyLimit is a middleware.\n',
  'CHANGELOG.md': 'fix router trie match body limit status code\n',
};
const documents = Object.entries(FILES).map(([path, text]) => indexDocument(path, text, tokenizer));
const top = (text: string, some = documents) => rank(memoryIndex(some), text, { tokenizer }).map(({ path }) => path);

function stored(segment: Segment, dead: number[] = []): SegmentPart {
  return { segment, live: Uint8Array.from({ length: segment.count }, (_, id) => (dead.includes(id) ? 0 : 1)) };
}

function segmentOf(some: Record<string, string>): Segment {
  const writer = new SegmentWriter(tokenizer);
  const byPath = Object.entries(some).sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [path, text] of byPath) writer.add(path, text);
  return writer.end();
}

describe('rank', () => {
  it('L7 the file a task is about comes first, however its words are spelled', () => {
    expect(top('body limit middleware ignores zero')[0]).toBe('src/middleware/body-limit.ts');
    expect(top('fix(router): matching of an empty path')[0]).toBe('src/router/trie.ts');
    expect(top('`isOk` is wrong for 204')[0]).toBe('src/http/status.ts');
  });

  it('L7 the parts of a score add up to it', () => {
    const ranked = rank(memoryIndex(documents), 'fix(router): match', { tokenizer });
    expect(ranked.length).toBeGreaterThan(2);
    for (const { score, parts } of ranked) {
      const sum = Object.values(parts).reduce((total, part) => total + part, 0);
      expect(Math.abs(sum - score)).toBeLessThan(0.01);
    }
  });

  const partsFor = (files: Record<string, string>, text: string) =>
    Object.fromEntries(
      rank(memoryIndex(Object.entries(files).map(([path, body]) => indexDocument(path, body, tokenizer))), text, {
        tokenizer,
      }).map(({ path, parts }) => [path, parts]),
    );

  it('L7 a test that fits lifts what it tests, by its name the closer the more', () => {
    const near = partsFor(
      {
        'a/b/trie.test.ts': 'ants bees\n',
        'a/b/trie.ts': 'x\n',
        'c/trie.ts': 'x\n',
        'a/b/trie.py': 'x\n',
        'a/b/trie.spec.ts': 'x\n',
      },
      'ants bees',
    );
    expect(['a/b/trie.ts', 'a/b/trie.py', 'c/trie.ts'].map((path) => near[path]?.source)).toEqual([0.2, 0.14, 0.1]);
    expect(near['a/b/trie.spec.ts']?.source).toBeUndefined();
  });

  it('L7 a scope counts most where all of it is in the path, then its last part, then its words', () => {
    const files = {
      'packages/http/status.ts': 'x\n',
      'packages/http/status.test.ts': 'x\n',
      'lib/status/a.ts': 'x\n',
      'lib/my-http_x/a-status-b.ts': 'x\n',
      'lib/http/other.ts': 'x\n',
      'src/app.config.ts': 'x\n',
    };
    const scope = (text: string) =>
      Object.fromEntries(Object.entries(partsFor(files, text)).map(([path, parts]) => [path, parts?.scope]));
    expect(scope('fix(http/status): y')).toMatchObject({
      'packages/http/status.ts': 0.6,
      'packages/http/status.test.ts': 0.6,
      'lib/status/a.ts': 0.54,
      'lib/my-http_x/a-status-b.ts': 0.42,
    });
    expect(scope('fix(http/status): y')['lib/http/other.ts']).toBeUndefined();
    expect(scope('fix(app.config): y')['src/app.config.ts']).toBe(0.6);
  });

  it('L7 a word before the colon that is no type of commit says where the change is', () => {
    const files = { 'crates/ignore/walk.rs': 'x\n', 'crates/other/walk.rs': 'x\n' };
    const scope = (text: string) => partsFor(files, text)['crates/ignore/walk.rs']?.scope;
    expect(['ignore: walk', 'fix: ignore walk', 'fix(ignore): walk'].map(scope)).toEqual([0.6, undefined, 0.6]);
  });

  it('L7 a path that the task spells out is meant, with its folder half', () => {
    const files = { 'src/a/list.ts': 'x\n', 'lib/a/list.ts': 'x\n', 'src/a/lists.ts': 'x\n', 'src/list/b.ts': 'x\n' };
    const path = (text: string) =>
      Object.fromEntries(Object.entries(partsFor(files, text)).map(([name, parts]) => [name, parts?.path]));
    expect(path('see ./src/a/list.ts')).toMatchObject({ 'src/a/list.ts': 0.3 });
    // Of two that may be meant each counts less.
    expect(path('see A/List.ts')).toMatchObject({ 'src/a/list.ts': 0.212, 'lib/a/list.ts': 0.212 });
    expect(path('see src/list and list.ts')).toMatchObject({ 'src/a/list.ts': 0.212, 'src/list/b.ts': 0.15 });
  });

  it('L7 a trace of an installed copy and a dotted module mean the file of the project', () => {
    const files = { 'src/pkg/core/app.py': 'x\n', 'src/pkg/app.py': 'x\n', 'src/pkg/db/__init__.py': 'x\n' };
    const meant = (text: string) =>
      Object.entries(partsFor(files, text)).flatMap(([name, parts]) => (parts?.path ? [name] : []));
    expect(meant('fails\n  File "/usr/lib/site-packages/pkg/core/app.py", line 3, in run')).toEqual([
      'src/pkg/core/app.py',
    ]);
    expect(meant('pkg.core.app.App.run fails')).toEqual(['src/pkg/core/app.py']);
    expect(meant('pkg.db fails')).toEqual(['src/pkg/db/__init__.py']);
    expect(meant('other.app fails, see mine/app.py')).toEqual([]);
  });

  it('L7 the title of an issue counts more than its long description, and its source more than its tests', () => {
    const noise = Array.from({ length: 60 }, (_, at) => `noise${at}`).join(' ');
    const some = { 'src/lamp.ts': 'lamp shade\n', 'src/noise.ts': 'noise0 noise1 noise2 noise3 noise4\n' };
    expect(Object.keys(partsFor(some, `lamp shade breaks\n\n${noise}`))[0]).toBe('src/lamp.ts');
    const files = { 'src/lamp.ts': 'lamp shade\n', 'test/lamp.test.ts': 'lamp shade\n' };
    expect(Object.keys(partsFor(files, 'lamp shade'))).toEqual(['src/lamp.ts', 'test/lamp.test.ts']);
    expect(partsFor(files, 'lamp shade')['test/lamp.test.ts']?.test).toBeLessThan(0);
    expect(partsFor(files, 'test of the lamp shade')['test/lamp.test.ts']?.test).toBeUndefined();
  });

  it('L7 a test weighs less for a described issue than for a title', () => {
    const files = { 'src/lamp.ts': 'lamp shade\n', 'test/lamp.test.ts': 'lamp shade lamp shade\n' };
    const taken = (text: string) => {
      const { test = 0, ...others } = partsFor(files, text)['test/lamp.test.ts'] ?? {};
      return test / Object.values(others).reduce((sum, part) => sum + part, 0);
    };
    expect(taken('lamp shade')).toBeCloseTo(-0.1, 1);
    expect(taken('lamp shade\n\nIt breaks.')).toBeCloseTo(-0.4, 1);
  });

  it('L7 of two files with the words of an issue the one that says them in one passage is meant more', () => {
    const filler = (name: string) => `function ${name}() {\n${'  step();\n'.repeat(30)}}\n`;
    const texts: Record<string, string> = {
      'src/a.ts': `${filler('one')}// lamp\n${filler('two')}// shade\n${filler('three')}// glow\n`,
      'src/b.ts': `${filler('one')}${filler('two')}// lamp shade glow\n${filler('three')}`,
    };
    const some = Object.entries(texts).map(([path, text]) => indexDocument(path, text, tokenizer));
    const read = (path: string) => texts[path] ?? null;
    const ask = (text: string) => rank(memoryIndex(some), text, { tokenizer, read });
    const [best, next] = ask('lamp\n\nThe shade has no glow.');
    expect([best?.path, best?.parts.passage]).toEqual(['src/b.ts', 0.8]);
    expect(next?.parts.passage).toBeLessThan(0.8);
    expect(ask('lamp shade glow')[0]?.parts.passage).toBeUndefined();
  });

  it('L7 who speaks counts for turns of any name', () => {
    const names = ['kiln', 'mast', 'oven', 'pond', 'reed', 'sail', 'vine', 'wolf'];
    const turns = Object.fromEntries(
      names.map((name, at) => [`talk/${name}.md`, `${at % 2 === 0 ? 'assistant' : 'user'}: the lamp is here\n`]),
    );
    const found = Object.keys(partsFor(turns, 'where did I put my lamp?'));
    expect(found.slice(0, 4)).toEqual(['talk/mast.md', 'talk/pond.md', 'talk/sail.md', 'talk/wolf.md']);
    expect(found).toHaveLength(8);
  });

  it('L7 words that no file holds find nothing, nor does what is to be done with them', () => {
    expect(top('zyxwv')).toEqual([]);
    expect(top('fix the zyxwv', [...documents, indexDocument('a.ts', 'fix fix', tokenizer)])).toEqual([]);
    expect(top('rewrite the docs', [...documents, indexDocument('docs/a.md', 'page', tokenizer)])[0]).toBe('docs/a.md');
    expect(top('fix', [...documents, indexDocument('a.ts', 'fix fix', tokenizer)])[0]).toBe('a.ts');
  });

  it('L7 a long note is levelled by its length, a long source file is not', () => {
    const long = `lamp ${'other words of it '.repeat(200)}`;
    const notes = { 'n/short.md': 'lamp\n', 'n/long.md': `lamp ${long}`, 'n/other.md': 'x\n' };
    expect(Object.keys(partsFor(notes, 'lamp'))).toEqual(['n/short.md', 'n/long.md']);
    const code = { 'n/short.ts': 'lamp\n', 'n/long.ts': `${'lamp '.repeat(8)} ${long}`, 'n/other.ts': 'x\n' };
    expect(Object.keys(partsFor(code, 'lamp'))).toEqual(['n/long.ts', 'n/short.ts']);
  });

  it('L7 a short turn leans on what is beside it, a long one is taken by itself', () => {
    const talk = (size: number) =>
      Object.fromEntries(
        Array.from({ length: 8 }, (_, at) => [
          `t/turn_${at}.md`,
          `${at === 3 ? 'lamp' : 'x'} ${'word '.repeat(size)}\n`,
        ]),
      );
    expect(partsFor(talk(2), 'lamp')['t/turn_4.md']?.sequence).toBeGreaterThan(0.4);
    expect(partsFor(talk(600), 'lamp')['t/turn_4.md']?.sequence).toBeLessThan(0.2);
  });

  it('L7 only what the policy includes competes', () => {
    const only = new Set(['README.md', 'CHANGELOG.md']);
    const found = rank(memoryIndex(documents), 'router trie', { tokenizer, only });
    expect(found.map(({ path }) => path).sort()).toEqual(['CHANGELOG.md', 'README.md']);
  });

  it('L7 past changes with like words lift the files they touched', () => {
    const history = { head: 'x', commits: [{ subject: 'teapot support', files: ['src/http/status.ts'] }] };
    const [best] = rank(memoryIndex(documents), 'teapot', { tokenizer, history });
    expect(best?.path).toBe('src/http/status.ts');
    expect(top('teapot')).toEqual([]);
  });

  it('L7 the git history says less of an issue with a description than of a title: its words are those of many changes', () => {
    const history = { head: 'x', commits: [{ subject: 'teapot support', files: ['src/http/status.ts'] }] };
    const similarTo = (text: string) => rank(memoryIndex(documents), text, { tokenizer, history })[0]?.parts.similar;
    expect([similarTo('teapot'), similarTo('teapot\n\nIt says so.')]).toEqual([0.5, 0.2]);
  });

  it('T20 same files, same bytes: any order, any cut into segments, with replaced and removed ones in between', () => {
    const word = fc.constantFrom(
      'router',
      'trie',
      'bodyLimit',
      'status_code',
      'path',
      'été',
      '漢字変換',
      'x𝒳y',
      'match',
    );
    const file = fc
      .array(word, { maxLength: 12 })
      .map((words) => `function ${words[0] ?? 'f'}() {\n${words.join(' ')}\n}`);
    const project = fc.dictionary(fc.stringMatching(/^[a-c]\/[a-e]{1,2}\.(?:ts|md)$/), file, {
      minKeys: 2,
      maxKeys: 12,
    });
    fc.assert(
      fc.property(
        project,
        project,
        fc.nat(),
        fc.array(word, { minLength: 1, maxLength: 4 }),
        (before, now, cut, words) => {
          const text = words.join(' ');
          const made = (some: Record<string, string>) =>
            Object.entries(some).map(([path, body]) => indexDocument(path, body, tokenizer));
          const current = made(now);
          const answer = (view: Parameters<typeof rank>[0]) =>
            JSON.stringify(
              rank(view, text, { tokenizer, top: 50 }).map(({ path, score, parts }) => [path, score, parts]),
            );
          const whole = answer(memoryIndex(current));
          expect(answer(memoryIndex([...current].reverse()))).toBe(whole);

          const all = Object.entries(now);
          const at = cut % (all.length + 1);
          const old = segmentOf({ ...now, ...before });
          const first = segmentOf(Object.fromEntries(all.slice(0, at)));
          const second = segmentOf(Object.fromEntries(all.slice(at)));
          const gone = Array.from({ length: old.count }, (_, id) => id);
          expect(answer(segmentedIndex([stored(old, gone), stored(first), stored(second)]))).toBe(whole);
        },
      ),
      { numRuns: 60 },
    );
  });
});
