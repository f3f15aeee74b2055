import type { IndexView } from '../index/index-view.ts';
import type { Query } from '../query.ts';
import { passageScores } from '../score-passages.ts';
import type { Tokenizer } from '../text/terms.ts';
import { Tally } from './tally.ts';

// As far as passages of a bundle reach.
const MOST_CHARS = 200_000;

// How much of the text the best passage of each file says, beside the best of them all.
export function passageSignal(
  view: IndexView,
  query: Query,
  { tokenizer, read, ids }: { tokenizer: Tokenizer; read(path: string): string | null; ids: readonly number[] },
): Tally {
  const scoresOf = passageScores(view, query, { tokenizer });
  const best = new Tally(view.size);
  for (const id of ids) {
    const path = view.path(id);
    for (const { score } of scoresOf(path, (read(path) ?? '').slice(0, MOST_CHARS))) best.raise([id], score);
  }
  best.level();
  return best;
}
