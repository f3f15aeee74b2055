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
  const ways = lists.filter((list) => list.length > 0).map((list) => ({ list, at: 0 }));
  const first: number[] = [];
  while (first.length < most && ways.length > 0) {
    let next = ways[0] as (typeof ways)[number];
    for (const way of ways) if (view.order(headOf(way), headOf(next)) < 0) next = way;
    first.push(headOf(next));
    next.at += 1;
    if (next.at === next.list.length) ways.splice(ways.indexOf(next), 1);
  }
  return first;
}

function headOf({ list, at }: { list: readonly number[]; at: number }): number {
  return list[at] as number;
}
