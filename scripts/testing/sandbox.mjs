// A home and a temporary folder that only this run uses: nothing of the machine hides a fault, and nothing is left on it.
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TOOLS } from './tools.mjs';

export function makeSandbox() {
  // Short, because the path of a socket may have some hundred characters only; open, because tests drop to another user.
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'bt-')));
  chmodSync(folder, 0o755);
  const home = join(folder, 'home');
  const temporary = join(folder, 'tmp');
  for (const path of [home, temporary, join(folder, 'tools')]) mkdirSync(path);
  chmodSync(temporary, 0o1777);
  return { folder, home, temporary, remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }) };
}

/** The variables under which everything of a run is started. */
export function sandboxed({ home, temporary }, env = process.env) {
  const clean = Object.fromEntries(
    Object.entries(env).filter(([name]) => !/^(?:XDG_|BEARINGS_(?!TEST_)|CHEMIGRAM_)/.test(name)),
  );
  return {
    ...clean,
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
    NO_UPDATE_NOTIFIER: '1',
    BEARINGS_TEST_SANDBOX: home,
    BEARINGS_TEST_TOOLS: TOOLS,
  };
}
