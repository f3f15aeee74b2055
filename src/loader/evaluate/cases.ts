import { baseName } from '../../matching/text/paths.ts';

// A change of more files is a sweep: its subject says nothing of any of them.
const MOST_FILES = 10;
const FEWEST_WORDS = 3;
const GENERATED =
  /[-_.]lockb?(?:\.(?:json|ya?ml|toml))?$|^(?:go\.sum|npm-shrinkwrap\.json)$|\.(?:snap|min\.js|min\.css|map|svg|png|jpe?g|gif|ico|pdf)$/i;

/** Written by a program: nobody reads it for a task. */
export function isGenerated(path: string): boolean {
  return GENERATED.test(baseName(path));
}

// A subject such as `4.6.3` or `typo` is no task.
export function isTask(subject: string): boolean {
  return subject.split(/\s+/).filter((word) => /\p{L}{2}/u.test(word)).length >= FEWEST_WORDS;
}

export function isFocused(paths: readonly string[]): boolean {
  return paths.length >= 1 && paths.length <= MOST_FILES;
}
