// npm run bench [-- --quick] [--only memory|packing|search|steps]: ours and the peers on the same work, in one run.
// Prints tables with ratios, keeps them in bench/results/, and writes docs/benchmarks.md and its pictures again.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { optionsOf } from '../scripts/options.mjs';
import { writePage } from './benchmarks-page.mjs';

const PARTS = ['memory', 'packing', 'search', 'steps'];
const { values, positionals } = optionsOf(import.meta.url, {
  options: { quick: { type: 'boolean', default: false }, only: { type: 'string', multiple: true } },
  allowPositionals: true,
});
const unknown = values.only?.find((part) => !PARTS.includes(part));
if (unknown) {
  console.error(`There is no part ${unknown}. Parts: ${PARTS.join(', ')}`);
  process.exit(2);
}
let failed = 0;
for (const part of values.only ?? PARTS) {
  console.log(`\n== ${part}`);
  const args = [join(import.meta.dirname, `${part}.mjs`), ...(values.quick ? ['--quick'] : []), ...positionals];
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' });
  if (status !== 0) failed += 1;
}
// A short run is for the eye; the page keeps the figures of whole ones.
if (!values.quick) writePage();
process.exit(failed === 0 ? 0 : 1);
