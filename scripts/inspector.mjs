// npm run test:inspector: the official MCP Inspector, in command-line mode on Node 24, lists and calls every tool of the
// built binary. Node and Inspector come from npm into a cache folder, once; they are no dependencies of ours.
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const NODE = '24.21.0';
const INSPECTOR = '@modelcontextprotocol/inspector';
const BINARY = fileURLToPath(new URL('../dist/bin/main.cjs', import.meta.url));
const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'bearings-inspector');

const tools = bring();
if (!tools) {
  console.log('left out: the MCP Inspector could not be had from npm');
  process.exit(process.env.CI === 'true' ? 1 : 0);
}
const place = mkdtempSync(join(tmpdir(), 'bearings-inspector-'));
process.on('exit', () => rmSync(place, { recursive: true, force: true }));
mkdirSync(join(place, '.bearings/workspaces/manta'), { recursive: true });
writeFileSync(join(place, '.bearings/workspaces/manta/brief.md'), 'Quiet mood.\n');

const listed = inspect(['--method', 'tools/list']).tools.map(({ name }) => name);
const proposal = (content) =>
  inspect(call('propose_notes_update', { image_id: 'manta', content })).structuredContent.proposal_id;
const CALLS = {
  read_context: () => ({ image_id: 'manta' }),
  read_full_notes: () => ({ image_id: 'manta' }),
  load_context: () => ({ task: 'look around' }),
  propose_taste_update: () => ({ content: '- calm water', category: 'value' }),
  propose_notes_update: () => ({ image_id: 'manta', content: 'the water reads clean' }),
  confirm_taste_update: () => ({
    proposal_id: inspect(call('propose_taste_update', { content: '- wide', category: 'value' })).structuredContent
      .proposal_id,
  }),
  confirm_notes_update: () => ({ proposal_id: proposal('asked about') }),
  list_proposals: () => ({ image_id: 'manta' }),
  withdraw_proposal: () => ({ proposal_id: proposal('taken back') }),
  end_session: () => ({ image_id: 'manta' }),
  log_operation: () => ({ image_id: 'manta', op: 'apply' }),
  log_vocabulary_gap: () => ({ image_id: 'manta', description: 'no way to do it' }),
};
let failed = 0;
for (const name of new Set([...listed, ...Object.keys(CALLS)])) {
  const result = listed.includes(name) && CALLS[name] ? inspect(call(name, CALLS[name]())) : null;
  const ok = result !== null && result.isError !== true && result.structuredContent !== undefined;
  if (!ok) failed += 1;
  console.log(`${ok ? 'ok  ' : 'FAIL'} ${name}${ok ? '' : ` ${JSON.stringify(result)}`}`);
}
for (const [method, key] of [
  ['prompts/list', 'prompts'],
  ['resources/list', 'resources'],
  ['resources/templates/list', 'resourceTemplates'],
]) {
  const count = inspect(['--method', method])[key]?.length ?? 0;
  if (count === 0) failed += 1;
  console.log(`${count > 0 ? 'ok  ' : 'FAIL'} ${method}: ${count}`);
}
console.log(
  `${listed.length} tools listed and called with the MCP Inspector on node ${tools.version}, ${failed} failed`,
);
process.exit(failed === 0 ? 0 : 1);

function call(name, input) {
  const args = Object.entries(input).flatMap(([key, value]) => ['--tool-arg', `${key}=${value}`]);
  return ['--method', 'tools/call', '--tool-name', name, ...args];
}

function inspect(args) {
  const env = { PATH: `${tools.bin}:${process.env.PATH}`, HOME: place, BEARINGS_CACHE: join(place, 'cache') };
  const run = spawnSync(tools.node, [tools.inspector, '--cli', tools.node, BINARY, 'mcp', ...args], {
    cwd: place,
    env,
    encoding: 'utf8',
    timeout: 60_000,
  });
  try {
    return JSON.parse(run.stdout);
  } catch {
    throw new Error(`the Inspector answered: ${run.stdout}${run.stderr}`);
  }
}

// The binary of node comes as a package per system; its own installer would need to run a script.
function bring() {
  const system = `node-bin-${process.platform === 'darwin' ? 'darwin' : 'linux'}-${process.arch}`;
  const old = `node-${process.platform}-${process.arch}`;
  const found = () => {
    const node = [system, old].map((name) => join(cache, 'node_modules', name, 'bin/node')).find(existsSync);
    const manifest = join(cache, 'node_modules/@modelcontextprotocol/inspector/package.json');
    if (!node || !existsSync(manifest)) return null;
    chmodSync(node, 0o755);
    const { bin } = JSON.parse(readFileSync(manifest, 'utf8'));
    const entry = typeof bin === 'string' ? bin : Object.values(bin)[0];
    const version = spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout?.trim();
    return version?.startsWith('v24')
      ? { node, version, bin: join(node, '..'), inspector: join(manifest, '..', entry) }
      : null;
  };
  const ready = found();
  if (ready) return ready;
  console.log('bringing node 24 and the MCP Inspector from npm');
  mkdirSync(cache, { recursive: true });
  writeFileSync(join(cache, 'package.json'), '{ "private": true }\n');
  const npm = (...args) =>
    spawnSync('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...args], {
      cwd: cache,
      stdio: ['ignore', 'ignore', 'inherit'],
      timeout: 300_000,
    }).status === 0;
  if (!npm(`${old}@${NODE}`, INSPECTOR)) npm(`${system}@${NODE}`, INSPECTOR);
  return found();
}
