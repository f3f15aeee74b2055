// npm run bench:index: how long a person waits for the index. Whole commands, the least of several rounds; the load average
// is given beside the figures. BENCH_MANY (default 100,000; 0 leaves it out) sets the largest size. Folders that are named
// (`-- DIR…`) are measured as well, without a bound.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { exitCode, sized } from './results.mjs';

const MANY = Number(process.env.BENCH_MANY ?? sized(100_000, 20));
const MAIN = resolve(import.meta.dirname, '../dist/bin/main.cjs');
const TASK = 'ramo leti kusen';
const [FIRST_ROUNDS, WARM_ROUNDS] = sized([3, 9], [1, 1]);
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
  return root;
}

const measure = join(folder, 'measure.cjs');
writeFileSync(
  measure,
  `process.on('exit', () => {
    const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
    require('fs').writeFileSync(process.env.USED_FILE, JSON.stringify({ maxRSS, cpu: (userCPUTime + systemCPUTime) / 1e6 }));
  });`,
);

// One whole command: its seconds, those in which a processor worked for it, and the most memory it held.
function run(args, cache) {
  const used = join(folder, 'used');
  // A bare environment: variables such as NODE_EXTRA_CA_CERTS make every node start later.
  const env = { PATH: process.env.PATH, BEARINGS_CACHE: join(folder, cache), HOME: folder, USED_FILE: used };
  const start = performance.now();
  const { status } = spawnSync(process.execPath, ['--require', measure, MAIN, ...args], { env, stdio: 'ignore' });
  if (status !== 0) throw new Error(`bearings ${args[0]} ended with ${status}`);
  const seconds = (performance.now() - start) / 1000;
  const { maxRSS, cpu } = JSON.parse(readFileSync(used, 'utf8'));
  return { seconds, cpu, megabytes: maxRSS / 1024 };
}

// The least of several rounds: what the work costs when nothing else is in its way.
function least(rounds, work) {
  const runs = Array.from({ length: rounds }, (_, round) => work(round));
  return {
    seconds: Math.min(...runs.map(({ seconds }) => seconds)),
    cpu: Math.min(...runs.map(({ cpu }) => cpu)),
    megabytes: Math.max(...runs.map(({ megabytes }) => megabytes)),
  };
}

const row = (what, { seconds, cpu, megabytes }, bound, most = null) =>
  rows.push({ what, seconds, cpu, megabytes, bound, most, load: loadavg()[0] });

function firstIndex(root, what, { bound, most = null, rounds = FIRST_ROUNDS }) {
  const first = (round) => run(['match', TASK, root], `first-${basename(root)}-${round}`);
  row(`first index, ${what}`, least(rounds, first), bound, most);
}

function warm(root, what, { bound, most = null, commands = ['match', 'load'] }) {
  for (const command of commands) {
    const args = command === 'match' ? ['match', TASK, root] : ['load', root, '--task', TASK];
    // The first two make the index, and read again what was too young.
    for (let round = 0; round < 2; round += 1) run(args, 'warm');
    row(
      `warm ${command}, ${what}`,
      least(WARM_ROUNDS, () => run(args, 'warm')),
      bound,
      most,
    );
  }
}

const functions = () => 2 + chance(14);
const small = makeProject('p1200', sized(1_200, 20), functions);
// A person has a home, in which it is noted which files hold no secret; a machine that only builds has none.
warm(small, '1,200 files, without a home', { bound: null, commands: ['load'] });
mkdirSync(join(folder, '.bearings/tastes'), { recursive: true });
warm(small, '1,200 files', { bound: 0.35 });
firstIndex(makeProject('p5000', sized(5_000, 20), functions), '5,000 files', { bound: 4 });
for (const root of process.argv.slice(2)) {
  firstIndex(resolve(root), basename(resolve(root)), { bound: null });
  warm(resolve(root), basename(resolve(root)), { bound: null });
}
if (MANY > 0) {
  const root = makeProject('many', MANY, () => 1);
  const what = `${MANY.toLocaleString('en')} files`;
  firstIndex(root, what, { bound: 20, most: 600, rounds: 1 });
  warm(root, what, { bound: 2, most: 600, commands: ['match'] });
  rmSync(join(root, '.git'), { recursive: true });
  warm(root, `${what}, without git`, { bound: 2, most: 600, commands: ['match'] });
}

const isMet = ({ seconds, megabytes, bound, most }) =>
  (bound === null || seconds <= bound) && (most === null || megabytes <= most);
for (const one of rows) {
  const bounds = [one.bound && `at most ${one.bound} s`, one.most && `${one.most} MB`].filter(Boolean).join(', ');
  const figures = `${one.seconds.toFixed(2).padStart(6)} s ${one.cpu.toFixed(2).padStart(6)} s CPU ${one.megabytes.toFixed(0).padStart(4)} MB`;
  const result = isMet(one) ? 'ok  ' : 'FAIL';
  console.log(`${result} ${one.what.padEnd(44)} ${figures}  load ${one.load.toFixed(1)}${bounds && `  (${bounds})`}`);
}
process.exitCode = exitCode(rows.every(isMet));
