import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEFINING_LINES } from '../../test/samples/code-lines.ts';
import { parseQuery } from './query.ts';
import { definitionsIn } from './text/definitions.ts';
import { createTokenizer, stem, wholeName, wordsOf } from './text/terms.ts';

const tokenizer = createTokenizer();

describe('words', () => {
  it.each([
    ['run runs', 'run'],
    ['route routes routing router', 'rout'],
    ['running runner', 'run'],
    ['glasses glass', 'glass'],
    ['queries query', 'queri'],
    ['boxes box', 'box'],
    ['buzzes', 'buzz'],
    ['matches match matched matching', 'match'],
    ['wishes wish', 'wish'],
    ['validation validator validate validated', 'validat'],
    ['creator create creation creates', 'creat'],
    ['action', 'act'],
    ['statement', 'stat'],
    ['quickly quick', 'quick'],
    ['status', 'status'],
    ['basis', 'basis'],
    ['miss', 'miss'],
    ['ties', 'tie'],
    ['sing', 'sing'],
    ['bed', 'bed'],
    ['string', 'string'],
    ['editor', 'edit'],
    ['made', 'mad'],
    ['tree', 'tre'],
    ['day', 'day'],
    ['days', 'day'],
    ['happy', 'happi'],
    ['adding add added', 'add'],
    ['falling', 'fall'],
    ['a1s', 'a1s'],
    ['über', 'über'],
    ['Cats', 'Cats'],
    ['the', 'the'],
  ])('L7 %s are one term: %s', (words, term) => {
    for (const word of words.split(' ')) expect([word, stem(word)]).toEqual([word, term]);
  });

  it.each([
    ['bodyLimit', 'body limit'],
    ['HTTPServer2Go', 'http server2 go'],
    ['snake_case-kebab.dot', 'snake case kebab dot'],
    ['x86_64', 'x86 64'],
    ['2fa', '2 fa'],
    ['größeÄnderung', 'größe änderung'],
    ['ÄÖÜber', 'äö über'],
    ['ﬁle', 'file'],
    ['', ''],
  ])('L7 %s falls apart into %s', (text, words) => expect(wordsOf(text).join(' ')).toBe(words));

  it('L7 a plain name falls apart where a capital starts a word, and a number at the start is one', () => {
    const apart = (text: string) =>
      (text.match(/[A-Za-z][A-Za-z0-9]*|[0-9]+/g) ?? []).flatMap((run) =>
        run
          .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
          .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
          .toLowerCase()
          .split(' '),
      );
    const plain = fc.string({ unit: fc.constantFrom(...'azAZ09_$-. '), maxLength: 20 });
    fc.assert(
      fc.property(plain, (text) => {
        expect(wordsOf(text)).toEqual(apart(text));
      }),
      { numRuns: 2000 },
    );
  });

  it('L7 a single letter counts only alone, a stop word not at all, long runs are not words', () => {
    expect(tokenizer.list('x')).toEqual(['x']);
    expect(tokenizer.list('x_y')).toEqual(['xy']);
    expect(tokenizer.list('the')).toEqual([]);
    expect(tokenizer.list(`${'a'.repeat(64)} ${'q'.repeat(65)} ${'c_'.repeat(101)}`)).toEqual(['a'.repeat(64)]);
    expect(tokenizer.list('漢')).toEqual(['漢']);
    expect([tokenizer.name('bodyLimit'), wholeName('bodyLimit')]).toEqual([
      ['bodi', 'limit', 'bodylimit'],
      'bodylimit',
    ]);
    expect([tokenizer.name('limits'), wholeName('limits')]).toEqual([['limit'], 'limits']);
  });
});

describe('what a file defines', () => {
  it.each(DEFINING_LINES)('L7 %s: %s names %s', (path, line, name) =>
    expect(definitionsIn(path, `\n${line}\r\n\n`)).toEqual(name === null ? [] : [{ name, line: 1 }]),
  );

  it.each(['a.tsv', 'ats', 'a.go.txt', 'a.rst'])('L7 %s is of none', (path) =>
    expect(definitionsIn(path, 'class Shelf {\ndef open():')).toEqual([]),
  );
});

// Each ending in both cases; nothing may follow it.
const ENDINGS: [endings: string, line: string, defined: string][] = [
  ['ts tsx js jsx mts cts mjs cjs vue svelte astro', 'class Shelf {', 'Shelf'],
  ['py pyi', 'def open():', 'open'],
  ['rs', 'fn open() {', 'open'],
  ['c h cc cpp cxx hpp hh m mm', 'struct shelf {', 'shelf'],
  ['rb', 'def open', 'open'],
  ['cr', 'def open', 'open'],
  ['go', 'func open() {', 'open'],
  ['java kt kts scala cs swift php dart groovy', 'class Shelf {', 'Shelf'],
  ['ex exs', 'def open do', 'open'],
  ['lua', 'function open()', 'open'],
  ['sh bash zsh', 'open() {', 'open'],
  ['sql', 'create table shelf (', 'shelf'],
];

describe('endings of files', () => {
  it.each(
    ENDINGS.flatMap(([endings, ...rest]) =>
      endings.split(' ').map((ending): [string, ...typeof rest] => [ending, ...rest]),
    ),
  )('L7 .%s is read in its language, in either case, and only at the end of a name', (ending, line, defined) => {
    for (const path of [`a.${ending}`, `a/B.${ending.toUpperCase()}`]) {
      expect(definitionsIn(path, line)).toEqual([{ name: defined, line: 0 }]);
    }
    for (const path of [`a.${ending}.txt`, `a${ending}`, `a.${ending}~`, `x.${ending}/a`]) {
      expect(definitionsIn(path, line)).toEqual([]);
    }
  });
});

describe('what a task says', () => {
  const query = (text: string) => parseQuery(text, tokenizer);

  it('L28 what the template of an issue says to its writer, and what is ticked off, is no part of the task', () => {
    const text =
      '<!-- Search first:\nno duplicates -->\nParser hangs\n\n- [x] I use the newest release\n- [ ] fix tokens\n';
    const { terms, isDescribed } = query(text);
    expect(terms.map(({ word }) => word)).toEqual(['fix', 'hangs', 'Parser', 'tokens']);
    expect(isDescribed).toBe(true);
    // Opened time and again and never closed, it costs no more than other texts.
    expect(query(`lamp ${'<!--'.repeat(20_000)}`).terms.map(({ word }) => word)).toEqual(['lamp']);
  });
  const named = (said: { name: string }[]) => said.map(({ name }) => name);

  it.each([
    ['fix(router): x', ['router']],
    ['feat(http/status, cache)!: x', ['http', 'status', 'cache']],
    ['Revert "fix(router): x"', ['router']],
    ['fix: x', null],
    ['router: x', ['router']],
    ['fix: x', null],
    ['(router) x', null],
    ['FIX(Router): x', ['Router']],
    ['  revert: fix(router): x', ['router']],
    ['see fix(router): x', null],
    ['fix(router):x', null],
    ['fix(): x', null],
  ])('L7 %s is about the scope %j', (text, scope) => expect(query(text).scope).toEqual(scope));

  it('L7 change words weigh less, words said again more, each term once and in order', () => {
    const { terms } = query('fix the router, router');
    expect(terms.map(({ term, word, weight }) => [term, word, Number(weight.toFixed(3))])).toEqual([
      ['fix', 'fix', 0.3],
      ['rout', 'router', 1.693],
    ]);
  });

  it('L7 the scope counts as words; a number at the end does not', () => {
    expect(query('fix(cache): evict (#123)').terms.map(({ term }) => term)).toEqual(['cach', 'evict']);
    expect(query('evict [skip ci]').terms.map(({ term }) => term)).toEqual(['evict']);
    expect(query('evict [skip] of (#12) maps ').terms.map(({ term }) => term)).toEqual(['12', 'evict', 'map', 'skip']);
    expect(query('cache: evict').terms.map(({ term }) => term)).toEqual(['cach', 'evict']);
    expect(query('fix: evict').terms.map(({ term }) => term)).toEqual(['evict']);
  });

  it('L7 at most 128 terms, and nothing beyond 20,000 characters', () => {
    const words = Array.from(
      { length: 200 },
      (_, at) => `w${String.fromCharCode(97 + (at % 26))}${String.fromCharCode(97 + Math.floor(at / 26))}q`,
    );
    expect(query(words.join(' ')).terms).toHaveLength(128);
    expect(query(`${' '.repeat(19_996)}tail more`).terms.map(({ term }) => term)).toEqual(['tail']);
  });

  it.each([
    ['use `bodyLimit` and `max_size`', ['bodylimit', 'maxsize']],
    ['evict() drops it', ['evict']],
    ['see cache.evict here', ['evict']],
    ['a plain sentence. Next one', []],
    ['`a` `the`', []],
    ['foo_bar and _x', ['foobar']],
    ['see größe.ändern, x.y and 3.run', ['ändern']],
    ['`größeNeu` x2Y', ['größeneu', 'x2y']],
    [`${'a'.repeat(50)}_${'b'.repeat(50)} c_d`, ['cd']],
    [`${'a'.repeat(50)}_${'b'.repeat(49)}`, [`${'a'.repeat(50)}${'b'.repeat(49)}`]],
  ])('L7 %s names in code: %j', (text, names) => expect(named(query(text).identifiers)).toEqual(names));

  it.each([
    ['look at src/a.ts, and (lib/b) now.', ['lib/b', 'src/a.ts']],
    ['README.md!', ['README.md', 'README/md']],
    ['and/or', ['and/or']],
    ['no path here', []],
    ['"a/b" <c.ts> [d/e] {f.md};g/h', ['a/b', 'c.ts', 'c/ts', 'd/e', 'f.md', 'f/md', 'g/h']],
    ['x.TOOLONG and x.fiver?', ['x.fiver', 'x/TOOLONG', 'x/fiver']],
    ['File "/usr/lib/pkg/a.py", line 3', ['/usr/lib/pkg/a.py']],
    ['at run (src/b.ts:12:7) c:\\src\\d.ts:9', ['c:/src/d.ts', 'src/b.ts']],
    ['pkg.module.Name fails, crate::net::tcp too', ['crate/net/tcp', 'pkg/module/Name']],
    [`a/${'b'.repeat(299)} c/${'d'.repeat(298)}`, [`c/${'d'.repeat(298)}`]],
  ])('L7 %s spells the paths %j', (text, paths) => expect(named(query(text).paths)).toEqual(paths));

  it.each([
    ['update the docs', true],
    ['fix a typo', true],
    ['release notes', true],
    ['a document', false],
    ['notable', false],
    ['the README', true],
    ['docstring', false],
    ['a guide, a tutorial', true],
  ])('L7 %s is about prose: %s', (text, about) => expect(query(text).aboutProse).toBe(about));

  it('L7 the title of a long text weighs 1, each word of its description less the longer it is', () => {
    const words = Array.from({ length: 40 }, (_, at) => `word${String.fromCharCode(97 + (at % 26))}${at}x`);
    const { terms, identifiers } = query(`lamp breaks\n\n${words.join(' ')} callMe()`);
    const weightOf = (wanted: string) => terms.find(({ term }) => term === wanted)?.weight;
    expect(weightOf('lamp')).toBe(1);
    expect(weightOf('worda0x')).toBeLessThan(0.51);
    expect(identifiers.find(({ name }) => name === 'callme')?.weight).toBeLessThan(0.51);
    expect(query('lamp\nshort description').terms.map(({ weight }) => weight)).toEqual([1, 1, 1]);
  });

  it('L7 who asks of himself is the user of a talk', () => {
    expect(query('what did I say of my lamp?').names).toEqual(['human', 'me', 'user']);
    expect(query('what did they say?').names).toEqual([]);
  });

  it('L7 names with a capital', () => {
    expect(query("the body limit of Ann's lamp").names).toEqual(['ann']);
    expect(query('Édith and Ann’s').names).toEqual(['ann', 'édith']);
  });
});
