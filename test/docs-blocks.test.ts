import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, it } from 'vitest';
import { openRooms } from '../src/bearings.ts';
import { COMMON_OPTIONS } from '../src/cli/command.ts';
import { COMMANDS } from '../src/cli/commands.ts';
import { readHomeAdapters } from '../src/loader/policy-files.ts';
import { rulesIn } from '../src/memory/rules.ts';
import { httpClient, httpServer } from './support/mcp/http-server.ts';
import { startUi } from './support/page/page-server.ts';
import { BINARY, bearings, environment, type Place, STARTED, typed } from './support/process/binary.ts';
import { put, tempFolder } from './support/temp-folder.ts';

const root = resolve(import.meta.dirname, '..');
const folder = tempFolder();
const own = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

interface Block {
  page: string;
  language: string;
  text: string;
}

// Blocks that are no `bash`: those run line by line in docs, loader-docs, guide-person and guide-team.
const blocks: Block[] = ['README.md', 'CONTRIBUTING.md', 'AGENTS.md', ...docs('docs')].flatMap((page) =>
  [...readFileSync(join(root, page), 'utf8').matchAll(/^( *)```(\w*)\n([\s\S]*?)^\1```$/gm)].map(
    ([, , language = '', text = '']) => ({ page, language, text }),
  ),
);

function docs(under: string): string[] {
  const names = readdirSync(join(root, under), { withFileTypes: true });
  const pages = names.filter((entry) => entry.isFile() && entry.name.endsWith('.md')).map((entry) => entry.name);
  return pages.map((name) => `${under}/${name}`);
}

interface Check {
  page: string;
  /** Is in the block that is meant. */
  holds: string;
  run(text: string): unknown;
}

const CHECKS: readonly Check[] = [
  { page: 'README.md', holds: 'npm start', run: scriptsAreThere },
  // `npm run first-day` runs it whole, from a checkout and from the packed package.
  { page: 'README.md', holds: 'bearings review  ', run: (text) => commandsAreKnown(text) },
  { page: 'README.md', holds: 'bearings install  ', run: (text) => commandsAreKnown(text) },
  // A picture.
  {
    page: 'README.md',
    holds: 'signed, chained',
    run: (text) => expect(text.split('\n').every((line) => [...line].length <= 130)).toBe(true),
  },
  { page: 'CONTRIBUTING.md', holds: 'npm run fix', run: scriptsAreThere },
  { page: 'AGENTS.md', holds: 'src/', run: treeIsThere },
  {
    page: 'README.md',
    holds: 'npm link',
    run: (text) => scriptsAreThere(text.replace('npm link', '')),
  },
  { page: 'docs/guide-tasks.md', holds: 'demo --examples', run: (text) => runLines(text, project('examples')) },
  { page: 'README.md', holds: 'bearings drift', run: (text) => runLines(text, project('readme')) },
  { page: 'README.md', holds: 'bearings runs resume', run: readmeTasks },
  { page: 'README.md', holds: '"mcpServers"', run: serverStarts },
  { page: 'README.md', holds: 'openBearings', run: (text) => program(text, 'memory.read') },
  { page: 'docs/guide-person.md', holds: 'workspaces link', run: linksWork },
  { page: 'docs/guide-tasks.md', holds: 'jq', run: commitsAsList },
  { page: 'docs/guide-tasks.md', holds: 'models:', run: isConfiguration },
  { page: 'docs/guide-tasks.md', holds: 'runs resume', run: commandsAreKnown },
  { page: 'docs/guide-team.md', holds: 'profiles:', run: isPolicy },
  { page: 'docs/library.md', holds: 'unaccountedBlocks({', run: (text) => program(text, 'unaccountedBlocks') },
  { page: 'docs/library.md', holds: 'person.decide(', run: (text) => program(text, 'showProposal') },
  { page: 'docs/library.md', holds: 'bearings/mcp', run: programServes },
  { page: 'docs/hooks.md', holds: 'Never run', run: (text) => expect(rulesIn(text)).toHaveLength(4) },
  { page: 'docs/loader.md', holds: 'kind: command', run: areAdapters },
  { page: 'docs/loader.md', holds: 'openBearings', run: (text) => program(text, 'loader.render') },
  { page: 'docs/mcp.md', holds: 'Serving MCP', run: httpSays },
  { page: 'docs/mcp.md', holds: '"type": "http"', run: httpConnects },
  { page: 'docs/page.md', holds: 'bearings ui', run: pageSays },
  { page: 'docs/page.md', holds: 'bearings verify key add', run: commandsAreKnown },
  { page: 'docs/guide-team.md', holds: 'PreToolUse', run: hookRefuses },
  { page: 'docs/tracing.md', holds: 'NodeTracerProvider', run: tracesLoad },
  { page: 'docs/scaling.md', holds: 'bearings runs worker', run: scalingIsKnown },
  { page: 'docs/security.md', holds: 'elicitation_off', run: isConfiguration },
  { page: 'docs/tasks.md', holds: 'timeout_seconds', run: isTemplate },
  { page: 'docs/tasks.md', holds: 'defineTask', run: tellsOfTheDoor },
];

describe('what the docs show and no line-by-line test runs', () => {
  for (const check of CHECKS)
    it(`${check.page}: the block with ${check.holds}`, async () => {
      const found = blocks.filter((block) => isMeant(block, check));
      expect(found).toHaveLength(1);
      await check.run(found[0]?.text ?? '');
    });

  it('every other block is bash, runs elsewhere, or is no example', () => {
    const unchecked = blocks.filter(
      // A drawing is no example.
      (block) => !['bash', 'mermaid'].includes(block.language) && !CHECKS.some((check) => isMeant(block, check)),
    );
    // The policy: test/loader/docs.test.ts. The workflow, and its steps about memory:
    // test/guide-team.test.ts. Agents: test/memory-tool/agents-page.test.ts.
    const elsewhere = unchecked.filter(
      ({ page, text }) =>
        page === 'docs/agents.md' ||
        (page === 'docs/loader.md' && text.includes('control_plane:')) ||
        (page === 'docs/guide-team.md' && (text.includes('runs-on:') || text.includes('bearings-keys'))),
    );
    expect(elsewhere).toHaveLength(8);
    expect(unchecked.filter((block) => !elsewhere.includes(block))).toEqual([]);
  });

  it('every line of bash is a call of bearings that a test can run', () => {
    const lines = blocks
      .filter(({ language }) => language === 'bash')
      .flatMap(({ page, text }) =>
        text
          .trim()
          .split('\n')
          .map((line) => ({ page, line })),
      );
    expect(lines.filter(({ line }) => !line.startsWith('bearings '))).toEqual([]);
  });
});

const isMeant = (block: Block, { page, holds }: Pick<Check, 'page' | 'holds'>): boolean =>
  block.language !== 'bash' && block.page === page && block.text.includes(holds);

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.replace(/\s+# .*$/, '').replace(/^\$ /, ''))
    .filter((line) => line.trim() !== '');

function scriptsAreThere(text: string): void {
  const asked = [...text.matchAll(/npm (?:run )?([a-z:]+)/g)]
    .map(([, name = '']) => name)
    .filter((name) => name !== 'ci');
  expect(asked.length).toBeGreaterThan(0);
  expect(asked.filter((name) => own.scripts[name] === undefined)).toEqual([]);
}

function treeIsThere(text: string): void {
  const names = text.split('\n').flatMap((line) => /^( *)([\w./-]+\/?) {2,}/.exec(line)?.slice(1, 3) ?? []);
  const paths = names.flatMap((name, at) => (at % 2 === 1 ? [`${names[at - 1] === '' ? '' : 'src/'}${name}`] : []));
  expect(paths.length).toBeGreaterThan(15);
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
}

// In a project where nothing was loaded the hook of the guide refuses an edit.
function hookRefuses(text: string): void {
  const [{ hooks }] = JSON.parse(text).hooks.PreToolUse;
  const place = project('hook');
  bearings(place, 'init');
  const { code, stdout } = bearings({ ...place, input: '{}' }, ...hooks[0].command.split(' ').slice(1));
  expect(code).toBe(0);
  expect(JSON.parse(stdout).hookSpecificOutput.permissionDecision).toBe('deny');
}

// With another exporter in the place of the one that needs a collector, the binary starts under it.
function tracesLoad(text: string): void {
  const place = project('traces');
  const local = text
    .replace(/^import .*otlp-http';$/m, '')
    .replace(
      /^const exporter = .*$/m,
      'const exporter = { export(_, done) { done({ code: 0 }); }, shutdown: async () => undefined };',
    );
  const beside = join(folder, 'traces', 'beside');
  put(beside, { 'tracing.mjs': local });
  symlinkSync(join(root, 'node_modules'), join(beside, 'node_modules'));
  const { status, stdout } = spawnSync(
    process.execPath,
    ['--import', join(beside, 'tracing.mjs'), BINARY, 'load', '--task', 'x', '--json'],
    { cwd: place.cwd, env: environment(place), encoding: 'utf8' },
  );
  expect([status, JSON.parse(stdout).version]).toEqual([0, 1]);
}

// A repository with some history, for lines that need one.
function project(name: string): Place & { cwd: string } {
  const place = { home: join(folder, name, 'home'), cwd: join(folder, name, 'project') };
  mkdirSync(place.home, { recursive: true });
  put(place.cwd, { 'AGENTS.md': 'rules\n', 'src/main.ts': 'export const door = 1;\n', Makefile: 'all:\n' });
  git(place, 'init', '-q');
  git(place, 'add', '-A');
  git(place, 'commit', '-qm', 'start');
  git(place, 'tag', 'v1.2.0');
  git(place, 'commit', '-q', '--allow-empty', '-m', 'fix: the "blue" door');
  writeFileSync(join(place.cwd, 'bundle.json'), bearings(place, 'load', '--task', 'x', '--json').stdout);
  return place;
}

function git(place: Place & { cwd: string }, ...args: string[]): void {
  const who = ['-c', 'user.name=t', '-c', 'user.email=t@example.com'];
  execFileSync('git', [...who, ...args], { cwd: place.cwd, env: environment(place) });
}

function runLines(text: string, place: Place): void {
  for (const line of linesOf(text)) {
    const { code: status, stderr } = typed(place, line);
    expect({ line, status, stderr: status === 0 ? '' : stderr }).toEqual({ line, status: 0, stderr: '' });
  }
}

// Placeholders can't run as they are: command and options must be known, and the rest runs with a file in place.
async function readmeTasks(text: string): Promise<void> {
  await commandsAreKnown(text);
  const place = project('readme-tasks');
  cpSync(join(root, 'examples'), join(place.cwd, 'examples'), { recursive: true });
  const given = (line: string) =>
    line.replace('FILE', 'examples/tasks/review-change.xml').replace('K=V', 'change="The door is blue."');
  const lines = linesOf(text).filter((line) => !line.includes('--model claude'));
  expect(lines.length).toBeGreaterThan(3);
  runLines(lines.map(given).join('\n'), place);
}

async function commandsAreKnown(text: string): Promise<void> {
  const calls = linesOf(text).filter((line) => line.startsWith('bearings '));
  expect(calls.length).toBeGreaterThan(0);
  for (const line of calls) {
    const name = line.split(' ')[1] ?? '';
    const { command } = (await COMMANDS[name]?.load()) ?? {};
    expect(command, line).toBeDefined();
    const known = Object.keys({ ...command?.options, ...COMMON_OPTIONS });
    for (const [, option = ''] of line.matchAll(/ --([a-z-]+)/g)) expect(known, line).toContain(option);
  }
}

async function scalingIsKnown(text: string): Promise<void> {
  await commandsAreKnown(text);
  const packages = /npm install (.+)/.exec(linesOf(text).join('\n'))?.[1]?.split(' ') ?? [];
  const tracing = '@opentelemetry/api';
  expect(packages.sort()).toEqual(
    Object.keys(own.peerDependencies)
      .filter((name) => name !== tracing)
      .sort(),
  );
}

function isConfiguration(text: string): void {
  const home = join(folder, 'configuration', String(blocks.findIndex((block) => block.text === text)));
  put(home, { '.bearings/config.yaml': text });
  expect(bearings({ home }, 'config', 'check')).toMatchObject({ code: 0, stderr: '' });
}

function isTemplate(text: string): void {
  const place = project('template');
  put(place.cwd, { 'task.xml': text });
  expect(bearings(place, 'check', 'task.xml')).toMatchObject({ code: 0, stderr: '' });
}

// Read, not run: they name programs of others.
async function areAdapters(text: string): Promise<void> {
  const home = join(folder, 'adapters');
  put(home, { 'adapters.yaml': text });
  const { adapters, problems } = await readHomeAdapters(home);
  expect(problems).toEqual([]);
  expect(adapters.map(({ name, kind }) => `${name} ${kind}`)).toEqual(['issues command', 'board mcp']);
}

async function isPolicy(text: string): Promise<void> {
  const place = project('profiles');
  put(place.cwd, { '.bearings/policy.yaml': text });
  const loader = await openRooms({ home: join(place.home, '.bearings'), cwd: place.cwd }).loader();
  expect((await loader.checkPolicy()).problems).toEqual([]);
  expect((await loader.showPolicy()).policy.profiles?.map(({ name }) => name)).toEqual(['reviewer', 'helper']);
}

// As someone's own program, beside an installed package.
async function withPackages(name: string): Promise<ReturnType<typeof project>> {
  const place = project(name);
  mkdirSync(join(place.cwd, 'node_modules'));
  symlinkSync(root, join(place.cwd, 'node_modules/bearings'));
  symlinkSync(join(root, 'node_modules/@modelcontextprotocol'), join(place.cwd, 'node_modules/@modelcontextprotocol'));
  const workspaces = await openRooms({ home: join(place.home, '.bearings'), cwd: place.cwd }).workspaces();
  for (const id of ['manta_001', 'first-steps']) await workspaces.createWorkspace({ id });
  return place;
}

async function programServes(text: string): Promise<void> {
  const place = await withPackages('program-serves');
  put(place.cwd, { 'it.mjs': text });
  await answers(place, [join(place.cwd, 'it.mjs')]);
}

async function tellsOfTheDoor(text: string): Promise<void> {
  const { content } = (await program(text, 'runTask')) as { content: string };
  expect(content.split('\n').at(-1)).toBe('The door is now blue.');
}

async function program(text: string, mustName: string): Promise<unknown> {
  expect(text).toContain(mustName);
  const place = await withPackages(`program-${mustName}`);
  const last = [...text.matchAll(/^const (?:\{ (\w+)|(\w+))/gm)].at(-1);
  put(place.cwd, { 'it.mjs': `${text}\nconsole.log(JSON.stringify(${last?.[1] ?? last?.[2]}));\n` });
  const run = spawnSync(process.execPath, ['it.mjs'], { cwd: place.cwd, env: environment(place), encoding: 'utf8' });
  expect({ status: run.status, stderr: run.stderr }).toEqual({ status: 0, stderr: '' });
  const value: unknown = JSON.parse(run.stdout);
  expect(value).toBeTruthy();
  return value;
}

async function serverStarts(text: string): Promise<void> {
  const { args } = JSON.parse(text).mcpServers.bearings as { args: string[] };
  const place = project('server');
  expect(bearings(place, 'init', 'first-steps').code).toBe(0);
  await answers(place, [...STARTED, BINARY, ...args]);
}

async function answers(place: Place & { cwd: string }, args: string[]): Promise<void> {
  const client = new Client({ name: 'docs', version: '1' });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args,
    env: environment(place),
    cwd: place.cwd,
    stderr: 'ignore',
  });
  await client.connect(transport);
  expect((await client.callTool({ name: 'read_context', arguments: {} })).isError).not.toBe(true);
  await client.close();
}

function linksWork(text: string): void {
  const place = project('links');
  expect(bearings(place, 'init').code).toBe(0);
  git(place, 'worktree', 'add', '-q', '../worktree');
  git(place, 'worktree', 'add', '-q', '-b', 'second', '../second');
  const lines = linesOf(text);
  expect(lines).toHaveLength(3);
  for (const line of lines)
    runLines(line.replace('../other', place.cwd), { ...place, cwd: join(folder, 'links/worktree') });
}

function commitsAsList(text: string): void {
  const place = project('commits');
  runLines(text, place);
  expect(readFileSync(join(place.cwd, 'commits.jsonl'), 'utf8')).toBe('"fix: the \\"blue\\" door"\n');
}

async function httpSays(text: string): Promise<void> {
  const place = project('http');
  const { said } = await httpServer(place);
  const shown = linesOf(text).slice(1).join('\n');
  expect(said.trim().replace(/:\d+/, ':PORT')).toBe(shown.replace(/:\d+/, ':PORT'));
}

async function httpConnects(text: string): Promise<void> {
  const place = project('http-client');
  const server = await httpServer(place);
  const { url, headers } = JSON.parse(text).mcpServers.bearings;
  expect(headers.Authorization).toBe('Bearer TOKEN');
  expect(new URL(url).pathname).toBe(new URL(server.url).pathname);
  const { client } = await httpClient(server);
  expect((await client.listTools()).tools.length).toBe(12);
}

async function pageSays(text: string): Promise<void> {
  const place = project('page');
  const ui = await startUi(place, []);
  const general = (said: string) =>
    said
      .replace(/:\d+/, ':PORT')
      .replace(/code {2}[0-9A-Z]{5}-[0-9A-Z]{5}/, 'code  CODE')
      .trim();
  const shown = general(ui.shown().replaceAll('\r', ''));
  for (const line of general(linesOf(text).slice(1).join('\n')).split('\n')) expect(shown).toContain(line);
}
