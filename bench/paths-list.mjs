// npm run bench:paths: how many files and lines of ours run for one read_context, one confirm, one load and one run. Another clone
// is measured beside it where one is named: `npm run bench:paths -- DIR`. The sources are compiled file by file, without comments
// and types; V8's own coverage counts from the moment before a call to the moment after it, and for a command from start to end.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const folder = mkdtempSync(join(tmpdir(), 'bearings-paths-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const COMPILED = {
  module: ts.ModuleKind.ESNext,
  target: ts.ScriptTarget.ES2022,
  removeComments: true,
  rewriteRelativeImportExtensions: true,
  verbatimModuleSyntax: true,
};
const TASK = '<task type="atomic"><description>say hello to the water</description></task>';

function compiled(clone) {
  const root = join(folder, `${basename(clone)}-${readdirSync(folder).length}`);
  const files = readdirSync(join(clone, 'src'), { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  for (const { parentPath, name } of files) {
    const from = join(parentPath, name);
    if (/\.test\.ts$/.test(name) || from.includes('/web/page/')) continue;
    const to = join(root, relative(clone, from)).replace(/\.tsx?$/, '.js');
    mkdirSync(dirname(to), { recursive: true });
    if (!/\.tsx?$/.test(name)) cpSync(from, to);
    else
      writeFileSync(
        to,
        ts.transpileModule(readFileSync(from, 'utf8'), { compilerOptions: COMPILED, fileName: name }).outputText,
      );
  }
  cpSync(join(clone, 'package.json'), join(root, 'package.json'));
  symlinkSync(join(clone, 'node_modules'), join(root, 'node_modules'));
  return root;
}

// Each SIGUSR2 writes what ran since the one before; the answer is how many files of coverage there are.
writeFileSync(
  join(folder, 'take.cjs'),
  "process.on('SIGUSR2', () => { require('node:v8').takeCoverage(); process.stderr.write('taken\\n'); });",
);

function place(name) {
  const home = join(folder, name);
  const project = join(home, 'project');
  mkdirSync(project, { recursive: true });
  for (let i = 0; i < 20; i += 1)
    writeFileSync(join(project, `file${i}.ts`), `// water number ${i}\nexport const water${i} = 'hello ${i}';\n`);
  writeFileSync(join(project, 'task.xml'), TASK);
  execFileSync('git', ['init', '--quiet'], { cwd: project });
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    BEARINGS_CACHE: join(home, 'cache'),
    NO_COLOR: '1',
    NODE_DISABLE_COMPILE_CACHE: '1',
  };
  return { home, project, env };
}

function command(main, { project, env }, args, extra = {}) {
  const run = spawnSync(process.execPath, [main, ...args], {
    cwd: project,
    env: { ...env, ...extra },
    encoding: 'utf8',
  });
  if (run.status !== 0) throw new Error(`${args.join(' ')} ended with ${run.status}: ${run.stderr}`);
}

// The functions that ran, as the lines of a file that are in one of them and in no part of it that did not run.
function counted(coverage, root) {
  const ran = new Map();
  for (const name of readdirSync(coverage)) {
    for (const { url, functions } of JSON.parse(readFileSync(join(coverage, name), 'utf8')).result) {
      if (!url.startsWith('file:')) continue;
      const path = fileURLToPath(url);
      if (!path.startsWith(join(root, 'src'))) continue;
      const text = readFileSync(path, 'utf8');
      // The top of a module runs when it is loaded: only what is called counts.
      const inside = functions.filter(({ ranges: [whole] }) => whole.endOffset - whole.startOffset < text.length);
      if (!inside.some(({ ranges: [whole] }) => whole.count > 0)) continue;
      const marks = new Uint8Array(text.length);
      const size = ({ startOffset, endOffset }) => endOffset - startOffset;
      for (const range of inside.flatMap(({ ranges }) => ranges).sort((a, b) => size(b) - size(a)))
        marks.fill(range.count > 0 ? 1 : 0, range.startOffset, range.endOffset);
      let at = 0;
      const lines = ran.get(path) ?? new Set();
      for (const [number, line] of text.split('\n').entries()) {
        if (line.trim() !== '' && marks.subarray(at, at + line.length).includes(1)) lines.add(number);
        at += line.length + 1;
      }
      ran.set(path, lines);
    }
  }
  return { list: [...ran].map(([p, l]) => '    ' + String(l.size).padStart(4) + ' ' + p.slice(root.length + 1)).sort((a, b) => (a.slice(9) < b.slice(9) ? -1 : 1)), files: ran.size, lines: [...ran.values()].reduce((sum, { size }) => sum + size, 0) };
}

async function overMcp(main, { project, env }, root) {
  const coverage = join(folder, `coverage-${readdirSync(folder).length}`);
  const child = spawn(process.execPath, ['--require', join(folder, 'take.cjs'), main, 'mcp', '--workspace', 'w'], {
    cwd: project,
    env: { ...env, NODE_V8_COVERAGE: coverage },
  });
  const waiting = new Map();
  const send = (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  createInterface({ input: child.stdout }).on('line', (line) => {
    const message = JSON.parse(line);
    if (message.method === 'elicitation/create') send({ id: message.id, result: { action: 'accept', content: {} } });
    else waiting.get(message.id)?.(message);
  });
  let errors = '';
  let onTaken = () => undefined;
  child.stderr.on('data', (data) => {
    errors += data;
    if (String(data).includes('taken')) onTaken();
  });
  const ended = new Promise((_, reject) => child.once('exit', () => reject(new Error(errors))));
  ended.catch(() => undefined);
  let last = 0;
  const ask = (method, params) => {
    last += 1;
    const id = last;
    const answer = new Promise((done) => waiting.set(id, done));
    send({ id, method, params });
    return Promise.race([answer, ended]);
  };
  const take = async () => {
    const taken = new Promise((done) => {
      onTaken = done;
    });
    child.kill('SIGUSR2');
    await Promise.race([taken, ended]);
  };
  const call = async (name, args) => {
    const { result, error } = await ask('tools/call', { name, arguments: args });
    if (error || result.isError) throw new Error(`${name}: ${JSON.stringify(error ?? result.content)}`);
    return result.structuredContent;
  };
  // What is there after a call and was not before it.
  const during = async (name, args) => {
    await take();
    rmSync(coverage, { recursive: true, force: true });
    mkdirSync(coverage);
    await call(name, args);
    await take();
    return counted(coverage, root);
  };
  await ask('initialize', {
    protocolVersion: '2025-06-18',
    capabilities: { elicitation: {} },
    clientInfo: { name: 'bench', version: '1' },
  });
  send({ method: 'notifications/initialized' });
  // What a server starts by itself, half a second after it, belongs to no call.
  await new Promise((done) => setTimeout(done, 2_000));
  const read = await during('read_context', {});
  const { proposal_id } = await call('propose_notes_update', { content: 'the water is clean' });
  const confirm = await during('confirm_notes_update', { proposal_id });
  child.stdin.end();
  child.kill();
  return { read_context: read, confirm };
}

function ofCommand(main, at, root, args) {
  const coverage = join(folder, `coverage-${readdirSync(folder).length}`);
  command(main, at, args, { NODE_V8_COVERAGE: coverage });
  return counted(coverage, root);
}

const clones = [resolve(import.meta.dirname, '..'), ...process.argv.slice(2).map((clone) => resolve(clone))];
for (const clone of clones) {
  const root = compiled(clone);
  // Before November 2026 main.ts only started program.ts from a cache.
  const main = ['program.js', 'main.js'].map((name) => join(root, 'src', name)).find((path) => existsSync(path));
  const at = place(`home-${basename(root)}`);
  command(main, at, ['init', 'w']);
  writeFileSync(join(at.home, '.bearings/workspaces/w/notes.md'), '- the light is low\n');
  const counts = {
    ...(await overMcp(main, at, root)),
    load: ofCommand(main, at, root, ['load', '--task', 'water number']),
    run: ofCommand(main, at, root, ['run', 'task.xml']),
  };
  console.log(clone === clones[0] ? 'here' : clone);
  for (const [what, { files, lines, list }] of Object.entries(counts)) {
    console.log(list.join('\n'));
    console.log(`  ${what.padEnd(14)} ${String(files).padStart(4)} files ${String(lines).padStart(6)} lines`);
  }
}
