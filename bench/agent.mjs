// npm run bench:agent -- TASKS REPOSITORY… [--client claude-code|codex] [--model NAME] [--turns N] [--instances N] [--out FILE]: does
// our context help a real client? Each task of SWE-bench is given twice to the same client, model and number of turns, in a fresh
// checkout of the commit before its patch: as the issue's text alone, and after the bundle of `bearings load`. Printed: files opened
// before the first right one, turns to the first edit, tokens. It needs the key of the model's provider and costs what the provider
// takes. TASKS and REPOSITORY are those of bench:swe.
//   --scripted   no key: a model on loopback that follows a script shows that the harness counts right, and nothing about context
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { CLIENTS } from '../scripts/clients/client-table.mjs';
import { scriptedModel } from '../scripts/clients/scripted-model.mjs';
import { optionsOf } from '../scripts/options.mjs';
import { bringFromNpm } from '../scripts/testing/tools.mjs';
import { measured, traceOf } from './agent-trace.mjs';
import { git, nameOf } from './retrieval-data.mjs';
import { filesOfPatch, tasksIn } from './swe-tasks.mjs';

const BINARY = resolve(import.meta.dirname, '../dist/bin/main.cjs');
const PATIENCE_MS = 30 * 60_000;
const ORDER =
  'Mend this issue in the project of this folder. Change only what it needs, and end when you have changed it.';

// How each is told to work through a task and to print what it does.
const HOW = {
  'claude-code': {
    key: 'ANTHROPIC_API_KEY',
    args: ({ model, turns }) => [
      ...['-p', '--output-format', 'stream-json', '--verbose', '--max-turns', String(turns)],
      ...['--permission-mode', 'acceptEdits', '--allowedTools', 'Read,Grep,Glob,Edit,Write,Bash'],
      ...(model ? ['--model', model] : []),
    ],
    reads: (path) => ({ tool: 'Read', input: { file_path: path } }),
    edits: (path, from, to) => ({ tool: 'Edit', input: { file_path: path, old_string: from, new_string: to } }),
  },
  codex: {
    key: 'OPENAI_API_KEY',
    args: ({ model }) => [
      ...['exec', '--json', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox'],
      ...[...(model ? ['--model', model] : []), '-'],
    ],
    reads: (path) => ({ tool: 'exec_command', input: { cmd: `cat '${path}'` } }),
    edits: (path, from, to) => ({ tool: 'exec_command', input: { cmd: `sed -i 's/${from}/${to}/' '${path}'` } }),
  },
};

const { values, positionals } = optionsOf(import.meta.url, {
  allowPositionals: true,
  options: {
    client: { type: 'string', default: 'claude-code' },
    model: { type: 'string' },
    turns: { type: 'string', default: '30' },
    instances: { type: 'string' },
    out: { type: 'string' },
    scripted: { type: 'boolean', default: false },
  },
});
const client = HOW[values.client] && { ...CLIENTS[values.client], ...HOW[values.client] };
if (!client) end(`There is no client "${values.client}" here. Known: ${Object.keys(HOW).join(', ')}.`);
const turns = Number(values.turns);
if (!Number.isInteger(turns) || turns < 1) end('--turns takes a whole number from 1 on.');
const folder = mkdtempSync(join(tmpdir(), 'bearings-agent-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
const { tasks, known } = values.scripted ? scriptedTask() : givenTasks();
const brought = bringFromNpm(values.client, client.npm);
if (!brought) end(`${client.npm[0]} can't be had from npm.`);
const program = client.program(brought);

const results = [];
for (const task of tasks.slice(0, Number(values.instances ?? tasks.length)))
  for (const arm of ['without', 'with']) {
    const result = { id: task.instance_id, arm, ...(await oneRun(task, arm)) };
    results.push(result);
    const { openedBefore, turnsToEdit, tokens } = result;
    console.log(
      `${task.instance_id} ${arm}: ${shown(openedBefore)} files before a right one, edit at turn ${shown(turnsToEdit)}, ${tokens} tokens`,
    );
  }
const columns = ['openedBefore', 'turnsToEdit', 'turnsToRightEdit', 'turns', 'tokens'];
console.log(`\n${'mean'.padEnd(10)}${columns.map((name) => name.padStart(18)).join('')}`);
for (const arm of ['without', 'with']) {
  const own = results.filter((result) => result.arm === arm);
  console.log(`${arm.padEnd(10)}${columns.map((name) => meanOf(own, name).padStart(18)).join('')}`);
}
console.log(
  `${results.length / 2} tasks, ${values.client}${values.model ? `, ${values.model}` : ''}, at most ${turns} turns`,
);
if (values.out) writeFileSync(values.out, `${JSON.stringify(results, null, 1)}\n`);
if (values.scripted) expectScripted();

async function oneRun(task, arm) {
  const home = join(folder, `home-${results.length}`);
  const work = join(home, 'project');
  mkdirSync(home, { recursive: true });
  git(folder, 'clone', '--quiet', '--shared', '--no-checkout', known.get(task.repo), work);
  git(work, 'checkout', '--quiet', '--detach', task.base_commit);
  const files = git(work, 'ls-files', '-z').split('\0').filter(Boolean);
  const gold = filesOfPatch(task.patch);
  const context = arm === 'with' ? bundleFor(task.problem_statement, work, home) : '';
  const model = values.scripted
    ? await scriptedModel(scriptOf(arm, work), { isMain: ({ length }) => length > 0 })
    : null;
  try {
    const lines = await events(`${context}${ORDER}\n\n${task.problem_statement}`, { home, work, model });
    const inContext = gold.filter((path) => context.includes(path));
    return { ...measured(traceOf(values.client, lines, { root: work, files }), gold), gold, inContext };
  } finally {
    await model?.close();
  }
}

function bundleFor(text, work, home) {
  const env = { PATH: process.env.PATH, HOME: home };
  return `${execFileSync(process.execPath, [BINARY, 'load', work, '--task', text, '--markdown'], { env, maxBuffer: 1 << 26 })}\n`;
}

// The client in a home of its own, until it ends or has had its turns.
async function events(prompt, { home, work, model }) {
  const files = model ? client.files({ repo: work, model }) : {};
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), text);
  }
  const own = model ? client.variables(model) : { [client.key]: process.env[client.key] };
  const env = { PATH: process.env.PATH, HOME: home, LANG: 'C.UTF-8', ...own };
  const words = client.args({ model: values.model, turns });
  const [command, ...args] = program.includes('/.bin/') ? [process.execPath, program, ...words] : [program, ...words];
  const child = spawn(command, args, { cwd: work, env, stdio: ['pipe', 'pipe', 'pipe'] });
  child.stdin.end(prompt);
  const timer = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
  let said = '';
  let complaint = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    said += text;
    // Not every client has a bound of its own.
    if (traceOf(values.client, said.split('\n').slice(0, -1), { root: work, files: [] }).turns > turns) child.kill();
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    complaint = `${complaint}${text}`.slice(-500);
  });
  await new Promise((done) => child.on('close', done));
  clearTimeout(timer);
  if (said === '') end(`${values.client} printed nothing. ${complaint}`);
  return said.split('\n');
}

function givenTasks() {
  const [source, ...repositories] = positionals;
  if (source === undefined || !existsSync(source) || repositories.length === 0)
    end('Name the tasks (.jsonl, .json or a git directory) and the git directories of their projects, or --scripted.');
  if (!process.env[client.key]) end(`Set ${client.key}, or try the harness without one: --scripted`);
  const places = new Map(repositories.map((path) => [nameOf(path), resolve(path)]));
  return { tasks: tasksIn(source, places), known: places };
}

// One small project in which the second file of two is the right one.
function scriptedTask() {
  const project = join(folder, 'bench+words');
  mkdirSync(project);
  writeFileSync(join(project, 'split.js'), 'exports.split = (text) => text.split(" ");\n');
  writeFileSync(join(project, 'join.js'), 'exports.join = (words) => words.slice(1).join(" ");\n');
  git(project, 'init', '--quiet');
  git(project, 'add', '--all');
  git(project, '-c', 'user.name=bench', '-c', 'user.email=bench@localhost', 'commit', '--quiet', '-m', 'words');
  const task = {
    instance_id: 'bench__words-1',
    repo: 'bench/words',
    base_commit: git(project, 'rev-parse', 'HEAD').trim(),
    problem_statement: 'join drops the first word',
    patch: 'diff --git a/join.js b/join.js\n',
  };
  return { tasks: [task], known: new Map([['bench/words', project]]) };
}

function scriptOf(arm, work) {
  const right = join(work, 'join.js');
  const first = arm === 'without' ? [client.reads(join(work, 'split.js'))] : [];
  return [...first, client.reads(right), client.edits(right, 'slice(1)', 'slice(0)'), { text: 'Done.' }];
}

function expectScripted() {
  const seen = results.map(({ openedBefore, turnsToEdit, turnsToRightEdit, inContext }) =>
    [openedBefore, turnsToEdit, turnsToRightEdit, inContext.length].join(' '),
  );
  const right = seen.join() === '1 3 3 0,0 2 2 1';
  console.log(
    right
      ? 'the harness counts what the script does'
      : `FAIL: the script does 1 3 3 0 and 0 2 2 1, counted: ${seen.join(' and ')}`,
  );
  process.exitCode = right ? 0 : 1;
}

function meanOf(rows, name) {
  const found = rows.map((row) => row[name]).filter((value) => value !== null);
  const mean = found.reduce((sum, value) => sum + value, 0) / (found.length || 1);
  return found.length === 0 ? '–' : `${mean.toFixed(1)} (${found.length})`;
}

function shown(value) {
  return value === null ? 'no' : value;
}

function end(sentence) {
  console.error(sentence);
  process.exit(2);
}
