// npm run test:crash [-- --kills N --writers P --writes N]: the crash tests, with as many kills as wanted.
import { spawnSync } from 'node:child_process';
import { optionsOf } from './options.mjs';

const { values } = optionsOf(import.meta.url, {
  options: { kills: { type: 'string' }, writers: { type: 'string' }, writes: { type: 'string' } },
});
const env = { ...process.env };
if (values.kills) env.CRASH_KILLS = values.kills;
if (values.writers) env.WRITERS = values.writers;
if (values.writes) env.WRITES = values.writes;
for (const args of [
  ['tsdown', '--logLevel', 'error'],
  ['vitest', 'run', 'test/crash', '--testTimeout=3600000'],
]) {
  const { status } = spawnSync(`node_modules/.bin/${args[0]}`, args.slice(1), { stdio: 'inherit', env });
  if (status !== 0) process.exit(status ?? 1);
}
