// npm run bench:engine: how workers on one Postgres scale, what a step costs beside a bare commit, and that memory stays flat.
// BENCH_INPUTS=100000 for the long list (default 5,000), BENCH_TASKS=N for scaling (default 1,000: the start of a run, a third of a second, counts in full), BENCH_ONLY=scaling|lost|idle|steps|memory for a part.
import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { defineTask, openBearings } from '../dist/index.js';
import { openPostgres } from '../scripts/testing/postgres.mjs';
import { sized } from './results.mjs';

const BINARY = fileURLToPath(new URL('../dist/bin/main.cjs', import.meta.url));
const INPUTS = Number(process.env.BENCH_INPUTS ?? sized(5_000, 8));
const TASKS = Number(process.env.BENCH_TASKS ?? sized(1_000, 8));
const ONLY = process.env.BENCH_ONLY ?? '';
const CALL_MS = sized(200, 10);
const CALLS = sized(2_000, 8);
const IDLE_SECONDS = 20;
const TAKE_OVER_SECONDS = 10;
const TAKEN = `SELECT owner, extract(epoch FROM taken_at)::float8 AS taken, extract(epoch FROM clock_timestamp())::float8 AS now
  FROM bearings.runs WHERE id = $1`;
const PER_WORKER = 4;
const QUIET = { inherit_context: 'none', fresh_context: 'disabled' };
const TASK = defineTask({
  type: 'reduce',
  description: 'all',
  inputs: [{ name: 'list' }],
  concurrency: 64,
  fan_in: 1000,
  context_management: QUIET,
  inner_task: { type: 'atomic', description: 'About {{item}}', context_management: QUIET },
  reduction_task: { type: 'atomic', model: 'extract', description: 'Join', context_management: QUIET },
});

const folder = mkdtempSync(join(tmpdir(), 'bearings-bench-'));
const project = join(folder, 'project');
const home = join(folder, 'home');
const workers = new Set();
let delay = CALL_MS;
chmodSync(folder, 0o755);
mkdirSync(project);
mkdirSync(home);
const model = await startModel();
writeFileSync(
  join(home, 'config.yaml'),
  `models:\n  m:\n    provider: openai-compatible\n    model: m\n    base_url: ${model.url}\n`,
);
const postgres = await openPostgres();
const { url } = postgres;
const variables = {
  PATH: process.env.PATH,
  HOME: folder,
  BEARINGS_HOME: home,
  BEARINGS_CACHE: join(folder, 'cache'),
  BEARINGS_ENGINE: url,
};
const bearings = openBearings({ home, cwd: project, variables });
const rows = [];
try {
  if (wanted('scaling')) await scaling();
  if (wanted('lost')) await lost();
  while (workers.size < sized(4, 1)) await startWorker();
  if (wanted('idle')) await idle();
  delay = 0;
  if (wanted('steps')) await steps();
  if (wanted('memory')) await memory();
} finally {
  await endWorkers();
  model.server.closeAllConnections();
  model.server.close();
  await postgres.close();
  rmSync(folder, { recursive: true, force: true });
}
for (const [name, figure, judged] of rows) console.log(`${name.padEnd(46)} ${figure.padStart(16)}   ${judged}`);
process.exit(0);

function wanted(part) {
  return ONLY === '' || ONLY === part;
}

async function scaling() {
  list('tasks.jsonl', TASKS);
  for (const count of [1, 2, 4]) {
    while (workers.size < count) await startWorker();
    const seconds = await timed(() => run('tasks.jsonl'));
    const ideal = (TASKS * CALL_MS) / 1000 / (count * PER_WORKER);
    rows.push([
      `${TASKS} calls of ${CALL_MS} ms, workers: ${count}`,
      `${seconds.toFixed(2)} s`,
      withBound(ideal / seconds, 0.9, 'of ideal, at least'),
    ]);
  }
}

// From the moment in which the worker that drives a run is gone to the one in which another has it, by the database's clock.
async function lost() {
  list('lost.jsonl', 200);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  for (const signal of ['SIGKILL', 'SIGSTOP']) {
    await endWorkers();
    await startWorker();
    const id = await bearings.tasks.submit(TASK, {
      engine: url,
      file: 'bench',
      model: 'm',
      inputs: ['list=lost.jsonl'],
    });
    const look = async () => (await client.query(TAKEN, [id])).rows[0];
    const first = await until(look, ({ owner }) => owner !== null);
    await startWorker();
    const [driver] = workers;
    driver.kill(signal);
    const begun = (await look()).now;
    const { taken } = await until(look, ({ owner }) => owner !== first.owner);
    rows.push([
      `a worker gets ${signal}, another has its run`,
      `${(taken - begun).toFixed(1)} s`,
      withBound(taken - begun, TAKE_OVER_SECONDS, 'at most'),
    ]);
    await bearings.tasks.follow(id, { engine: url });
  }
  await client.end();
  await endWorkers();
}

async function idle() {
  // Until they rest.
  await new Promise((resolve) => setTimeout(resolve, 6_000));
  const before = processorMs();
  await new Promise((resolve) => setTimeout(resolve, IDLE_SECONDS * 1000));
  const each = processorMs().map((ms, at) => Math.round((ms - before[at]) / IDLE_SECONDS));
  rows.push(['processor time of each idle worker', `${each.join(' ')} ms/s`, '']);
}

async function steps() {
  list('steps.jsonl', CALLS);
  const seconds = await timed(() => run('steps.jsonl'));
  const commit = await bareCommits(CALLS);
  rows.push(['2,000 calls that take no time, 4 workers', `${Math.round(CALLS / seconds)}/s`, '']);
  rows.push([
    'bare one-row commits, one connection',
    `${Math.round(CALLS / commit)}/s`,
    `calls reach ${((commit / seconds) * 100).toFixed(0)} % of it`,
  ]);
}

async function memory() {
  list('many.jsonl', INPUTS);
  const marks = new Map();
  const watch = watchMemory();
  const long = await timed(() =>
    run('many.jsonl', (done) => {
      for (const part of [10, 50]) if (!marks.has(part) && done >= (INPUTS * part) / 100) marks.set(part, sizes());
    }),
  );
  marks.set(100, sizes());
  const { early, late } = watch.end();
  rows.push([`${INPUTS} inputs`, `${long.toFixed(0)} s, ${Math.round(INPUTS / long)}/s`, '']);
  for (const [part, each] of marks)
    rows.push([
      `each worker at ${part} %`,
      `${each.map(Math.round).join(' ')} MB`,
      `the most of each: ${watch.most()} MB`,
    ]);
  rows.push(['largest worker, first quarter : last', `${early} : ${late} MB`, withBound(late / early, 1.2, 'at most')]);
}

function list(name, count) {
  writeFileSync(join(project, name), Array.from({ length: count }, (_, at) => `"thing ${at}"`).join('\n'));
}

async function run(name, onDone) {
  const id = await bearings.tasks.submit(TASK, { engine: url, file: 'bench', model: 'm', inputs: [`list=${name}`] });
  const onEvent = ({ event, done }) => event === 'inputs' && onDone?.(done);
  const { result } = await bearings.tasks.follow(id, { engine: url, onEvent });
  if (result.status !== 'COMPLETE') throw new Error(JSON.stringify(result.notes).slice(0, 500));
}

async function timed(work) {
  const begun = process.hrtime.bigint();
  await work();
  return Number(process.hrtime.bigint() - begun) / 1e9;
}

async function bareCommits(count) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('CREATE TABLE bare (n int)');
  const seconds = await timed(async () => {
    for (let at = 0; at < count; at += 1) await client.query('INSERT INTO bare VALUES ($1)', [at]);
  });
  await client.end();
  return seconds;
}

function startWorker() {
  const child = spawn(process.execPath, [BINARY, 'runs', 'worker', '--json', '--concurrency', String(PER_WORKER)], {
    cwd: project,
    env: variables,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  workers.add(child);
  return new Promise((resolve) => child.stdout.on('data', (text) => String(text).includes('ready') && resolve()));
}

async function endWorkers() {
  for (const child of workers) {
    if (child.signalCode !== null) continue;
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await gone;
  }
  workers.clear();
}

async function until(look, isIt) {
  for (;;) {
    const found = await look();
    if (isIt(found)) return found;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

// In hundredths of a second, as Linux counts.
function processorMs() {
  return [...workers].map(({ pid }) => {
    const [user, system] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ').slice(11, 13);
    return (Number(user) + Number(system)) * 10;
  });
}

function sizes() {
  return [...workers].map(({ pid }) => {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
  });
}

function watchMemory() {
  const seen = [];
  const clock = setInterval(() => seen.push(sizes()), 500);
  const largest = (each) => Math.round(Math.max(...each.flat()));
  return {
    most: () => [...workers].map((_, at) => Math.round(Math.max(...seen.map((each) => each[at] ?? 0)))).join(' '),
    end() {
      clearInterval(clock);
      seen.push(sizes());
      const quarter = Math.max(1, Math.floor(seen.length / 4));
      return { early: largest(seen.slice(0, quarter)), late: largest(seen.slice(-quarter)) };
    },
  };
}

async function startModel() {
  const server = createServer(async (request, response) => {
    for await (const _ of request);
    await new Promise((done) => setTimeout(done, delay));
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const say = (delta, finish) =>
      `data: ${JSON.stringify({ id: '1', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
    response.end(`${say({ role: 'assistant', content: 'yes' }, null)}${say({}, 'stop')}data: [DONE]\n\n`);
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return { server, url: `http://127.0.0.1:${server.address().port}/v1` };
}

function withBound(value, bound, words) {
  const ok = words.endsWith('most') ? value <= bound : value >= bound;
  return `${value.toFixed(2)} ${words} ${bound}   ${ok ? 'ok' : 'MISSED'}`;
}
