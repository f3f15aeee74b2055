import { execFileSync } from 'node:child_process';
import { afterEach } from 'vitest';
import { BINARY, environment, type Place } from './binary.ts';

/** A real terminal with a person at it. */
export interface TmuxTerminal {
  press(...keys: string[]): void;
  type(text: string): void;
  resize(columns: number, rows: number): void;
  /** What is on the screen, once it holds `text`. */
  until(text: string | RegExp): Promise<string>;
  /** The same with the colours in it. */
  colours(): string;
}

const open: string[] = [];
let count = 0;
afterEach(() => {
  for (const name of open.splice(0)) tmux(name, 'kill-server');
});

export function inTmux(
  place: Place,
  args: string[],
  options: { columns: number; rows?: number; variables?: Record<string, string> },
): TmuxTerminal {
  count += 1;
  const name = `bearings-test-${process.pid}-${count}`;
  open.push(name);
  const variables = { ...environment(place), TERM: 'screen-256color', ...options.variables };
  const env = Object.entries(variables).map(([key, value]) => `${key}=${quoted(value)}`);
  const line = [process.execPath, BINARY, ...args].map(quoted).join(' ');
  const size = ['-x', String(options.columns), '-y', String(options.rows ?? 24)];
  // Stays open after the command has ended, so that its last words can be read.
  const shell = `env -i ${env.join(' ')} ${line}; echo "ended with $?"; sleep 60`;
  tmux(name, '-f', '/dev/null', 'new-session', '-d', ...size, '-c', place.cwd ?? place.home, `sh -c ${quoted(shell)}`);
  tmux(name, 'set-option', '-g', 'window-size', 'manual');
  const capture = (...more: string[]) => tmux(name, 'capture-pane', '-p', ...more);
  return {
    press: (...keys) => void tmux(name, 'send-keys', ...keys),
    type: (text) => void tmux(name, 'send-keys', '-l', text),
    resize: (columns, rows) => void tmux(name, 'resize-window', '-x', String(columns), '-y', String(rows)),
    colours: () => capture('-e'),
    async until(text) {
      for (let tries = 0; tries < 300; tries += 1) {
        const screen = capture();
        if (typeof text === 'string' ? screen.includes(text) : text.test(screen)) return screen;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      throw new Error(`The screen never showed ${text}:\n${capture()}`);
    },
  };
}

function tmux(server: string, ...args: string[]): string {
  return execFileSync('tmux', ['-L', server, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
