import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { git } from '../../bench/retrieval-data.mjs';
import { CORTEX_FILES } from '../support/cortex-project.ts';
import { put, tempFolder } from '../support/temp-folder.ts';

const root = resolve(import.meta.dirname, '../..');
const folder = tempFolder();
const repository = join(folder, 'repos', 'first');
const subjects = ['Open the blue door wide', 'Close the green window', 'Mend the red roof', 'Paint the blue door'];
makeRepository();
makeCortex();
makePeers();
makeTasks();

/** Each script in its smallest size, and words of the rows that it must print. */
const SCRIPTS: Record<string, { args?: string[]; rows: string[]; env?: Record<string, string> }> = {
  'all.mjs': {
    args: [repository],
    rows: ['read, 100 lines', 'server-filesystem', 'kept', '10 files', 'MiniSearch', 'Orama', '5 steps', '5 mapped'],
  },
  'bundle.mjs': { args: ['--commits', '2', repository], rows: ['30,000 characters', '8,000 tokens', 'mean'] },
  'cortex.mjs': { args: [join(folder, 'cortex/.git')], rows: ['equal, without dates', '2500'] },
  'detectors.mjs': { args: [repository], rows: ['| first |', '| all |'] },
  'engine.mjs': { rows: ['calls that take no time', 'bare one-row commits'], env: { BENCH_ONLY: 'steps' } },
  'gate.mjs': { rows: ['confirm, notes', 'many blocks', 'list 1,000 pending'] },
  'hooks.mjs': {
    args: ['--repos', join(folder, 'repos')],
    rows: ['commits with a changed file', 'right note', 'small talk', 'command lines', 'prompt hook', 'tool hook'],
  },
  'index.mjs': { rows: ['warm match, 1,200 files', 'first index, 5,000 files', '20 files, without git'] },
  'load.mjs': { rows: ['bearings load, 400 files', 'pattern files', '200 MB file'] },
  'mcp.mjs': { rows: ['read_context, one call ', 'read_context, one call, 3 decisions', 'first answer'] },
  'outside.mjs': { rows: ['stalling command', '1 GB of output', 'server answers late'] },
  'page.mjs': { rows: ['inbox, 10,000 proposals', 'notes, 100,000 lines', "the page's JavaScript"] },
  'paths.mjs': { rows: ['read_context', 'confirm', 'load', 'run'] },
  'person.mjs': { rows: ['sessions list', 'sessions search', 'blame, 1,000 decisions, newly opened'] },
  'poison.mjs': { args: ['--only', 'bearings', '--channel', 'tool output'], rows: ['bearings', '0 / 0 of 1'] },
  'precise.mjs': {
    args: ['run', '--data', join(folder, 'precise'), '--peers'],
    rows: ['half b', 'BM25 over chunks', 'all files', 'TypeScript'],
  },
  'read.mjs': { rows: ['log, 1,000,000 lines', 'read again', 'the same, 3 decisions', 'hook at the start'] },
  'retrieval.mjs': {
    args: [repository],
    rows: ['floor', 'with history'],
    env: { BENCH_ONLY: 'code', BENCH_CASES: '2' },
  },
  'served.mjs': { rows: ['read, the same text again', 'load, a new text each time', 'kept texts after 5 reads'] },
  'stale.mjs': { args: [repository], rows: ['gone or moved', 'all'], env: { STALE_COMMITS: '2' } },
  'swe.mjs': { args: [join(folder, 'tasks.jsonl'), repository], rows: ['with history', '1 instances'] },
  'tasks.mjs': { rows: ['no-op step', 'mapped input', 'Mastra: no-op step', 'reduce over', 'XML: 100 MB'] },
};

// What a test can't have here, a client from npm: they come as far as saying that they know none of this name.
const NOT_HERE: Record<string, string> = {
  'agent.mjs': 'There is no client "none" here',
  'client-memory.mjs': 'No memory of "none" is known',
};

describe('the benchmarks', () => {
  it('are all started by a test, but for those that need what no test brings', () => {
    const scripts = Object.values<string>(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).scripts);
    const named = scripts.flatMap((line) => /bench\/([\w-]+\.mjs)/.exec(line)?.[1] ?? []);
    const parts = readdirSync(join(root, 'bench')).filter((name) => named.includes(name));
    expect(parts.filter((name) => !(name in SCRIPTS) && !(name in NOT_HERE))).toEqual([]);
  });

  it.concurrent.each(Object.entries(SCRIPTS))(
    'bench/%s runs in its smallest size',
    async (name, { args = [], rows, env }) => {
      const before = readdirSync(join(root, 'bench/results'));
      const { code, output } = await started(name, args, env);
      expect({ code, output: code === 0 ? '' : output }).toEqual({ code: 0, output: '' });
      for (const row of rows) expect(output).toContain(row);
      expect(readdirSync(join(root, 'bench/results'))).toEqual(before);
    },
  );

  it.each(Object.entries(NOT_HERE))('bench/%s is loaded whole, and says what it has not', async (name, words) => {
    const { code, output } = await started(name, ['--client', 'none']);
    expect([code, output]).toEqual([2, expect.stringContaining(words)]);
  });
});

function started(name: string, args: string[], env = {}): Promise<{ code: number | null; output: string }> {
  const home = join(folder, 'homes', name);
  put(home, { 'made.txt': '' });
  const child = spawn(process.execPath, ['--expose-gc', join(root, 'bench', name), ...args], {
    cwd: root,
    env: { ...process.env, HOME: home, BENCH_SMOKE: '1', BENCH_PEERS: join(folder, 'peers'), ...env },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
  return new Promise((done) => child.on('close', (code) => done({ code, output })));
}

function makeRepository(): void {
  const commit = (message: string) => {
    git(repository, 'add', '-A');
    git(repository, '-c', 'user.name=t', '-c', 'user.email=t@example.com', 'commit', '-qm', message);
  };
  const file = (at: number) =>
    `export function part${at}(door: string) {\n  const blue = ${at};\n  return [door, blue];\n}\n`;
  put(repository, Object.fromEntries(Array.from({ length: 6 }, (_, at) => [`src/part${at}.ts`, file(at)])));
  git(repository, 'init', '-q');
  commit('Build the house with its door');
  for (const [at, subject] of subjects.entries()) {
    put(repository, { [`src/part${at}.ts`]: file(at).replace('blue =', `blue = /* ${subject} */`) });
    commit(subject);
  }
}

// Laid out as that project is, with a stand-in for its loader.
function makeCortex(): void {
  const place = join(folder, 'cortex');
  const loader = 'print(\'{"files": [{"path": "specs/spec_spec_v0.md", "selected_by": "control_plane:spec"}]}\')\n';
  put(place, { ...CORTEX_FILES, 'scripts/agent_context_loader_v0.py': loader });
  git(place, 'init', '-q');
  git(place, 'add', '-A');
  git(place, '-c', 'user.name=t', '-c', 'user.email=t@example.com', 'commit', '-qm', 'All of it');
}

// Stand-ins for the peers, with as much of their interfaces as the scripts call.
function makePeers(): void {
  const server = `require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method } = JSON.parse(line);
    if (id === undefined) return;
    const result = method === 'initialize' ? { protocolVersion: '2025-06-18', capabilities: {}, serverInfo: { name: 's', version: '1' } } : { content: [] };
    console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
  });`;
  const flow = `const done = { start: async () => ({ status: 'success' }) };
    const flow = { then: () => flow, dountil: () => flow, foreach: () => flow, commit: () => flow, createRun: async () => done };
    export const createStep = (step) => step;
    export const createWorkflow = () => flow;`;
  const graph = `export const [START, END] = ['start', 'end'];
    export const Annotation = Object.assign(() => ({}), { Root: () => ({}) });
    export class StateGraph { addNode() { return this; } addEdge() { return this; } addConditionalEdges() { return this; } compile() { return { invoke: async () => ({}) }; } }`;
  const search = 'export default class { addAll(files) { this.files = files; } search() { return []; } }';
  const orama = `export const create = () => ({}); export const insertMultiple = async () => []; export const search = async () => ({ hits: [] });`;
  const zod = 'const it = {}; export const z = { object: () => it, number: () => it, array: () => it };';
  const module = (name: string, text: string, more = {}) => ({
    [`${name}/package.json`]: JSON.stringify({
      name,
      version: '1.0.0',
      type: 'module',
      exports: './index.js',
      ...more,
    }),
    [`${name}/index.js`]: text,
  });
  const program = (name: string, text: string) => ({
    [`${name}/package.json`]: JSON.stringify({ name, version: '1.0.0', bin: 'main.cjs' }),
    [`${name}/main.cjs`]: text,
  });
  put(join(folder, 'peers/node_modules'), {
    ...program('@modelcontextprotocol/server-memory', server),
    ...program('@modelcontextprotocol/server-filesystem', server),
    ...program('repomix', "console.log('packed')"),
    ...module('minisearch', search),
    ...module('@orama/orama', orama),
    ...module('@mastra/core', flow, { exports: { './workflows': './index.js', './package.json': './package.json' } }),
    ...module('@langchain/langgraph', graph),
    ...module('@langchain/core', ''),
    ...module('zod', zod),
  });
  put(join(folder, 'peers'), { 'package.json': '{"private":true,"type":"module"}' });
}

function makeTasks(): void {
  const base = git(repository, 'rev-parse', 'HEAD~1').trim();
  const text = 'The blue door is not painted: part3 must return the door in blue, and it does not.';
  const patch =
    'diff --git a/src/part3.ts b/src/part3.ts\n--- a/src/part3.ts\n+++ b/src/part3.ts\n@@ -2 +2 @@\n-a\n+b\n';
  const task = { instance_id: 'first-1', repo: 'first', base_commit: base, problem_statement: text, patch };
  const one = {
    id: 'first-1',
    repo: 'first',
    half: 'b',
    language: 'TypeScript',
    base,
    text,
    gold: { 'src/part3.ts': [[1, 4]] },
  };
  put(folder, { 'tasks.jsonl': JSON.stringify(task), 'precise/cases.jsonl': `${JSON.stringify(one)}\n` });
  git(folder, 'clone', '-q', repository, join(folder, 'precise/trees/first-1'));
}
