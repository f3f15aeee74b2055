import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { BearingsError } from '../../errors.ts';
import { codeOf } from '../../files/system-error.ts';

// Made beside it and put in place by one rename: all files are there, or none.
export function writeExport(folder: string, files: readonly { path: string; text: string }[]): void {
  if (existsSync(folder) && (!isFolder(folder) || readdirSync(folder).length > 0))
    throw new BearingsError('conflict', 'The folder for the export is not empty.', {
      hint: 'Name a folder that is new or empty.',
    });
  const draft = join(dirname(folder), `.${basename(folder)}.draft`);
  rmSync(draft, { recursive: true, force: true });
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

function isFolder(path: string): boolean {
  try {
    readdirSync(path);
    return true;
  } catch (error) {
    if (codeOf(error) === 'ENOTDIR') return false;
    throw error;
  }
}
