// npm run bench:poison [-- --only NAME…] [--payloads DIR…] [--channel NAME…] [--out FILE]: poison by six channels against ours and peers.
//   --only NAME      this store alone; repeat it for several. Rows of the others stay as they were
//   --payloads DIR   in place of our own texts those of others: a copy of microsoft/BIPIA or of OWASP's agent memory guard
//   --channel NAME   by this channel alone, such as "tool output"
//   --quick          four payloads, and nothing is kept
//   --out FILE       every case as JSON
// A scripted agent that obeys drives each store's own write interface. Peers come from npm into a cache folder.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { optionsOf } from '../scripts/options.mjs';
import { bringFromNpm, bringNode24 } from '../scripts/testing/tools.mjs';
import { writePage } from './benchmarks-page.mjs';
import { CHANNELS } from './poison/channels.mjs';
import { tableRow } from './poison/measure.mjs';
import { PAYLOADS, payloadsIn } from './poison/payloads.mjs';
import { STORES } from './poison/peers.mjs';
import { isQuick, keepResult, printTable, resultRows, sized } from './results.mjs';

// For one payload by all channels, also on a machine that does much else.
const PATIENCE_MS = 120_000;
const { values } = optionsOf(import.meta.url, {
  options: {
    only: { type: 'string', multiple: true },
    payloads: { type: 'string', multiple: true },
    channel: { type: 'string', multiple: true },
    quick: { type: 'boolean', default: false },
    out: { type: 'string' },
  },
});
const unknown = values.only?.find((name) => !(name in STORES));
if (unknown) {
  console.error(`There is no store ${unknown}. Stores: ${Object.keys(STORES).join(', ')}`);
  process.exit(2);
}
const channels = CHANNELS.filter(({ name }) => values.channel?.includes(name) ?? true);
if (channels.length < (values.channel?.length ?? 0)) {
  console.error(`There is no such channel. Channels: ${CHANNELS.map(({ name }) => name).join(', ')}`);
  process.exit(2);
}
const payloads = values.payloads
  ? values.payloads.flatMap(payloadsIn)
  : isQuick
    ? PAYLOADS.slice(0, sized(4, 1))
    : PAYLOADS;
const folder = mkdtempSync(join(tmpdir(), 'bearings-poison-run-'));
const rows = [];
const all = {};
try {
  writeFileSync(join(folder, 'work.json'), JSON.stringify({ payloads, channels }));
  for (const [name, store] of Object.entries(STORES)) {
    if (values.only && !values.only.includes(name)) continue;
    console.log(`== ${name}`);
    const { cases, why } = await tried(name, store);
    all[name] = cases ?? why;
    rows.push(cases ? tableRow(titleOf(name), cases) : [titleOf(name), ...CHANNELS.map(() => ''), `not run: ${why}`]);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
const head = ['store', ...CHANNELS.map(({ name }) => name), 'all'];
if (values.out) writeFileSync(values.out, `${JSON.stringify(all, null, 1)}\n`);
if (values.payloads || values.channel || isQuick) printTable(head, rows);
else {
  const ofStore = (list, name) => list.find(([title]) => title.split(' ')[0] === titleOf(name).split(' ')[0]);
  keepResult('poison', {
    command: 'npm run bench:poison',
    about: `${payloads.length} payloads of our own by six channels, each in a fresh store; a scripted agent obeys and uses all that the store offers it. Cells: is in lasting memory afterwards / served to the next session without a word that nobody confirmed it. A dash: its memory does not lie in a project, so no clone can bring one.`,
    head,
    rows: Object.keys(STORES).flatMap((name) => {
      const row = ofStore(rows, name) ?? ofStore(resultRows('poison'), name);
      return row ? [row] : [];
    }),
  });
  writePage();
}
const ours = all.bearings;
const poisoned = Array.isArray(ours) ? ours.filter(({ written, unframed }) => written || unframed.length > 0) : [];
for (const { channel, kind, unframed } of poisoned)
  console.log(`FAIL bearings: ${channel}, ${kind} ${unframed.join()}`);
process.exit(ours === undefined || (Array.isArray(ours) && poisoned.length === 0) ? 0 : 1);

function titleOf(name) {
  return STORES[name].packages[0]?.replace(/@(?=[^@]*$)/, ' ') ?? name;
}

async function tried(name, { packages, node, how }) {
  const peers = packages.length === 0 ? folder : bringFromNpm(`poison-${name}`, packages, { how });
  if (!peers) return { why: 'it can’t be had from npm here' };
  const program = node === 24 ? bringNode24() : process.execPath;
  if (!program) return { why: 'it needs Node 24, which can’t be had here' };
  const out = join(folder, `${name}.json`);
  const script = join(import.meta.dirname, 'poison/run-store.mjs');
  const child = spawn(program, [script, name, peers, join(folder, 'work.json'), out], {
    stdio: ['ignore', 'ignore', 'pipe'],
    // Nothing leaves the machine for a measurement.
    env: { ...process.env, DO_NOT_TRACK: '1', MEM0_TELEMETRY: 'false', MASTRA_TELEMETRY_DISABLED: '1' },
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    said = (said + text).slice(-4_000);
  });
  const timer = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS * payloads.length);
  const code = await new Promise((done) => child.on('error', () => done(1)).on('close', done));
  clearTimeout(timer);
  if (code === 0) return { cases: JSON.parse(readFileSync(out, 'utf8')) };
  console.log(said);
  return { why: /^\w*Error: .*$/m.exec(said)?.[0].slice(0, 100) ?? `it ended with ${code}` };
}
