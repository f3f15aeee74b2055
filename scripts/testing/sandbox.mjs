// A home and a temporary folder that only this run uses: nothing of the machine hides a fault, and nothing is left on it.
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { TOOLS } from './tools.mjs';

const MEMORY = '/dev/shm';
const LEAST_FREE = 4 * 2 ** 30;
const COMPILED_ONCE = fileURLToPath(new URL('../../test/support/process/compiled-once.cjs', import.meta.url));

export function makeSandbox() {
  const folder = folderInMemory() ?? newFolder(plainParent());
  const home = join(folder, 'home');
  const temporary = join(folder, 'tmp');
  for (const path of [home, temporary, join(folder, 'tools'), join(folder, 'compiled')]) mkdirSync(path);
  // It keeps what it compiled beside itself.
  copyFileSync(COMPILED_ONCE, compiledIn(folder));
  chmodSync(temporary, 0o1777);
  return { folder, home, temporary, remove: () => remove(folder) };
}

// What a run that was ended has started may still write for a moment.
function remove(folder, tries = 20) {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch (error) {
    if (tries === 0) throw error;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 250);
    remove(folder, tries - 1);
  }
}

// Tests write small shell commands that name what lies in it.
function plainParent() {
  const given = tmpdir();
  return /^[\w./-]+$/.test(given) || !isFolder('/tmp') ? given : '/tmp';
}

const isFolder = (path) => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

const compiledIn = (folder) => join(folder, 'compiled', 'compiled-once.cjs');

// Short, because the path of a socket may have some hundred characters only; open, because tests drop to another user.
function newFolder(parent) {
  const folder = realpathSync(mkdtempSync(join(parent, 'bt-')));
  chmodSync(folder, 0o755);
  return folder;
}

// Tests that kill programs in the middle of a write wait for the disk most of the time. BEARINGS_TEST_DISK=1 has them wait.
function folderInMemory() {
  if (process.env.BEARINGS_TEST_DISK) return null;
  let folder;
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    if (bavail * bsize < LEAST_FREE) return null;
    folder = newFolder(MEMORY);
    // Some systems let nothing be started from there, and tests start programs that they wrote.
    const program = join(folder, 'started');
    writeFileSync(program, '#!/bin/sh\nexit 0\n', { mode: 0o755 });
    const { status } = spawnSync(program);
    rmSync(program);
    if (status === 0) return folder;
  } catch {
    // No such folder here.
  }
  if (folder) rmSync(folder, { recursive: true, force: true });
  return null;
}

// Where a person's programs look, how they print and what they are allowed: a test says itself what it needs of it.
const OWN_TO_A_PERSON = [
  /^(?:XDG_|BEARINGS_(?!TEST_)|CHEMIGRAM_|CLAUDE|CODEX_|CURSOR_|GEMINI_|OTEL_)/,
  /^(?:GIT_(?!SSL)|PG[A-Z]|TMUX|LC_)/,
  /^(?:FORCE_COLOR|NO_COLOR|CLICOLOR(?:_FORCE)?|COLORTERM|COLUMNS|LINES|LANG|LANGUAGE)$/,
  /^(?:EDITOR|VISUAL|PAGER|BROWSER|NODE_OPTIONS|NODE_ENV|NODE_PATH)$/,
  /_(?:API_KEY|AUTH_TOKEN)$/,
];

/** The variables under which everything of a run is started. */
export function sandboxed({ folder, home, temporary }, env = process.env) {
  const clean = Object.fromEntries(
    Object.entries(env).filter(([name]) => !OWN_TO_A_PERSON.some((names) => names.test(name))),
  );
  // Read again at every start of Node, which takes longer than all the rest of that start: only npm gets them, by `npmEnv`.
  const { NODE_EXTRA_CA_CERTS: certificates, ...lean } = clean;
  return {
    ...lean,
    ...(certificates && { BEARINGS_TEST_CERTIFICATES: certificates }),
    LANG: 'C.UTF-8',
    HOME: home,
    USERPROFILE: home,
    XDG_CACHE_HOME: join(home, '.cache'),
    XDG_CONFIG_HOME: join(home, '.config'),
    XDG_DATA_HOME: join(home, '.local/share'),
    XDG_STATE_HOME: join(home, '.local/state'),
    XDG_RUNTIME_DIR: temporary,
    TMPDIR: temporary,
    TMUX_TMPDIR: temporary,
    npm_config_cache: join(TOOLS, 'npm'),
    // From Node 22 on, tools that ask for it would leave compiled code in the temporary folder.
    NODE_DISABLE_COMPILE_CACHE: '1',
    NO_UPDATE_NOTIFIER: '1',
    BEARINGS_TEST_SANDBOX: home,
    BEARINGS_TEST_COMPILED: compiledIn(folder),
    BEARINGS_TEST_TOOLS: TOOLS,
  };
}
