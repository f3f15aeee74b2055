import { join } from 'node:path';
import { gitFolderOf } from '../../files/folders.ts';
import { lstatOf } from '../../files/paths.ts';
import { textOf } from '../../files/read-file.ts';
import { isRecord, parseRecord } from '../../json.ts';
import { isIgnoredIn, listProject } from '../../project/io/project-listing.ts';
import type { CitedProject } from '../beliefs.ts';

const MOST_PACKAGES = 200;

/** What instructions may cite; null: a folder without git, where nobody can tell what belongs to it. */
export async function citedFiles(root: string): Promise<CitedProject | null> {
  if (gitFolderOf(root) === null) return null;
  const files = await listProject(root);
  const packages = files.filter((file) => /(?:^|\/)package\.json$/.test(file)).slice(0, MOST_PACKAGES);
  const scripts = packages.flatMap((file) => {
    const found = parseRecord(textOf(join(root, file), root) ?? '')?.scripts;
    return isRecord(found) ? Object.keys(found) : [];
  });
  return {
    files: files.filter((file) => lstatOf(join(root, file)) !== undefined),
    isThere: (path) => lstatOf(join(root, path)) !== undefined,
    isIgnored: (path) => isIgnoredIn(root, path),
    scripts: packages.length === 0 ? null : new Set(scripts),
  };
}
