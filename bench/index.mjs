// npm run bench:index: what the index costs. Ratios in one run against SQLite FTS5 used directly; the machine's own speed
// cancels out. BENCH_FILES (default 5,000) and BENCH_MANY (default 100,000; 0 leaves it out) set the sizes. Folders that
// are named (`-- DIR…`, with git) are built as well: made files are kinder than real ones.
import { execFileSync, spawnSync } from 'node:child_process';
import { lstatSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import Database from 'libsql';
import { openBearings } from '../dist/index.js';
import { plainWords } from './bm25-floor.mjs';

const FILES = Number(process.env.BENCH_FILES ?? 5000);
const MANY = Number(process.env.BENCH_MANY ?? 100_000);
const ROUNDS = 9;
const MAIN = resolve(import.meta.dirname, '../dist/bin/main.cjs');
const folder = mkdtempSync(join(tmpdir(), 'bearings-index-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const rows = [];

// A fixed sequence: every run makes the same files. Whole 32-bit steps: with plain products the low bits are lost, the
// sequence runs in a short circle, and 3,000 files hold a hundred different words.
let seed = 7;
const chance = (below) => {
  seed = (seed + 0x6d2b79f5) | 0;
  let mixed = Math.imul(seed ^ (seed >>> 15), seed | 1);
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
  return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
};
const SOUNDS = 'ra le mo ti ku sen dor pal vix bro han cer'.split(' ');
const VOCABULARY = Array.from({ length: 4000 }, () =>
  Array.from({ length: 2 + chance(2) }, () => SOUNDS[chance(SOUNDS.length)]).join(''),
);
// Few words are common, most are rare, as in any text.
const word = () =>
  VOCABULARY[Math.min(chance(VOCABULARY.length), chance(VOCABULARY.length), chance(VOCABULARY.length))];
const capital = (text) => text[0].toUpperCase() + text.slice(1);

function sourceFile(functions) {
  const lines = [`import { ${word()} } from './${word()}';`, ''];
  for (let i = 0; i < functions; i += 1) {
    lines.push(`export function ${word()}${capital(word())}(${word()}: string) {`);
    for (let n = 0; n < 8; n += 1) lines.push(`  const ${word()} = ${word()}.${word()}(${word()}${capital(word())});`);
    lines.push('}', '');
  }
  return lines.join('\n');
}

function makeProject(name, count, functions) {
  const root = join(folder, name);
  const paths = Array.from({ length: count }, (_, i) => `pkg${i % 20}/dir${i % 500}/${word()}${i}.ts`);
  for (const path of paths) {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), sourceFile(functions()));
  }
  const git = (...args) =>
    execFileSync('git', ['-C', root, '-c', 'user.name=bench', '-c', 'user.email=bench@localhost', ...args]);
  git('init', '--quiet');
  // Nothing of git's own may run beside what is measured.
  git('config', 'gc.auto', '0');
  git('config', 'maintenance.auto', 'false');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'all');
  return { root, paths };
}

// The least of several rounds: what the work costs when nothing else is in its way.
const least = (values) => Math.min(...values);
async function timed(work) {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
// Of this process alone: git, which scans in both cases, would drown the difference.
async function ownTime(work) {
  const start = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}
const opened = (cache) =>
  openBearings({ home: join(folder, 'home'), variables: { BEARINGS_CACHE: join(folder, cache), HOME: folder } });
const row = (what, [base, ours], bound, digits = 0) =>
  rows.push([what, `${base.toFixed(digits)} → ${ours.toFixed(digits)} ms`, ours / base, bound]);

async function buildAgainstFts5(bearings, root, paths, what) {
  const [theirs, ours] = [[], []];
  let database;
  for (let round = 0; round < 5; round += 1) {
    theirs.push(
      await timed(() => {
        database?.close();
        const path = join(folder, `fts-${rows.length}-${round}.db`);
        database = new Database(path);
        database.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF');
        database.exec("CREATE VIRTUAL TABLE files USING fts5(path, body, content='')");
        const insert = database.prepare('INSERT INTO files (rowid, path, body) VALUES (?, ?, ?)');
        database.exec('BEGIN');
        for (const [id, name] of paths.entries()) insert.run(id, name, readFileSync(join(root, name), 'utf8'));
        database.exec('COMMIT');
      }),
    );
    ours.push(await timed(() => bearings.rebuildIndex(root)));
  }
  row(`build, ${what}, against FTS5`, [least(theirs), least(ours)], 2);
  return database;
}

async function againstFts5() {
  const { root, paths } = makeProject('middle', FILES, () => 2 + chance(14));
  const bearings = opened('cache-build');
  const database = await buildAgainstFts5(bearings, root, paths, `${FILES} files`);
  const queries = Array.from({ length: 60 }, () => Array.from({ length: 5 }, word));
  const asked = { bearings, database, queries, options: { project: root, history: false } };
  await queriesAgainstFts5(asked, 'warm query of 5 words, against FTS5');
  await oneChanged(bearings, root, paths);
}

async function queriesAgainstFts5({ bearings, database, queries, options }, what) {
  const search = database.prepare('SELECT rowid FROM files WHERE files MATCH ? ORDER BY rank LIMIT 10');
  const plain = () => {
    for (const words of queries) search.all(words.map((one) => `"${one}"`).join(' OR '));
  };
  const ranked = async () => {
    for (const words of queries)
      await bearings.rankedMatches(words.join(' '), { ...options, passages: 0, rescan: false });
  };
  await bearings.rankedMatches('first', options);
  plain();
  await ranked();
  const [fts, own] = [[], []];
  for (let round = 0; round < 5; round += 1) {
    fts.push((await timed(plain)) / queries.length);
    own.push((await timed(ranked)) / queries.length);
  }
  row(what, [least(fts), least(own)], 3, 2);
}

// A real repository: what the index reads of it, and its last subjects as questions, which the past helps to answer.
async function namedFolder(root) {
  const git = (...args) => execFileSync('git', ['-C', root, ...args], { maxBuffer: 2 ** 30 }).toString();
  const paths = git('ls-files', '-z')
    .split('\0')
    .filter((path) => {
      const file = join(root, path);
      const stat = path === '' ? null : lstatSync(file, { throwIfNoEntry: false });
      return stat?.isFile() && stat.size <= 2 ** 20 && !readFileSync(file).subarray(0, 8000).includes(0);
    });
  const queries = git('log', '--format=%s', '-60')
    .split('\n')
    .map((subject) => subject.match(/[A-Za-z]+/g) ?? [])
    .filter((words) => words.length > 1);
  const [bearings, name] = [opened('cache-named'), basename(resolve(root))];
  const database = await buildAgainstFts5(bearings, resolve(root), paths, `${name} (${paths.length} files)`);
  await queriesAgainstFts5(
    { bearings, database, queries, options: { project: root } },
    `warm query, ${name}, with its past, against FTS5`,
  );
}

// "Beside a scan of names": the scan is not counted on our side. A call with one changed file less a call with none, both
// of which scan and ask for a word that no file has, is what taking in the file costs: reading, segment, view.
const NOWHERE = 'zyxwvut';
async function oneChanged(bearings, root, paths) {
  const file = join(root, paths[17]);
  const options = { project: root, history: false, passages: 0, top: 1 };
  const [still, changed, reading] = [[], [], []];
  for (let round = 0; round < ROUNDS * 6; round += 1) {
    const text = sourceFile(60);
    writeFileSync(file, text);
    changed.push(await ownTime(() => bearings.rankedMatches(NOWHERE, options)));
    // The file was written just before the scan and is read once more; from then on it is settled.
    await new Promise((done) => setTimeout(done, 30));
    await bearings.rankedMatches(NOWHERE, options);
    still.push(await ownTime(() => bearings.rankedMatches(NOWHERE, options)));
    reading.push(
      await ownTime(() => {
        const counts = new Map();
        for (const one of plainWords(readFileSync(file, 'utf8'))) counts.set(one, (counts.get(one) ?? 0) + 1);
      }),
    );
  }
  const extra = Math.max(0, least(changed) - least(still));
  row('one changed file (30 kB), beyond the scan, against reading it', [least(reading), extra], 3, 2);
}

function wholeCommand() {
  const { root } = makeProject('many', MANY, () => 1);
  const variables = { ...process.env, BEARINGS_CACHE: join(folder, 'cache-many'), HOME: folder };
  const measure = join(folder, 'measure.cjs');
  writeFileSync(
    measure,
    "process.on('exit', () => require('fs').writeFileSync(process.env.RSS_FILE, String(process.resourceUsage().maxRSS)));",
  );
  const rss = join(folder, 'rss');
  const run = (args, extra = {}) => {
    const start = performance.now();
    const { status } = spawnSync(process.execPath, args, { env: { ...variables, ...extra }, stdio: 'ignore' });
    if (status !== 0) throw new Error(`exit ${status}`);
    return performance.now() - start;
  };
  const match = [MAIN, 'match', 'ramo leti kusen', root];
  const build = run(['--require', measure, ...match], { RSS_FILE: rss });
  const buildMemory = Number(readFileSync(rss, 'utf8')) / 1024;
  const against = (what) => {
    const [bare, ours] = [[], []];
    for (let round = 0; round < ROUNDS; round += 1) {
      bare.push(run(['-e', '0']));
      ours.push(run(match));
    }
    row(`${what}, ${MANY} files, against node -e 0`, [least(bare), least(ours)], 5);
  };
  against('warm whole command');
  run(['--require', measure, ...match], { RSS_FILE: rss });
  const memory = Number(readFileSync(rss, 'utf8')) / 1024;
  rows.push([`memory of it`, `${memory.toFixed(0)} MB`, memory / 200, 1]);
  rmSync(join(root, '.git'), { recursive: true });
  for (let round = 0; round < 3; round += 1) run(match);
  against('the same without git');
  console.log(`     first build of ${MANY} files: ${(build / 1000).toFixed(1)} s, ${buildMemory.toFixed(0)} MB`);
}

await againstFts5();
for (const root of process.argv.slice(2)) await namedFolder(root);
if (MANY > 0) wholeCommand();
for (const [what, figures, ratio, bound] of rows) {
  const verdict = ratio <= bound ? 'ok  ' : 'FAIL';
  console.log(`${verdict} ${what.padEnd(62)} ${figures.padEnd(20)} ${ratio.toFixed(2)}× (at most ${bound}×)`);
}
process.exitCode = rows.every(([, , ratio, bound]) => ratio <= bound) ? 0 : 1;
