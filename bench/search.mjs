// npm run bench -- --only search [GIT_DIRECTORY]: matching beside SQLite FTS5, MiniSearch and Orama: build, query, and what is found.
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import { openBearings } from '../dist/index.js';
import { plainWords } from './bm25-floor.mjs';
import { preparePeers } from './peers.mjs';
import { isQuick, keepResult, median, middleHalf, ratio, sized, withSpread } from './results.mjs';
import { casesOf, git, isSource, nameOf, repositoryAt } from './retrieval-data.mjs';

const CASES = isQuick ? sized(6, 2) : 40;
const given = process.argv.slice(2).find((word) => !word.startsWith('--'));
const source = given ?? process.env.BENCH_REPO ?? 'pallets/flask';
const peers = preparePeers();
const { default: MiniSearch } = await peers.load('minisearch');
const orama = await peers.load('@orama/orama');
const folder = mkdtempSync(join(tmpdir(), 'bearings-search-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

// Each engine as its own guide says, over the same texts with the path as a field of its own.
const engines = {
  'SQLite FTS5': {
    build(files) {
      const db = new Database(':memory:');
      db.exec('CREATE VIRTUAL TABLE t USING fts5(path, body)');
      const put = db.prepare('INSERT INTO t VALUES (?, ?)');
      db.exec('BEGIN');
      for (const { path, body } of files) put.run(path, body);
      db.exec('COMMIT');
      return db;
    },
    find(db, text) {
      const words = plainWords(text).map((word) => `"${word}"`);
      if (words.length === 0) return [];
      const query = 'SELECT path FROM t WHERE t MATCH ? ORDER BY bm25(t, 4.0, 1.0) LIMIT 10';
      return db
        .prepare(query)
        .all(words.join(' OR '))
        .map(({ path }) => path);
    },
  },
  MiniSearch: {
    build(files) {
      const index = new MiniSearch({
        idField: 'path',
        fields: ['path', 'body'],
        searchOptions: { boost: { path: 4 } },
      });
      index.addAll(files);
      return index;
    },
    find: (index, text) =>
      index
        .search(text)
        .slice(0, 10)
        .map(({ id }) => id),
  },
  Orama: {
    async build(files) {
      const db = orama.create({ schema: { path: 'string', body: 'string' } });
      await orama.insertMultiple(db, files, 500);
      return db;
    },
    find: async (db, text) =>
      (
        await orama.search(db, {
          term: text,
          properties: ['path', 'body'],
          boost: { path: 4 },
          threshold: 1,
          limit: 10,
        })
      ).hits.map(({ document }) => document.path),
  },
};

const repository = repositoryHere();
const work = join(folder, 'work');
git(folder, 'clone', '--quiet', '--shared', '--no-checkout', repository, work);
const recall = Object.fromEntries(['bearings', ...Object.keys(engines)].map((name) => [name, []]));
const build = Object.fromEntries(Object.keys(recall).map((name) => [name, []]));
const query = Object.fromEntries(Object.keys(recall).map((name) => [name, []]));
let files = 0;
for (const [number, { parent, subject, files: changed }] of casesOf(repository, CASES).entries()) {
  git(work, 'checkout', '--quiet', '--force', '--detach', parent);
  const texts = git(work, 'ls-files', '-z')
    .split('\0')
    .filter((path) => path !== '' && isSource(path))
    .map((path) => ({ path, body: textOf(join(work, path)) }));
  files = texts.length;
  const keep = (name, found) =>
    recall[name].push(changed.filter((path) => found.slice(0, 5).includes(path)).length / Math.min(5, changed.length));
  const variables = { BEARINGS_CACHE: join(folder, `cache${number}`) };
  mkdirSync(variables.BEARINGS_CACHE, { recursive: true });
  const bearings = openBearings({ home: join(folder, 'home'), variables });
  // Without the history: the others have only the texts.
  const options = { project: work, passages: 0, top: 200, history: false };
  build.bearings.push(await timed(() => bearings.matching.rank('warm', options)));
  let ours;
  query.bearings.push(
    await timed(async () => {
      ours = await bearings.matching.rank(subject, { ...options, rescan: false });
    }),
  );
  keep('bearings', ours.map(({ path }) => path).filter(isSource));
  for (const [name, { build: make, find }] of Object.entries(engines)) {
    let index;
    build[name].push(
      await timed(async () => {
        index = await make(texts);
      }),
    );
    let found;
    query[name].push(
      await timed(async () => {
        found = await find(index, subject);
      }),
    );
    keep(name, found);
    index.close?.();
  }
}

const mean = (list) => (list.reduce((sum, value) => sum + value, 0) / list.length) * 100;
const rows = Object.keys(recall).map((name) => [
  name,
  `${mean(recall[name]).toFixed(1)} %`,
  withSpread(median(build[name]), middleHalf(build[name])),
  name === 'bearings' ? '' : ratio(median(build.bearings), median(build[name])),
  withSpread(median(query[name]), middleHalf(query[name])),
  name === 'bearings' ? '' : ratio(median(query.bearings), median(query[name])),
]);
keepResult('search', {
  command: 'npm run bench -- --only search',
  about: `${nameOf(source)}, ${CASES} commits: subject → the source files it changed, in the tree of its parent (about ${files} source files); recall at 5. All have the same texts and the path as a field of weight 4; bearings without git history. bearings keeps its index on disk and looks at the files for changes at every build; FTS5 (in memory), ${peers.version('minisearch')} and ${peers.version('@orama/orama')} keep nothing. Times: the median of the commits, their middle half in brackets. Ratios: bearings to the peer.`,
  head: ['engine', 'recall at 5', 'build', 'ratio', 'query', 'ratio'],
  rows,
});

function textOf(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

async function timed(work) {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function repositoryHere() {
  try {
    return repositoryAt(source, folder);
  } catch {
    console.error(`${source} can't be cloned. Name a git directory: npm run bench -- --only search DIR`);
    process.exit(1);
  }
}
