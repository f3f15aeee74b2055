import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BearingsError } from '../../errors.ts';
import type { FileResult } from '../../files/open-file.ts';
import { readText, type TextFile } from '../../files/read-text.ts';
import { codeOf, ioError } from '../../files/system-error.ts';
import { foldedName, whyNotPlainName } from '../../safety/names.ts';
import { typedName } from '../../typed-name.ts';

export interface TasteFolder {
  folder: string;
  /** Names without `.md`, `_default` first. */
  list(): string[];
  read(name: string): FileResult<TextFile>;
  /** The default taste, or the single file that older set-ups have in its place. */
  readDefault(): { name: string; file: FileResult<TextFile>; legacy: boolean };
  pathOf(name: string): string;
  create(name: string): void;
  /** Refuses a new name that elsewhere would be the file of another: a home may move to a system where both are one. */
  assertOneSpelling(name: string): void;
}

export function tasteFolder({ tastesFolder: folder, home }: { tastesFolder: string; home: string }): TasteFolder {
  const pathOf = (name: string) => join(folder, `${name}.md`);
  const read = (name: string): FileResult<TextFile> => readText(pathOf(name), folder, true);
  const taken = (name: string) =>
    new BearingsError('conflict', `There is already a taste "${name}".`, {
      hint: `Edit it: bearings edit tastes ${typedName(name)}`,
    });
  const list = () => {
    const names = listFolder(folder)
      .filter((name) => name.endsWith('.md') && !name.startsWith('.'))
      .map((name) => name.slice(0, -3))
      .filter((name) => whyNotPlainName(name, '.md') === null);
    return names.sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
  };
  const assertOneSpelling = (name: string) => {
    const known = list();
    const other = known.includes(name) ? undefined : known.find((each) => foldedName(each) === foldedName(name));
    if (other !== undefined) throw taken(other);
  };
  return {
    folder,
    pathOf,
    read,
    list,
    assertOneSpelling,
    readDefault() {
      const file = read('_default');
      if (file.status !== 'missing') return { name: '_default.md', file, legacy: false };
      const older = readText(join(home, 'taste.md'), null);
      return { name: 'taste.md', file: older, legacy: older.status !== 'missing' };
    },
    create(name) {
      assertOneSpelling(name);
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

function listFolder(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
