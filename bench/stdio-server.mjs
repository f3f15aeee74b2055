// An MCP server as a process, asked line by line: the same thin client for every peer, so that only the server counts.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

export async function startServer(args, { cwd, env }) {
  const child = spawn(process.execPath, args, { cwd, env, stdio: ['pipe', 'pipe', 'ignore'] });
  const waiting = new Map();
  let last = 0;
  createInterface({ input: child.stdout }).on('line', (line) => {
    const message = JSON.parse(line);
    // Roots and the like: answered with nothing, so that no server waits.
    if (message.method && message.id !== undefined) send({ id: message.id, error: { code: -32601, message: 'none' } });
    const answer = waiting.get(message.id);
    if (!answer || message.method) return;
    waiting.delete(message.id);
    if (message.error) answer.reject(new Error(message.error.message));
    else answer.resolve({ result: message.result, bytes: line.length });
  });
  child.on('exit', () => {
    for (const { reject } of waiting.values()) reject(new Error('the server ended'));
  });
  const send = (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const ask = (method, params) =>
    new Promise((resolve, reject) => {
      last += 1;
      waiting.set(last, { resolve, reject });
      send({ id: last, method, params });
    });
  await ask('initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'bench', version: '1' },
  });
  send({ method: 'notifications/initialized' });
  return {
    pid: child.pid,
    async call(name, args) {
      const { result, bytes } = await ask('tools/call', { name, arguments: args });
      if (result.isError) throw new Error(`${name}: ${JSON.stringify(result.content).slice(0, 300)}`);
      return { result, bytes };
    },
    end: () =>
      new Promise((resolve) => {
        child.on('exit', resolve);
        child.stdin.end();
        setTimeout(() => child.kill('SIGKILL'), 3_000).unref();
      }),
  };
}
