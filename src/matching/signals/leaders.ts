import type { IndexView } from '../index/index-view.ts';

/** The documents with the `top` best scores above zero, the best first; of equal ones the one whose path comes first. */
export function leaders(view: IndexView, scores: Float64Array, ids: Iterable<number>, top: number): number[] {
  const scoreOf = (id: number): number => scores[id] as number;
  let best = [...ids].filter((id) => scoreOf(id) > 0);
  if (best.length > top) {
    // Numbers alone are sorted many times as fast as documents.
    const least = Float64Array.from(best, scoreOf).sort()[best.length - top] as number;
    best = best.filter((id) => scoreOf(id) >= least);
  }
  return best.sort((a, b) => scoreOf(b) - scoreOf(a) || view.order(a, b)).slice(0, top);
}
