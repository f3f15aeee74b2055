// How long a bundle takes beside an adapter that goes wrong: the whole command, held against the adapter's limit.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { exitCode, sized } from './results.mjs';

const BINARY = fileURLToPath(new URL('../dist/bin/main.cjs', import.meta.url));
const LIMIT_MS = sized(2_000, 200);
const ALLOWED_MS = 500;
const root = mkdtempSync(join(tmpdir(), 'bearings-bench-'));
const shell = (script) => ({ kind: 'command', command: ['sh', '-c', script] });
const server = (body) => ({
  kind: 'mcp',
  tool: 't',
  command: [
    process.execPath,
    '-e',
    `require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const { id, method, params } = JSON.parse(line);
      if (method === 'initialize') console.log(JSON.stringify({ jsonrpc: '2.0', id, result: {
        protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } } }));
      if (method === 'tools/call') { ${body} }
    });`,
  ],
});
const FAULTS = {
  'stalling command': shell('sleep 4711'),
  'stalling children': shell('sleep 4711 & setsid sleep 4711 & wait'),
  'FIFO behind it': { kind: 'command', command: ['cat', join(root, 'fifo')] },
  '1 GB of output': shell('yes | head -c 1000000000'),
  'bad UTF-8': shell(String.raw`printf '[{"id":"\377"}]'`),
  '1e999': shell(`echo '[{"id":1,"priority":1e999}]'`),
  'server dies mid-answer': server(
    `process.stdout.write('{"jsonrpc":"2.0","id":'); setTimeout(() => process.exit(1), 10);`,
  ),
  'server answers late': server('setTimeout(() => {}, 60000);'),
};

let failed = false;
try {
  const folder = join(root, 'project');
  mkdirSync(folder);
  writeFileSync(join(folder, 'AGENTS.md'), 'rules\n');
  spawnSync('mkfifo', [join(root, 'fifo')]);
  for (const [name, adapter] of Object.entries(FAULTS)) {
    mkdirSync(join(root, '.bearings'), { recursive: true });
    const adapters = [{ name: 'a', timeout_ms: LIMIT_MS, ...adapter }];
    writeFileSync(join(root, '.bearings/adapters.yaml'), JSON.stringify({ adapters }));
    const start = process.hrtime.bigint();
    const { status, stdout } = spawnSync(process.execPath, [BINARY, 'load', '--adapter', 'a', '--json'], {
      ...{ cwd: folder, env: { PATH: process.env.PATH, HOME: root }, encoding: 'utf8' },
    });
    const ms = Number(process.hrtime.bigint() - start) / 1e6;
    const [report] = JSON.parse(stdout).adapters;
    const ok = status === 0 && report.status === 'degraded' && ms <= LIMIT_MS + ALLOWED_MS;
    failed ||= !ok;
    console.log(`${ok ? 'ok  ' : 'FAIL'} ${name.padEnd(24)} ${ms.toFixed(0).padStart(6)} ms   ${report.reason}`);
  }
} finally {
  rmSync(root, { recursive: true, force: true });
}
process.exit(exitCode(!failed));
