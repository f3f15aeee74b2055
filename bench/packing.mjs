// npm run bench -- --only packing: the context of a task out of a project, beside repomix. Whole commands, by number of files.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { preparePeers } from './peers.mjs';
import { count, exitCode, inTurns, isQuick, keepResult, ms, ratio, sized, withSpread } from './results.mjs';

const MAIN = resolve(import.meta.dirname, '../dist/bin/main.cjs');
// BENCH_MANY=1 adds 100,000 files for bearings and 10,000 for repomix, which take minutes.
const isMany = process.env.BENCH_MANY === '1';
const SIZES = isQuick ? sized([100, 1_000], [10]) : [100, 1_000, 10_000, ...(isMany ? [100_000] : [])];
const LARGEST = isMany ? 10_000 : 1_000;
const BUDGET = 30_000;
const peers = preparePeers();
const folder = mkdtempSync(join(tmpdir(), 'bearings-packing-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const env = { PATH: process.env.PATH, HOME: folder };

function makeProject(size) {
  const root = join(folder, `p${size}`);
  const text = 'A line of a document that says something of use.\n'.repeat(20);
  mkdirSync(root, { recursive: true });
  for (const name of ['AGENTS.md', 'README.md']) writeFileSync(join(root, name), text);
  for (let i = 0; i < size - 2; i += 1) {
    const place = join(root, i % 2 ? 'docs' : 'src', `part${i % 200}`);
    if (i < 400) mkdirSync(place, { recursive: true });
    writeFileSync(join(place, `page-${i}.${i % 2 ? 'md' : 'ts'}`), `${i} ${text}`);
  }
  execFileSync('git', ['-C', root, 'init', '--quiet']);
  return root;
}

const run = (cwd, args) => {
  const { status, stdout } = spawnSync(process.execPath, args, {
    cwd,
    env,
    maxBuffer: 2 ** 30,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}`);
  return stdout.toString();
};

const rows = [];
let isOver = false;
for (const size of SIZES) {
  const root = makeProject(size);
  const chars = {};
  const candidates = {
    ours: () => {
      chars.ours = JSON.parse(run(root, [MAIN, 'load', '--task', 'rewrite the docs', '--json'])).files.reduce(
        (sum, { excerpt }) => sum + [...excerpt].length,
        0,
      );
    },
    ...(size <= LARGEST
      ? {
          repomix: () => {
            chars.repomix = run(root, [
              peers.bin('repomix'),
              '--stdout',
              '--quiet',
              '--include',
              'docs/**,README.md,AGENTS.md',
            ]).length;
          },
        }
      : {}),
  };
  const { times, spread } = await (size > 1_000
    ? inTurns(1, candidates, 0)
    : inTurns(sized(isQuick ? 3 : 5, 1), candidates));
  if (times.repomix) {
    rows.push([
      `${count(size)} files`,
      withSpread(times.ours, spread.ours),
      withSpread(times.repomix, spread.repomix),
      ratio(times.ours, times.repomix),
      count(chars.ours),
      count(chars.repomix),
    ]);
  } else rows.push([`${count(size)} files`, ms(times.ours), 'left out', '', count(chars.ours), '']);
  isOver ||= chars.ours > BUDGET;
  rmSync(root, { recursive: true, force: true });
}

keepResult('packing', {
  command: 'npm run bench -- --only packing',
  about: `Whole command, the median with the middle half of the rounds in brackets (10,000 files: once); ${peers.version('repomix')}, told to take the docs, README and AGENTS.md, against \`bearings load --task "rewrite the docs"\`. repomix packs all that is included: its size grows with the project; a bundle stays inside ${count(BUDGET)} characters. That is the difference in purpose: repomix gives the whole, bearings the part a task needs.`,
  head: ['project', 'bearings', 'repomix', 'ratio', 'characters, bearings', 'characters, repomix'],
  rows,
});
if (isOver) console.log(`FAIL a bundle has more than ${count(BUDGET)} characters`);
process.exitCode = exitCode(!isOver);
