import { join } from 'node:path';
import { git } from './git.ts';
import { type GitFolder, indexMark } from './git-folder.ts';

/** Git at work: it looks at every file it tracks. */
export interface TrackedLook {
  /** The mark of git's index before git began; empty where there is none. */
  index: string;
  /** The files that are not as git's index says, each ended by NUL; null where git could not tell. */
  changed: Promise<Buffer | null>;
}

// By stat alone, and on all cores: what is only touched is among them as well.
const LOOK = '-c core.preloadIndex=true diff-files -z --name-only --ignore-submodules=all --relative'.split(' ');

/** Call only where the repository's settings are plain: comparing can run what they name. */
export function lookAtTracked(root: string, folder: GitFolder): TrackedLook {
  const index = indexMark(folder) ?? '';
  // At the top all files are meant: comparing each with a path takes its time.
  const args = folder.own === join(root, '.git') ? LOOK : [...LOOK, '--', '.'];
  return { index, changed: git(root, args) };
}
