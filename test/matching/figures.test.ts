import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openRooms } from '../../src/bearings.ts';
import { put, tempFolder } from '../support/temp-folder.ts';

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
// Each is a commit of its own; one that touches more than 30 files says nothing about any of them.
const COMMITS: [subject: string, files: string[]][] = [
  ['sweep everything in the router', ['src/router/index.ts', ...Array.from({ length: 30 }, (_, at) => `sweep/x${at}`)]],
  ['limit', ['src/middleware/body-limit.ts', ...Array.from({ length: 29 }, (_, at) => `other/y${at}`)]],
  ['cache cache evict', ['lib/cache.py']],
  ['router: trie matches an empty path', ['src/router/trie.ts', 'src/router/trie.test.ts']],
  ['teapot support', ['src/http/status.ts']],
];

const root = tempFolder();

function repository(): string {
  const project = join(root, 'project');
  const git = (...words: string[]) =>
    execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@example.com', ...words], {
      cwd: project,
      env: { PATH: process.env.PATH ?? '', HOME: root, GIT_CONFIG_NOSYSTEM: '1' },
      stdio: 'ignore',
    });
  put(project, Object.fromEntries(FILES));
  git('init', '-q');
  git('add', '-A');
  git('commit', '-qm', 'begin');
  const texts = new Map(FILES);
  for (const [subject, paths] of COMMITS) {
    put(project, Object.fromEntries(paths.map((path) => [path, `${texts.get(path) ?? ''}\n`])));
    git('add', '-A');
    git('commit', '-qm', subject);
    // Back to what it was, by the same words and files, so that only the history differs.
    put(project, Object.fromEntries(paths.map((path) => [path, texts.get(path) ?? ''])));
    git('add', '-A');
    git('commit', '-qm', subject);
  }
  return project;
}

// What a bundle shows of a match is part of its bytes: these figures must not move without somebody's wish.
it('L7 L14 T20 which files belong to a task, and with which figures, is the same on every machine', async () => {
  const project = repository();
  const variables = { HOME: root, PATH: process.env.PATH, BEARINGS_CACHE: join(root, 'cache') };
  const bearings = openRooms({ home: join(root, 'home'), cwd: root, variables });
  const lines: string[] = [];
  for (const query of QUERIES) {
    const { matches } = await (await bearings.matching()).relevantContext({ taskText: query }, { project });
    const named = matches.map(([path, why]) => {
      const { words = [], named = [] } = why ?? {};
      return `${path} (${[...words, ...named.map((how) => `by ${how}`)].join(', ')})`;
    });
    lines.push(`# ${query}`, `match: ${named.join('; ')}`);
    for (const history of [false, 100] as const) {
      const ranked = await (await bearings.matching()).rankedMatches(query, { project, history, top: 6 });
      for (const { path, score, parts } of ranked) {
        const said = Object.entries(parts).map(([name, value]) => `${name} ${value?.toFixed(4)}`);
        lines.push(`${history ? 'with history' : 'by itself'}: ${path} ${score.toFixed(4)} = ${said.join(' + ')}`);
      }
    }
  }
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('../samples/matching-figures.txt');
});
