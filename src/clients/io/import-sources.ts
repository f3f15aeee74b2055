import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { readText } from '../../files/read-text.ts';
import { whyNotPlainName } from '../../safety/names.ts';
import type { ImportSource } from '../import-plan.ts';
import { readImages } from './chemigram-images.ts';

/** A file to read, and where its text would belong. */
interface Candidate {
  path: string;
  scope: string | null;
  to: ImportSource['to'];
  workspace?: string;
}

export interface ImportFolders {
  /** The person's own folder. */
  home: string;
  /** The repository, or where the person stands. */
  root: string;
  forPerson(path: string): string;
  inFull(path: string): string;
  /** Where Chemigram keeps its images, if not where it usually does. */
  images: string | undefined;
}

export const CHEMIGRAM_IMAGES = '~/Pictures/Chemigram';

// What known programs keep where: a project's own rules become notes of it, what holds for all work a taste.
const KNOWN: Record<string, (places: ImportFolders) => Candidate[]> = {
  chemigram: ({ home, images, inFull }) => [
    { path: join(home, '.chemigram/taste.md'), scope: null, to: { kind: 'taste', file: '_default.md' } },
    ...filesIn(join(home, '.chemigram/tastes'), '.md').map(
      (path): Candidate => ({
        path,
        scope: null,
        to: { kind: 'taste', file: basename(path) },
      }),
    ),
    ...readImages(inFull(images ?? CHEMIGRAM_IMAGES))
      .filter(({ notes }) => notes !== null)
      .map(
        ({ id }): Candidate => ({
          path: join(inFull(images ?? CHEMIGRAM_IMAGES), id, 'notes.md'),
          scope: null,
          to: { kind: 'notes' },
          workspace: id,
        }),
      ),
  ],
  claude: ({ home, root }) => [
    { path: join(home, '.claude/CLAUDE.md'), scope: null, to: { kind: 'taste', file: '_default.md' } },
    { path: join(root, 'CLAUDE.md'), scope: root, to: { kind: 'notes' } },
  ],
  cursor: ({ root }) => [
    { path: join(root, '.cursorrules'), scope: root, to: { kind: 'notes' } },
    ...filesIn(join(root, '.cursor/rules'), '.mdc').map(
      (path): Candidate => ({ path, scope: root, to: { kind: 'notes' } }),
    ),
  ],
};

export const IMPORT_NAMES = Object.keys(KNOWN);

export function readImportSources(
  words: readonly string[],
  places: ImportFolders & { to: ImportSource['to'] },
): { sources: ImportSource[]; unread: { name: string; reason: string }[] } {
  const sources: ImportSource[] = [];
  const unread: { name: string; reason: string }[] = [];
  for (const word of words) {
    const known = Object.hasOwn(KNOWN, word) ? KNOWN[word] : undefined;
    const candidates = known?.(places) ?? [{ path: places.inFull(word), scope: null, to: places.to }];
    let found = 0;
    for (const { path, scope, to, workspace } of candidates) {
      const file = readText(path, scope);
      if (file.status === 'missing') continue;
      found += 1;
      const name = places.forPerson(path);
      if (file.status === 'unreadable') unread.push({ name, reason: file.reason });
      else sources.push({ name, text: file.value.text, to, ...(workspace === undefined ? {} : { workspace }) });
    }
    if (found === 0)
      unread.push({ name: word, reason: known ? 'nothing of it was found here' : 'there is no such file' });
  }
  return { sources, unread };
}

function filesIn(folder: string, ending: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith(ending) && whyNotPlainName(name) === null)
      .sort()
      .map((name) => join(folder, name));
  } catch {
    return [];
  }
}
