import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEachTest } from '../after-tests.ts';
import { BINARY, environment, type Place, STARTED } from '../process/binary.ts';

export interface RunningUi {
  address: string;
  port: number;
  /** The newest code on the terminal. */
  code(): string;
  /** All that the terminal showed. */
  shown(): string;
  /** The person presses Enter: a new code. */
  newCode(): Promise<string>;
  /** Waits for its end by itself; all that it said. */
  ends(): Promise<string>;
  stop(): Promise<void>;
}

// Only what never happens waits so long.
const PATIENCE_MS = 120_000;

const running: RunningUi[] = [];
afterEachTest(async () => {
  for (const ui of running.splice(0)) await ui.stop();
});

// `bearings ui` of the built binary on a terminal of its own (util-linux `script`).
export async function startUi(place: Place, args: string[] = ['--no-open']): Promise<RunningUi> {
  return startPage(place, ['ui', ...args]);
}

/** Any command that opens the page. */
export async function startPage(place: Place, command: string[], typed: readonly string[] = []): Promise<RunningUi> {
  const line = [process.execPath, ...STARTED, BINARY, ...command].map((word) => `'${word}'`).join(' ');
  // exec: the signal that ends it must reach the server itself.
  const child = spawn('script', ['-qec', `exec ${line}`, '/dev/null'], {
    cwd: place.cwd ?? place.home,
    env: { ...environment(place), TERM: 'xterm', SHELL: '/bin/sh' },
  });
  let shown = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    shown += text;
  });
  const codes = () => [...shown.matchAll(/code {2}([0-9A-Z]{5}-[0-9A-Z]{5})/g)].map(([, code]) => String(code));
  for (const [index, text] of typed.entries()) {
    // A question ends with a colon, and waits for its own answer.
    await until(
      () => shown.split(': ').length > index + 1,
      () => shown,
    );
    child.stdin.write(`${text}\n`);
  }
  await until(
    () => codes().length > 0 && shown.includes('Ctrl-C: end'),
    () => shown,
  );
  const address = /page {2}(http:\/\/(?:127\.0\.0\.1|localhost):\d+\/\w*)/.exec(shown)?.[1] ?? '';
  const ui: RunningUi = {
    address,
    port: Number(new URL(address).port),
    code: () => codes().at(-1) ?? '',
    shown: () => shown,
    async newCode() {
      const before = codes().length;
      child.stdin.write('\n');
      await until(
        () => codes().length > before,
        () => shown,
      );
      return ui.code();
    },
    async ends() {
      if (child.exitCode === null && child.signalCode === null) await once(child, 'close');
      return shown;
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const closed = once(child, 'close');
      child.stdin.write('\u0003');
      await closed;
    },
  };
  running.push(ui);
  return ui;
}

export async function until(isDone: () => boolean | Promise<boolean>, tell: () => string = () => ''): Promise<void> {
  const end = Date.now() + PATIENCE_MS;
  while (!(await isDone())) {
    if (Date.now() > end) throw new Error(`It did not happen in time. ${tell()}`);
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
}
