// npm run bench:mcp: our server against a bare echo server of the same SDK, both over stdio, in turns in one run.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const BINARY = fileURLToPath(new URL('../dist/bin/main.cjs', import.meta.url));
const ECHO = fileURLToPath(new URL('./echo-server.mjs', import.meta.url));
const ROUNDS = 80;
const CALLS = 50;
const STARTS = 25;
const folder = mkdtempSync(join(tmpdir(), 'bearings-mcp-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
makeWorkspace();

const env = { PATH: process.env.PATH, HOME: folder, BEARINGS_CACHE: join(folder, 'cache') };
const ours = { args: [BINARY, 'mcp', '--workspace', 'small'], tool: 'read_context', input: {} };
// As long as the context itself: the same bytes go through the same pipe.
const echo = { args: [ECHO], tool: 'echo', input: { text: '' } };

const open = [];
echo.input = { text: 'x'.repeat(await lengthOfContext()) };
const [fast, bare] = await serial();
const [cold, bareCold] = await starts();
const rows = [
  [
    'read_context, share of the echo server’s serial calls/s',
    `${fast.toFixed(0)} of ${bare.toFixed(0)}/s`,
    fast / bare,
    0.7,
    '≥',
  ],
  ['cold start to the first answer', `${cold.toFixed(0)} : ${bareCold.toFixed(0)} ms`, cold / bareCold, 1.3, '≤'],
];
for (const [what, figures, ratio, bound, sign] of rows) {
  const ok = sign === '≥' ? ratio >= bound : ratio <= bound;
  if (!ok) process.exitCode = 1;
  console.log(
    `${ok ? 'ok  ' : 'FAIL'} ${what.padEnd(58)} ${figures.padEnd(20)} ${ratio.toFixed(2)} (${sign} ${bound})`,
  );
}
for (const server of open) server.end();

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
function connect({ args }) {
  const child = spawn(process.execPath, args, { env, cwd: folder, stdio: ['pipe', 'pipe', 'inherit'] });
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
    async call({ tool, input }) {
      const { result } = await send('tools/call', { name: tool, arguments: input });
      if (!result || result.isError) throw new Error('the call failed');
      return result;
    },
    end: () => child.stdin.end(),
  };
}

async function lengthOfContext() {
  const server = connect(ours);
  await server.begin();
  const { content } = await server.call(ours);
  server.end();
  return content[0].text.length;
}

async function serial() {
  const pairs = [];
  for (const each of [ours, echo]) {
    const server = connect(each);
    await server.begin();
    for (let i = 0; i < CALLS; i += 1) await server.call(each);
    open.push(server);
    pairs.push([server, each]);
  }
  const rates = pairs.map(() => []);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [side, [server, each]] of pairs.entries()) {
      const start = performance.now();
      for (let i = 0; i < CALLS; i += 1) await server.call(each);
      rates[side].push((CALLS * 1000) / (performance.now() - start));
    }
  }
  return rates.map(median);
}

async function starts() {
  const times = [[], []];
  for (let round = 0; round < STARTS; round += 1) {
    for (const [side, each] of [ours, echo].entries()) {
      const start = performance.now();
      const server = connect(each);
      await server.begin();
      await server.call(each);
      times[side].push(performance.now() - start);
      server.end();
    }
  }
  return times.map(median);
}

function median(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
}
