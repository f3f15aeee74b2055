// npm run bench:served [-- --reads N]: what it costs a read and a load that their texts are kept to be seen again, with and
// without in one run; and that the kept texts stay within `keep_served`, however many are served.
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { openBearings } from '../dist/index.js';
import { optionsOf } from '../scripts/options.mjs';
import { count, exitCode, median, ms, printTable, sized } from './results.mjs';

const BOUND_MS = 2;
const ROUNDS = sized({ read: 200, load: 40 }, { read: 2, load: 2 });
const WARM_UP = 3;
const STORE_MEGABYTES = 1;
const MEGABYTE = 1_000_000;
// The size is looked at once in so many new texts (src/memory/io/served-store.ts): so many more may lie there.
const BETWEEN_SWEEPS = 50;
const { values } = optionsOf(import.meta.url, { options: { reads: { type: 'string', default: sized('20000', '5') } } });
const reads = Number(values.reads);
if (!Number.isInteger(reads) || reads < 1) {
  console.error('--reads takes a whole number from 1 on.');
  process.exit(2);
}
const folder = mkdtempSync(join(tmpdir(), 'bearings-served-'));
const rows = [];
let failed = false;

try {
  await overhead();
  await disk(reads);
  printTable(['what', 'without', 'with', 'more', 'bound', ''], rows);
  console.log(`load average ${loadavg()[0].toFixed(1)}, node ${process.version}`);
  process.exitCode = exitCode(!failed);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function homeWith(name, settings) {
  const home = join(folder, name);
  const files = {
    '.bearings/config.yaml': settings,
    '.bearings/tastes/_default.md': lines(30, (i) => `- taste ${i}: quiet over loud`),
    '.bearings/workspaces/w/brief.md': 'A calm server.\n',
    '.bearings/workspaces/w/notes.md': lines(40, (i) => `- note ${i}: the router drops the last step`),
    '.bearings/workspaces/w/log.jsonl': lines(10, (i) => JSON.stringify({ timestamp: '2026-01-01', op: 'a', i })),
    'project/README.md': '# Server\n\nA server with a router.\n',
    ...Object.fromEntries(
      Array.from({ length: 60 }, (_, i) => [
        `project/src/part${i}.ts`,
        lines(40, (at) => `export const p${i}_${at} = 1;`),
      ]),
    ),
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), text);
  }
  const variables = { HOME: home, PATH: process.env.PATH, BEARINGS_CACHE: join(home, 'cache') };
  return { home, bearings: openBearings({ cwd: join(home, 'project'), variables }) };
}

function lines(number, line) {
  return Array.from({ length: number }, (_, i) => `${line(i)}\n`).join('');
}

// Keeping is the hash, the text in the home and the lines of the transcript: all that a call does beyond its answer, and
// nothing else goes on meanwhile. So one call is timed both without and with it.
async function overhead() {
  const { bearings } = homeWith('overhead', 'keep_served: 50\n');
  const session = await bearings.gate.openSession({ workspace: 'w', client: 'bench' });
  const task = 'raise the limit of the router';
  const read = async () => JSON.stringify((await bearings.memory.read({ workspace: 'w', forAgent: true })).context);
  const load = async () => JSON.stringify(await bearings.loader.load({ task }));
  for (const [name, make, call] of [
    ['read', read, { tool: 'read_context', arguments: {} }],
    ['load', load, { tool: 'load_context', arguments: { task }, root: join(folder, 'overhead/project') }],
  ])
    for (const [what, textFor] of [
      ['the same text again', (text) => text],
      ['a new text each time', (text, round) => `${text} ${round}`],
    ]) {
      const times = { without: [], kept: [], more: [] };
      for (let round = -WARM_UP; round < ROUNDS[name]; round += 1) {
        const started = performance.now();
        const text = textFor(await make(), round);
        const made = performance.now();
        session.served(text, call);
        const done = performance.now();
        if (round < 0) continue;
        times.without.push(made - started);
        times.kept.push(done - started);
        times.more.push(done - made);
      }
      const [without, kept, more] = [times.without, times.kept, times.more].map(median);
      add(`${name}, ${what}`, ms(without), ms(kept), ms(more), `${BOUND_MS} ms`, more <= BOUND_MS);
    }
  session.end('bench');
}

// Every text is another one, which is the worst case: the same text again is kept once.
async function disk(number) {
  const { home, bearings } = homeWith('disk', `keep_served: ${STORE_MEGABYTES}\n`);
  const session = await bearings.gate.openSession({ workspace: 'w', client: 'bench' });
  const { context } = await bearings.memory.read({ workspace: 'w', forAgent: true });
  const text = JSON.stringify(context);
  const served = join(home, '.bearings/served');
  const limit = STORE_MEGABYTES * MEGABYTE + BETWEEN_SWEEPS * (text.length + 10);
  const looks = Math.max(1, Math.floor(number / 100));
  let most = 0;
  const started = performance.now();
  for (let at = 0; at < number; at += 1) {
    session.served(`${text} ${at}`, { tool: 'read_context', arguments: {} });
    if (at % looks === 0 || at === number - 1) most = Math.max(most, sizeOf(served));
  }
  const seconds = (performance.now() - started) / 1000;
  session.end('bench');
  const size = (bytes) => `${(bytes / MEGABYTE).toFixed(2)} MB`;
  add(`kept texts after ${count(number)} reads`, '-', size(most), '-', size(limit), most <= limit);
  const transcript = sizeOf(join(home, '.bearings/workspaces/w/sessions'));
  add('their transcript, which is the record and stays', '-', size(transcript), '-', '-', true);
  console.log(
    `${count(number)} texts of ${count(text.length)} characters in ${seconds.toFixed(0)} s, ${Math.round(transcript / number)} bytes of transcript each`,
  );
}

function sizeOf(path) {
  return readdirSync(path).reduce((sum, name) => {
    const stat = statSync(join(path, name), { throwIfNoEntry: false });
    return sum + (stat?.isFile() ? stat.size : 0);
  }, 0);
}

function add(what, without, kept, more, bound, isWithin) {
  failed ||= !isWithin;
  rows.push([what, without, kept, more, bound, isWithin ? 'pass' : 'FAIL']);
}
