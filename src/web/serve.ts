import { randomBytes } from 'node:crypto';
import { basename } from 'node:path';
import type { Rooms } from '../bearings.ts';
import type { PageTask } from '../clients/page-task.ts';
import { BearingsError, invalidInput } from '../errors.ts';
import { runPlaces } from '../tasks/run-places.ts';
import { openGuard } from './guard.ts';
import { pageHandler } from './handle.ts';

/** How long a file with the code waits for a browser to open it. */
const DOOR_MS = 20_000;
const LAST_WORD_MS = 300;
/** Where a first authenticator is registered: below the ports that systems give away by themselves. */
const REGISTERED_ON = Array.from({ length: 20 }, (_, index) => 7392 + index);

interface PageOptions {
  /** 0: any, or the one that the person's authenticator signs on. */
  port: number;
  open: boolean;
  write: (fd: 1 | 2, text: string) => void;
  engine: string | null;
  /** What a command has the person confirm; the page ends with it. */
  task: PageTask | null;
}

// Until Ctrl-C, or until what a command wants confirmed is done. The code goes to the person's terminal and their browser,
// and nowhere else. False: the person left before.
export async function servePage(bearings: Rooms, options: PageOptions): Promise<boolean> {
  const { open, write, engine, task } = options;
  const page = await bearings.page();
  const other = await page.runningPage();
  if (other)
    throw new BearingsError('conflict', `A page is already running: http://${other.host}:${other.port}/`, {
      hint: 'Press Enter in its terminal for a new code, or end it there with Ctrl-C.',
    });
  const { host, ports } = await addressOf(bearings, options);
  const say = (text: string) => write(1, `${text}\n`);
  const guard = openGuard(
    () => Date.now(),
    () => say('5 wrong codes were tried: this one is void. Enter gives a new one.'),
  );
  const runs = runPlaces(bearings, engine);
  const id = randomBytes(12).toString('hex');
  let finish: (isDone: boolean) => void = () => undefined;
  const done = new Promise<boolean>((resolve) => {
    finish = resolve;
  });
  const handle = pageHandler({
    bearings,
    guard,
    runs,
    id,
    folder: basename(process.cwd()),
    host,
    port: () => server.port,
    task,
    // The browser has to hear of it before its server goes.
    onTaskDone: () => setTimeout(() => finish(true), LAST_WORD_MS),
    onEntered: async () => {
      void page.closeBrowserFile();
      say('a browser connected · Enter: a code for another · Ctrl-C: end');
    },
  });
  // The first that nobody uses: another program may take it only while no page runs.
  const listen = async ([port = 0, ...others]: readonly number[]): ReturnType<typeof page.serveLocally> => {
    try {
      return await page.serveLocally({ port, asLocalhost: host === 'localhost' }, handle);
    } catch (error) {
      if (others.length === 0 || !(error instanceof BearingsError)) throw error;
      return listen(others);
    }
  };
  const server = await listen(ports);
  await page.announcePage({ host, port: server.port, pid: process.pid, id });
  const address = `http://${host}:${server.port}/${task === null ? '' : 'task'}`;
  const giveCode = async (): Promise<void> => {
    const code = guard.newCode();
    say(`code  ${code}`);
    // Behind the # it is never sent, logged or passed on.
    if (!open) return;
    await page.openBrowser(`${address}#${code}`).catch(() => undefined);
    // A browser that has not come by now does not come: the code stays on the terminal alone.
    setTimeout(() => void page.closeBrowserFile(), DOOR_MS).unref();
  };
  // Before the screen says how to leave: a Ctrl-C in between would end the program without a word.
  const left = personLeaves(() => void giveCode());
  say(`page  ${address}`);
  await giveCode();
  say(open ? 'Your browser opens. If not: go to the page and type the code.' : 'Go to the page and type the code.');
  say('Enter: a new code · Ctrl-C: end');
  const isDone = await Promise.race([done, left.then(() => false)]);
  process.stdin.destroy();
  await page.leavePage();
  await server.close();
  return isDone;
}

// An authenticator signs for one page: that of localhost, on the port it was registered on.
async function addressOf(bearings: Rooms, { port, task }: PageOptions) {
  const known = await (await bearings.gate()).passkeys();
  if (known && port !== 0 && port !== known.port)
    throw invalidInput(
      `Your authenticator signs on port ${known.port} alone.`,
      `Leave --port out: http://localhost:${known.port}/`,
    );
  if (known) return { ports: [known.port], host: 'localhost' } as const;
  if (task === null) return { ports: [port], host: '127.0.0.1' } as const;
  return { ports: port === 0 ? REGISTERED_ON : [port], host: 'localhost' } as const;
}

function personLeaves(onEnter: () => void): Promise<void> {
  return new Promise<void>((resolve) => {
    process.stdin.on('data', onEnter);
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve());
    process.stdin.once('end', () => resolve());
  });
}
