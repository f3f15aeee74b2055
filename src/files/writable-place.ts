import { type BigIntStats, constants, fstatSync } from 'node:fs';
import { dirname } from 'node:path';
import { isOpenedInside, placeOfOpened } from './open-file.ts';
import { isInside, isPlainOnly, LEADS_OUT, lstatOf, NO_LINKS, staysInside, TWO_NAMES } from './path-scope.ts';
import { repositoryTop } from './search-path.ts';

/** Before a file is opened for writing: why it may not be; null: it may. */
export function whyNotWritable(scope: string | null, path: string): string | null {
  if (scope === null || staysInside(scope, path)) return null;
  return isPlainOnly(scope, path) ? NO_LINKS : LEADS_OUT;
}

/** The same for a file or folder that a person named: by no link may it leave its own folder, or one of `folders` and their repositories
 *  where it is said to be. */
export function whyNotOutput(path: string, folders: readonly string[]): string | null {
  const roots = [dirname(path), ...folders.flatMap((folder) => [folder, repositoryTop(folder)])];
  const leads = (root: string) => lstatOf(root) !== undefined && isInside(root, path) && !staysInside(root, path);
  return roots.some(leads) ? LEADS_OUT : null;
}

/** Once it is open and before anything is written: what was opened is what was asked for, under no second name. */
export function whyNotOpened(scope: string | null, path: string, fd: number): string | null {
  const stat: BigIntStats = fstatSync(fd, { bigint: true });
  if (!stat.isFile()) return 'it is not a regular file';
  if (scope === null || !isPlainOnly(scope, path)) return null;
  if (!isOpenedInside(scope, path, placeOfOpened(fd), stat)) return NO_LINKS;
  return stat.nlink > 1n ? TWO_NAMES : null;
}

/** A link is followed only where its scope allows one at all. */
export function noFollow(scope: string | null, path: string, isLink: boolean): number {
  return isLink && !(scope !== null && isPlainOnly(scope, path)) ? 0 : constants.O_NOFOLLOW;
}
