import { join } from 'node:path';
import { git, startGit } from './git.ts';
import { type GitFolder, indexMark } from './git-folder.ts';
import { startUnnamed } from './unnamed-output.ts';

/** Git at work: it looks at every file it tracks. */
export interface TrackedLook {
  root: string;
  /** The mark of git's index before git began; empty where there is none. */
  index: string;
  /** The files that are not as git's index says, each ended by NUL; null where git could not tell. */
  changed(): Promise<Buffer | null>;
}

// By stat alone, and on all cores: what is only touched is among them as well.
const LOOK = '-c core.preloadIndex=true diff-files -z --name-only --ignore-submodules=all --relative'.split(' ');
// The binary and the program are built apart: what the one has started the other finds under this name.
const STARTED = Symbol.for('bearings.tracked-look');

type Holder = { [STARTED]?: TrackedLook | undefined };

/** Call only where the repository's settings are plain: comparing can run what they name. */
export function lookAtTracked(root: string, folder: GitFolder, scratch: string): TrackedLook {
  const index = indexMark(folder) ?? '';
  // At the top all files are meant: comparing each with a path takes its time.
  const args = folder.own === join(root, '.git') ? LOOK : [...LOOK, '--', '.'];
  const running = startUnnamed(scratch, (output) => startGit(root, args, ['ignore', output, 'ignore']));
  // Whoever waits for it keeps the process alive; where nobody does, nothing waits.
  running?.child.unref();
  const piped = running ? null : git(root, args);
  return {
    root,
    index,
    changed() {
      running?.child.ref();
      return running?.printed ?? (piped as Promise<Buffer | null>);
    },
  };
}

export function leaveTrackedLook(look: TrackedLook): void {
  (globalThis as Holder)[STARTED] = look;
}

/** The look at this folder that was started before the program, once. */
export function takeTrackedLook(root: string): TrackedLook | null {
  const holder = globalThis as Holder;
  const look = holder[STARTED];
  holder[STARTED] = undefined;
  return look?.root === root ? look : null;
}
