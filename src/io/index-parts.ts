import type { IndexView } from '../matching/index-view.ts';
import { PathList } from '../matching/path-list.ts';
import { liveIn, segmentedIndex } from '../matching/segmented-index.ts';
import type { IndexPart } from './index-store.ts';

/** All parts as one index. */
export function viewOf(parts: readonly IndexPart[]): IndexView {
  return segmentedIndex(
    parts.map(({ segment, dead }) => {
      const marks = new Uint8Array(segment.count);
      for (const id of dead) marks[id] = 1;
      return { ...segment, dead: marks, live: liveIn(segment, dead) };
    }),
  );
}

export function livePaths({ segment, dead }: IndexPart): string[] {
  const list = new PathList(segment.paths, segment.ends);
  const gone = new Set(dead);
  return Array.from({ length: segment.count }, (_, id) => id)
    .filter((id) => !gone.has(id))
    .map((id) => list.at(id));
}

export function withoutPaths(part: IndexPart, paths: readonly string[]): IndexPart {
  const list = new PathList(part.segment.paths, part.segment.ends);
  const dead = new Set(part.dead);
  for (const path of paths) {
    const id = list.idOf(path);
    if (id !== undefined) dead.add(id);
  }
  return dead.size === part.dead.length ? part : { ...part, dead: [...dead] };
}
