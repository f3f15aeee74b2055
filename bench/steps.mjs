// npm run bench -- --only steps: a chain of no-op steps by its length, beside LangGraph.js and Mastra. `npm run bench:tasks` has the rest.
import { defineTask, runTask } from '../dist/index.js';
import { preparePeers } from './peers.mjs';
import { count, inTurns, isQuick, keepResult, ratio, sized, withSpread } from './results.mjs';

const SIZES = isQuick ? [sized(100, 5)] : [100, 1_000, 3_000];
const INPUTS = isQuick ? [sized(100, 5)] : [100, 1_000, 10_000, 100_000];
const LARGEST = { mastra: 1_000, graph: 100, inputs: 1_000 };
const QUIET = { inherit_context: 'full', fresh_context: 'disabled' };
const peers = preparePeers();

function ours(steps) {
  const model = { name: 'noop', call: async () => ({ content: 'ok' }) };
  const memory = {
    getRelevantContextFor: async ({ inheritedContext }) => ({ context: inheritedContext ?? '', matches: [] }),
  };
  const task = defineTask({
    ...{ type: 'sequential', description: 'chain' },
    context_management: { ...QUIET, accumulate_data: false },
    steps: Array.from({ length: steps }, (_, i) => ({
      type: 'atomic',
      description: `step ${i}`,
      context_management: QUIET,
    })),
  });
  return async () => {
    const { status, notes } = await runTask(task, { memory, model });
    if (status !== 'COMPLETE') throw new Error(JSON.stringify(notes.error));
  };
}

async function mastra(steps) {
  const { createStep, createWorkflow } = await peers.load('@mastra/core/workflows');
  const { z } = await peers.load('zod');
  const shape = z.object({ value: z.number() });
  let chain = createWorkflow({ id: 'chain', inputSchema: shape, outputSchema: shape });
  for (let i = 0; i < steps; i += 1)
    chain = chain.then(
      createStep({ id: `s${i}`, inputSchema: shape, outputSchema: shape, execute: async ({ inputData }) => inputData }),
    );
  chain.commit();
  return async () => {
    const run = await (chain.createRunAsync ?? chain.createRun).call(chain);
    const { status } = await run.start({ inputData: { value: 1 } });
    if (status !== 'success') throw new Error(`it ended as ${status}`);
  };
}

async function graph(steps) {
  const { Annotation, END, START, StateGraph } = await peers.load('@langchain/langgraph');
  let built = new StateGraph(Annotation.Root({ value: Annotation() }));
  for (let i = 0; i < steps; i += 1) built = built.addNode(`s${i}`, async ({ value }) => ({ value }));
  built = built.addEdge(START, 's0');
  for (let i = 1; i < steps; i += 1) built = built.addEdge(`s${i - 1}`, `s${i}`);
  const app = built.addEdge(`s${steps - 1}`, END).compile();
  return () => app.invoke({ value: 1 }, { recursionLimit: steps * 2 });
}

function oursMapped(size) {
  const model = { name: 'noop', call: async () => ({ content: 'ok' }) };
  const memory = {
    getRelevantContextFor: async ({ inheritedContext }) => ({ context: inheritedContext ?? '', matches: [] }),
  };
  const task = defineTask({
    ...{ type: 'reduce', description: 'map', context_management: QUIET, fan_in: 100, inputs: [{ name: 'list' }] },
    inner_task: { description: 'each', prompt: '{{item}}', context_management: QUIET },
    reduction_task: { description: 'join', context_management: QUIET },
  });
  const list = Array.from({ length: size }, (_, i) => i);
  return async () => {
    const { status, notes } = await runTask(task, { memory, model, inputs: { list } });
    if (status !== 'COMPLETE') throw new Error(JSON.stringify(notes.error));
  };
}

async function mastraMapped(size) {
  const { createStep, createWorkflow } = await peers.load('@mastra/core/workflows');
  const { z } = await peers.load('zod');
  const shape = z.object({ value: z.number() });
  const each = createStep({
    id: 'each',
    inputSchema: shape,
    outputSchema: shape,
    execute: async ({ inputData }) => inputData,
  });
  const items = z.array(shape);
  const map = createWorkflow({ id: 'map', inputSchema: items, outputSchema: items })
    .foreach(each, { concurrency: 4 })
    .commit();
  const list = Array.from({ length: size }, (_, value) => ({ value }));
  return async () => {
    const run = await (map.createRunAsync ?? map.createRun).call(map);
    const { status } = await run.start({ inputData: list });
    if (status !== 'success') throw new Error(`it ended as ${status}`);
  };
}

const rows = [];
const eachStep = (time, spread, size) => {
  const ofOne = (value) => (value * 1000) / size;
  return withSpread(ofOne(time), spread.map(ofOne), 'µs');
};
for (const size of SIZES) {
  const candidates = { bearings: ours(size) };
  if (size <= LARGEST.mastra) candidates.Mastra = await mastra(size);
  if (size <= LARGEST.graph) candidates['LangGraph.js'] = await graph(size);
  const { times, spread } = await inTurns(sized(size > 100 ? 3 : 15, 1), candidates);
  const cell = (name) =>
    times[name] === undefined
      ? ['left out', '']
      : [eachStep(times[name], spread[name], size), ratio(times.bearings, times[name])];
  rows.push([
    `${count(size)} steps`,
    eachStep(times.bearings, spread.bearings, size),
    ...cell('Mastra'),
    ...cell('LangGraph.js'),
  ]);
}

for (const size of INPUTS) {
  const candidates = { bearings: oursMapped(size) };
  if (size <= LARGEST.inputs) candidates.Mastra = await mastraMapped(size);
  const { times, spread } = await inTurns(sized(size > 1_000 ? 2 : 7, 1), candidates);
  const peer =
    times.Mastra === undefined
      ? ['left out', '']
      : [eachStep(times.Mastra, spread.Mastra, size), ratio(times.bearings, times.Mastra)];
  rows.push([`${count(size)} mapped inputs`, eachStep(times.bearings, spread.bearings, size), ...peer, '', '']);
}

keepResult('steps', {
  command: 'npm run bench -- --only steps',
  about: `A chain of no-op steps, microseconds a step, the median with the middle half of the rounds in brackets; ${peers.version('@mastra/core')}, ${peers.version('@langchain/langgraph')}. Mapped inputs, a million lines of JSONL and hostile templates: \`BENCH_PEERS=1 npm run bench:tasks\`.`,
  head: ['chain', 'bearings', 'Mastra', 'ratio', 'LangGraph.js', 'ratio'],
  rows,
});
