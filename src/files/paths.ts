import { homedir } from 'node:os';
import { invalidInput } from '../errors.ts';

// Paths by the rules of this system, for use cases: they join what others read and write.
export { basename, dirname, join, relative, resolve, sep } from 'node:path';

/** The user's own folder; null where the system knows of none. */
export function personFolder(variables: { readonly HOME?: string | undefined }): string | null {
  if (variables.HOME) return variables.HOME;
  try {
    return homedir();
  } catch {
    return null;
  }
}

export function neededPersonFolder(variables: { readonly HOME?: string | undefined }): string {
  const folder = personFolder(variables);
  if (folder === null) throw invalidInput('This user has no home folder.', 'Set HOME, or BEARINGS_HOME.');
  return folder;
}
