import { execFileSync } from 'node:child_process';
import { afterEach } from 'vitest';
import { BINARY, environment, type Place } from './binary.ts';

export interface Screen {
  /** What the person sees. */
  text(): string;
  /** Waits until it shows `words`, and gives the screen. */
  shows(words: string): Promise<string>;
  type(text: string): void;
  enter(text?: string): void;
  /** Waits for the end; its exit code. */
  ends(): Promise<number>;
}

const open: string[] = [];
let count = 0;
afterEach(() => {
  for (const socket of open.splice(0)) tmux(socket, 'kill-server');
});

// The built binary in a real terminal of its own, 100 columns wide.
export function screen(place: Place, args: string[], variables: Record<string, string> = {}): Screen {
  count += 1;
  const socket = `bearings-${process.pid}-${count}`;
  const env = Object.entries({ ...environment(place), TERM: 'screen', ...variables }).map(
    ([name, value]) => `${name}=${value}`,
  );
  const line = ['env', '-i', ...env, process.execPath, BINARY, ...args]
    .map((word) => `'${word.replaceAll("'", "'\\''")}'`)
    .join(' ');
  const size = ['-x', '100', '-y', '60', '-c', place.cwd ?? place.home];
  tmux(socket, '-f', '/dev/null', 'new-session', '-d', ...size, `${line}; echo "ended with $?"; sleep 60`);
  open.push(socket);
  const text = () => tmux(socket, 'capture-pane', '-p', '-S', '-200');
  const shows = async (words: string): Promise<string> => {
    for (let tries = 0; tries < 400; tries += 1) {
      const seen = text();
      if (seen.includes(words)) return seen;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error(`the screen never showed ${JSON.stringify(words)}:\n${text()}`);
  };
  const type = (keys: string) => void tmux(socket, 'send-keys', '-l', keys);
  return {
    text,
    shows,
    type,
    enter(keys) {
      if (keys) type(keys);
      tmux(socket, 'send-keys', 'Enter');
    },
    ends: async () => Number(/ended with (\d+)/.exec(await shows('ended with '))?.[1]),
  };
}

function tmux(socket: string, ...args: string[]): string {
  return execFileSync('tmux', ['-L', socket, ...args], { encoding: 'utf8' });
}
