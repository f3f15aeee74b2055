import { expect, it } from 'vitest';
import { indexDocument } from './document.ts';
import { memoryIndex } from './index-view.ts';
import { match } from './match.ts';
import { rank } from './rank.ts';
import { createTokenizer } from './terms.ts';

const talk = (number: number, text: string): [string, string] => [`talk/turn-${number}.md`, text];
const FILES: [string, string][] = [
  [
    'src/router/trie.ts',
    'import { parsePath } from "./parse-path";\nexport class TrieRouter {\n  match(path: string) {\n    return parsePath(path);\n  }\n}\n',
  ],
  [
    'src/router/trie.test.ts',
    "import { TrieRouter } from './trie';\ntest('match an empty path', () => new TrieRouter());\n",
  ],
  ['src/router/parse-path.ts', 'export function parsePath(path: string) {\n  return path.split("/");\n}\n'],
  ['src/router/index.ts', "export * from './trie';\n"],
  ['src/middleware/body-limit.ts', 'export const bodyLimit = (max: number) => max;\n// limit limit limit of a body\n'],
  [
    'src/http/status.ts',
    'export type StatusCode = 200 | 404;\nexport function isOk(code: StatusCode) {\n  return code === 200;\n}\n',
  ],
  ['lib/cache.py', 'from .store import Store\n\nclass Cache:\n    def evict(self):\n        return Store\n'],
  ['lib/store.py', 'class Store:\n    pass\n'],
  ['tests/test_cache.py', 'from lib.cache import Cache\n\ndef test_evict():\n    assert Cache\n'],
  ['docs/router.md', '# Router\n\nHow the router matches a path, and what bodyLimit does.\n'],
  ['README.md', '# Project\n\nA router with a cache.\n'],
  ['CHANGELOG.md', 'router trie match body limit status code cache evict store path\n'],
  ['package.json', '{ "name": "router", "limit": 1 }\n'],
  talk(1, 'Ann: where did the lamp go?\n'),
  talk(2, 'Bob: it fell from the shelf.\n'),
  talk(3, 'Ann: and who mended it?\n'),
  talk(4, 'Bob: the lamp was mended by Carol.\n'),
  talk(5, 'Ann: good.\n'),
  talk(6, 'Bob: what about the router?\n'),
  talk(10, 'Ann: no more of it.\n'),
];
const QUERIES = [
  'fix(router): matching of an empty path',
  'fix(http/status): teapot',
  'body limit middleware ignores zero',
  '`isOk` is wrong for 204',
  'evict() of the cache store',
  'look at lib/store.py and src/router/trie.ts',
  'change parse-path.ts',
  'update the docs of the router',
  'what did Ann say about the lamp?',
  'who mended the lamp, Carol?',
  'test of the cache',
  'router cache limit code path',
  'trie trie trie router',
  'status code',
];
const history = {
  head: 'h',
  commits: [
    { subject: 'teapot support', files: ['src/http/status.ts', 'gone.ts'] },
    { subject: 'router: trie matches an empty path', files: ['src/router/trie.ts', 'src/router/trie.test.ts'] },
    { subject: 'cache cache evict', files: ['lib/cache.py'] },
    { subject: 'sweep everything in the router', files: Array.from({ length: 31 }, () => 'src/router/index.ts') },
    {
      subject: 'limit',
      files: Array.from({ length: 30 }, (_, at) => (at === 0 ? 'src/middleware/body-limit.ts' : `x${at}`)),
    },
  ],
};

// What a bundle shows of a match is part of its bytes: these figures must not move without somebody's wish.
it('L7 L14 T20 which files belong to a task, and with which figures, is the same on every machine', async () => {
  const tokenizer = createTokenizer();
  const view = memoryIndex(FILES.map(([path, text]) => indexDocument(path, text, tokenizer)));
  const lines = QUERIES.flatMap((query) => [
    `# ${query}`,
    `match: ${match(view, query, tokenizer)
      .map(
        ([path, why]) =>
          `${path} (${[...(why?.words ?? []), ...(why?.named ?? []).map((how) => `by ${how}`)].join(', ')})`,
      )
      .join('; ')}`,
    ...[null, history].flatMap((past) =>
      rank(view, query, { tokenizer, history: past, top: 6 }).map(({ path, score, parts }) => {
        const said = Object.entries(parts).map(([name, value]) => `${name} ${value?.toFixed(4)}`);
        return `${past ? 'with the past' : 'by itself'}: ${path} ${score.toFixed(4)} = ${said.join(' + ')}`;
      }),
    ),
  ]);
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('../../test/samples/matching-figures.txt');
});
