import { spawn } from 'node:child_process';

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
export function git(folder: string, args: readonly string[]): Promise<Buffer | null> {
  return new Promise((resolve) => {
    const child = spawn('git', [...SAFE, ...args], {
      cwd: folder,
      env: cleanVariables(),
      stdio: ['ignore', 'pipe', 'ignore'],
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

// A hook or an outer git command may have set GIT_DIR and its kin: here the folder alone says which repository is meant.
function cleanVariables(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_'));
  return { ...Object.fromEntries(kept), LC_ALL: 'C', GIT_NO_LAZY_FETCH: '1', GIT_TERMINAL_PROMPT: '0' };
}
