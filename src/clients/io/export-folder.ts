import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { conflict, orNull } from '../../errors.ts';
import { lstatOf } from '../../files/paths.ts';
import { whyNotOutput } from '../../files/read-file.ts';

// Made next to it and put in place by one rename: all files are there, or none.
export function writeExport(folder: string, files: readonly { path: string; text: string }[], cwd: string): void {
  const reason = whyNotOutput(folder, [cwd]);
  if (reason !== null)
    throw conflict(`The folder for the export can't be written: ${reason}.`, 'Name a new one: --out exported');
  if (lstatOf(folder) && orNull(() => readdirSync(folder).length) !== 0)
    throw conflict('The folder for the export is not empty.', 'Name a folder that is new or empty.');
  mkdirSync(dirname(folder), { recursive: true });
  const draft = mkdtempSync(join(dirname(folder), `.${basename(folder)}.`));
  try {
    for (const { path, text } of files) {
      mkdirSync(dirname(join(draft, path)), { recursive: true });
      writeFileSync(join(draft, path), text, { mode: 0o600, flag: 'wx', flush: true });
    }
    renameSync(draft, folder);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    throw error;
  }
}
