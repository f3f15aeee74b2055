import { execFileSync } from 'node:child_process';
import { afterEach } from 'vitest';
import { BINARY, environment, type Place } from './binary.ts';

/** A real terminal with a person at it. */
export interface Screen {
  /** What the person sees; where no size was asked for, also what scrolled away. */
  text(): string;
  /** The same with the colours in it. */
  colours(): string;
  /** Waits until it shows `words`, and gives the screen. */
  shows(words: string | RegExp): Promise<string>;
  press(...keys: string[]): void;
  type(text: string): void;
  enter(text?: string): void;
  resize(columns: number, rows: number): void;
  /** Waits for the end; its exit code. */
  ends(): Promise<number>;
}

export interface ScreenOptions {
  columns?: number;
  rows?: number;
  variables?: Record<string, string>;
}

const open: string[] = [];
let count = 0;
afterEach(() => {
  for (const socket of open.splice(0)) tmux(socket, 'kill-server');
});

// The built binary in a terminal of its own. It stays open after the command has ended: its last words can be read.
export function screen(place: Place, args: string[], options: ScreenOptions = {}): Screen {
  count += 1;
  const socket = `bearings-${process.pid}-${count}`;
  open.push(socket);
  const isSized = options.columns !== undefined;
  const { columns = 100, rows = isSized ? 24 : 60, variables } = options;
  const env = Object.entries({ ...environment(place), TERM: 'screen-256color', ...variables });
  const line = ['env', '-i', ...env.map(([name, value]) => `${name}=${value}`), process.execPath, BINARY, ...args];
  const shell = `${line.map(quoted).join(' ')}; echo "ended with $?"; sleep 60`;
  const size = ['-x', String(columns), '-y', String(rows), '-c', place.cwd ?? place.home];
  tmux(socket, '-f', '/dev/null', 'new-session', '-d', ...size, shell);
  tmux(socket, 'set-option', '-g', 'window-size', 'manual');
  const capture = (...more: string[]) => tmux(socket, 'capture-pane', '-p', ...more);
  const text = () => (isSized ? capture() : capture('-S', '-200'));
  const type = (keys: string) => void tmux(socket, 'send-keys', '-l', keys);
  const shows = async (words: string | RegExp): Promise<string> => {
    for (let tries = 0; tries < 400; tries += 1) {
      const seen = text();
      if (typeof words === 'string' ? seen.includes(words) : words.test(seen)) return seen;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error(`The screen never showed ${words}:\n${text()}`);
  };
  return {
    text,
    shows,
    type,
    colours: () => capture('-e'),
    press: (...keys) => void tmux(socket, 'send-keys', ...keys),
    enter(keys) {
      if (keys) type(keys);
      tmux(socket, 'send-keys', 'Enter');
    },
    resize: (width, height) => void tmux(socket, 'resize-window', '-x', String(width), '-y', String(height)),
    ends: async () => Number(/ended with (\d+)/.exec(await shows('ended with '))?.[1]),
  };
}

function tmux(socket: string, ...args: string[]): string {
  return execFileSync('tmux', ['-L', socket, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
