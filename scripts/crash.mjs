// npm run test:crash [-- --times N]: 1,000 kills of confirmations, every step of a decision, an edit and an erasure, 250 kills of
// runs, 32 writers; or N times as many.
import { spawnSync } from 'node:child_process';
import { optionsOf } from './options.mjs';

const { values } = optionsOf(import.meta.url, { options: { times: { type: 'string', default: '1' } } });
for (const args of [
  ['tsdown', '--logLevel', 'error'],
  ['vitest', 'run', 'test/crash/'],
]) {
  const env = { ...process.env, BEARINGS_TEST_LONG: values.times };
  const { status } = spawnSync(`node_modules/.bin/${args[0]}`, args.slice(1), { stdio: 'inherit', env });
  if (status !== 0) process.exit(status ?? 1);
}
