// npm run mutation -- FOLDER [--file NAME]: how many small faults in src/FOLDER the tests beside it notice, by StrykerJS.
// --lines A-B takes only those lines of the file; --force asks about faults again whose answer is known from an earlier run.
// --sample N takes every Nth stretch of 20 lines of those files that have a test beside them: the whole takes an hour or more.
// --with FILE, as often as wanted: a test of test/ too that runs the sources in its own process.
// Stryker and Node 24, which it needs, are brought at the first run. Exit 75: they can't be had here.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { optionsOf } from './options.mjs';
import { bringFromNpm, bringNode24 } from './testing/tools.mjs';

const STRYKER = '10.1.1';
const NOT_HERE = 75;
const STRETCH = 20;
const OUT = 'test-output/mutation';

const { values, positionals } = optionsOf(import.meta.url, {
  allowPositionals: true,
  options: {
    file: { type: 'string' },
    lines: { type: 'string' },
    sample: { type: 'string' },
    with: { type: 'string', multiple: true, default: [] },
    force: { type: 'boolean', default: false },
    'at-least': { type: 'string', default: '80' },
  },
});
const [folder] = positionals;
if (positionals.length !== 1 || !existsSync(join('src', folder))) refuse('Name one folder of src, such as: gate');
if (values.file !== undefined && !existsSync(join('src', folder, values.file)))
  refuse(`There is no src/${folder}/${values.file}.`);
if (values.lines !== undefined && (values.file === undefined || !/^\d+-\d+$/.test(values.lines)))
  refuse('--lines needs --file, and two numbers such as 1-50.');

if (values.sample !== undefined && (values.file !== undefined || !/^[1-9]\d*$/.test(values.sample)))
  refuse('--sample is a number such as 4, and goes without --file.');

const missing = values.with.find((file) => !existsSync(file));
if (missing !== undefined) refuse(`There is no ${missing}.`);

const tools = bringTools();
if (tools === null) {
  console.log('Stryker or Node 24 is not available here (is there a network?).');
  process.exit(process.env.CI === 'true' ? 1 : NOT_HERE);
}
mkdirSync(OUT, { recursive: true });
const config = join(OUT, 'stryker.config.json');
writeFileSync(config, JSON.stringify(configuration(), null, 2));
const args = [
  join(tools.packages, '@stryker-mutator/core/bin/stryker.js'),
  'run',
  config,
  ...(values.force ? ['--force'] : []),
];
const { status } = spawnSync(tools.node, args, {
  stdio: 'inherit',
  // Its workers start `node` by name.
  env: {
    ...process.env,
    PATH: `${dirname(tools.node)}:${process.env.PATH}`,
    BEARINGS_MUTATION: [`src/${folder}/**/*.test.ts`, ...values.with].join(','),
  },
});
process.exit(status ?? 1);

function configuration() {
  const lines = values.lines === undefined ? '' : `:${values.lines}`;
  const name = values.file ?? '**/*.ts';
  return {
    mutate: values.sample ? sampled(Number(values.sample)) : [`src/${folder}/${name}${lines}`, '!src/**/*.test.ts'],
    testRunner: 'vitest',
    plugins: [join(tools.packages, '@stryker-mutator/vitest-runner/dist/src/index.js')],
    vitest: { configFile: 'scripts/mutation/vitest.config.ts', related: false },
    coverageAnalysis: 'perTest',
    concurrency: 2,
    // A busy machine is no fault.
    ...{ dryRunTimeoutMinutes: 60, timeoutMS: 15_000 },
    // Sentences for people are texts too, and no behaviour.
    mutator: { excludedMutations: ['StringLiteral'] },
    // A sample is asked about by itself: the score would mix it with what earlier runs left.
    incremental: values.sample === undefined,
    incrementalFile: join(OUT, `${folder.replaceAll('/', '-')}.json`),
    ignorePatterns: ['/bench', '/dist', '/docs', '/test-output'],
    tempDirName: join(OUT, 'sandbox'),
    reporters: ['clear-text', 'progress-append-only'],
    clearTextReporter: { reportTests: false, skipFull: true },
    thresholds: { break: Number(values['at-least']) },
    disableTypeChecks: false,
    warnings: { slow: false },
  };
}

// Counted on through all files, so that each part of a file is as likely as its beginning.
function sampled(every) {
  const files = readdirSync(join('src', folder), { recursive: true })
    .map((name) => join('src', folder, name))
    .filter((file) => file.endsWith('.ts') && existsSync(file.replace(/\.ts$/, '.test.ts')))
    .sort();
  const stretches = files.flatMap((file) => {
    const lines = readFileSync(file, 'utf8').split('\n').length;
    return Array.from({ length: Math.ceil(lines / STRETCH) }, (_, at) => {
      const from = at * STRETCH + 1;
      return `${file}:${from}-${Math.min(from + STRETCH - 1, lines)}`;
    });
  });
  return stretches.filter((_, at) => at % every === 0);
}

// Below node_modules of the project, so that the runner finds the vitest that the tests themselves import.
function bringTools() {
  const packages = ['core', 'vitest-runner'].map((name) => `@stryker-mutator/${name}@${STRYKER}`);
  const into = resolve('node_modules/.cache/bearings-mutation');
  const stryker = bringFromNpm('stryker', packages, { into, how: ['--legacy-peer-deps'] });
  const node = stryker && bringNode24();
  return node ? { node, packages: join(stryker, 'node_modules') } : null;
}

function refuse(sentence) {
  console.error(sentence);
  process.exit(2);
}
