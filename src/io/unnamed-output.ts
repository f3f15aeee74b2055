import type { ChildProcess } from 'node:child_process';
import { closeSync, fstatSync, openSync, unlinkSync } from 'node:fs';
import { readRange } from './read-text.ts';

export interface Running {
  child: ChildProcess;
  /** What it printed; null unless it ended well. */
  printed: Promise<Buffer | null>;
}

// A program that prints into a file that has no name any more, not through a pipe: it goes on while this process has other
// work, and nothing needs to be taken apart afterwards. Null where there is no place for the file.
export function startUnnamed(scratch: string, start: (output: number) => ChildProcess): Running | null {
  let file: number;
  try {
    file = openSync(scratch, 'wx+', 0o600);
    unlinkSync(scratch);
  } catch {
    return null;
  }
  const child = start(file);
  const ended = new Promise<number | null>((resolve) => {
    child.on('error', () => resolve(null));
    child.on('exit', resolve);
  });
  const printed = ended.then((code) => {
    try {
      return code === 0 ? readRange(file, 0, fstatSync(file).size) : null;
    } catch {
      return null;
    } finally {
      closeSync(file);
    }
  });
  return { child, printed };
}
