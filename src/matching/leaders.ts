import { compareCodePoints } from '../code-point-order.ts';
import type { IndexView } from './index-view.ts';
import { type Cells, machine } from './machine.ts';

/**
 * The documents with the `top` best scores above nought, in no order; of equal ones those whose path comes first. Only
 * the documents of the list may have a score.
 */
export function leaders(
  view: IndexView,
  scores: Cells<Float64Array>,
  { list, count, top }: { list: Cells<Uint32Array>; count: number; top: number },
): number[] {
  const own = machine();
  return own.within(() => {
    const { stretches, size } = view;
    const heap = own.filled(Math.max(1, top), Number.NEGATIVE_INFINITY);
    const edge = Math.max(0, own.code.edge(list.place, count, scores.place, heap, top));
    const chosen = (loop: 'above' | 'equal', [start, end]: [number, number], most: number): number[] =>
      own.within(() => {
        const out = own.room(most * 4);
        const found = own.code[loop](start, end, scores.place, edge, out, most);
        return [...own.take(out, new Uint32Array(found))];
      });
    const above = chosen('above', [0, size], top);
    if (edge === 0 || above.length === top) return above;
    // Within a stretch numbers follow the paths: of very many equals only the first of each stretch are looked at.
    const rest = top - above.length;
    const equals = stretches.map((start, n) => chosen('equal', [start, stretches[n + 1] ?? size], rest));
    return [...above, ...firstOf(view, equals, rest)];
  });
}

// The first of all lists together, each of which is in path order.
function firstOf(view: IndexView, lists: readonly number[][], most: number): number[] {
  const ways: Way[] = lists.filter(({ length }) => length > 0).map((list) => wayFrom(view, list, 0));
  const first: number[] = [];
  while (first.length < most && ways.length > 0) {
    let least = 0;
    for (let n = 1; n < ways.length; n += 1)
      if (compareCodePoints((ways[n] as Way).path, (ways[least] as Way).path) < 0) least = n;
    const { list, at } = ways[least] as Way;
    first.push(list[at] as number);
    ways.splice(least, 1, ...(at + 1 < list.length ? [wayFrom(view, list, at + 1)] : []));
  }
  return first;
}

/** How far a list is taken, and the path that comes next. */
interface Way {
  list: readonly number[];
  at: number;
  path: string;
}

function wayFrom(view: IndexView, list: readonly number[], at: number): Way {
  return { list, at, path: view.path(list[at] as number) };
}
