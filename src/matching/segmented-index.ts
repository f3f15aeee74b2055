import { compareCodePoints } from '../code-point-order.ts';
import { LENGTHS, type Lengths } from './fields.ts';
import type { IndexView, Postings } from './index-view.ts';
import { postingsOf } from './machine.ts';
import { PathList } from './path-list.ts';
import { importsOf } from './segment.ts';

const encoder = new TextEncoder();

/** A segment as it is kept: the parts that every query needs, and ways to the rest. */
export interface StoredSegment {
  count: number;
  paths: Uint8Array;
  ends: Uint32Array;
  lengths: Uint32Array;
  /** One byte a document: 1 where a later segment or a removal took its place. */
  dead: Uint8Array;
  /** Of the documents that still stand. */
  live: Live;
  /** The block in which the key stands, if this segment has it. */
  block(key: string): Uint8Array;
  imports(id: number): Uint8Array;
}

interface Home extends StoredSegment {
  list: PathList;
  /** The number of its first document. */
  base: number;
}

export interface Live {
  documents: number;
  totals: Lengths;
}

/** What a segment holds without its dead documents. */
export function liveIn(
  { count, lengths, totals }: { count: number; lengths: Uint32Array; totals: Lengths },
  dead: readonly number[],
): Live {
  const live = { documents: count - dead.length, totals: { ...totals } };
  for (const id of dead)
    for (const [i, field] of LENGTHS.entries()) live.totals[field] -= lengths[i * count + id] as number;
  return live;
}

// Several segments as one index: a later one holds what changed since the earlier ones.
export function segmentedIndex(stored: readonly StoredSegment[]): IndexView {
  const segments: Home[] = stored.map((segment) => ({
    ...segment,
    list: new PathList(segment.paths, segment.ends),
    base: 0,
  }));
  let size = 0;
  for (const segment of segments) {
    segment.base = size;
    size += segment.count;
  }
  const dead = joinedBytes(
    segments.map((segment) => segment.dead),
    size,
  );
  const lengths = new Map<keyof Lengths, Uint32Array>();
  const totals: Lengths = { body: 0, path: 0, base: 0, defines: 0 };
  let documents = 0;
  for (const { live } of segments) {
    documents += live.documents;
    for (const field of LENGTHS) totals[field] += live.totals[field];
  }
  const homes = segments.filter(({ count }) => count > 0);
  const homeOf = (id: number) => {
    let at = homes.length - 1;
    while (at > 0 && (homes[at] as Home).base > id) at -= 1;
    const segment = homes[at];
    if (!segment) throw new RangeError('there is no such document');
    return segment;
  };
  const pathOf = (id: number): string => {
    const segment = homeOf(id);
    return segment.list.at(id - segment.base);
  };
  const known = new Map<string, Postings>();
  return {
    size,
    documents,
    totals,
    isLive: (id) => dead[id] !== 1,
    lengths(field) {
      const joined = lengths.get(field) ?? joinedLengths(segments, LENGTHS.indexOf(field), size);
      lengths.set(field, joined);
      return joined;
    },
    postings(key) {
      let postings = known.get(key);
      if (!postings) {
        postings = postingsOf(
          encoder.encode(key),
          segments.map(({ block, dead, base }) => ({ bytes: block(key), dead, base })),
        );
        known.set(key, postings);
      }
      return postings;
    },
    path: pathOf,
    // Within a segment numbers follow the paths, and bytes of UTF-8 the code points.
    order: (a, b) => (homeOf(a) === homeOf(b) ? a - b : compareCodePoints(pathOf(a), pathOf(b))),
    idOf(path) {
      const wanted = encoder.encode(path);
      for (const { list, dead, base } of segments) {
        const id = list.find(wanted);
        if (id !== undefined && dead[id] !== 1) return base + id;
      }
      return undefined;
    },
    hasStart(start) {
      const wanted = encoder.encode(start);
      return segments.some(({ list }) => list.hasStart(wanted));
    },
    stretches: homes.map(({ base }) => base),
    imports(id) {
      const segment = homeOf(id);
      return importsOf(segment.imports(id - segment.base));
    },
  };
}

function joinedBytes(parts: readonly Uint8Array[], size: number): Uint8Array {
  if (parts.length === 1) return parts[0] as Uint8Array;
  const all = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

function joinedLengths(
  segments: readonly { count: number; lengths: Uint32Array; base: number }[],
  field: number,
  size: number,
): Uint32Array {
  const part = (count: number, lengths: Uint32Array) => lengths.subarray(field * count, (field + 1) * count);
  const [only] = segments;
  if (segments.length === 1 && only) return part(only.count, only.lengths);
  const all = new Uint32Array(size);
  for (const { count, lengths, base } of segments) all.set(part(count, lengths), base);
  return all;
}
