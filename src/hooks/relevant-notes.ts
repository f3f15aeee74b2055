import { ASKING_TERMS, CHANGE_TERMS } from '../matching/text/stop-words.ts';
import type { Tokenizer } from '../matching/text/terms.ts';

/** What the person confirmed, and may belong to a prompt. */
export interface NoteText {
  text: string;
  /** Paths and globs it belongs to. */
  paths: readonly string[];
}

// Few notes say little about which words are rare: as if there were so many more.
const OTHER_NOTES = 30;
const GENERAL_WEIGHT = 0.25;
const SHORTEST_STEM = 4;
const PREFIX_WEIGHT = 0.7;
const LEAST_SCORE = 3.2;
const LEAST_SHARE = 0.72;
const MOST_NOTES = 3;

/** The notes that stand out for a prompt, the best first; mostly none. */
export function relevantNotes<N extends NoteText>(notes: readonly N[], prompt: string, tokenizer: Tokenizer): N[] {
  const wanted = [...new Set(tokenizer.list(prompt))];
  if (wanted.length === 0) return [];
  const terms = notes.map(({ text }) => new Set(tokenizer.list(text)));
  const scores = new Array<number>(notes.length).fill(0);
  for (const term of wanted) {
    const holds = terms.map((own) => shareIn(own, term));
    const df = holds.reduce((sum, share) => sum + (share > 0 ? 1 : 0), 0);
    if (df === 0) continue;
    const general = CHANGE_TERMS.has(term) || ASKING_TERMS.has(term) ? GENERAL_WEIGHT : 1;
    const weight = general * Math.log(1 + (notes.length + OTHER_NOTES) / (df + 0.5));
    for (const [at, share] of holds.entries()) scores[at] = (scores[at] as number) + share * weight;
  }
  const best = Math.max(...scores);
  return notes
    .map((note, at) => ({ note, score: scores[at] as number }))
    .filter(({ score }) => score >= LEAST_SCORE && score >= best * LEAST_SHARE)
    .sort((a, b) => b.score - a.score)
    .slice(0, MOST_NOTES)
    .map(({ note }) => note);
}

// The word itself, or a longer or shorter form of it: auth and authentication, config and configuration.
function shareIn(own: ReadonlySet<string>, term: string): number {
  if (own.has(term)) return 1;
  if (term.length < SHORTEST_STEM) return 0;
  for (const each of own)
    if (each.length >= SHORTEST_STEM && (each.startsWith(term) || term.startsWith(each))) return PREFIX_WEIGHT;
  return 0;
}
