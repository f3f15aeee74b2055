import { mkdirSync, mkdtempSync, realpathSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEachFile } from './after-tests.ts';

const made: string[] = [];

// A folder of its own for one test file, gone when the file is done.
export function tempFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'bearings-test-')));
  made.push(folder);
  return folder;
}

afterEachFile(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

export function put(folder: string, files: Readonly<Record<string, string | Uint8Array>>): void {
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }
}

// Facts on a file that changed a moment ago are not kept, so it is dated back.
export function dateBack(path: string, seconds = 60): void {
  const past = new Date(Date.now() - seconds * 1000);
  utimesSync(path, past, past);
}
