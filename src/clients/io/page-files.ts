import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { orNull } from '../../errors.ts';
import { searchPath } from '../../files/paths.ts';
import { textOf } from '../../files/read-file.ts';
import { atomicWrite, removeQuietly } from '../../files/write-file.ts';
import { parseJson } from '../../json.ts';
import { LOOPBACK } from './loopback-server.ts';

/** Where a page of this home can be reached. The id is no secret: it only tells this page from another program. */
const ANNOUNCED = z.object({
  /** The one name it answers to. */
  host: z.enum([LOOPBACK, 'localhost']),
  port: z.int().min(1).max(65_535),
  pid: z.int(),
  id: z.string(),
});
export type RunningPage = z.infer<typeof ANNOUNCED>;

const ALIVE_TIMEOUT_MS = 1_000;

export function pageFiles(home: string) {
  const announced = join(home, 'page.json');
  const redirectFile = join(home, 'page-open.html');
  const closeBrowserFile = () => removeQuietly(redirectFile);
  return {
    announcePage: (page: RunningPage) => atomicWrite(announced, `${JSON.stringify(page)}\n`, 0o600),
    leavePage(): void {
      removeQuietly(announced);
      closeBrowserFile();
    },
    /** Null where none runs, or where another program has its port by now. */
    async runningPage(): Promise<RunningPage | null> {
      const { data: page } = ANNOUNCED.safeParse(parseJson(textOf(announced) ?? ''));
      return page && isRunning(page.pid) && (await answersAs(page)) ? page : null;
    },
    // On a file that only the person can read: its address, unlike a code, may show in process lists.
    async openBrowser(address: string): Promise<void> {
      atomicWrite(redirectFile, redirectPage(address), 0o600);
      openInBrowser(redirectFile);
    },
    closeBrowserFile,
  };
}

export type ServedFile = 'page.js' | 'page.css';

// Built beside the binary; the library's own file is one folder higher.
export function readServedFile(name: ServedFile): Uint8Array {
  for (const folder of ['../web/', './web/', '../../../dist/web/']) {
    const file = orNull(() => readFileSync(new URL(`${folder}${name}`, import.meta.url)));
    if (file) return file;
  }
  throw new Error(`${name} is missing from the package`);
}

function redirectPage(address: string): string {
  return `<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer"><title>Bearings</title><meta http-equiv="refresh" content="0;url=${address}">\n`;
}

const isRunning = (pid: number): boolean => orNull(() => process.kill(pid, 0)) !== null;

// Whatever has the port by now may answer anything, without an end: the first piece holds all of ours.
async function answersAs({ host, port, id }: RunningPage): Promise<boolean> {
  const signal = AbortSignal.timeout(ALIVE_TIMEOUT_MS);
  try {
    const answer = await fetch(`http://${host}:${port}/api/alive`, { signal, redirect: 'error' });
    const reader = answer.body?.getReader();
    const piece = await reader?.read();
    await reader?.cancel();
    return Buffer.from(piece?.value ?? []).toString() === JSON.stringify({ page: id });
  } catch {
    return false;
  }
}

function openInBrowser(path: string): void {
  const openers: Partial<Record<NodeJS.Platform, string[]>> = { darwin: ['open'], win32: ['cmd', '/c', 'start', ''] };
  const [program = 'xdg-open', ...before] = openers[process.platform] ?? [];
  const child = spawn(program, [...before, path], {
    stdio: 'ignore',
    detached: true,
    env: { ...process.env, PATH: searchPath(process.env.PATH, process.cwd()) },
  });
  // Without a browser the address and the code are in the terminal.
  child.on('error', () => undefined);
  child.unref();
}
