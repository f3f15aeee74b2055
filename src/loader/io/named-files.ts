import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { isInside, realPath } from '../../files/paths.ts';
import { readRange, withFile } from '../../files/read-file.ts';

/** A place in the project that a command line names. */
export interface NamedFile {
  path: string;
  /** Of its bytes; null for a folder, or what can't be read. */
  sha256: string | null;
}

const LARGEST = 64 * 1024 * 1024;
// What node finds for a name without an ending.
const ENDINGS = ['', '.js', '.cjs', '.mjs'];

// Which of the project's files a command line names: they are the repository's word and can change with every pull.
export function namedFiles(command: readonly string[], root: string): NamedFile[] {
  const found = new Map<string, NamedFile>();
  for (const [index, word] of command.entries()) {
    // A program without a slash is looked for in PATH, never in the project.
    if (index === 0 && !word.includes('/')) continue;
    for (const name of [word, word.slice(word.indexOf('=') + 1)]) {
      for (const ending of ENDINGS) {
        const place = resolve(root, `${name}${ending}`);
        if (name === '' || !isInside(root, place) || realPath(place) === null) continue;
        found.set(place, { path: place.slice(root.length + 1) || '.', sha256: hashOf(place) });
      }
    }
  }
  return [...found.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

function hashOf(path: string): string | null {
  const read = withFile(path, null, ({ fd, size }) =>
    size > LARGEST
      ? null
      : createHash('sha256')
          .update(readRange(fd, 0, size))
          .digest('hex'),
  );
  return read.status === 'ok' ? read.value : null;
}
