import { join } from 'node:path';
import { namesIn } from '../../files/path-scope.ts';
import { filesBelow, holdsBytes, type SoughtText, type TextCopy } from '../../files/text-copies.ts';
import { indexFolder } from './index/project-index.ts';

/** An index that may hold a text goes whole, and is made again when it is needed. `roots`: projects that the text was in. */
export function indexCopies(cacheFolder: string, roots: readonly string[], sought: SoughtText): TextCopy[] {
  const stood = new Set(roots.map((root) => indexFolder(cacheFolder, root)));
  const gone = (path: string): TextCopy => ({ what: 'index file', path, scope: null, rewrite: null });
  const filesIn = (folder: string) => [...filesBelow(folder)].filter((path) => !path.endsWith('.lock'));
  const indexes = namesIn(join(cacheFolder, 'index'))
    .map((name) => join(cacheFolder, 'index', name))
    .flatMap((folder) => {
      const files = filesIn(folder);
      return stood.has(folder) || files.some((path) => holdsBytes(path, sought)) ? files : [];
    });
  // Short hashes of blocks: enough to try a guess on.
  return [...indexes, ...filesIn(join(cacheFolder, 'blocks'))].map(gone);
}
