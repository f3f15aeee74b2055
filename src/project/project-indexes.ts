import { fingerprintsOf } from '../files/file-fingerprint.ts';
import { join, namesIn } from '../files/paths.ts';
import { filesBelow, holdsBytes, type SoughtText, type TextCopy } from '../files/text-copies.ts';
import type { IndexView } from '../matching/index/index-view.ts';
import type { History } from '../matching/signals/history.ts';
import type { Tokenizer } from '../matching/text/terms.ts';
import { indexFolder, type Progress, type ProjectFiles, ProjectIndex } from './io/index/project-index.ts';
import { listProject } from './io/project-listing.ts';
import { pathExcluder } from './pattern.ts';

export type { Progress, ProjectFiles } from './io/index/project-index.ts';

/** The files that count, and what git tells of them. */
export interface IndexedProject {
  view: IndexView;
  history(depth: number): Promise<History | null>;
}

export interface IndexedOptions {
  /** Else all files of the project. */
  files?: ProjectFiles;
  /** False: as they were at the last question. */
  rescan?: boolean | undefined;
  /** What lacks more files than this is asked as it is. */
  mostRead?: number | undefined;
  onProgress?: Progress | undefined;
}

/** All files of a project as they are now. */
export async function scanProject(root: string, exclude: readonly string[] = []): Promise<ProjectFiles> {
  const listed = await listProject(root);
  const isExcluded = pathExcluder(exclude);
  const names = exclude.length === 0 ? listed : listed.filter((name) => !isExcluded(name));
  return { names, prints: fingerprintsOf(root, names) };
}

// The one way to the indexes of projects, for everyone who asks which files belong to a task.
export function projectIndexes({
  cacheFolder,
  tokenizer,
  scan = scanProject,
}: {
  cacheFolder: string;
  tokenizer: Tokenizer;
  /** Which files count; default: all of the project. */
  scan?: (root: string) => Promise<ProjectFiles>;
}) {
  const indexes = new Map<string, ProjectIndex>();
  const turns = new Map<string, Promise<unknown>>();
  const views = new Map<string, IndexView>();

  const indexOf = (root: string): ProjectIndex => {
    const known = indexes.get(root) ?? new ProjectIndex({ root, cacheFolder, tokenizer });
    indexes.set(root, known);
    return known;
  };

  const answer = async <T>(
    root: string,
    { files, rescan = true, mostRead, onProgress }: IndexedOptions,
    use: (project: IndexedProject) => T | Promise<T>,
  ): Promise<T> => {
    const index = indexOf(root);
    const history = (depth: number) => index.history(depth);
    const last = views.get(root);
    if (!rescan && !files && last) return use({ view: last, history });
    const asked = files ?? (await scan(root));
    const viewed = async (): Promise<T> => {
      const view = await index.view(asked, onProgress, mostRead);
      if (!files) views.set(root, view);
      return use({ view, history });
    };
    try {
      return await viewed();
    } catch {
      // A broken index shows while it is read: it is made again once, then the answer comes from the new one.
      await index.rebuild(asked, onProgress);
      return viewed();
    }
  };

  return {
    indexOf,
    // One at a time: a call that brings the index up to date may not take it from under another.
    ask<T>(root: string, options: IndexedOptions, use: (project: IndexedProject) => T | Promise<T>): Promise<T> {
      const turn = (turns.get(root) ?? Promise.resolve()).then(() => answer(root, options, use));
      turns.set(
        root,
        turn.catch(() => undefined),
      );
      return turn;
    },
  };
}

/** An index that may hold a text goes whole, and is made again when it is needed. `roots`: projects whose memory it may have been in. */
export function indexCopies(cacheFolder: string, roots: readonly string[], sought: SoughtText): TextCopy[] {
  const stood = new Set(roots.map((root) => indexFolder(cacheFolder, root)));
  const gone = (path: string): TextCopy => ({ what: 'index file', path, scope: null, rewrite: null });
  const filesIn = (folder: string) => [...filesBelow(folder)].filter((path) => !path.endsWith('.lock'));
  const indexes = namesIn(join(cacheFolder, 'index'))
    .map((name) => join(cacheFolder, 'index', name))
    .flatMap((folder) => {
      const files = filesIn(folder);
      return stood.has(folder) || files.some((path) => holdsBytes(path, sought)) ? files : [];
    });
  // Short hashes of blocks: enough to try a guess on.
  return [...indexes, ...filesIn(join(cacheFolder, 'blocks'))].map(gone);
}
