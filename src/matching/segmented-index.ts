import { LENGTHS, type Lengths } from './fields.ts';
import { type IndexView, NO_POSTINGS, type Postings } from './index-view.ts';
import { importsOf, PathList, postingsIn } from './segment.ts';

/** A segment as it is kept: the parts that every query needs, and ways to the rest. */
export interface StoredSegment {
  count: number;
  paths: Uint8Array;
  lengths: Uint32Array;
  /** One byte a document: 1 where a later segment or a removal took its place. */
  dead: Uint8Array;
  block(key: string): Uint8Array | null;
  imports(number: number): Uint8Array;
}

// Several segments as one index: a later one holds what changed since the earlier ones.
export function segmentedIndex(stored: readonly StoredSegment[]): IndexView {
  const segments = stored.map((segment) => ({ ...segment, list: new PathList(segment.paths, segment.count), base: 0 }));
  let size = 0;
  for (const segment of segments) {
    segment.base = size;
    size += segment.count;
  }
  const dead = new Uint8Array(size);
  for (const segment of segments) dead.set(segment.dead, segment.base);
  const lengths = Object.fromEntries(
    LENGTHS.map((field, i) => {
      const all = new Uint32Array(size);
      for (const { base, count, lengths } of segments) all.set(lengths.subarray(i * count, (i + 1) * count), base);
      return [field, all];
    }),
  ) as Record<keyof Lengths, Uint32Array>;
  const totals: Lengths = { body: 0, path: 0, base: 0, defines: 0 };
  for (const field of LENGTHS) {
    const all = lengths[field];
    for (let id = 0; id < size; id += 1) if (dead[id] !== 1) totals[field] += all[id] as number;
  }
  let documents = size;
  for (const mark of dead) documents -= mark;
  const homeOf = (id: number) => {
    const segment = segments.findLast((candidate) => candidate.base <= id && candidate.count > 0);
    if (!segment) throw new RangeError('there is no such document');
    return segment;
  };
  const known = new Map<string, Postings>();
  return {
    size,
    documents,
    totals,
    isLive: (id) => dead[id] !== 1,
    length: (field, id) => lengths[field][id] as number,
    postings(key) {
      let postings = known.get(key);
      if (!postings) {
        postings = merged(
          segments.map(({ block, dead, base }) => {
            const data = block(key);
            return data ? livePostings(postingsIn(data, key), dead, base) : NO_POSTINGS;
          }),
        );
        known.set(key, postings);
      }
      return postings;
    },
    path(id) {
      const segment = homeOf(id);
      return segment.list.at(id - segment.base);
    },
    idOf(path) {
      for (const { list, dead, base } of segments) {
        const id = list.idOf(path);
        if (id !== undefined && dead[id] !== 1) return base + id;
      }
      return undefined;
    },
    imports(id) {
      const segment = homeOf(id);
      return importsOf(segment.imports, id - segment.base);
    },
  };
}

function livePostings({ ids, counts }: Postings, dead: Uint8Array, base: number): Postings {
  let size = 0;
  for (let i = 0; i < ids.length; i += 1) {
    const id = ids[i] as number;
    if (dead[id] === 1) continue;
    ids[size] = id + base;
    counts[size] = counts[i] as number;
    size += 1;
  }
  return { ids: ids.subarray(0, size), counts: counts.subarray(0, size) };
}

function merged(parts: readonly Postings[]): Postings {
  const filled = parts.filter((part) => part.ids.length > 0);
  if (filled.length < 2) return filled[0] ?? NO_POSTINGS;
  const size = filled.reduce((sum, part) => sum + part.ids.length, 0);
  const ids = new Uint32Array(size);
  const counts = new Uint32Array(size);
  let at = 0;
  for (const part of filled) {
    ids.set(part.ids, at);
    counts.set(part.counts, at);
    at += part.ids.length;
  }
  return { ids, counts };
}
