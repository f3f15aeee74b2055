// npm run fuzz -- [--minutes N] [--seed N] [--target NAME]: looks with fast-check for inputs that break a promise of a reader
// of foreign text. Targets and what each must hold: test/fuzz/targets/. A finding is made small, told and written to
// test-output/fuzz/findings; once it is fixed, it becomes a named file in test/fuzz/corpus, which npm test replays.
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'tsdown';
import { optionsOf } from './options.mjs';

const OUT = 'test-output/fuzz';
const HANG_MS = 15_000;
const LOADING_MS = 120_000;
const SHRINK_MS = 60_000;

const { values } = optionsOf(import.meta.url, {
  options: {
    minutes: { type: 'string', default: '1' },
    seed: { type: 'string', default: '1' },
    target: { type: 'string' },
  },
});
const [minutes, seed] = [Number(values.minutes), Number(values.seed)];
if (!(minutes > 0) || !Number.isInteger(seed)) refuse('--minutes needs a number above 0, --seed a whole number.');

const { PROPERTIES: properties, assert } = await bundled();
const chosen = properties.filter(({ name }) => values.target === undefined || name === values.target);
if (chosen.length === 0)
  refuse(`There is no target ${values.target}. Targets: ${properties.map(({ name }) => name).join(', ')}`);

let findings = 0;
const untried = [];
for (const target of chosen) findings += await fuzz(target, (minutes * 60_000) / chosen.length);
console.log(findings === 0 ? 'no finding' : `${findings} findings, written to ${OUT}/findings`);
if (untried.length > 0) console.log(`No input ended in the time of ${untried.join(', ')}: give more --minutes.`);
process.exit(findings + untried.length === 0 ? 0 : 1);

// The supported versions of Node read no TypeScript, and the workers of the library load a file by its address.
async function bundled() {
  await build({
    ...{ config: false, logLevel: 'error', platform: 'node', format: 'esm', dts: false },
    entry: { properties: 'test/fuzz/properties.ts' },
    outDir: join(OUT, 'bundle'),
    outExtensions: () => ({ js: '.mjs' }),
    // jsonc-parser's other form asks for its own files at run time.
    inputOptions: { resolve: { mainFields: ['module', 'main'] } },
    outputOptions: { codeSplitting: false },
  });
  return import(pathToFileURL(join(OUT, 'bundle/properties.mjs')).href);
}

// One finding ends a target: the same fault would be found again and again until it is fixed.
async function fuzz({ name, explore, shrink }, milliseconds) {
  // The end of a target's time takes its worker with it; loading the next one is not on the clock.
  await check(explore, { seed, numRuns: 1, endOnFailure: true, timeout: LOADING_MS });
  const begun = Date.now();
  const found = await check(explore, {
    ...{ seed, numRuns: 1e9, endOnFailure: true },
    interruptAfterTimeLimit: milliseconds,
  });
  const perSecond = Math.round(found.numRuns / ((Date.now() - begun) / 1000));
  console.log(`${name.padEnd(16)} ${String(found.numRuns).padStart(9)} inputs  ${String(perSecond).padStart(6)}/s`);
  if (!found.failed) return 0;
  if (found.counterexample === null) {
    untried.push(name);
    return 0;
  }
  const examples = [found.counterexample];
  // Each try at a smaller input that hangs would cost a worker.
  const isHang = /^Property timeout/.test(found.errorInstance?.message);
  const small = isHang
    ? found
    : await check(shrink, { seed, numRuns: 1, examples, interruptAfterTimeLimit: SHRINK_MS });
  tell(name, small.failed ? small : found);
  return 1;
}

async function check(property, parameters) {
  let details;
  const asyncReporter = async (run) => {
    details = run;
  };
  await assert(property, { timeout: HANG_MS, asyncReporter, ...parameters });
  return details;
}

function tell(name, { counterexample, errorInstance }) {
  const [input] = counterexample;
  const folder = join(OUT, 'findings');
  const file = `${name}-${createHash('sha256').update(input).digest('hex').slice(0, 10)}`;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, file), input);
  const reason = String(errorInstance?.stack ?? errorInstance)
    .split('\n')
    .slice(0, 6);
  console.log(`FINDING ${file} (${input.length} bytes)\n  ${reason.join('\n  ')}`);
  console.log(`  input: ${JSON.stringify(Buffer.from(input).toString('utf8').slice(0, 300))}`);
}

function refuse(sentence) {
  console.error(sentence);
  process.exit(2);
}
