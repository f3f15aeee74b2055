import { lstatSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { compareCodePoints } from '../loader/code-points.ts';
import type { IndexView } from '../matching/index-view.ts';
import { PathList, type Segment } from '../matching/segment.ts';
import { liveIn, type StoredSegment, segmentedIndex } from '../matching/segmented-index.ts';
import type { Tokenizer } from '../matching/terms.ts';
import { atomicWrite } from './atomic-write.ts';
import type { Progress } from './index-builder.ts';
import { packParts, unpackParts } from './packed-parts.ts';

/** Some files of a project, and what tells the content of each from another. */
interface Listing {
  names: readonly string[];
  /** Size, modified, changed, inode of each; all 0 for what is no plain file. */
  stats: Float64Array;
}

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
  now(): number;
  onProgress?: Progress | undefined;
}

const FORMAT = 1;
const NUMBERS = 4;
// A file changed this shortly before it was looked at may change again within the same tick of its clock.
const RACY_MS = 20;
const FEW = 64;

// The index of a few thousand files: one flat file that is read whole, without a database and without git. Every call
// looks at all files; what changed is read anew. Lost, broken or of another format, it is made again.
export async function matchIndex(place: MatchIndexPlace, names: readonly string[]): Promise<IndexView> {
  const started = place.now();
  const now = { names, stats: statsOf(place.root, names) };
  const kept = readKept(place.path);
  if (kept && isSame(kept.now, now)) return viewOf(kept);
  const fresh = (kept && (await changed(kept, now, place))) ?? (await built(now, place));
  keep(place.path, { ...fresh, now: settled(now, started) });
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
  const segments: Segment[] = [];
  for await (const segment of segmentsOf(place, names, place.onProgress)) segments.push(segment);
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
  const { count, paths, ends, lengths, totals, blocks, imports } = segment;
  const dead = new Uint8Array(count);
  const list = new PathList(paths, ends);
  if (stands) for (let id = 0; id < count; id += 1) if (!stands(list.at(id))) dead[id] = 1;
  return {
    ...{ count, paths, ends, lengths, dead, live: stands ? liveIn(segment, dead) : { documents: count, totals } },
    block(key) {
      let [low, high] = [0, blocks.length];
      while (low < high) {
        const middle = (low + high) >>> 1;
        if (compareCodePoints((blocks[middle] as { first: string }).first, key) <= 0) low = middle + 1;
        else high = middle;
      }
      return blocks[low - 1]?.data ?? null;
    },
    imports: (number) => imports[number]?.data ?? Buffer.alloc(1),
  };
}

function statsOf(root: string, names: readonly string[]): Float64Array {
  const stats = new Float64Array(names.length * NUMBERS);
  for (let i = 0; i < names.length; i += 1) {
    const stat = lstatSync(`${root}/${names[i]}`, { throwIfNoEntry: false });
    if (!stat?.isFile()) continue;
    stats[i * NUMBERS] = stat.size;
    stats[i * NUMBERS + 1] = stat.mtimeMs;
    stats[i * NUMBERS + 2] = stat.ctimeMs;
    stats[i * NUMBERS + 3] = stat.ino;
  }
  return stats;
}

function identities({ names, stats }: Listing): Map<string, string> {
  return new Map(names.map((name, i) => [name, stats.subarray(i * NUMBERS, (i + 1) * NUMBERS).join(' ')]));
}

function isSame(a: Listing, b: Listing): boolean {
  return (
    a.names.length === b.names.length &&
    bytesOf(a.stats).equals(bytesOf(b.stats)) &&
    a.names.every((name, i) => name === b.names[i])
  );
}

function bytesOf({ buffer, byteOffset, byteLength }: Float64Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

// What may still change within its clock's tick is kept with a time that never comes again.
function settled({ names, stats }: Listing, started: number): Listing {
  const kept = stats.slice();
  for (let i = 2; i < kept.length; i += NUMBERS) if ((kept[i] as number) > started - RACY_MS) kept[i] = -1;
  return { names, stats: kept };
}

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
