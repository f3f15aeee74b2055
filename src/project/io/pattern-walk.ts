import { type Dirent, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isInside, lstatOf, realPath } from '../../files/path-scope.ts';
import { codeOf, reasonOf } from '../../files/system-error.ts';
import { type IgnoreRule, isIgnored } from '../ignore-rules.ts';
import {
  hasWildcard,
  lastStep,
  type Positions,
  pathExcluder,
  splitPattern,
  startOf,
  stepInto,
  stepsOf,
} from '../pattern.ts';
import { rulesBelow } from './project-listing.ts';

// Files of a project that match a pattern. Only folders that can still lead to a match are listed, and no link to a
// folder is followed. Links, pipes and devices count as files here, so that whoever reads them can refuse them with a warning.
export function patternWalk(root: string, warn: (warning: string) => void) {
  // Many patterns look into the same folder.
  const listed = new Map<string, readonly Dirent[]>();
  const entriesOf = (folder: string): readonly Dirent[] => {
    const entries = listed.get(folder) ?? listFolder(root, folder, warn);
    listed.set(folder, entries);
    return entries;
  };

  const rules = new Map<string, readonly IgnoreRule[]>();
  const rulesIn = (folder: string): readonly IgnoreRule[] => {
    const above = folder === '' ? [] : rulesIn(folder.slice(0, Math.max(0, folder.lastIndexOf('/'))));
    const found = rules.get(folder) ?? rulesBelow(root, folder === '' ? '' : `${folder}/`, above);
    rules.set(folder, found);
    return found;
  };

  // With `heedIgnored`, what the project's own .gitignore files name is not there: neither git nor the person's settings
  // are asked, so that every machine sees the same.
  return (pattern: string, exclude: readonly string[], { heedIgnored = false } = {}): string[] => {
    const { base, rest } = splitPattern(pattern);
    const place = lstatOf(join(root, base)) === undefined ? null : realPath(join(root, base));
    if (place === null) return [];
    if (!isInside(root, place)) {
      warn(`${base} is not searched: its link leads out of the project.`);
      return [];
    }
    const isExcluded = pathExcluder(exclude);
    if (base !== '' && isExcluded(base)) return [];
    if (!hasWildcard(rest)) {
      const stat = lstatOf(join(root, pattern));
      return stat !== undefined && !stat.isDirectory() && !isExcluded(pattern) ? [pattern] : [];
    }
    const steps = stepsOf(rest);
    const found: string[] = [];
    const open: { path: string; positions: Positions }[] = [{ path: base, positions: startOf(steps) }];
    for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
      const prefix = folder.path === '' ? '' : `${folder.path}/`;
      // What can end here, asked once a folder and not once a name.
      const fits = lastStep(steps, folder.positions);
      const ignoring = heedIgnored ? rulesIn(folder.path) : [];
      const isOut = (path: string, isFolder: boolean) =>
        isExcluded(path) || (ignoring.length > 0 && isIgnored(path, isFolder, ignoring));
      for (const entry of entriesOf(folder.path)) {
        const { name } = entry;
        const path = prefix + name;
        if (entry.isDirectory()) {
          const positions = name === '.git' ? [] : stepInto(steps, folder.positions, name);
          if (positions.length > 0 && !isOut(path, true)) open.push({ path, positions });
        } else if (fits?.(name) && !isOut(path, false)) found.push(path);
      }
    }
    return found;
  };
}

function listFolder(root: string, folder: string, warn: (warning: string) => void): readonly Dirent[] {
  try {
    return readdirSync(join(root, folder), { withFileTypes: true });
  } catch (error) {
    if (codeOf(error) !== 'ENOENT' && codeOf(error) !== 'ENOTDIR')
      warn(`${folder || 'the project folder'} can't be listed: ${reasonOf(error)}.`);
    return [];
  }
}
