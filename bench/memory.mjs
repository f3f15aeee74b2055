// npm run bench -- --only memory: reading, writing and writing at once over MCP, beside the reference servers for memory and files.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { preparePeers } from './peers.mjs';
import { count, inTurns, isQuick, keepResult, ms, ratio, sized, withSpread } from './results.mjs';
import { startServer } from './stdio-server.mjs';

const MAIN = resolve(import.meta.dirname, '../dist/bin/main.cjs');
const SIZES = isQuick ? sized([100, 10_000], [100]) : [100, 1_000, 10_000, 100_000, 1_000_000];
const LARGEST = { memory: 100_000, files: 1_000_000 };
const ROUNDS = sized(isQuick ? 5 : 9, 1);
const WRITERS = sized(8, 2);
const WRITES = isQuick ? sized(10, 2) : 25;
const peers = preparePeers();
const folder = mkdtempSync(join(tmpdir(), 'bearings-memory-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

const NAMES = { ours: 'bearings', memory: 'server-memory', files: 'server-filesystem' };
const note = (i) => `note ${i}: the white balance runs cool, start from 5,400 K and look at the shadows`;
const env = (more) => ({ PATH: process.env.PATH, HOME: folder, ...more });

function makeStore(size) {
  const place = join(folder, `s${size}`);
  const workspace = join(place, '.bearings/workspaces/w');
  mkdirSync(workspace, { recursive: true });
  const lines = Array.from({ length: size }, (_, i) => note(i));
  writeFileSync(join(workspace, 'notes.md'), `${lines.join('\n')}\n`);
  const log = lines.map((text, i) =>
    JSON.stringify({ timestamp: '2026-11-15T10:00:00Z', op: `op${i}`, details: { text } }),
  );
  writeFileSync(join(workspace, 'log.jsonl'), `${log.join('\n')}\n`);
  const graph = join(place, 'graph.jsonl');
  if (size <= LARGEST.memory)
    writeFileSync(graph, JSON.stringify({ type: 'entity', name: 'w', entityType: 'subject', observations: lines }));
  return { place, notes: join(workspace, 'notes.md'), log: join(workspace, 'log.jsonl'), graph };
}

const starters = {
  ours: ({ place }) =>
    startServer([MAIN, 'mcp', '--workspace', 'w'], {
      cwd: place,
      env: env({ HOME: place, BEARINGS_CACHE: join(place, 'cache') }),
    }),
  memory: ({ place, graph }) =>
    startServer([peers.bin('@modelcontextprotocol/server-memory')], {
      cwd: place,
      env: env({ MEMORY_FILE_PATH: graph }),
    }),
  files: ({ place }) =>
    startServer([peers.bin('@modelcontextprotocol/server-filesystem'), place], { cwd: place, env: env() }),
};
// What an agent needs of its notes at the start: the newest lines. A graph can only be read whole.
const reads = {
  ours: (server) => server.call('read_context', {}),
  memory: (server) => server.call('read_graph', {}),
  files: (server, { notes }) => server.call('read_text_file', { path: notes, tail: 40 }),
};
const writes = {
  ours: (server, i) => server.call('log_operation', { op: `round ${i}`, details: { text: note(i) } }),
  memory: (server, i) =>
    server.call('add_observations', { observations: [{ entityName: 'w', contents: [`round ${i} ${note(i)}`] }] }),
};

const rows = [];
for (const size of SIZES) {
  const store = makeStore(size);
  const kinds = Object.keys(starters).filter((kind) => size <= (LARGEST[kind] ?? Number.POSITIVE_INFINITY));
  const servers = Object.fromEntries(await Promise.all(kinds.map(async (kind) => [kind, await starters[kind](store)])));
  const sizes = {};
  const { times: read, spread: readSpread } = await inTurns(
    size > 10_000 ? Math.min(5, ROUNDS) : ROUNDS,
    Object.fromEntries(
      kinds.map((kind) => [
        kind,
        async () => {
          sizes[kind] = (await reads[kind](servers[kind], store)).bytes;
        },
      ]),
    ),
  );
  for (const kind of kinds.slice(1))
    rows.push([
      `read, ${count(size)} lines`,
      NAMES[kind],
      withSpread(read.ours, readSpread.ours),
      withSpread(read[kind], readSpread[kind]),
      ratio(read.ours, read[kind]),
      `${count(sizes.ours)} / ${count(sizes[kind])}`,
    ]);
  const { times: write, spread: writeSpread } = await inTurns(
    size > 10_000 ? Math.min(5, ROUNDS) : ROUNDS,
    Object.fromEntries(
      kinds.filter((kind) => writes[kind]).map((kind) => [kind, (i) => writes[kind](servers[kind], i)]),
    ),
  );
  if (write.memory)
    rows.push([
      `write one, ${count(size)} there`,
      NAMES.memory,
      withSpread(write.ours, writeSpread.ours),
      withSpread(write.memory, writeSpread.memory),
      ratio(write.ours, write.memory),
      '',
    ]);
  await Promise.all(Object.values(servers).map((server) => server.end()));
  if (size > 10_000) rmSync(store.place, { recursive: true, force: true });
}

// From nothing to the first answer: what a client waits for at its start.
const first = makeStore(100);
const { times: start, spread: startSpread } = await inTurns(
  ROUNDS,
  Object.fromEntries(
    Object.keys(starters).map((kind) => [
      kind,
      async () => {
        const server = await starters[kind](first);
        await reads[kind](server, first);
        await server.end();
      },
    ]),
  ),
);
for (const kind of ['memory', 'files'])
  rows.push([
    'process, first read, end',
    NAMES[kind],
    withSpread(start.ours, startSpread.ours),
    withSpread(start[kind], startSpread[kind]),
    ratio(start.ours, start[kind]),
    '',
  ]);

// Several clients at once on one store: what is still there afterwards?
const shared = makeStore(101);
const left = {};
const took = {};
for (const kind of ['ours', 'memory']) {
  const servers = await Promise.all(Array.from({ length: WRITERS }, () => starters[kind](shared)));
  const begun = performance.now();
  await Promise.all(
    servers.map(async (server, writer) => {
      for (let i = 0; i < WRITES; i += 1) await writes[kind](server, writer * 1_000 + i).catch(() => {});
    }),
  );
  took[kind] = performance.now() - begun;
  await Promise.all(servers.map((server) => server.end()));
  const text = readFileSync(kind === 'ours' ? shared.log : shared.graph, 'utf8');
  left[kind] = new Set(text.match(/round \d+/g)).size;
}
const wanted = WRITERS * WRITES;
rows.push([
  `${WRITERS} processes write ${WRITES} each: kept`,
  NAMES.memory,
  `${left.ours} of ${wanted}`,
  `${left.memory} of ${wanted}`,
  '',
  '',
]);
rows.push([`the same: time`, NAMES.memory, ms(took.ours), ms(took.memory), ratio(took.ours, took.memory), '']);

keepResult('memory', {
  command: 'npm run bench -- --only memory',
  about: `Over stdio with one thin client; ${['server-memory', 'server-filesystem'].map((name) => peers.version(`@modelcontextprotocol/${name}`)).join(', ')}. Reading: \`read_context\` against \`read_text_file\` with \`tail: 40\` and \`read_graph\` (a graph can only be read whole). Writing: \`log_operation\` against \`add_observations\`. Medians, taking turns, with the middle half of the rounds in brackets; eight processes at once were run once. server-memory is left out beyond ${count(LARGEST.memory)} lines.`,
  head: ['work', 'against', 'bearings', 'peer', 'ratio', 'bytes answered'],
  rows,
});
