// A client in a terminal of its own (tmux): what it shows is read, and keys are pressed as a person would.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { commandOf, PATIENCE_MS } from './place.mjs';

const pause = () => new Promise((done) => setTimeout(done, 250));

/** `ready`: what the client shows once it takes a prompt. */
export async function openTerminal(program, args, { home, repo, env }, ready) {
  const socket = join(home, 'tmux');
  const tmux = (...words) =>
    execFileSync('tmux', ['-S', socket, '-f', '/dev/null', ...words], { env, encoding: 'utf8' });
  tmux('new-session', '-d', '-x', '100', '-y', '45', '-c', repo, ...commandOf(program), ...args);
  const shots = [];
  const shot = () => {
    shots.push(tmux('capture-pane', '-p'));
    return shots.at(-1);
  };
  const wait = async (holds, what) => {
    for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await pause()) {
      const found = holds(shot());
      if (found) return found;
    }
    throw new Error(`Waited for ${what}. On the screen:\n${shot()}`);
  };
  const terminal = {
    until: (pattern) => wait((text) => pattern.test(text) && text, pattern),
    seen: (pattern) => shots.some((text) => pattern.test(text)),
    shot,
    press: (key) => tmux('send-keys', key),
    write: (text) => tmux('send-keys', '-l', text),
    // What was written is there before Enter: some clients take both at once for something pasted.
    async command(text) {
      terminal.write(text);
      await wait((screen) => screen.includes(text), `"${text}" on the screen`);
      terminal.press('Enter');
    },
    // A client may take a prompt before its servers are there, and then has no tools: it is asked again until it has.
    async type(text, isHeard) {
      await terminal.until(ready);
      for (let tries = 0; tries < 10 && !isHeard(); tries++) {
        await terminal.command(text);
        for (const end = Date.now() + 15_000; !isHeard() && Date.now() < end; await pause());
      }
    },
    close: () => tmux('kill-server'),
  };
  return terminal;
}
