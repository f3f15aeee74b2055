import { spawn } from 'node:child_process';
import { programVariables, type Variables } from '../../files/run-program.ts';

// A repository's own settings must run nothing: no monitor, no hooks, no pager, no helper. A bare repository that lies
// among a project's files is not the project's.
const SAFE = [
  ...['core.fsmonitor=false', 'core.hooksPath=/dev/null', 'core.pager=cat', 'core.quotePath=false'],
  ...['log.showSignature=false', 'safe.bareRepository=explicit'],
].flatMap((setting) => ['-c', setting]);
const PLAIN = [...SAFE, '--no-optional-locks', '--no-pager'];
// No protocol has the name `none`: nothing is fetched, by no helper.
const NO_NETWORK = { GIT_ALLOW_PROTOCOL: 'none', GIT_NO_LAZY_FETCH: '1', GIT_TERMINAL_PROMPT: '0', GIT_ASKPASS: '' };
const MOST_BYTES = 256 * 1024 * 1024;

export interface GitOptions {
  /** Default: those of this process. */
  variables?: Variables;
  /** More settings, as git takes them from its environment. */
  settings?: Readonly<Record<string, string>>;
  timeoutMs?: number;
}

// What git prints, or null where there is no git, no repository, or git refuses: history only helps, it is never needed.
export function git(folder: string, args: readonly string[], options: GitOptions = {}): Promise<Buffer | null> {
  const { variables = process.env, settings = {}, timeoutMs } = options;
  return new Promise((resolve) => {
    const child = spawn('git', [...PLAIN, ...args], {
      cwd: folder,
      // GIT_DIR and its kin, set by a hook or an outer git, stay out: the folder alone says which repository is meant.
      env: { ...programVariables([], variables, folder), LC_ALL: 'C', ...NO_NETWORK, ...settings },
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: timeoutMs,
    });
    const chunks: Buffer[] = [];
    let size = 0;
    child.stdout.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > MOST_BYTES) child.kill();
      else chunks.push(chunk);
    });
    child.on('error', () => resolve(null));
    child.on('close', (code) => resolve(code === 0 ? Buffer.concat(chunks) : null));
  });
}
