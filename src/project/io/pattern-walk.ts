import { type Dirent, readdirSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { isInside, lstatOf, realPath } from '../../files/path-scope.ts';
import { readText } from '../../files/read-text.ts';
import { codeOf, reasonOf } from '../../files/system-error.ts';
import { type IgnoreRule, isIgnored, parseIgnoreFile } from '../ignore-rules.ts';
import {
  endsWith,
  hasWildcard,
  type Positions,
  type Step,
  splitPattern,
  startOf,
  stepInto,
  stepsOf,
} from '../pattern.ts';

const IGNORE_FILE = '.gitignore';

interface Excluding {
  steps: Step[];
  positions: Positions;
}

interface Folder {
  path: string;
  positions: Positions;
  excluding: Excluding[];
}

// Files of a project that match a pattern. Only folders that can still lead to a match are listed, and no link to a
// folder is followed. Links, pipes and devices count as files here, so that whoever reads them can refuse them with a warning.
export function patternWalk(root: string, warn: (warning: string) => void) {
  // Many patterns look into the same folder.
  const known = new Map<string, readonly Dirent[]>();
  const entriesOf = (folder: string): readonly Dirent[] => {
    const before = known.get(folder);
    if (before) return before;
    const entries = listFolder(root, folder, warn);
    known.set(folder, entries);
    return entries;
  };

  const rules = new Map<string, readonly IgnoreRule[]>();
  const rulesIn = (folder: string): readonly IgnoreRule[] => {
    let found = rules.get(folder);
    if (!found) {
      const above = folder === '' ? [] : rulesIn(folder.includes('/') ? folder.slice(0, folder.lastIndexOf('/')) : '');
      const path = join(root, folder, IGNORE_FILE);
      const isThere = entriesOf(folder).some(({ name }) => name === IGNORE_FILE);
      const own = isThere ? readText(path, root) : null;
      const base = folder === '' ? '' : `${folder}/`;
      found = own?.status === 'ok' ? [...above, ...parseIgnoreFile(own.value.text, base)] : above;
      rules.set(folder, found);
    }
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
    const start = exclude.map((text) => excludingBy(text));
    const excluding = base === '' ? start : base.split('/').reduce<Excluding[] | null>(excludingBelow, start);
    if (excluding === null) return [];
    const steps = stepsOf(rest);
    if (!hasWildcard(rest)) {
      return isListed(lstatOf(join(root, pattern))) && excludingBelow(excluding, rest) !== null ? [pattern] : [];
    }
    const found: string[] = [];
    const open: Folder[] = [{ path: base, positions: startOf(steps), excluding }];
    for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
      const prefix = folder.path === '' ? '' : `${folder.path}/`;
      // What can end here, asked once a folder and not once a name.
      const fits = lastStep(steps, folder.positions);
      const excluded = folder.excluding.flatMap((one) => lastStep(one.steps, one.positions) ?? []);
      const ignoring = heedIgnored ? rulesIn(folder.path) : [];
      const isOut = (name: string, isFolder: boolean) =>
        ignoring.length > 0 && isIgnored(prefix + name, isFolder, ignoring);
      for (const entry of entriesOf(folder.path)) {
        const { name } = entry;
        if (entry.isDirectory()) {
          const positions = name === '.git' ? [] : stepInto(steps, folder.positions, name);
          const below = positions.length === 0 ? null : excludingBelow(folder.excluding, name);
          if (below !== null && !isOut(name, true)) open.push({ path: prefix + name, positions, excluding: below });
        } else if (fits?.(name) && !excluded.some((excludes) => excludes(name)) && !isOut(name, false))
          found.push(prefix + name);
      }
    }
    return found;
  };
}

function excludingBy(pattern: string): Excluding {
  const steps = stepsOf(pattern);
  return { steps, positions: startOf(steps) };
}

// What the exclusions look like one folder further down; null when the folder itself is excluded.
function excludingBelow(excluding: Excluding[] | null, name: string): Excluding[] | null {
  if (excluding === null || excluding.some((one) => isExcluded(one, name))) return null;
  return excluding
    .map(({ steps, positions }) => ({ steps, positions: stepInto(steps, positions, name) }))
    .filter(({ positions }) => positions.length > 0);
}

function lastStep(steps: readonly Step[], positions: Positions): ((name: string) => boolean) | null {
  const last = steps[steps.length - 1];
  return typeof last === 'function' && positions.includes(steps.length - 1) ? last : null;
}

function isExcluded({ steps, positions }: Excluding, name: string): boolean {
  return endsWith(steps, positions, name);
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

function isListed(stat: Stats | undefined): boolean {
  return stat !== undefined && !stat.isDirectory();
}
