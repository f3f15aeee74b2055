import { compareCodePoints } from '../../code-points.ts';
import { LENGTHS, type Lengths } from './fields.ts';
import type { IndexView, Postings } from './index-view.ts';
import { postingsOf, type Segment, SortedTexts } from './segment.ts';

/** A segment, and which of its documents count. */
export interface SegmentPart {
  segment: Segment;
  /** One byte a document: 1 where it counts. */
  live: Uint8Array;
}

interface Home extends SegmentPart {
  paths: SortedTexts;
  keys: SortedTexts;
  /** The number of its first document. */
  base: number;
}

// Several segments as one index. No path may count in two of them.
export function segmentedIndex(parts: readonly SegmentPart[]): IndexView {
  const homes: Home[] = [];
  let size = 0;
  for (const { segment, live } of parts) {
    if (segment.count === 0) continue;
    const [paths, keys] = [new SortedTexts(segment.paths), new SortedTexts(segment.keys)];
    homes.push({ segment, live, paths, keys, base: size });
    size += segment.count;
  }
  const live = new Uint8Array(size);
  const lengths = Object.fromEntries(LENGTHS.map((field) => [field, new Uint32Array(size)])) as Record<
    keyof Lengths,
    Uint32Array
  >;
  for (const { segment, live: own, base } of homes) {
    live.set(own, base);
    for (const [i, field] of LENGTHS.entries())
      lengths[field].set(segment.lengths.subarray(i * segment.count, (i + 1) * segment.count), base);
  }
  const totals: Lengths = { body: 0, path: 0, base: 0 };
  let documents = 0;
  for (let id = 0; id < size; id += 1) {
    if (live[id] !== 1) continue;
    documents += 1;
    for (const field of LENGTHS) totals[field] += lengths[field][id] as number;
  }
  const homeOf = (id: number): Home => {
    const home = homes.findLast(({ base }) => base <= id);
    if (!home) throw new RangeError('there is no such document');
    return home;
  };
  const pathOf = (id: number): string => {
    const { paths, base } = homeOf(id);
    return paths.at(id - base);
  };
  const known = new Map<string, Postings>();
  return {
    size,
    documents,
    totals,
    isLive: (id) => live[id] === 1,
    lengths: (field) => lengths[field],
    postings(key) {
      let postings = known.get(key);
      if (!postings) {
        postings = postingsIn(homes, key);
        known.set(key, postings);
      }
      return postings;
    },
    path: pathOf,
    // Within a segment numbers follow the paths.
    order: (a, b) => (homeOf(a) === homeOf(b) ? a - b : compareCodePoints(pathOf(a), pathOf(b))),
    idOf(path) {
      for (const { paths, base } of homes) {
        const id = paths.idOf(path);
        if (id !== undefined && live[base + id] === 1) return base + id;
      }
      return undefined;
    },
  };
}

function postingsIn(homes: readonly Home[], key: string): Postings {
  const [ids, counts]: [number[], number[]] = [[], []];
  for (const { segment, live, keys, base } of homes) {
    const number = keys.idOf(key);
    if (number === undefined) continue;
    const [from, to] = postingsOf(segment, number);
    for (let at = from; at < to; at += 1) {
      const id = segment.ids[at] as number;
      if (!(id < segment.count)) throw new RangeError('the postings name a document that is not there');
      if (live[id] !== 1) continue;
      ids.push(base + id);
      counts.push(segment.counts[at] as number);
    }
  }
  return { ids: Uint32Array.from(ids), counts: Uint32Array.from(counts) };
}
