// The official MCP conformance suite against a server of our own making: every scenario passes, or is listed in
// test/conformance/not-applicable.json with its reason. Suite and Node 24 are brought at the first run.
// Exit 75: they can't be had here (a failure in CI).
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { bringFromNpm, bringNode24 } from './testing/tools.mjs';

const SUITES = { stable: '0.1.16', next: '0.2.0-alpha.12' };
const VERSIONS = ['2025-06-18', '2025-11-25', '2026-07-28'];
const NOT_HERE = 75;
const AT_ONCE = 4;

const tools = bringTools();
if (!tools) {
  console.log('The conformance suite or Node 24 is not available here (is there a network?).');
  process.exit(process.env.CI === 'true' ? 1 : NOT_HERE);
}
const { node, cli } = tools;
const results = mkdtempSync(join(tmpdir(), 'bearings-conformance-results-'));
const fixture = spawn(node, ['test/conformance/fixture-server.ts'], { stdio: ['ignore', 'pipe', 'inherit'] });
let problems;
try {
  const url = await firstLine(fixture);
  problems = await judge(url);
} finally {
  fixture.kill('SIGTERM');
  rmSync(results, { recursive: true, force: true });
}
for (const problem of problems) console.log(`FAIL ${problem}`);
process.exit(problems.length === 0 ? 0 : 1);

async function judge(url) {
  const runs = [
    { name: 'stable', suite: 'stable', args: ['--suite', 'all'] },
    ...VERSIONS.map((version) => ({
      name: version,
      suite: 'next',
      args: ['--suite', 'all', '--spec-version', version],
    })),
  ];
  const notApplicable = new Map(
    JSON.parse(readFileSync('test/conformance/not-applicable.json', 'utf8')).map(({ scenario, reason }) => [
      scenario,
      reason,
    ]),
  );
  const outcomes = [];
  for (const run of runs) outcomes.push(...(await runSuite(url, run)));
  const listed = [...(await list('stable')), ...(await list('next'))];
  const optional = listed.filter(({ versions }) => versions.includes('extension')).map(({ scenario }) => scenario);
  for (let at = 0; at < optional.length; at += AT_ONCE) {
    const some = optional.slice(at, at + AT_ONCE);
    const each = some.map((scenario) =>
      runSuite(url, {
        name: `extension ${scenario}`,
        suite: 'next',
        args: ['--scenario', scenario, '--timeout', '30000'],
      }),
    );
    outcomes.push(...(await Promise.all(each)).flat());
  }
  for (const name of [...runs.map(({ name }) => name), 'extension']) {
    const own = outcomes.filter(({ run }) => run === name || run.startsWith(`${name} `));
    const count = (status) => own.reduce((sum, { statuses }) => sum + (statuses[status] ?? 0), 0);
    const passed = own.filter(({ passed }) => passed).length;
    console.log(
      `${name}: ${passed} of ${own.length} scenarios, ${count('SUCCESS')} checks, ${count('WARNING')} warnings`,
    );
  }
  for (const [scenario, reason] of notApplicable) console.log(`not applicable: ${scenario}. ${reason}`);
  return [
    ...outcomes
      .filter(({ passed, scenario }) => !passed && !notApplicable.has(scenario))
      .map(({ run, scenario, statuses }) => `${run}: ${scenario} ${JSON.stringify(statuses)}`),
    ...outcomes
      .filter(({ passed, scenario }) => passed && notApplicable.has(scenario))
      .map(({ run, scenario }) => `${run}: ${scenario} passes, and is listed as not applicable`),
    ...[...notApplicable.keys()]
      .filter((scenario) => !listed.some((each) => each.scenario === scenario))
      .map((scenario) => `${scenario} is listed as not applicable, and no suite knows it`),
    ...missing(listed, outcomes),
  ];
}

// A scenario that did not run where it should have says nothing, and must not look like a pass.
function missing(listed, outcomes) {
  const ran = new Set(outcomes.map(({ run, scenario }) => `${run} ${scenario}`));
  const expected = listed.flatMap(({ suite, scenario, versions }) => {
    if (suite === 'stable') return [`stable ${scenario}`];
    if (versions.includes('extension')) return [`extension ${scenario} ${scenario}`];
    return VERSIONS.filter((version) => versions.includes(version)).map((version) => `${version} ${scenario}`);
  });
  return expected.filter((each) => !ran.has(each)).map((each) => `${each}: did not run`);
}

async function runSuite(url, { name, suite, args }) {
  const folder = join(results, name.replaceAll(' ', '-'));
  await capture(cli[suite], ['server', '--url', url, '-o', folder, ...args]);
  return (existsSync(folder) ? readdirSync(folder) : []).map((entry) => {
    const checks = JSON.parse(readFileSync(join(folder, entry, 'checks.json'), 'utf8'));
    const statuses = {};
    for (const { status } of checks) statuses[status] = (statuses[status] ?? 0) + 1;
    // That the messages have the right shape is said of every scenario, also of one that checked nothing.
    const own = checks.filter(({ id, status }) => status === 'SUCCESS' && id !== 'wire-schema-valid').length;
    const scenario = entry.replace(/^server-/, '').replace(/-\d{4}-\d\d-\d\dT[\d-]+Z$/, '');
    return { run: name, scenario, statuses, passed: own > 0 && !statuses.FAILURE };
  });
}

async function list(suite) {
  const text = await capture(cli[suite], ['list', '--server']);
  return [...text.matchAll(/^ {2}- (\S+) \[([^\]]*)\]/gm)].map(([, scenario, versions]) => ({
    suite,
    scenario,
    versions: versions.split(','),
  }));
}

function capture(program, args) {
  return new Promise((resolve) => {
    const child = spawn(node, [program, ...args], { stdio: ['ignore', 'pipe', 'ignore'], timeout: 120_000 });
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (part) => {
      text += part;
    });
    child.on('close', () => resolve(text));
  });
}

async function firstLine(child) {
  const line = new Promise((resolve, reject) => {
    child.stdout.setEncoding('utf8').once('data', (text) => resolve(text.trim()));
    child.once('exit', (code) => reject(new Error(`the fixture server ended with ${code}`)));
  });
  const late = after(30_000, null, { ref: false }).then(() => {
    throw new Error('the fixture server does not start');
  });
  return Promise.race([line, late]);
}

function bringTools() {
  const wanted = Object.entries(SUITES).map(([name, at]) => `${name}@npm:@modelcontextprotocol/conformance@${at}`);
  const suites = bringFromNpm('conformance', wanted);
  const node = suites && bringNode24();
  if (!node) return null;
  const program = (name) => join(suites, 'node_modules', name, 'dist/index.js');
  return { node, cli: { stable: program('stable'), next: program('next') } };
}
