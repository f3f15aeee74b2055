import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import type { IndexView } from '../matching/index-view.ts';
import { PathList } from '../matching/path-list.ts';
import { blockOf, type Segment } from '../matching/segment.ts';
import { liveIn, type StoredSegment, segmentedIndex } from '../matching/segmented-index.ts';
import type { Tokenizer } from '../matching/terms.ts';
import { atomicWrite } from './atomic-write.ts';
import { identities, isSame, type Listing, type Look, settled } from './file-look.ts';
import type { Progress } from './index-builder.ts';
import { packParts, unpackParts } from './packed-parts.ts';

interface Kept {
  /** All files, as they were when last looked at. */
  now: Listing;
  /** Those of the first segments, where something changed since: that is in the later ones. */
  first: Listing | null;
  segments: Segment[];
  later: Segment[];
}

export interface MatchIndexPlace {
  root: string;
  /** The one file that keeps it. */
  path: string;
  tokenizer: Tokenizer;
  onProgress?: Progress | undefined;
}

const FORMAT = 2;
const FEW = 64;

// The index of a few thousand files: one flat file that is read whole, without a database and without git. Every call
// looks at all files; what changed is read anew. Lost, broken or of another format, it is made again.
export async function matchIndex(place: MatchIndexPlace, now: Look): Promise<IndexView> {
  const kept = readKept(place.path);
  if (kept && isSame(kept.now, now)) return viewOf(kept);
  const fresh = (kept && (await changed(kept, now, place))) ?? (await built(now, place));
  keep(place.path, { ...fresh, now: settled(now) });
  return viewOf(fresh);
}

async function built(now: Listing, place: MatchIndexPlace): Promise<Kept> {
  return { now, first: null, segments: await segmentsFrom(place, now.names), later: [] };
}

// Null where so much changed that a new start is less work.
async function changed(kept: Kept, now: Listing, place: MatchIndexPlace): Promise<Kept | null> {
  const first = kept.first ?? kept.now;
  const before = identities(first);
  const fresh = [...identities(now)].filter(([name, identity]) => before.get(name) !== identity).map(([name]) => name);
  if (fresh.length > Math.max(FEW, now.names.length / 4)) return null;
  return { ...kept, now, first, later: await segmentsFrom(place, fresh) };
}

async function segmentsFrom(place: MatchIndexPlace, names: readonly string[]): Promise<Segment[]> {
  // Loaded only when there is something to read: most calls find the index as they left it.
  const { segmentsOf } = await import('./index-builder.ts');
  const { newCounter } = await import('./new-counter.ts');
  const counter = newCounter(place.tokenizer);
  const segments: Segment[] = [];
  for await (const segment of segmentsOf({ root: place.root, counter }, names, place.onProgress))
    segments.push(segment);
  return segments;
}

// What a later segment holds, or what is gone, is dead in the first ones.
function viewOf({ now, first, segments, later }: Kept): IndexView {
  if (first === null) return segmentedIndex(segments.map((segment) => stored(segment, null)));
  const [before, after] = [identities(first), identities(now)];
  const stands = (path: string) => after.get(path) === before.get(path);
  return segmentedIndex([
    ...segments.map((segment) => stored(segment, stands)),
    ...later.map((segment) => stored(segment, null)),
  ]);
}

function stored(segment: Segment, stands: ((path: string) => boolean) | null): StoredSegment {
  const { count, paths, ends, totals, blocks, blockEnds, imports, importEnds } = segment;
  const dead: number[] = [];
  const list = new PathList(paths, ends);
  if (stands) for (let id = 0; id < count; id += 1) if (!stands(list.at(id))) dead.push(id);
  const marks = new Uint8Array(count);
  for (const id of dead) marks[id] = 1;
  return {
    ...segment,
    dead: marks,
    live: stands ? liveIn(segment, dead) : { documents: count, totals },
    block: (key) => part(blocks, blockEnds, blockOf(key, blockEnds.length)),
    imports: (id) => part(imports, importEnds, id),
  };
}

const part = (bytes: Uint8Array, ends: Uint32Array, number: number): Uint8Array =>
  bytes.subarray(number === 0 ? 0 : ends[number - 1], ends[number]);

export function forgetMatchIndex(path: string): void {
  rmSync(path, { force: true });
}

function readKept(path: string): Kept | null {
  try {
    return unpackParts(readFileSync(path), FORMAT) as Kept | null;
  } catch {
    return null;
  }
}

function keep(path: string, kept: Kept): void {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    atomicWrite(path, packParts(kept, FORMAT), 0o600);
  } catch {
    // No place to keep it: the next call makes it again.
  }
}
