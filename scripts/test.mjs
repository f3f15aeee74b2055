// The one test command: npm test. Checks, build, tests, package, in a home and a temporary folder of its own.
//   --quick    what a person runs while working: format, types, build, the tests beside the code (npm run test:quick)
//   --checks   no tests: format, types, dead code, build, package (npm run check)
// In CI (CI=true) everything must run; for a user, what can't be had is left out and said.
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { optionsOf } from './options.mjs';
import { leftBehind, leftInside, machineState } from './testing/leftovers.mjs';
import { testsThatNeed } from './testing/needs.mjs';
import { printSummary, readReport } from './testing/report.mjs';
import { makeSandbox, sandboxed } from './testing/sandbox.mjs';
import { findChromium, hasPostgres, hasTmux, TOOLS, withTools } from './testing/tools.mjs';

const NOT_HERE = 75;

const ENGINE_TESTS = ['test/tasks/engine-postgres.test.ts', 'test/tasks/engine-workers.test.ts'];

const {
  values: { quick, checks },
} = optionsOf(import.meta.url, {
  options: { quick: { type: 'boolean' }, checks: { type: 'boolean' } },
});
const isCi = process.env.CI === 'true';
const leftOut = [];
const reports = [];
const parts = [];
const running = new Set();
// Who ends this run ends what it started: tests that go on alone would find another build under them.
let isEnding = false;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.on(signal, () => {
    isEnding = true;
    for (const child of running) child.kill('SIGTERM');
  });

const brought = quick || checks ? null : bringTools();
const before = machineState();
const sandbox = makeSandbox();
let left = [];
try {
  const { build, ...steps } = ownSteps();
  if ((await runStep(build)).ok) await afterBuild(steps);
  // Also where there was nothing to do: it would go on alone.
  await brought;
  left = leftInside(sandbox);
} finally {
  sandbox.remove();
}
left = checks ? [] : [...left, ...leftBehind(before, machineState())];
if (!checks) parts.push({ name: 'nothing left behind', ok: left.length === 0, seconds: 0 });
printSummary({ parts, reports, leftOut, leftBehind: left });
process.exit(parts.every(({ ok }) => ok) ? 0 : 1);

// Lanes run side by side and the steps of a lane one after the other: tests wait more than they compute.
async function afterBuild({ lint, types, pageTypes, ofPackage }) {
  const inLanes = (...lanes) => Promise.all(lanes.map(runLane));
  const beside = (workers) => tests('tests beside the code', ['src', `--maxWorkers=${workers}`]);
  if (checks) return inLanes([lint, types], [pageTypes, ...ofPackage]);
  if (quick) return inLanes([{ ...beside(2), isLive: true }], [types, lint]);
  const checked = runLane([lint, types, pageTypes, ...ofPackage]);
  await brought;
  const missing = await missingParts();
  // More than there are cores: tests wait for processes more than they compute.
  const workers = `--maxWorkers=${availableParallelism() + 3}`;
  // With the slash: without it the name of every test file would do.
  const whole = tests('tests', ['test/', workers, ...without([...ENGINE_TESTS, ...missing])]);
  const official = (name, ...args) => ({ name, command: [process.execPath, ...args], canBeMissing: true });
  const others = [
    beside(1),
    tests('tests with Postgres', ['--maxWorkers=1', ...ENGINE_TESTS, ...without(missing)]),
    official('MCP conformance', 'scripts/conformance.mjs'),
    official('MCP Inspector', 'scripts/inspector.mjs', '--quick'),
  ];
  return Promise.all([runLane([{ ...whole, isLive: true }]), checked.then(() => runLane(others))]);
}

function ownSteps() {
  const bin = (name) => join('node_modules', '.bin', name);
  // The native compiler, several times as fast; the other one is there for its API, which the native one has not. On one
  // thread, because several check again what they share, and every core has work here.
  const native = join('node_modules', 'typescript-native', 'bin', 'tsc');
  const tsc = [process.execPath, native, '--noEmit', '--singleThreaded'];
  // Packed once for all who look at it.
  const { name, version } = JSON.parse(readFileSync('package.json', 'utf8'));
  const archive = join(sandbox.folder, `${name}-${version}.tgz`);
  // Part of the package, but nothing that a compiler could import.
  const noModules = ['--exclude-entrypoints', './schema/task.xsd'];
  const attw = [bin('attw'), archive, '--profile', 'esm-only', '--quiet', ...noModules];
  return {
    build: { name: 'build', command: [bin('tsdown'), '--logLevel', 'error'], isLive: true },
    lint: { name: 'format and lint', command: [bin('biome'), 'check', '.'] },
    types: { name: 'types', command: tsc },
    pageTypes: { name: 'types of the page', command: [...tsc, '-p', 'src/web/page'] },
    ofPackage: [
      { name: 'dead code', command: [bin('knip')] },
      {
        name: 'package',
        command: ['npm', 'pack', '--silent', '--ignore-scripts', '--pack-destination', sandbox.folder],
      },
      { name: 'package shape', command: [bin('publint'), 'run', archive, '--strict'] },
      { name: 'package types', command: attw },
    ],
  };
}

function tests(name, args) {
  const report = join(sandbox.folder, `report-${name.replaceAll(' ', '-')}.json`);
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile=${report}`];
  return {
    name,
    report,
    command: [join('node_modules', '.bin', 'vitest'), 'run', ...reporters, '--passWithNoTests', ...args],
  };
}

function without(paths) {
  return paths.flatMap((path) => ['--exclude', path]);
}

async function runLane(lane) {
  for (const step of lane) if (!isEnding) await runStep(step);
}

// The words of one lane are seen as they come; those of the other steps are printed in one piece when they end.
async function runStep({ name, command: [program, ...args], report, canBeMissing, isLive }) {
  if (isLive) console.log(`\n== ${name}`);
  const started = Date.now();
  const child = spawn(program, args, {
    env: variablesFor({ isTests: Boolean(report) }),
    stdio: ['ignore', isLive ? 'inherit' : 'pipe', isLive ? 'inherit' : 'pipe'],
  });
  running.add(child);
  let words = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text) => {
      words += text;
    });
  const status = await new Promise((resolve) => child.on('error', () => resolve(1)).on('close', resolve));
  running.delete(child);
  if (!isLive) console.log(`\n== ${name}\n${words.trimEnd()}`);
  const isLeftOut = canBeMissing === true && status === NOT_HERE && !isCi;
  if (isLeftOut) leftOut.push(`${name} (it needs a network once)`);
  if (report) reports.push(readReport(report, status));
  const part = {
    name,
    ok: status === 0 || isLeftOut,
    isLeftOut,
    isTests: Boolean(report),
    seconds: (Date.now() - started) / 1000,
  };
  parts.push(part);
  return part;
}

// Formatters and compilers may keep a cache of their own: only what tests leave is a fault.
function variablesFor({ isTests }) {
  return withTools(sandboxed(isTests ? sandbox : { ...sandbox, home: join(sandbox.folder, 'tools') }));
}

// A process of its own, because it mostly waits for the network: what needs no browser begins meanwhile.
function bringTools() {
  // Made before the machine is looked at: this folder is no left-over.
  mkdirSync(TOOLS, { recursive: true });
  const child = spawn(process.execPath, ['scripts/testing/bring-tools.mjs'], { stdio: 'inherit' });
  return new Promise((resolve) => child.on('error', resolve).on('close', resolve));
}

// The tests that can't run here. In CI they run all the same, and fail.
async function missingParts() {
  const has = { tmux: hasTmux(), chromium: await findChromium(), postgres: await hasPostgres() };
  if (has.chromium) process.env.BEARINGS_TEST_CHROMIUM = has.chromium;
  if (isCi) return [];
  const missing = [
    [has.tmux, 'test/support/process/tmux.ts', 'a terminal: install tmux and run again'],
    [has.chromium, 'test/support/page/page-browser.ts', 'a browser: install Chromium and run again'],
    [has.postgres, 'test/support/tasks/postgres-server.ts', 'Postgres, which npm has not for this system'],
  ]
    .filter(([is]) => !is)
    .map(([, helper, what]) => [testsThatNeed(helper), what]);
  for (const [files, what] of missing) leftOut.push(`${files.join(', ')} (needs ${what})`);
  return missing.flatMap(([files]) => files);
}
