import { type FileStamp, isUnchanged, stampOf } from '../io/file-stamp.ts';
import type { Workspace } from '../io/workspace-folders.ts';
import type { Doors, House, TargetLike } from './house.ts';

/** A workspace with the settings in force there. Opaque to faces. */
export interface Place {
  readonly house: House;
  readonly workspace: Workspace;
}

const MOST_PLACES = 8;

// Where a target leads is looked up anew only where something that decides it has changed: a handful of looks at the
// disk in place of dozens.
export function keptPlaces(doors: Doors) {
  const kept = new Map<string | undefined, { root: string | undefined; stamp: FileStamp; place: Place }>();
  const find = async (target: TargetLike): Promise<Place> => {
    const house = await doors.house();
    return { house, workspace: house.workspace(target) };
  };
  return async (target: TargetLike): Promise<Place> => {
    const { id, root } = typeof target === 'string' ? { id: target, root: undefined } : target;
    const known = kept.get(id);
    const time = doors.now().getTime();
    if (known && known.root === root && isUnchanged(known.stamp, time)) return known.place;
    kept.delete(id);
    const first = await find(target);
    const paths = doors.hangsOn(first.house, first.workspace, target);
    const stamp = paths && stampOf(paths, time);
    if (!stamp) return first;
    // Once more: what changed before the stamp was taken would not be told by it.
    const place = await find(target);
    if (kept.size >= MOST_PLACES) kept.clear();
    if (isSame(first, place)) kept.set(id, { root, stamp, place });
    return place;
  };
}

function isSame(a: Place, b: Place): boolean {
  return a.house === b.house && a.workspace.id === b.workspace.id && a.workspace.folder === b.workspace.folder;
}
