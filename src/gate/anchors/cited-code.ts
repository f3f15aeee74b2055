import { baseName, foldersOf, isTest } from '../../matching/text/paths.ts';
import { comparedIn } from '../ledger/cited-definition.ts';
import type { CodeChange } from '../ledger/code-change.ts';
import type { Anchor } from '../ledger/entry.ts';
import type { ProjectCode } from './io/project-code.ts';

type Found = Pick<CodeChange, 'how' | 'to'>;

/** What became of the code that these anchors hold to; nothing where all is as it was. */
export async function changesOf(project: ProjectCode, anchors: readonly Anchor[]): Promise<CodeChange[]> {
  const changes: CodeChange[] = [];
  for (const anchor of anchors) {
    const here = atItsPlace(anchor, project);
    if (here === 'same') continue;
    const found = here === 'missing' ? await elsewhereOf(anchor, project) : here;
    changes.push({ cited: anchor.cited, path: anchor.path, name: anchor.name, ...found });
  }
  return changes;
}

function atItsPlace(anchor: Anchor, project: ProjectCode): ReturnType<typeof comparedIn> {
  if (project.wasSame(anchor)) return 'same';
  if (project.stands(anchor.path) === null) return 'missing';
  const code = anchor.of === 'definition' || anchor.of === 'line' ? project.code(anchor.path) : null;
  const compared = code === null ? 'same' : comparedIn(anchor, code);
  if (compared === 'same') project.rememberSame(anchor);
  return compared;
}

async function elsewhereOf(anchor: Anchor, project: ProjectCode): Promise<Found> {
  const remembered = project.found(anchor);
  const known = remembered.get();
  if (known) return known;
  const found = elsewhere(anchor, project, await project.list());
  remembered.put(found);
  return found;
}

function elsewhere(anchor: Anchor, project: ProjectCode, files: readonly string[]): Found {
  if (anchor.of === 'definition') return definitionElsewhere(anchor, project, files);
  const to = anchor.of === 'folder' ? folderElsewhere(anchor, files) : fileElsewhere(anchor, project, files);
  if (to === null) return { how: 'gone', to: null };
  return { how: baseName(to) === baseName(anchor.path) ? 'moved' : 'renamed', to };
}

// The same under its name in another file; else the only one of that name, which was changed on the way.
function definitionElsewhere({ path, name, hash }: Anchor, project: ProjectCode, files: readonly string[]): Found {
  const last = (name ?? '').slice((name ?? '').lastIndexOf('.') + 1);
  const ending = endingOf(path);
  const named = files
    .filter((file) => file !== path && endingOf(file) === ending && project.holds(file, last))
    .flatMap((file) =>
      (project.code(file)?.definitions ?? [])
        .filter((each) => each.name === last && (each.qualified === name || each.hash === hash))
        .map((each) => ({ file, isSame: each.hash === hash })),
    );
  const same = named.find(({ isSame }) => isSame);
  const own = [...new Set(named.map(({ file }) => file))].filter((file) => isTest(file) === isTest(path));
  const to = same?.file ?? (own.length === 1 ? own[0] : undefined);
  return to === undefined ? { how: 'gone', to: null } : { how: 'moved', to };
}

function fileElsewhere({ path, of, hash }: Anchor, project: ProjectCode, files: readonly string[]): string | null {
  const named = files.filter((file) => baseName(file) === baseName(path));
  const isSame = (file: string) => of === 'file' && project.hash(file) === hash;
  const ending = endingOf(path);
  const same = named.find(isSame) ?? files.find((file) => endingOf(file) === ending && isSame(file));
  return same ?? (named.length === 1 ? (named[0] ?? null) : null);
}

function folderElsewhere({ path }: Anchor, files: readonly string[]): string | null {
  const named = new Set<string>();
  for (const file of files) {
    const folders = foldersOf(file);
    for (const [depth, folder] of folders.entries())
      if (folder === baseName(path)) named.add(folders.slice(0, depth + 1).join('/'));
  }
  return named.size === 1 ? ([...named][0] ?? null) : null;
}

function endingOf(path: string): string {
  const base = baseName(path);
  return base.slice(base.lastIndexOf('.'));
}
