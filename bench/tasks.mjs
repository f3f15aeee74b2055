// npm run bench:tasks: what a step and a mapped input cost beside others, and that memory stays bounded.
// BENCH_PEERS=1 installs Mastra and LangGraph.js into a temporary folder; BENCH_PEERS=DIR uses those found there.
import { execFileSync, fork } from 'node:child_process';
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { defineTask, openBearings, runTask } from '../dist/index.js';
import { exitCode, sized } from './results.mjs';

const STEPS = sized(100, 5);
const INPUTS = sized(1_000, 5);
const ROUNDS = sized(25, 1);
const WARM_UP = sized(25, 0);
const ROUND = 'round of a loop';
const LOOP_ROUNDS = sized(50, 2);
const QUIET = { inherit_context: 'full', fresh_context: 'disabled' };
const MB = 1024 * 1024;

const ATTACKS = {
  nothing: () => '<task type="atomic"><description>x</description></task>',
  'billion laughs': () =>
    `<!DOCTYPE l [<!ENTITY a "ha">${Array.from({ length: 9 }, (_, i) => `<!ENTITY a${i} "${`&a${i - 1};`.repeat(10)}">`).join('')}]><task>&a8;</task>`,
  'external entity': () => '<!DOCTYPE t [<!ENTITY x SYSTEM "file:///etc/passwd">]><task>&x;</task>',
  '10,000 levels': () => '<task type="atomic">'.repeat(10_000),
  '1 MiB of elements': () => `<task type="atomic">${'<a/>'.repeat(262_000)}`.slice(0, MB),
  '1 MiB of attributes': () => `<task ${Array.from({ length: 100_000 }, (_, i) => `a${i}="1"`).join(' ')}`.slice(0, MB),
  '1 MiB of bare signs': () => `<task type="atomic"><description>${'& '.repeat(MB)}`.slice(0, MB),
  '100 MB': () => '<task>'.padEnd(sized(100, 2) * MB, 'x'),
  'bad encoding': () => Buffer.alloc(MB, 0xff),
};

if (process.send) await child(process.argv[2], process.argv[3]);
else await bench();

async function bench() {
  const folder = mkdtempSync(join(tmpdir(), 'bearings-bench-'));
  const rows = [];
  try {
    const ours = await oursPerUnit();
    rows.push(['no-op step', us(ours.step), '']);
    rows.push(['no-op step, default settings, empty memory', us(ours.defaults), '']);
    rows.push(['no-op step, with its record (tokens, hashes)', us(ours.recorded), '']);
    rows.push(['mapped input', us(ours.input), '']);
    const later = await laterOperators();
    for (const [name, value] of Object.entries(later)) rows.push([name, us(value), '']);
    for (const row of await journalRows(folder)) rows.push(row);
    const peers = preparePeers(folder);
    if (peers === null) rows.push(['Mastra, LangGraph.js', 'left out', 'set BENCH_PEERS=1']);
    else {
      const mastra = await perUnit('Mastra', () => mastraPerUnit(peers));
      const graph = await perUnit('LangGraph.js', () => graphPerUnit(peers));
      if (mastra) {
        rows.push(['Mastra: no-op step', us(mastra.step), withBound(ours.step / mastra.step, 1 / 3)]);
        rows.push(['Mastra: mapped input', us(mastra.input), withBound(ours.input / mastra.input, 1 / 3)]);
      }
      if (graph) rows.push(['LangGraph.js: no-op step', us(graph.step), withBound(ours.step / graph.step, 1 / 3)]);
      if (mastra && graph) {
        rows.push(['Mastra: round of a loop (dountil)', us(mastra.round), '']);
        rows.push(['LangGraph.js: round of a loop (conditional edge)', us(graph.round), '']);
        // Beside the faster of the two: a round beside its round, every other operator beside its plain step.
        const [round, step] = [Math.min(mastra.round, graph.round), Math.min(mastra.step, graph.step)];
        for (const [name, value] of Object.entries(later))
          rows.push([`${name}, beside the faster`, '', withBound(value / (name === ROUND ? round : step), 1, 'ratio')]);
      }
    }
    const large = await million(folder);
    rows.push([
      'reduce over 1,000,000 lines of JSONL, fan_in 100',
      `${large.mb} MB, ${large.seconds} s`,
      withBound(large.mb, 250),
    ]);
    for (const [name, mb] of await attacks(folder)) rows.push([`XML: ${name}`, `+${mb} MB`, withBound(mb, 50)]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const width = Math.max(...rows.map(([name]) => name.length));
  for (const [name, value, note] of rows) console.log(`${name.padEnd(width)}  ${value.padStart(16)}  ${note}`);
  process.exitCode = exitCode(!rows.some(([, , note]) => note.startsWith('TOO MUCH')));
}

function us(value) {
  return `${value.toFixed(1)} µs`;
}

function withBound(value, bound, kind = bound < 1 ? 'ratio' : 'amount') {
  const shown = kind === 'ratio' ? `ratio ${value.toFixed(3)}, at most ${bound.toFixed(3)}` : `at most ${bound}`;
  return `${value <= bound ? 'ok' : 'TOO MUCH'}: ${shown}`;
}

// The lower quartile: other people's work on the machine only ever adds.
async function cost(work, units) {
  const times = [];
  for (let round = 0; round < ROUNDS + WARM_UP; round += 1) {
    const start = performance.now();
    await work();
    if (round >= WARM_UP) times.push(((performance.now() - start) * 1000) / units);
  }
  return times.sort((a, b) => a - b)[Math.floor(times.length / 4)];
}

async function oursPerUnit() {
  const model = { name: 'noop', call: async () => ({ content: 'ok' }) };
  const memory = {
    getRelevantContextFor: async ({ inheritedContext }) => ({ context: inheritedContext ?? '', matches: [] }),
  };
  const chain = (context_management) =>
    defineTask({
      type: 'sequential',
      description: 'chain',
      context_management: { ...QUIET, accumulate_data: true, accumulation_format: 'notes_only' },
      steps: Array.from({ length: STEPS }, (_, index) => ({
        type: 'atomic',
        description: `step ${index}`,
        ...(context_management ? { context_management } : {}),
      })),
    });
  const [quiet, defaults] = [chain(QUIET), chain(null)];
  const map = defineTask({
    type: 'reduce',
    description: 'map',
    context_management: QUIET,
    inputs: [{ name: 'list' }],
    inner_task: { description: 'each', prompt: '{{item}}', context_management: QUIET },
    reduction_task: { description: 'join', context_management: QUIET },
  });
  const list = Array.from({ length: INPUTS }, (_, index) => index);
  const run = async (task, more) => {
    const result = await runTask(task, { memory, model, ...more });
    if (result.status !== 'COMPLETE') throw new Error(JSON.stringify(result.notes.error));
  };
  return {
    step: await cost(() => run(quiet), STEPS),
    defaults: await cost(() => run(defaults), STEPS),
    recorded: await cost(() => run(quiet, { onRecord() {} }), STEPS),
    input: await cost(() => run(map, { inputs: { list } }), INPUTS),
  };
}

// A step of each later operator. Programs and answers are given at once: what is measured is ours.
async function laterOperators() {
  const judged = { content: '{"success":false}' };
  const model = {
    name: 'noop',
    call: async ({ outputFormat }) => (outputFormat.type === 'json' ? judged : { content: 'ok' }),
  };
  const memory = {
    getRelevantContextFor: async ({ inheritedContext }) => ({ context: inheritedContext ?? '', matches: [] }),
  };
  const block = { ...QUIET, accumulate_data: false };
  const chain = (step) => ({
    type: 'sequential',
    description: 'chain',
    context_management: block,
    steps: Array.from({ length: STEPS }, () => step),
  });
  const called = { type: 'atomic', description: 'called', context_management: QUIET };
  const templates = () => ({ file: 'called.json', source: JSON.stringify(called) });
  const tasks = {
    [ROUND]: {
      type: 'director_evaluator_loop',
      description: 'loop',
      context_management: block,
      max_iterations: LOOP_ROUNDS,
      director: { description: 'direct', context_management: QUIET },
      evaluator: { description: 'judge', output_format: { type: 'json' }, context_management: QUIET },
    },
    call: chain({ type: 'call', template: 'called.json' }),
    'input from an earlier step': {
      ...chain({ ...called, inputs: [{ name: 'a', from: '1.content' }], prompt: '{{a}}' }),
      steps: Array.from({ length: STEPS }, (_, index) =>
        index === 0 ? called : { ...called, inputs: [{ name: 'a', from: `${index}.content` }], prompt: '{{a}}' },
      ),
    },
    script: chain({ type: 'script', description: 'run', command: ['true'], context_management: QUIET }),
    approve: chain({ type: 'approve', description: 'yes?' }),
  };
  const answer = { answer: 'accept', at: '', by: '', entry: '' };
  const options = {
    memory,
    model,
    runProgram: async () => ({ exitCode: 0, output: 'ok', errorText: '' }),
    steps: { step: async ({ call }, work) => (call.kind === 'approve' ? answer : work()) },
  };
  const costs = {};
  for (const [name, definition] of Object.entries(tasks)) {
    const task = defineTask(definition, { templates });
    const run = async () => {
      const result = await runTask(task, options);
      if (result.status !== 'COMPLETE') throw new Error(`${name}: ${JSON.stringify(result.notes.error)}`);
    };
    costs[name] = await cost(run, name === ROUND ? LOOP_ROUNDS : STEPS);
  }
  return costs;
}

// A run that keeps its journal beside bare appends with a sync of their own, in turns, on the same disk. The model is a
// program that answers at once from this process, over a library call: only the journal is new.
async function journalRows(folder) {
  const home = join(folder, 'journal-home');
  mkdirSync(home, { recursive: true });
  const bearings = openBearings({ home, cwd: folder, variables: { BEARINGS_CACHE: join(folder, 'cache') } });
  const steps = 100;
  const task = defineTask({
    type: 'sequential',
    description: 'chain',
    context_management: { ...QUIET, accumulate_data: false },
    steps: Array.from({ length: steps }, (_, index) => ({
      type: 'atomic',
      description: `step ${index}`,
      model: 'noop',
      context_management: QUIET,
    })),
  });
  const noop = { name: 'noop', call: async () => ({ content: 'ok' }) };
  const line = `${JSON.stringify({ type: 'step', key: '1.100#1', asked: 'x'.repeat(64), value: { content: 'ok' } })}\n`;
  const fd = openSync(join(folder, 'bare.jsonl'), 'a', 0o600);
  const [bare, kept] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    let start = performance.now();
    for (let index = 0; index < steps; index += 1) {
      writeSync(fd, line);
      fsyncSync(fd);
    }
    bare.push(((performance.now() - start) * 1000) / steps);
    start = performance.now();
    const { result } = await bearings.tasks.run(task, { file: 'bench', models: { noop } });
    if (result.status !== 'COMPLETE') throw new Error(JSON.stringify(result.notes.error));
    kept.push(((performance.now() - start) * 1000) / steps);
  }
  closeSync(fd);
  const middle = (times) => times.sort((a, b) => a - b)[Math.floor(times.length / 2)];
  const [one, ours] = [middle(bare), middle(kept)];
  return [
    ['one append with its sync', us(one), ''],
    ['step with its journal and its record', us(ours), withBound(ours / one, 3, 'ratio')],
  ];
}

async function perUnit(name, measure) {
  try {
    return await measure();
  } catch (error) {
    console.log(`${name} could not be measured: ${error.message}`);
    return null;
  }
}

function preparePeers(folder) {
  const wanted = process.env.BENCH_PEERS;
  if (!wanted) return null;
  if (existsSync(join(wanted, 'node_modules'))) return wanted;
  writeFileSync(join(folder, 'package.json'), '{"private": true, "type": "module"}');
  const packages = ['@mastra/core@0.24.9', '@langchain/langgraph@1.4.18', '@langchain/core', 'zod'];
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...packages], {
    cwd: folder,
    stdio: 'ignore',
  });
  return folder;
}

async function load(peers, name) {
  return import(pathToFileURL(createRequire(join(peers, 'package.json')).resolve(name)).href);
}

async function mastraPerUnit(peers) {
  const { createStep, createWorkflow } = await load(peers, '@mastra/core/workflows');
  const { z } = await load(peers, 'zod');
  const shape = z.object({ value: z.number() });
  const step = (id, schema = shape) =>
    createStep({ id, inputSchema: schema, outputSchema: schema, execute: async ({ inputData }) => inputData });
  let chain = createWorkflow({ id: 'chain', inputSchema: shape, outputSchema: shape });
  for (let index = 0; index < STEPS; index += 1) chain = chain.then(step(`s${index}`));
  chain.commit();
  const items = z.array(shape);
  const map = createWorkflow({ id: 'map', inputSchema: items, outputSchema: items })
    .foreach(step('each'), { concurrency: 4 })
    .commit();
  const start = async (workflow, inputData) => {
    const run = await (workflow.createRunAsync ?? workflow.createRun).call(workflow);
    const { status } = await run.start({ inputData });
    if (status !== 'success') throw new Error(`it ended as ${status}`);
  };
  const list = Array.from({ length: INPUTS }, (_, value) => ({ value }));
  const body = createWorkflow({ id: 'body', inputSchema: shape, outputSchema: shape })
    .then(step('director'))
    .then(
      createStep({
        id: 'evaluator',
        inputSchema: shape,
        outputSchema: shape,
        execute: async ({ inputData: { value } }) => ({ value: value + 1 }),
      }),
    )
    .commit();
  const loop = createWorkflow({ id: 'loop', inputSchema: shape, outputSchema: shape })
    .dountil(body, async ({ inputData: { value } }) => value >= LOOP_ROUNDS)
    .commit();
  return {
    step: await cost(() => start(chain, { value: 1 }), STEPS),
    input: await cost(() => start(map, list), INPUTS),
    round: await cost(() => start(loop, { value: 0 }), LOOP_ROUNDS),
  };
}

async function graphPerUnit(peers) {
  const { Annotation, END, START, StateGraph } = await load(peers, '@langchain/langgraph');
  let graph = new StateGraph(Annotation.Root({ value: Annotation() }));
  for (let index = 0; index < STEPS; index += 1) graph = graph.addNode(`s${index}`, async ({ value }) => ({ value }));
  graph = graph.addEdge(START, 's0');
  for (let index = 1; index < STEPS; index += 1) graph = graph.addEdge(`s${index - 1}`, `s${index}`);
  const app = graph.addEdge(`s${STEPS - 1}`, END).compile();
  const loop = new StateGraph(Annotation.Root({ value: Annotation() }))
    .addNode('director', async ({ value }) => ({ value }))
    .addNode('evaluator', async ({ value }) => ({ value: value + 1 }))
    .addEdge(START, 'director')
    .addEdge('director', 'evaluator')
    .addConditionalEdges('evaluator', ({ value }) => (value >= LOOP_ROUNDS ? END : 'director'))
    .compile();
  return {
    step: await cost(() => app.invoke({ value: 1 }, { recursionLimit: STEPS * 2 }), STEPS),
    round: await cost(() => loop.invoke({ value: 0 }, { recursionLimit: LOOP_ROUNDS * 4 }), LOOP_ROUNDS),
  };
}

async function million(folder) {
  const path = join(folder, 'big.jsonl');
  const fd = openSync(path, 'w');
  for (let chunk = 0; chunk < sized(1_000, 1); chunk += 1) {
    const lines = Array.from({ length: 1_000 }, (_, i) =>
      JSON.stringify({ id: chunk * 1_000 + i, text: 'a line of the list' }),
    );
    writeSync(fd, `${lines.join('\n')}\n`);
  }
  closeSync(fd);
  const { mb, seconds } = await inChild('million', folder);
  return { mb, seconds };
}

async function attacks(folder) {
  const path = join(folder, 'attack.xml');
  const rows = [];
  let base = 0;
  for (const [name, make] of Object.entries(ATTACKS)) {
    writeFileSync(path, make());
    const { mb } = await inChild('attack', folder);
    if (name === 'nothing') base = mb;
    else rows.push([name, Math.max(0, mb - base)]);
  }
  return rows;
}

function inChild(job, folder) {
  return new Promise((resolve, reject) => {
    const worker = fork(fileURLToPath(import.meta.url), [job, folder], { execArgv: [] });
    worker.on('message', resolve);
    worker.on('exit', (code) => code !== 0 && reject(new Error(`${job} ended with ${code}`)));
  });
}

// In a process of its own, so that its peak is its own.
async function child(job, folder) {
  const bearings = openBearings({
    home: join(folder, 'home'),
    cwd: folder,
    variables: { BEARINGS_CACHE: join(folder, 'cache') },
  });
  const start = performance.now();
  if (job === 'attack') {
    const { problems } = await bearings.tasks.check('attack.xml');
    for (const { line, column } of problems) if (!(line >= 1 && column >= 1)) process.exit(1);
  } else {
    const task = defineTask({
      type: 'reduce',
      description: 'the list',
      context_management: QUIET,
      fan_in: 100,
      inputs: [{ name: 'list' }],
      inner_task: { description: 'line', prompt: '{{item.text}} {{item.id}}', context_management: QUIET },
      reduction_task: { description: 'list', context_management: QUIET },
    });
    const { result } = await bearings.tasks.run(task, { file: 'bench', inputs: ['list=big.jsonl'] });
    if (result.status !== 'COMPLETE') throw new Error(JSON.stringify(result.notes.error).slice(0, 500));
  }
  const mb = Math.round(process.resourceUsage().maxRSS / 1024);
  process.send({ mb, seconds: ((performance.now() - start) / 1000).toFixed(1) }, () => process.exit(0));
}
