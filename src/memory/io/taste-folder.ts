import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BearingsError } from '../../errors.ts';
import type { FileResult } from '../../files/open-file.ts';
import { namesIn, realPath } from '../../files/path-scope.ts';
import { readText, type TextFile } from '../../files/read-text.ts';
import { codeOf, ioError } from '../../files/system-error.ts';
import { foldedName, whyNotTasteName } from '../../safety/names.ts';
import { typedName } from '../../typed-name.ts';

/** What older homes have in the place of `tastes/_default.md`. */
export const OLDER_TASTE = 'taste.md';

export type TasteFolder = ReturnType<typeof tasteFolder>;

export function tasteFolder({ tastesFolder: folder, home }: { tastesFolder: string; home: string }) {
  const pathOf = (name: string) => join(folder, `${name}.md`);
  const olderPath = join(home, OLDER_TASTE);
  // Where the home has the older single file and no `_default.md`, that is the default taste.
  const isOlder = (name: string) =>
    name === '_default' && realPath(pathOf(name)) === null && realPath(olderPath) !== null;
  /** Where a taste is read and written, and what a link in its place must not lead out of. */
  const locate = (name: string): { path: string; scope: string | null } =>
    isOlder(name) ? { path: olderPath, scope: null } : { path: pathOf(name), scope: folder };
  const read = (name: string): FileResult<TextFile> => {
    const { path, scope } = locate(name);
    return readText(path, scope, true);
  };
  const taken = (name: string) =>
    new BearingsError('conflict', `There is already a taste "${name}"${isOlder(name) ? `: ${OLDER_TASTE}` : ''}.`, {
      hint: `Edit it: bearings edit tastes ${typedName(name)}${isOlder(name) ? '. Move it to _default.md: bearings review' : ''}`,
    });
  /** Names without `.md`, `_default` first. */
  const list = (): string[] => {
    const names = namesIn(folder)
      .filter((name) => name.endsWith('.md') && !name.startsWith('.'))
      .map((name) => name.slice(0, -3))
      .filter((name) => whyNotTasteName(name) === null);
    if (isOlder('_default') && !names.includes('_default')) names.push('_default');
    return names.sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
  };
  /** Refuses a new name that elsewhere would be the file of another: a home may move to a system where both are one. */
  const assertOneSpelling = (name: string): void => {
    const known = list();
    const other = known.includes(name) ? undefined : known.find((each) => foldedName(each) === foldedName(name));
    if (other !== undefined) throw taken(other);
  };
  return {
    folder,
    locate,
    read,
    list,
    assertOneSpelling,
    /** Its name as a person reads it; `isDouble`: an older file of the default taste is there too, and not served. */
    readDefault() {
      const isOther = isOlder('_default');
      const isDouble = !isOther && realPath(pathOf('_default')) !== null && realPath(olderPath) !== null;
      return { name: isOther ? OLDER_TASTE : '_default.md', file: read('_default'), isDouble };
    },
    create(name: string): void {
      assertOneSpelling(name);
      if (isOlder(name)) throw taken(name);
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
      } catch (error) {
        throw ioError("The folder of the tastes can't be made", error);
      }
      try {
        writeFileSync(pathOf(name), '', { flag: 'wx', mode: 0o600 });
      } catch (error) {
        if (codeOf(error) !== 'EEXIST') throw ioError(`${name}.md can't be made`, error);
        throw taken(name);
      }
    },
  };
}

function rank(name: string): number {
  return name === '_default' ? 0 : 1;
}
