import type { Look } from '../io/file-look.ts';
import type { Progress } from '../io/index-builder.ts';
import { forgetMatchIndex, matchIndex } from '../io/match-index.ts';
import type { MatchedFile } from '../loader/matched.ts';
import type { History } from '../matching/history.ts';
import { match } from '../matching/match.ts';
import { rank } from '../matching/rank.ts';
import { createTokenizer } from '../matching/terms.ts';

interface Ranking {
  root: string;
  look: Look;
  history: History | null;
  /** Where the flat index is kept. */
  path: string;
  top: number;
  onProgress?: Progress | undefined;
}

// The files that fit the task, the best first, worked out from the flat index of the project.
export async function rankedFiles(
  task: string,
  { root, look, history, path, top, onProgress }: Ranking,
): Promise<MatchedFile[]> {
  const tokenizer = createTokenizer();
  const answer = async (): Promise<MatchedFile[]> => {
    const view = await matchIndex({ root, path, tokenizer, onProgress }, look);
    const related = new Map(match(view, task, tokenizer));
    const only = new Set(related.keys());
    return rank(view, task, { tokenizer, history, top, only }).map(({ path, score, parts }) => ({
      path,
      score,
      parts,
      words: related.get(path)?.words ?? [],
    }));
  };
  try {
    return await answer();
  } catch {
    // A broken index shows while it is read: it is made again once.
    forgetMatchIndex(path);
    return answer();
  }
}
