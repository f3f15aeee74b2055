import { join, relative, sep } from 'node:path';
import { realPath } from '../../files/path-scope.ts';
import { readText } from '../../files/read-text.ts';
import { whyPrivate } from '../../matching/text/paths.ts';
import { isIgnoredIn } from '../../project/io/project-listing.ts';
import { whyNotPath } from '../../project/pattern.ts';
import { shownName } from '../../safety/hidden-characters.ts';
import { cleanText, redactedWarning } from '../clean-text.ts';
import type { Fresh, Match } from '../memory-system.ts';
import { failure } from '../results.ts';

const MAX_CHARS = 4 * 1024 * 1024;

// Files that a template names, whole and in its order. One that is not there ends the task: it was asked for by name.
export function readProjectFiles(
  project: string,
  paths: readonly string[],
  isExcluded: (path: string) => boolean = () => false,
): Fresh {
  const root = realPath(project) ?? project;
  const pieces: string[] = [];
  const matches: Match[] = [];
  const warnings: string[] = [];
  for (const path of paths) {
    const shown = shownName(path, 200);
    const refuse = (why: string) =>
      failure('context_retrieval_failure', `The file ${shown} ${why}.`, 'Check <file_paths> of the template.');
    const reason = whyNotPath(path);
    if (reason) throw refuse(reason);
    const full = join(root, path);
    // By what it leads to as well: a link has any name.
    const real = relative(root, realPath(full) ?? full).replaceAll(sep, '/');
    for (const name of [path, real]) {
      const why = whyPrivate(name) ?? (isExcluded(name) ? 'is left out of this project' : null);
      if (why ?? isIgnoredIn(root, name)) throw refuse(why ?? 'is ignored by git');
    }
    const file = readText(full, root);
    if (file.status === 'missing') throw refuse('is not there');
    if (file.status !== 'ok') throw refuse(`can't be read: ${file.reason}`);
    if (!file.value.valid || file.value.text.length > MAX_CHARS) throw refuse('is not UTF-8 text of at most 4 MiB');
    const { text, kinds } = cleanText(file.value.text);
    if (kinds.length > 0) warnings.push(redactedWarning(path, kinds));
    pieces.push(`${path}\n${text}${text.endsWith('\n') ? '' : '\n'}`);
    matches.push([path, { lines: ['all'], words: [] }]);
  }
  return { text: pieces.join('\n'), matches, ...(warnings.length > 0 ? { warnings } : {}) };
}
