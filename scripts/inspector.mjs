// The official MCP Inspector, in command-line mode on Node 24, against the built binary: `npm run test:inspector` lists
// and calls every tool; `--quick` (part of npm test) lists all and calls three. Node and Inspector come from npm into a
// cache folder, once; they are no dependencies of ours. Exit 75: they can't be had here (a failure in CI).
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bringFromNpm, bringNode24, NODE_24 } from './testing/tools.mjs';

const INSPECTOR = '@modelcontextprotocol/inspector@2.12.0';
const BINARY = fileURLToPath(new URL('../dist/bin/main.cjs', import.meta.url));
const NOT_HERE = 75;
// Every start of the Inspector takes seconds.
const AT_ONCE = 4;
const QUICK = ['read_context', 'load_context', 'confirm_notes_update'];
const isQuick = process.argv.includes('--quick');

const tools = bring();
if (!tools) {
  console.log('left out: the MCP Inspector could not be had from npm');
  process.exit(process.env.CI === 'true' ? 1 : NOT_HERE);
}
const place = mkdtempSync(join(tmpdir(), 'bearings-inspector-'));
process.on('exit', () => rmSync(place, { recursive: true, force: true }));
mkdirSync(join(place, '.bearings/workspaces/manta'), { recursive: true });
writeFileSync(join(place, '.bearings/workspaces/manta/brief.md'), 'Quiet mood.\n');

const propose = async (tool, input) => (await inspect(call(tool, input))).structuredContent.proposal_id;
const proposeNotes = (content) => propose('propose_notes_update', { image_id: 'manta', content });
const CALLS = {
  read_context: () => ({ image_id: 'manta' }),
  read_full_notes: () => ({ image_id: 'manta' }),
  load_context: () => ({ task: 'look around' }),
  propose_taste_update: () => ({ content: '- calm water', category: 'value' }),
  propose_notes_update: () => ({ image_id: 'manta', content: 'the water reads clean' }),
  confirm_taste_update: async () => ({
    proposal_id: await propose('propose_taste_update', { content: '- wide', category: 'value' }),
  }),
  confirm_notes_update: async () => ({ proposal_id: await proposeNotes('asked about') }),
  list_proposals: () => ({ image_id: 'manta' }),
  withdraw_proposal: async () => ({ proposal_id: await proposeNotes('taken back') }),
  end_session: () => ({ image_id: 'manta' }),
  log_operation: () => ({ image_id: 'manta', op: 'apply' }),
  log_vocabulary_gap: () => ({ image_id: 'manta', description: 'no way to do it' }),
};
const LISTS = {
  'prompts/list': 'prompts',
  'resources/list': 'resources',
  'resources/templates/list': 'resourceTemplates',
};

let listed = [];
let failed = 0;
const tell = (ok, what, more = '') => {
  if (!ok) failed += 1;
  console.log(`${ok ? 'ok  ' : 'FAIL'} ${what}${ok ? '' : more}`);
};
const called = isQuick ? QUICK : Object.keys(CALLS);
const jobs = [
  async () => {
    listed = (await inspect(['--method', 'tools/list'])).tools.map(({ name }) => name);
    const isAll = listed.slice().sort().join() === Object.keys(CALLS).sort().join();
    tell(isAll, `tools/list: ${listed.length}`, ` ${listed.join()}`);
  },
  ...called.map((name) => async () => {
    const result = await inspect(call(name, await CALLS[name]()));
    tell(result.isError !== true && result.structuredContent !== undefined, name, ` ${JSON.stringify(result)}`);
  }),
  ...Object.entries(isQuick ? {} : LISTS).map(([method, key]) => async () => {
    const count = (await inspect(['--method', method]))[key]?.length ?? 0;
    tell(count > 0, `${method}: ${count}`);
  }),
];
await Promise.all(
  Array.from({ length: AT_ONCE }, async () => {
    for (let job = jobs.shift(); job; job = jobs.shift()) await job();
  }),
);
console.log(
  `${listed.length} tools listed, ${called.length} called with the MCP Inspector on node ${tools.version}, ${failed} failed`,
);
process.exit(failed === 0 ? 0 : 1);

function call(name, input) {
  const args = Object.entries(input).flatMap(([key, value]) => ['--tool-arg', `${key}=${value}`]);
  return ['--method', 'tools/call', '--tool-name', name, ...args];
}

function inspect(args) {
  const env = { PATH: `${tools.bin}:${process.env.PATH}`, HOME: place, BEARINGS_CACHE: join(place, 'cache') };
  const options = { cwd: place, env, timeout: 120_000 };
  const child = spawn(tools.node, [tools.inspector, '--cli', tools.node, BINARY, 'mcp', ...args], options);
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'])
    child[name].setEncoding('utf8').on('data', (text) => {
      said[name] += text;
    });
  return new Promise((resolve, reject) => {
    child.on('error', reject).on('close', () => {
      try {
        resolve(JSON.parse(said.stdout));
      } catch {
        reject(new Error(`the Inspector answered: ${said.stdout}${said.stderr}`));
      }
    });
  });
}

function bring() {
  const folder = bringFromNpm('inspector', [INSPECTOR]);
  const node = folder && bringNode24();
  if (!node) return null;
  const manifest = join(folder, 'node_modules/@modelcontextprotocol/inspector/package.json');
  const { bin } = JSON.parse(readFileSync(manifest, 'utf8'));
  const entry = typeof bin === 'string' ? bin : Object.values(bin)[0];
  return { node, version: NODE_24, bin: join(node, '..'), inspector: join(manifest, '..', entry) };
}
