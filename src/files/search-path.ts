import { accessSync, constants } from 'node:fs';
import { basename, delimiter, dirname, isAbsolute, join } from 'node:path';
import { isInside, lstatOf, realPath } from './path-scope.ts';
import { personFolder } from './paths.ts';
import { codeOf } from './system-error.ts';

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
  const repositories = [folder, startedIn()].map((each) => realPath(each) ?? each);
  const isOutside = (step: string) =>
    !repositories.some((here) => isOfProject(step, here) || isModulesAbove(step, here));
  const steps = (path ?? '')
    .split(delimiter)
    .filter((step) => isAbsolute(step) && isOutside(step) && isOutside(realPath(step) ?? step))
    .filter((step) => !isForbidden(step, enter));
  return (steps.length > 0 ? steps : SYSTEM_PATH).join(delimiter);
}

// A folder that is gone can't bring a program.
function startedIn(): string {
  try {
    return process.cwd();
  } catch {
    return '/';
  }
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
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function isForbidden(folder: string, enter: (folder: string) => void): boolean {
  try {
    enter(folder);
    return false;
  } catch (error) {
    return codeOf(error) === 'EACCES';
  }
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
