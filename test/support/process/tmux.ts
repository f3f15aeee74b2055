import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { afterEachTest } from '../after-tests.ts';
import { tempFolder } from '../temp-folder.ts';
import { BINARY, environment, type Place, STARTED } from './binary.ts';

/** A real terminal with a person at it. */
export interface Screen {
  /** What the person sees; where no size was asked for, also what scrolled away. */
  text(): string;
  /** The same with the colours in it. */
  colours(): string;
  /** Waits until it shows `words` and a key would count, and gives the screen. */
  shows(words: string | RegExp): Promise<string>;
  press(...keys: string[]): void;
  /** Presses until it shows `words`, as a person does whose key came too early to count. */
  chooses(keys: string | readonly string[], words: string): Promise<string>;
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

// Only a screen that never shows it waits so long.
const PATIENCE_MS = 120_000;

const open: string[] = [];
afterEachTest(() => {
  for (const socket of open.splice(0)) spawnSync('tmux', ['-S', socket, 'kill-server'], { stdio: 'ignore' });
});

// The built binary in a terminal of its own. It stays open after the command has ended: its last words can be read.
export function screen(place: Place, args: string[], options: ScreenOptions = {}): Screen {
  const socket = join(tempFolder(), 's');
  open.push(socket);
  const isSized = options.columns !== undefined;
  const { columns = 100, rows = isSized ? 24 : 60, variables } = options;
  const env = Object.entries({ ...environment(place), TERM: 'screen-256color', ...variables });
  const line = [
    'env',
    '-i',
    ...env.map(([name, value]) => `${name}=${value}`),
    process.execPath,
    ...STARTED,
    BINARY,
    ...args,
  ];
  // Ctrl-C goes to the shell too, and some shells end with it: this one goes on and says how the command ended.
  const shell = `trap : INT; ${line.map(quoted).join(' ')}; echo "ended with $?"; exec sleep 100000`;
  const size = ['-x', String(columns), '-y', String(rows), '-c', place.cwd ?? place.home];
  tmux(socket, '-f', '/dev/null', 'new-session', '-d', ...size, shell);
  tmux(socket, 'set-option', '-g', 'window-size', 'manual');
  const capture = (...more: string[]) => tmux(socket, 'capture-pane', '-p', ...more);
  const text = () => (isSized ? capture() : capture('-S', '-200'));
  const type = (keys: string) => void tmux(socket, 'send-keys', '-l', keys);
  const shows = async (words: string | RegExp): Promise<string> => {
    for (const started = performance.now(); performance.now() - started < PATIENCE_MS; ) {
      const seen = text();
      const isReady = !/^…$/m.test(seen);
      if (isReady && (typeof words === 'string' ? seen.includes(words) : words.test(seen))) return seen;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error(`The screen never showed ${words}:\n${text()}`);
  };
  const press = (...keys: string[]) => void tmux(socket, 'send-keys', ...keys);
  return {
    text,
    shows,
    press,
    async chooses(keys, words) {
      for (;;) {
        press(...[keys].flat());
        const seen = await Promise.race([
          shows(words),
          new Promise<null>((resolve) => setTimeout(resolve, 2_000, null)),
        ]);
        if (seen !== null) return seen;
      }
    },
    type,
    colours: () => capture('-e'),
    enter(keys) {
      if (keys) type(keys);
      tmux(socket, 'send-keys', 'Enter');
    },
    resize: (width, height) => void tmux(socket, 'resize-window', '-x', String(width), '-y', String(height)),
    ends: async () => Number(/ended with (\d+)/.exec(await shows('ended with '))?.[1]),
  };
}

function tmux(socket: string, ...args: string[]): string {
  // The same shell for everyone, whatever the person's own is.
  const env = { ...process.env, SHELL: '/bin/sh' };
  return execFileSync('tmux', ['-S', socket, ...args], { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
