// npm run test:http [-- --minutes N]: 64 clients of MCP over HTTP under load and under attack, for 10,000 calls or so many minutes.
import { spawnSync } from 'node:child_process';
import { optionsOf } from './options.mjs';

const { values } = optionsOf(import.meta.url, { options: { minutes: { type: 'string' } } });
const env = { BEARINGS_TEST_LONG: '1', ...process.env, ...(values.minutes ? { HTTP_MINUTES: values.minutes } : {}) };
const files = ['test/mcp/http-load.test.ts', 'test/attacks/web/mcp-http.test.ts'];
const { status } = spawnSync('node_modules/.bin/vitest', ['run', ...files], { stdio: 'inherit', env });
process.exit(status ?? 1);
