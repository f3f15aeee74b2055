// npm run test:http [-- --clients N --calls N | --minutes N --idle N]: MCP over HTTP under load and under attack, as much of it as wanted.
import { spawnSync } from 'node:child_process';
import { optionsOf } from './options.mjs';

const { values } = optionsOf(import.meta.url, {
  options: {
    clients: { type: 'string' },
    calls: { type: 'string' },
    minutes: { type: 'string' },
    idle: { type: 'string' },
  },
});
const env = { ...process.env };
if (values.clients) env.HTTP_CLIENTS = values.clients;
if (values.calls) env.HTTP_CALLS = values.calls;
if (values.minutes) env.HTTP_MINUTES = values.minutes;
if (values.idle) env.HTTP_IDLE = values.idle;
const files = ['test/http-load.test.ts', ...(values.idle ? ['test/attacks/mcp-http.test.ts'] : [])];
const { status } = spawnSync('node_modules/.bin/vitest', ['run', ...files], { stdio: 'inherit', env });
process.exit(status ?? 1);
