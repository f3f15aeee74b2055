// npm run bench:mcp: what a call of read_context costs an agent over stdio, and how long the first answer takes.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { confirmNotes } from './decisions.mjs';
import { count, exitCode, keepResult, median, middleHalf, ms, sized, withSpread } from './results.mjs';

const BINARY = fileURLToPath(new URL('../dist/bin/main.cjs', import.meta.url));
const [CALLS, WARM_UP, STARTS] = sized([1_000, 50, 21], [2, 1, 1]);
const DECISIONS = sized(1_000, 3);
const CALL_BOUND_MS = 3;
const folder = mkdtempSync(join(tmpdir(), 'bearings-mcp-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
makeWorkspace();

const env = { PATH: process.env.PATH, HOME: folder, BEARINGS_CACHE: join(folder, 'cache') };
await confirmNotes(
  { variables: env, cwd: folder },
  Array.from({ length: DECISIONS }, (_, at) => `Orders of kind ${at} go to warehouse ${at % 7}.`),
  'many',
);
const rows = [];
for (const [what, workspace] of [
  ['read_context, one call', 'small'],
  [`read_context, one call, ${count(DECISIONS)} decisions`, 'many'],
]) {
  const times = await callTimes(workspace);
  const isOk = median(times) <= CALL_BOUND_MS;
  const shown = withSpread(median(times), middleHalf(times));
  rows.push([what, shown, `${CALL_BOUND_MS} ms`, isOk ? 'holds' : 'does not']);
}
rows.push(['server started, first answer', ms(await startTime()), '', '']);
keepResult('mcp', {
  command: 'npm run bench:mcp',
  about: `Over stdio with a client of its own; the median of ${count(CALLS)} calls, with the middle half of them in brackets.`,
  head: ['what', 'measured', 'bound', ''],
  rows,
});
process.exitCode = exitCode(rows.every(([, , , holds]) => holds !== 'does not'));

function makeWorkspace() {
  const lines = (count, line) => `${Array.from({ length: count }, (_, i) => line(i)).join('\n')}\n`;
  const put = (name, text) => {
    const path = join(folder, '.bearings', name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    utimesSync(path, new Date(Date.now() - 60_000), new Date(Date.now() - 60_000));
  };
  put(
    'tastes/_default.md',
    lines(8, (i) => `- default ${i}`),
  );
  put('workspaces/many/brief.md', 'Clean blue water, quiet mood.\n');
  put('workspaces/small/brief.md', 'Clean blue water, quiet mood.\n');
  put(
    'workspaces/small/notes.md',
    lines(10, (i) => `- frame ${i}: water reads clean`),
  );
  put(
    'workspaces/small/log.jsonl',
    lines(10, (i) => JSON.stringify({ timestamp: '2026-01-01T00:00:00Z', op: 'apply', value: i })),
  );
}

// A client of its own, as small as can be: what is measured is the server.
function connect(workspace) {
  const child = spawn(process.execPath, [BINARY, 'mcp', '--workspace', workspace], {
    env,
    cwd: folder,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const waiting = new Map();
  createInterface({ input: child.stdout }).on('line', (line) => {
    const message = JSON.parse(line);
    waiting.get(message.id)?.(message);
  });
  let id = 0;
  const send = (method, params) => {
    id += 1;
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    return new Promise((resolve) => waiting.set(id, resolve));
  };
  return {
    async begin() {
      await send('initialize', {
        protocolVersion: '2025-06-18',
        capabilities: {},
        clientInfo: { name: 'bench', version: '1' },
      });
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
    },
    async read() {
      const { result } = await send('tools/call', { name: 'read_context', arguments: {} });
      if (!result || result.isError) throw new Error('the call failed');
    },
    end: () => child.stdin.end(),
  };
}

async function callTimes(workspace) {
  const server = connect(workspace);
  await server.begin();
  const times = [];
  for (let call = 0; call < WARM_UP + CALLS; call += 1) {
    const start = performance.now();
    await server.read();
    times.push(performance.now() - start);
  }
  server.end();
  return times.slice(WARM_UP);
}

async function startTime() {
  const times = [];
  for (let round = 0; round < STARTS; round += 1) {
    const start = performance.now();
    const server = connect('small');
    await server.begin();
    await server.read();
    times.push(performance.now() - start);
    server.end();
  }
  return median(times);
}
