import { join, resolve } from 'node:path';
import { gitFolderOf, hasPlainSettings } from './git-folder.ts';
import { realPath } from './path-scope.ts';
import { cacheFolder } from './places.ts';
import { leaveTrackedLook, lookAtTracked } from './tracked-look.ts';

// `bearings match TEXT [DIR]` waits for git longer than for anything else: it begins before the program is loaded. Of a line
// that says more before the folder the program itself makes sense.
export function startEarlyLook(args: readonly string[]): void {
  const end = args.findIndex((arg) => arg.startsWith('-'));
  const words = end === -1 ? args : args.slice(0, end);
  if (words.length < 1 || words.length > 2 || args.includes('--help')) return;
  const root = realPath(resolve(words[1] ?? '.'));
  const folder = root === null ? null : gitFolderOf(root);
  if (root === null || folder === null || !hasPlainSettings(folder)) return;
  // Where no index has been made yet there is nothing to spare, and no place for what git prints.
  const scratch = join(cacheFolder(process.env), 'index', `draft-${process.pid}-${Date.now().toString(36)}`);
  leaveTrackedLook(lookAtTracked(root, folder, scratch));
}
