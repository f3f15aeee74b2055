import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { afterEachTest } from '../after-tests.ts';
import { BINARY, environment, type Place, STARTED } from '../process/binary.ts';

const running: (() => Promise<void>)[] = [];
afterEachTest(async () => {
  for (const stop of running.splice(0)) await stop();
});

export interface RawServer {
  /** The answer's own line, byte by byte as it came. */
  ask(method: string, params?: Record<string, unknown>, capabilities?: Record<string, unknown>): Promise<string>;
}

/** `bearings mcp` spoken to by hand, as a client of 2026-07-28: what an SDK would smooth over is seen. */
export function rawServer(place: Place, args: string[] = []): RawServer {
  const child = spawn(process.execPath, [...STARTED, BINARY, 'mcp', ...args], {
    cwd: place.cwd ?? place.home,
    env: environment(place),
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const waiting = new Map<number, (line: string) => void>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { id } = JSON.parse(line) as { id?: number };
    if (id !== undefined) waiting.get(id)?.(line);
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  running.push(() => {
    child.stdin.end();
    return ended;
  });
  let last = 0;
  return {
    ask(method, params = {}, capabilities = {}) {
      last += 1;
      const id = last;
      const _meta = {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientInfo': { name: 'by-hand', version: '1' },
        'io.modelcontextprotocol/clientCapabilities': capabilities,
      };
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params: { ...params, _meta } })}\n`);
      return new Promise((resolve) => waiting.set(id, resolve));
    },
  };
}
