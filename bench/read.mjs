// npm run bench:read: what a read costs a person at the command line, and that cost follows what is returned.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openBearings } from '../dist/index.js';
import { openPerson } from '../dist/person.js';
import { confirmNotes } from './decisions.mjs';
import { count, exitCode, keepResult, sized } from './results.mjs';

const BINARY = fileURLToPath(new URL('../dist/bin/main.cjs', import.meta.url));
const LIBRARY = new URL('../dist/index.js', import.meta.url).href;
const BIG = sized(1_000_000, 200);
const DECISIONS = sized(1_000, 3);
const [ROUNDS, FEW, STARTS] = sized([300, 9, 41], [2, 1, 1]);
const START_BOUND_MS = Number.parseInt(process.versions.node, 10) >= 24 ? 45 : 70;
const folder = mkdtempSync(join(tmpdir(), 'bearings-bench-'));
const home = join(folder, 'home');
const variables = { HOME: folder, BEARINGS_HOME: home, BEARINGS_CACHE: join(folder, 'cache') };
const rows = [];

try {
  makeFiles();
  await benchLog();
  await benchNotes();
  benchStart('bearings read --json, beyond node -e 0', 'small');
  await openPerson({ variables, cwd: folder }).adoptAll({ workspace: 'decided', via: 'init' });
  benchStart('the same where decisions were made', 'decided');
  await confirmNotes(
    { variables, cwd: folder },
    Array.from({ length: DECISIONS }, (_, at) => `Orders of kind ${at} go to warehouse ${at % 7}.`),
    'many',
  );
  benchStart(`the same, ${count(DECISIONS)} decisions`, 'many', undefined, null);
  const hook = ['hook', 'session-start', '--workspace', 'many'];
  benchStart(`hook at the start of a session, ${count(DECISIONS)} decisions, beyond node -e 0`, 'many', hook, 100);
  console.log(`load average ${loadavg()[0].toFixed(1)}, node ${process.version}`);
  keepResult('read', {
    command: 'npm run bench:read',
    about:
      'Medians, taking turns with a bare start of node in a bare environment; memory: the peak of fresh processes.',
    head: ['what', 'measured', 'bound', ''],
    rows: rows.map(({ what, value, bound, unit }) => [
      what,
      `${value.toFixed(2)}${unit}`,
      bound === null ? '' : `${bound}${unit}`,
      bound === null || value <= bound ? 'holds' : 'does not',
    ]),
  });
  process.exitCode = exitCode(rows.every(({ value, bound }) => bound === null || value <= bound));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function makeFiles() {
  const record = (i) =>
    JSON.stringify({ timestamp: '2026-01-01T00:00:00Z', op: 'apply', name: `frame ${i}`, value: i });
  const small = {
    'brief.md': 'Tastes: underwater\n\nClean blue water, quiet mood.\n',
    'notes.md': lines(30, (i) => `- frame ${i}: water reads clean`),
    'log.jsonl': lines(100, record),
    'vocabulary_gaps.jsonl': lines(4, (i) => JSON.stringify({ timestamp: '', image_id: 'small', description: `${i}` })),
  };
  const workspace = (id, files) => {
    for (const [name, text] of Object.entries(files)) put(`home/workspaces/${id}/${name}`, text);
  };
  put(
    'home/tastes/_default.md',
    lines(12, (i) => `- default ${i}`),
  );
  put(
    'home/tastes/underwater.md',
    lines(30, (i) => `- underwater ${i}`),
  );
  workspace('small', small);
  workspace('decided', small);
  workspace('many', { 'brief.md': small['brief.md'] });
  workspace('log', { ...small, 'log.jsonl': lines(BIG, record) });
  workspace('notes', { ...small, 'notes.md': lines(BIG, (i) => `- frame ${i}: warmed the subject a little, kept it`) });
}

async function benchLog() {
  const bearings = openBearings({ variables, cwd: folder });
  const [large, small] = await inTurns(ROUNDS, [
    () => bearings.memory.read({ workspace: 'log' }),
    () => bearings.memory.read({ workspace: 'small' }),
  ]);
  ratio('log, 1,000,000 lines : 100 lines', large, small, 2);
  memory('log, memory beyond 100 lines', 'log', 8);
}

async function benchNotes() {
  const first = () => openBearings({ variables, cwd: folder }).memory.read({ workspace: 'notes' });
  const [cold] = await inTurns(FEW, [first]);
  time('notes, 1,000,000 lines, first read of a process', cold, 300);
  memory('notes, memory beyond 30 lines', 'notes', null);
  const bearings = openBearings({ variables, cwd: folder });
  const [again] = await inTurns(ROUNDS, [() => bearings.memory.read({ workspace: 'notes' })]);
  time('notes, 1,000,000 lines, read again', again, 3);
}

// In a bare environment: a variable such as NODE_EXTRA_CA_CERTS makes every node start later.
function benchStart(what, id, args = ['read', id, '--json'], bound = START_BOUND_MS) {
  const env = { PATH: process.env.PATH, ...variables };
  const read = () =>
    execFileSync(process.execPath, [BINARY, ...args], { env, cwd: folder, input: '{"session_id":"s"}', stdio: 'pipe' });
  const bare = () => execFileSync(process.execPath, ['-e', '0'], { env, cwd: folder });
  const pairs = Array.from({ length: STARTS }, () => [timed(bare), timed(read)]);
  const [without, whole] = [0, 1].map((side) => median(pairs.map((pair) => pair[side])));
  rows.push({ what, value: whole - without, bound, unit: ' ms' });
}

// The rounds of all candidates take turns, so that a busy moment of the machine hits each of them; medians forget it.
async function inTurns(rounds, candidates) {
  const times = candidates.map(() => []);
  for (const candidate of candidates) await candidate();
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, candidate] of candidates.entries()) {
      if (rounds <= FEW) globalThis.gc?.();
      const start = process.hrtime.bigint();
      await candidate();
      times[index].push(Number(process.hrtime.bigint() - start) / 1e6);
    }
  }
  return times.map(median);
}

function ratio(what, long, short, bound) {
  rows.push({ what, value: long / short, bound, unit: '×' });
}

function time(what, value, bound) {
  rows.push({ what, value, bound, unit: ' ms' });
}

function memory(what, id, bound) {
  const extra = median(Array.from({ length: sized(5, 1) }, () => peak(id) - peak('small')));
  rows.push({ what, value: extra / 1024, bound, unit: ' MB' });
}

// Peak resident memory, in KiB, of a fresh process that reads one context. On Linux maxRSS would count its parent's too.
function peak(id) {
  const code = `const { openBearings } = await import(${JSON.stringify(LIBRARY)});
    await openBearings().memory.read({ workspace: ${JSON.stringify(id)} });
    const { readFileSync } = await import('node:fs');
    const { platform } = process;
    console.log(platform === 'linux' ? /VmHWM:\\s+(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1] : process.resourceUsage().maxRSS);`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', code], {
    env: { ...process.env, ...variables, BEARINGS_CACHE: join(folder, 'no-cache', String(rows.length), id) },
    cwd: folder,
    encoding: 'utf8',
  });
  return Number(stdout);
}

function timed(work) {
  const start = process.hrtime.bigint();
  work();
  return Number(process.hrtime.bigint() - start) / 1e6;
}

function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

function lines(count, line) {
  return `${Array.from({ length: count }, (_, i) => line(i)).join('\n')}\n`;
}

// Dated back: facts on a file that changed a moment ago are not kept.
function put(name, text) {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  const past = new Date(Date.now() - 60_000);
  utimesSync(path, past, past);
}
