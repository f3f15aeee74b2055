// npm run test:nodes [-- --quick] [--node 22]… [FILE…]: the suite on every Node that we support, one after the other.
//   --quick      only what `npm run test:quick` runs
//   --node N     this one alone: 20.19, 22, 24 or 26; repeat it for several
//   FILE…        these test files alone
// Each Node comes from npm into the cache folder of the tests. One that can't be had here is said, and fails in CI.
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { optionsOf } from './options.mjs';
import { bringNode, NODES } from './testing/tools.mjs';

const { values, positionals: files } = optionsOf(import.meta.url, {
  options: { quick: { type: 'boolean' }, node: { type: 'string', multiple: true } },
  allowPositionals: true,
});
const unknown = values.node?.find((name) => !(name in NODES));
if (unknown) {
  console.error(`There is no Node ${unknown} here. Known: ${Object.keys(NODES).join(', ')}`);
  process.exit(2);
}
const SUITE = ['scripts/test.mjs', ...(values.quick ? ['--quick'] : [])];
const FILES = [join('node_modules', 'vitest', 'vitest.mjs'), 'run', '--maxWorkers=1', ...files];

const rows = Object.entries(NODES)
  .filter(([name]) => values.node?.includes(name) ?? true)
  .sort(([a], [b]) => Number(a) - Number(b))
  .map(([, version]) => run(version));
console.log('');
for (const { version, result, seconds } of rows)
  console.log(`Node ${version.padEnd(10)} ${result.padEnd(24)} ${seconds} s`);
const isCi = process.env.CI === 'true';
process.exit(rows.some(({ result }) => result === 'failed' || (isCi && result !== 'passed')) ? 1 : 0);

function run(version) {
  const node = bringNode(version);
  if (!node) return { version, result: 'can’t be had from npm', seconds: 0 };
  console.log(`\n== Node ${version}`);
  const started = Date.now();
  // First on the PATH too: what a test starts by name runs on the same one.
  const env = { ...process.env, PATH: `${dirname(node)}:${process.env.PATH}` };
  const { status } = spawnSync(node, files.length > 0 ? FILES : SUITE, { stdio: 'inherit', env });
  const seconds = Math.round((Date.now() - started) / 1000);
  return { version, result: status === 0 ? 'passed' : 'failed', seconds };
}
