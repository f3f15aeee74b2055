import { join } from 'node:path';
import { type FileStamp, isUnchanged, stampOf } from '../io/file-stamp.ts';
import type { Workspace } from '../io/workspace-folders.ts';
import type { Context } from '../memory/read-context.ts';
import type { House } from './house.ts';

/** A context ready to go out. Shared between calls, so nobody may change it. */
export interface ServedContext {
  readonly context: Context;
  readonly warnings: readonly string[];
  /** The context as JSON. */
  readonly text: string;
}

const FILES = ['brief.md', 'notes.md', 'log.jsonl', 'vocabulary_gaps.jsonl'];
const MOST_GENRES = 50;
const MOST_WORKSPACES = 8;

interface Kept {
  /** The same house, the same settings: whoever edits them gets another. */
  house: House;
  id: string;
  stamp: FileStamp | null;
  genres: readonly string[];
  served: ServedContext;
}

// Agents ask again and again for what has not changed. As long as every file has its inode, size and times, so has the
// answer its words; a hand edit is in the next call.
export function servedContexts(now: () => Date) {
  const kept = new Map<string, Kept>();
  return async (
    house: House,
    workspace: Workspace,
    read: () => Promise<{ context: Context; warnings: string[] }>,
  ): Promise<ServedContext> => {
    const { id, folder } = workspace;
    const known = kept.get(folder);
    const time = now().getTime();
    if (known?.stamp && known.house === house && known.id === id && isUnchanged(known.stamp, time)) return known.served;
    const genres = known?.genres ?? [];
    // Before reading: what changes while we read has another stamp in the next call.
    const stamp = stampOf(pathsOf(house, workspace, genres), time);
    const { context, warnings } = await read();
    const served = { context, warnings, text: JSON.stringify(context) };
    const declared = context.brief.tastes;
    // The older single file in place of the default taste is not among the stamped ones.
    const isOld = context.tastes.default !== '' && house.tastes.readDefault().legacy;
    const isWhole = !isOld && declared.join('\n') === genres.join('\n');
    if (kept.size >= MOST_WORKSPACES && !known) kept.clear();
    if (declared.length > MOST_GENRES) kept.delete(folder);
    else kept.set(folder, { house, id, stamp: isWhole ? stamp : null, genres: declared, served });
    return served;
  };
}

function pathsOf(house: House, workspace: Workspace, genres: readonly string[]): string[] {
  return [
    ...FILES.map((name) => join(workspace.folder, name)),
    ...['_default', ...genres].map((name) => house.tastes.pathOf(name)),
    // What is told of unaccounted blocks hangs on the decisions: heads move with each of ours, a ledger's folder with
    // each that came by a merge.
    join(house.home, 'heads'),
    join(workspace.folder, 'ledger'),
    join(house.tastes.folder, 'ledger'),
  ];
}
