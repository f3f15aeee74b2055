import { expect, it } from 'vitest';
import { citationsIn } from './project-code.ts';

const said = (text: string) =>
  citationsIn(text).map(({ path, line, name }) => name ?? (line ? `${path}:${line}` : path));

it('M42 paths, lines and names in back-ticks are what a note cites', () => {
  expect(said('The retry in src/net/fetch.ts:120 calls `backoff()`; see also `Router.match`.')).toEqual([
    'backoff',
    'Router.match',
    'src/net/fetch.ts:120',
  ]);
  expect(said('see app.py#L12-L20, ./lib/a.js:3:7 and docs/')).toEqual(['app.py:12', 'lib/a.js:3', 'docs']);
  expect(said('`src/a.rs` and `Vec::push` and `@app.route("/")`')).toEqual(['src/a.rs', 'Vec.push', 'app.route']);
});

it('M42 words, addresses, examples in fences and ways out of the project are not', () => {
  expect(said('Start from 5,400 K, and/or https://example.org/a/b.ts v1.2')).toEqual(['and/or']);
  expect(said('```\nsrc/a.ts `name`\n```\nplain words only.')).toEqual([]);
  expect(said('../../etc/passwd and `../x.ts` and `ab`')).toEqual([]);
});

it('M42 each is named once, and no more than twenty', () => {
  expect(said('`abc` and `abc` and src/a.ts, src/a.ts.')).toEqual(['abc', 'src/a.ts']);
  expect(citationsIn(Array.from({ length: 50 }, (_, at) => `src/f${at}.ts`).join(' '))).toHaveLength(20);
});
