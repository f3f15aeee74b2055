import { showHidden } from '../../safety/hidden-characters.ts';
import type { Anchor } from './entry.ts';

/** What became of cited code. */
export interface CodeChange extends Pick<Anchor, 'cited' | 'path' | 'name'> {
  how: 'moved' | 'renamed' | 'changed' | 'gone';
  /** Where it is now; null: not known. */
  to: string | null;
}

/** `src/a.ts moved to src/b.ts`. */
export function changeWords({ cited, path, name, how, to }: CodeChange): string {
  const what = name === null || cited.includes(name) ? cited : `${cited} (${name})`;
  const whose = cited.includes(path) || name === null ? what : `${what} of ${path}`;
  const where = to === null ? '' : ` to ${to}`;
  return showHidden(
    `${whose} ${how === 'changed' ? 'has changed' : how === 'gone' ? 'is gone' : `was ${how}`}${where}`,
  );
}
