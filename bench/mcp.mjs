// npm run bench:mcp: what a call of read_context costs an agent over stdio, and how long the first answer takes.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const BINARY = fileURLToPath(new URL('../dist/bin/main.cjs', import.meta.url));
const CALLS = 1_000;
const WARM_UP = 50;
const STARTS = 21;
const CALL_BOUND_MS = 3;
const folder = mkdtempSync(join(tmpdir(), 'bearings-mcp-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
makeWorkspace();

const env = { PATH: process.env.PATH, HOME: folder, BEARINGS_CACHE: join(folder, 'cache') };
const call = await callTime();
const start = await startTime();
const isOk = call <= CALL_BOUND_MS;
console.log(`${isOk ? 'ok  ' : 'FAIL'} read_context, one call        ${call.toFixed(2)} ms (at most ${CALL_BOUND_MS})`);
console.log(`     start to the first answer     ${start.toFixed(0)} ms`);
console.log(`load average ${loadavg()[0].toFixed(1)}, node ${process.version}`);
process.exitCode = isOk ? 0 : 1;

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
function connect() {
  const child = spawn(process.execPath, [BINARY, 'mcp', '--workspace', 'small'], {
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

async function callTime() {
  const server = connect();
  await server.begin();
  const times = [];
  for (let call = 0; call < WARM_UP + CALLS; call += 1) {
    const start = performance.now();
    await server.read();
    times.push(performance.now() - start);
  }
  server.end();
  return median(times.slice(WARM_UP));
}

async function startTime() {
  const times = [];
  for (let round = 0; round < STARTS; round += 1) {
    const start = performance.now();
    const server = connect();
    await server.begin();
    await server.read();
    times.push(performance.now() - start);
    server.end();
  }
  return median(times);
}

function median(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
}
