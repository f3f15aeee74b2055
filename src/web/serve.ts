import { randomBytes } from 'node:crypto';
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { openBearings } from '../bearings.ts';
import { BearingsError, invalidInput } from '../errors.ts';
import { openGuard } from './guard.ts';
import { pageHandler } from './handle.ts';
import { openLive } from './live.ts';
import { runSource } from './run-source.ts';

/** How long a file with the code waits for a browser to open it. */
const DOOR_MS = 20_000;

export type Write = (fd: 1 | 2, text: string) => void;

// Serves until Ctrl-C. The code goes to the person's terminal and her browser, and nowhere else.
export async function servePageFromArgs(args: string[], write: Write): Promise<number> {
  try {
    const { port, open, engine, ...options } = parsePageOptions(args);
    if (!process.stdin.isTTY || !process.stdout.isTTY)
      throw new BearingsError('awaiting_person', 'The page is for a person: it gives its code to a terminal only.', {
        hint: 'Run it in a terminal: bearings ui',
      });
    const bearings = openBearings(options);
    const other = await bearings.internal.runningPage();
    if (other)
      throw new BearingsError('conflict', `A page runs already: http://127.0.0.1:${other.port}/`, {
        hint: 'Press Enter in its terminal for a new code, or end it there with Ctrl-C.',
      });
    await serve(bearings, { port, open, write, engine });
    return 0;
  } catch (error) {
    if (!(error instanceof BearingsError)) throw error;
    write(2, `bearings: ${error.message}\n${error.hint ? `          ${error.hint}\n` : ''}`);
    return error.code === 'awaiting_person' ? 3 : error.code === 'invalid_input' ? 2 : 1;
  }
}

async function serve(
  bearings: ReturnType<typeof openBearings>,
  { port, open, write, engine }: { port: number; open: boolean; write: Write; engine: string | null },
): Promise<void> {
  const say = (text: string) => write(1, `${text}\n`);
  const guard = openGuard(
    () => Date.now(),
    () => say('5 wrong codes were tried: this one is void. Enter gives a new one.'),
  );
  const live = openLive(bearings);
  const runs = runSource(bearings, engine, () => performance.now());
  const id = randomBytes(12).toString('hex');
  const handle = pageHandler({
    bearings,
    guard,
    live,
    runs,
    id,
    folder: basename(process.cwd()),
    port: () => server.port,
    now: () => new Date(),
    onEntered: () => {
      void bearings.internal.closeBrowserFile();
      say('a browser came in · Enter: a code for another · Ctrl-C: end');
    },
  });
  const server = await bearings.internal.serveLocally(port, handle);
  await bearings.internal.announcePage({ port: server.port, pid: process.pid, id });
  const address = `http://127.0.0.1:${server.port}/`;
  const giveCode = async (): Promise<void> => {
    const code = guard.newCode();
    say(`code  ${code}`);
    // Behind the # it is never sent, logged or passed on.
    if (!open) return;
    await bearings.internal.openBrowser(`${address}#${code}`).catch(() => undefined);
    // A browser that has not come by now does not come: the code stays on the terminal alone.
    setTimeout(() => void bearings.internal.closeBrowserFile(), DOOR_MS).unref();
  };
  say(`page  ${address}`);
  await giveCode();
  say(open ? 'Your browser opens. If not: go to the page and type the code.' : 'Go to the page and type the code.');
  say('Enter: a new code · Ctrl-C: end');
  await personLeaves(() => void giveCode());
  live.close();
  await runs.close();
  await bearings.internal.leavePage();
  await server.close();
}

function personLeaves(onEnter: () => void): Promise<void> {
  return new Promise<void>((resolve) => {
    process.stdin.on('data', onEnter);
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve());
    process.stdin.once('end', () => resolve());
  }).then(() => {
    process.stdin.off('data', onEnter);
    process.stdin.destroy();
  });
}

export function parsePageOptions(args: string[]) {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean' } as const;
  const options = {
    home: text,
    workspaces: text,
    tastes: text,
    port: text,
    engine: text,
    'no-open': flag,
    'no-color': flag,
  };
  try {
    const { values } = parseArgs({ args, options });
    const { port = '0', engine, 'no-open': closed = false, 'no-color': _, ...folders } = values;
    const number = Number(port);
    if (!/^\d+$/.test(port) || number > 65_535) throw new Error('--port takes a number from 0 to 65535');
    // From the person alone, as everywhere: a command line or a variable.
    return { port: number, open: !closed, engine: engine || process.env.BEARINGS_ENGINE || null, ...folders };
  } catch (error) {
    throw invalidInput(`${((error as Error).message.split(/[.\n]/)[0] ?? '').trim()}.`, 'See: bearings ui --help');
  }
}
