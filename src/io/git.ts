import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';

// Settings of a hostile repository that could start a program or reach the network are overruled.
const SAFE = [
  '-c',
  'core.fsmonitor=false',
  '-c',
  'core.hooksPath=/dev/null',
  '-c',
  'log.showSignature=false',
  '-c',
  'core.quotePath=false',
  '--no-optional-locks',
  '--no-pager',
];
const MOST_BYTES = 256 * 1024 * 1024;

// What git prints, or null where there is no git, no repository, or git refuses: history only helps, it is never needed.
export async function git(folder: string, args: readonly string[]): Promise<Buffer | null> {
  const said = await gitSays(folder, args);
  return said?.code === 0 ? said.printed : null;
}

interface Said {
  code: number | null;
  printed: Buffer;
  /** Empty unless it was asked for. */
  complaint: Buffer;
}

/** The same with how it ended; null where there is no git. */
export function gitSays(
  folder: string,
  args: readonly string[],
  { input, complaints = false }: { input?: string; complaints?: boolean } = {},
): Promise<Said | null> {
  return new Promise((resolve) => {
    const stdio = [input === undefined ? 'ignore' : 'pipe', 'pipe', complaints ? 'pipe' : 'ignore'] as const;
    const child = startGit(folder, args, [...stdio]);
    const [chunks, complaint]: [Buffer[], Buffer[]] = [[], []];
    let size = 0;
    child.stdout?.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > MOST_BYTES) child.kill();
      else chunks.push(chunk);
    });
    child.stderr?.on('data', (chunk: Buffer) => complaint.push(chunk));
    child.on('error', () => resolve(null));
    child.on('close', (code) => resolve({ code, printed: Buffer.concat(chunks), complaint: Buffer.concat(complaint) }));
    // Git that ends before it has read all says so by its code.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input);
  });
}

function startGit(folder: string, args: readonly string[], stdio: StdioOptions): ChildProcess {
  return spawn('git', [...SAFE, ...args], { cwd: folder, env: cleanVariables(), stdio });
}

// A hook or an outer git command may have set GIT_DIR and its kin: here the folder alone says which repository is meant.
function cleanVariables(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_'));
  return { ...Object.fromEntries(kept), LC_ALL: 'C', GIT_NO_LAZY_FETCH: '1', GIT_TERMINAL_PROMPT: '0' };
}
