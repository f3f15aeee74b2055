import {
  accessSync,
  constants,
  type Dirent,
  lstatSync,
  readdirSync,
  realpathSync,
  type Stats,
  statSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { basename, delimiter, dirname, isAbsolute, join, relative, sep } from 'node:path';
import { codeOf, invalidInput, orNull } from '../errors.ts';

export { basename, dirname, join, relative, resolve, sep } from 'node:path';

// Paths by the rules of this system, for use cases: they join what others read and write.

/** The user's own folder; null where the system knows of none. */
export function personFolder(variables: { readonly HOME?: string | undefined }): string | null {
  return variables.HOME || orNull(homedir);
}

export function neededPersonFolder(variables: { readonly HOME?: string | undefined }): string {
  const folder = personFolder(variables);
  if (folder === null) throw invalidInput('This user has no home folder.', 'Set HOME, or BEARINGS_HOME.');
  return folder;
}

/** What a repository keeps its memory in. */
export const OWN_FOLDER = '.bearings';
export const NO_LINKS = "links are not followed in a repository's .bearings";
export const LEADS_OUT = 'its link leads out of the folder';
export const TWO_NAMES = 'it has a second name elsewhere (a hard link)';

// By segments, not by prefix: /data/ab is not inside /data/a.
export function isInside(root: string, path: string): boolean {
  const way = relative(root, path);
  return way === '' || !(way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way));
}

// The path with every link followed, or null where nothing exists.
export function realPath(path: string): string | null {
  return orNull(() => realpathSync.native(path));
}

/** Also of one that is not there yet. */
export function realPlace(path: string): string {
  return realPath(path) ?? join(realPath(dirname(path)) ?? dirname(path), basename(path));
}

/** A repository's `.bearings/` is regular files in that one folder: in it no link counts, wherever it leads. */
export function isPlainOnly(root: string, path: string): boolean {
  const own = join(root, OWN_FOLDER);
  return path === own || path.startsWith(own + sep);
}

/** Where a path really is, if that is where it may be; else null. */
export function placeInside(root: string, path: string): string | null {
  const real = realPath(path);
  return real !== null && isPlaceInside(root, path, real) ? real : null;
}

/** Whether `real`, where `path` was found to lead, is where it may be. */
export function isPlaceInside(root: string, path: string, real: string): boolean {
  const realRoot = realPath(root);
  if (realRoot === null) return false;
  return isPlainOnly(root, path) ? real === join(realRoot, relative(root, path)) : isInside(realRoot, real);
}

// Whatever is there itself, a link not followed; undefined for nothing, and where a folder on the way is closed.
export function lstatOf(path: string): Stats | undefined {
  return orNull(() => lstatSync(path, { throwIfNoEntry: false })) ?? undefined;
}

// True when writing to `path` can't land outside `root`: also for a file or folders that are yet to be made, never by a dangling link.
export function staysInside(root: string, path: string): boolean {
  let there = path;
  while (there !== root && there !== dirname(there) && lstatSync(there, { throwIfNoEntry: false }) === undefined)
    there = dirname(there);
  return placeInside(root, there) !== null;
}

export function statOf(path: string): Stats | null {
  return orNull(() => statSync(path, { throwIfNoEntry: false })) ?? null;
}

// In a shared folder such as /tmp another user could plant a `.bearings/` above ours.
export function isOwnDirectory(stat: Stats | null): boolean {
  if (!stat?.isDirectory()) return false;
  const me = process.getuid?.();
  return me === undefined || me === 0 || stat.uid === me || stat.uid === 0;
}

/** What a folder holds, in order; nothing where it can't be read. */
export function namesIn(folder: string): string[] {
  return orNull(() => readdirSync(folder).sort()) ?? [];
}

/** The same with what each is. */
export function entriesIn(folder: string): Dirent[] {
  const entries = orNull(() => readdirSync(folder, { withFileTypes: true })) ?? [];
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
}

// To the system an empty PATH means the working directory, which is the repository.
const SYSTEM_PATH = ['/usr/bin', '/bin'];

/** PATH without what is relative or belongs to the repository of `folder`, or of the one that the command was started in:
 *  either could bring a `git` of its own. Without folders that may not be entered, too: the system would call every
 *  program that is nowhere a forbidden one. */
export function searchPath(
  path: string | undefined,
  folder: string,
  enter: (folder: string) => void = (step) => accessSync(step, constants.X_OK),
): string {
  // A folder that is gone can't bring a program.
  const repositories = [folder, orNull(process.cwd) ?? '/'].map((each) => realPath(each) ?? each);
  const isClosed = (step: string): boolean => {
    try {
      enter(step);
      return false;
    } catch (error) {
      return codeOf(error) === 'EACCES';
    }
  };
  const isOutside = (step: string) =>
    !repositories.some((here) => isOfProject(step, here) || isModulesAbove(step, here));
  const steps = (path ?? '')
    .split(delimiter)
    .filter((step) => isAbsolute(step) && isOutside(step) && isOutside(realPath(step) ?? step))
    .filter((step) => !isClosed(step));
  return (steps.length > 0 ? steps : SYSTEM_PATH).join(delimiter);
}

/** Whether a path lies in the repository of `folder`. */
export function isOfProject(path: string, folder: string): boolean {
  const top = repositoryTop(realPath(folder) ?? folder);
  // A folder that holds the person's own is no project: ~/.local/bin is theirs, also for a command that is started in ~.
  const own = personFolder(process.env);
  const isProject = own === null || !isInside(top, realPath(own) ?? own);
  return isProject && isInside(top, path);
}

/** The first program of that name on a PATH, as it is called there; null for none. */
export function programOn(path: string, name: string): string | null {
  return (
    path
      .split(delimiter)
      .map((folder) => join(folder, name))
      .find(isExecutable) ?? null
  );
}

export function isExecutable(path: string): boolean {
  return orNull(() => accessSync(path, constants.X_OK)) !== null;
}

/** The repository a folder is in, else the folder itself. */
export function repositoryTop(here: string): string {
  for (let folder = here; ; folder = dirname(folder)) {
    if (lstatOf(join(folder, '.git'))) return folder;
    if (folder === dirname(folder)) return here;
  }
}

// npm puts the node_modules/.bin of every folder above first.
function isModulesAbove(step: string, here: string): boolean {
  const modules = dirname(step);
  return basename(step) === '.bin' && basename(modules) === 'node_modules' && isInside(dirname(modules), here);
}
