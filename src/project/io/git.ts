import { spawn } from 'node:child_process';
import { programVariables, type Variables } from '../../files/run-program.ts';

// A repository's own settings must run nothing: no monitor, no hooks, no pager, no helper. A bare repository that lies
// among a project's files is not the project's.
const SAFE = [
  ...['core.fsmonitor=false', 'core.hooksPath=/dev/null', 'core.pager=cat', 'core.quotePath=false'],
  ...['log.showSignature=false', 'safe.bareRepository=explicit', 'submodule.recurse=false'],
].flatMap((setting) => ['-c', setting]);
const PLAIN = [...SAFE, '--no-optional-locks', '--no-pager'];
// No protocol has the name `none`: nothing is fetched, by no helper.
const NO_NETWORK = { GIT_ALLOW_PROTOCOL: 'none', GIT_NO_LAZY_FETCH: '1', GIT_TERMINAL_PROMPT: '0', GIT_ASKPASS: '' };
const MOST_BYTES = 256 * 1024 * 1024;
const LIMIT_MS = 10_000;
const PAUSE_MS = 60_000;

// Repositories that git waited in (a pipe in place of a file is enough): for a while it is not asked there again.
const waitedIn = new Map<string, number>();

/** To be passed on wherever git was asked about a folder; none where it answered. */
export function gitWarnings(folder: string): string[] {
  return isWaiting(folder) ? ['git did not answer in time: it is left out, its history and its settings.'] : [];
}

function isWaiting(folder: string): boolean {
  return Date.now() - (waitedIn.get(folder) ?? Number.NEGATIVE_INFINITY) < PAUSE_MS;
}

export interface GitOptions {
  /** Default: those of this process. */
  variables?: Variables;
  /** More settings, as git takes them from its environment. */
  settings?: Readonly<Record<string, string>>;
  timeoutMs?: number;
}

// What git prints, or null where there is no git, no repository, git refuses or takes too long: history only helps, it
// is never needed.
export function git(folder: string, args: readonly string[], options: GitOptions = {}): Promise<Buffer | null> {
  const { variables = process.env, settings = {}, timeoutMs = LIMIT_MS } = options;
  if (isWaiting(folder)) return Promise.resolve(null);
  return new Promise((resolve) => {
    const child = spawn('git', [...PLAIN, ...args], {
      cwd: folder,
      // GIT_DIR and its kin, set by a hook or an outer git, stay out: the folder alone says which repository is meant.
      env: { ...programVariables([], variables, folder), LC_ALL: 'C', ...NO_NETWORK, ...settings },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const timer = setTimeout(() => {
      waitedIn.set(folder, Date.now());
      child.kill('SIGKILL');
      child.stdout.destroy();
      resolve(null);
    }, timeoutMs);
    const end = (printed: Buffer | null) => {
      clearTimeout(timer);
      resolve(printed);
    };
    const chunks: Buffer[] = [];
    let size = 0;
    child.stdout.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > MOST_BYTES) child.kill();
      else chunks.push(chunk);
    });
    child.on('error', () => end(null));
    child.on('close', (code) => end(code === 0 ? Buffer.concat(chunks) : null));
  });
}
