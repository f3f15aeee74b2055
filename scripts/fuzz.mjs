// npm run fuzz -- --minutes N [--only NAME] [--seed N] [--keep]: coverage-guided fuzzing of every reader of foreign text.
// Targets and what each must hold: test/fuzz/targets/. --keep writes the smallest inputs that reach new blocks to the corpus.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { build } from 'tsdown';
import { instrument } from './fuzz/instrument.mjs';
import { optionsOf } from './options.mjs';

const root = new URL('..', import.meta.url).pathname;
const OUT = join(root, 'test-output/fuzz');
const CORPUS = join(root, 'test/fuzz/corpus');
const HANG_MS = 15_000;
const MEMORY_MB = 512;
const MAX_INPUT = 1024 * 1024;
const KEPT_FILES = 6;
const KEPT_BYTES = 1_000;

const { values } = optionsOf(import.meta.url, {
  options: {
    minutes: { type: 'string', default: '1' },
    only: { type: 'string' },
    seed: { type: 'string', default: '1' },
    keep: { type: 'boolean', default: false },
  },
});

const { bundle, blocks, names } = await prepare();
const chosen = names.filter((name) => values.only === undefined || name === values.only);
if (chosen.length === 0) {
  console.error(`There is no target ${values.only}. Targets: ${names.join(', ')}`);
  process.exit(2);
}
const perTarget = (Number(values.minutes) * 60_000) / chosen.length;
let findings = 0;
for (const name of chosen) await fuzz(name);
console.log(findings === 0 ? 'no finding' : `${findings} findings, kept in test-output/fuzz/findings/`);
process.exit(findings === 0 ? 0 : 1);

// One bundle with the libraries in it, so that their blocks are counted too.
async function prepare() {
  rmSync(join(OUT, 'bundle'), { recursive: true, force: true });
  await build({
    ...{ config: false, cwd: root, logLevel: 'error', platform: 'node', format: 'esm', dts: false, clean: false },
    entry: { targets: join(root, 'test/fuzz/targets.ts') },
    outDir: join(OUT, 'bundle'),
    outExtensions: () => ({ js: '.mjs' }),
    outputOptions: { codeSplitting: false },
    deps: { alwaysBundle: [/^(?:yaml|saxes|xmlchars)/], onlyBundle: false },
  });
  const path = join(OUT, 'bundle/targets.mjs');
  const { code, blocks } = instrument(readFileSync(path, 'utf8'));
  writeFileSync(path, code);
  globalThis.__blocks = new Uint8Array(blocks);
  const { TARGETS } = await import(pathToFileURL(path).href);
  return { bundle: pathToFileURL(path).href, blocks, names: TARGETS.map((target) => target.name) };
}

// A target goes on after a finding until its time is over, each finding told once.
async function fuzz(name) {
  const told = new Set();
  let [tried, reached, ms, corpus] = [0, 0, 0, []];
  for (let round = 0; ms < perTarget; round += 1) {
    const answer = await inWorker({
      name,
      budget: perTarget - ms,
      kept: [...keptOf(name), ...corpus],
      seed: Number(values.seed) + round * 7919,
    });
    tried += answer.tried;
    ms += answer.ms;
    reached = Math.max(reached, answer.reached);
    if (answer.corpus.length > 0) corpus = answer.corpus;
    if (!answer.failure) break;
    const sign = signOf(answer.failure.reason);
    corpus = corpus.filter((input) => !Buffer.from(input).equals(Buffer.from(answer.failure.input)));
    if (told.has(sign)) {
      if (round > 200) break;
      continue;
    }
    told.add(sign);
    findings += 1;
    await tell(name, answer.failure, sign);
  }
  console.log(
    `${name.padEnd(16)} ${String(tried).padStart(9)} inputs  ${String(Math.round(tried / Math.max(0.001, ms / 1000))).padStart(7)}/s  ${String(reached).padStart(5)} blocks  ${String(corpus.length).padStart(4)} kept  ${told.size} findings`,
  );
  if (values.keep) await keep(name, corpus);
}

function keptOf(name) {
  const folder = join(CORPUS, name);
  return existsSync(folder)
    ? readdirSync(folder)
        .sort()
        .map((file) => readFileSync(join(folder, file)))
    : [];
}

// Ends with what the worker tells, or with a hang or a lack of memory and the input of that moment.
function inWorker({ name, budget, kept, seed, once = null }) {
  const shared = new SharedArrayBuffer(16 + MAX_INPUT);
  const header = new Int32Array(shared, 0, 4);
  const worker = new Worker(new URL('./fuzz/worker.mjs', import.meta.url), {
    workerData: { bundle, blocks, name, seed, budget, kept, shared, once },
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
    stderr: true,
  });
  const begun = Date.now();
  return new Promise((resolve) => {
    const failed = (reason) => {
      const input = Buffer.from(new Uint8Array(shared, 16, header[1]));
      finish({ tried: header[0], failure: { input, reason }, corpus: [], reached: 0, ms: Date.now() - begun });
    };
    let [last, since] = [-1, Date.now()];
    const watch = setInterval(() => {
      if (header[0] !== last) [last, since] = [header[0], Date.now()];
      else if (last > 0 && Date.now() - since > HANG_MS) failed(`Hang: no end after ${HANG_MS} ms`);
    }, 250);
    const finish = (answer) => {
      clearInterval(watch);
      void worker.terminate();
      resolve(answer);
    };
    worker.on('message', finish);
    worker.on('error', (error) => failed(String(error.stack ?? error)));
  });
}

function signOf(reason) {
  return reason
    .split('\n')
    .slice(0, 3)
    .map((line) => line.replace(/\d+/g, 'N').slice(0, 80))
    .join('|');
}

// The smallest input that still fails in the same way: pieces are taken out while it does.
async function tell(name, { input, reason }, sign) {
  let small = Buffer.from(input);
  const fails = async (candidate) => {
    const { failure } = await inWorker({ name, budget: 0, kept: [], seed: 1, once: candidate });
    return failure !== null && signOf(failure.reason) === sign;
  };
  const isSlow = reason.startsWith('Hang');
  let left = isSlow ? 6 : 60;
  for (let size = small.length >> 1; size >= 1 && left > 0; size >>= 1) {
    for (let at = 0; at < small.length && left > 0; ) {
      left -= 1;
      const candidate = Buffer.concat([small.subarray(0, at), small.subarray(at + size)]);
      if (await fails(candidate)) small = candidate;
      else at += size;
    }
  }
  const folder = join(OUT, 'findings');
  mkdirSync(folder, { recursive: true });
  const file = `${name}-${createHash('sha256').update(small).digest('hex').slice(0, 10)}`;
  writeFileSync(join(folder, file), small);
  console.log(`FINDING ${file} (${small.length} bytes)\n  ${reason.split('\n').slice(0, 6).join('\n  ')}`);
  console.log(`  input: ${JSON.stringify(small.toString('utf8').slice(0, 300))}`);
}

// The smallest first; a file per input, named by its hash. Named cases are former findings and stay.
async function keep(name, corpus) {
  const folder = join(CORPUS, name);
  mkdirSync(folder, { recursive: true });
  for (const file of readdirSync(folder)) if (/^[0-9a-f]{12}$/.test(file)) rmSync(join(folder, file));
  // Spread over what was found, from the first simple inputs to the last strange ones.
  const small = corpus.map((input) => Buffer.from(input)).filter(({ length }) => length > 0 && length <= KEPT_BYTES);
  const step = Math.max(1, small.length / KEPT_FILES);
  for (let at = 0; at < small.length; at += step) {
    const input = small[Math.floor(at)];
    writeFileSync(join(folder, createHash('sha256').update(input).digest('hex').slice(0, 12)), input);
  }
}
