import { ASKING_TERMS, CHANGE_TERMS, EVERYDAY, STEERING } from '../matching/text/stop-words.ts';
import type { Tokenizer } from '../matching/text/terms.ts';

/** What the person confirmed, and may belong to a prompt. */
export interface NoteText {
  text: string;
  /** Paths and globs it belongs to. */
  paths: readonly string[];
}

// Parts of a prompt that name nothing by themselves.
const TALK = [
  // `copy that`, `wrap it up`: what is done to something that a word before it named.
  /\b[a-z]+(?=\s+(?:it|this|that|them|these|those|me|us|you)\s*(?:$|[.,;:!?]|(?:up|out|off|down|in|on|over|again|now|please|too|then|back|away|instead|anyway)\b))/gi,
  // `it crashed`, `I approve`: what is said of something named before, or of who talks.
  /\b(?:it|this|that|they|i|you|we)(?:\s+(?:just|still|now|again|also|ha[sd]|have|do|does|did|do(?:es)?n't|didn't))*\s+[a-z]+(?=\s*(?:$|[.,;:!?]))/gi,
  // `approved, go on`: a verdict is a part of its own.
  /(?<=^\s*|[.,;:!?]\s*)[a-z]+ed(?=\s*(?:$|[.,;:!?]))/gi,
  // `your opinion`, `your last idea`: what is the agent's own.
  /\byour\s+(?:(?:last|first|second|previous|latest|other|own|new)\s+)?[a-z]+/gi,
];

// Who asks for work in so few words says what to do (`mend the parser`) or asks for a place, names code, or says what some thing does.
const FEW_WORDS = 5;
const WORK =
  /\b(?:build|call|check|configure|debug|deploy|explain|find|how|install|migrate|open|publish|release|review|run|search|set up|ship|start|test|where|which|why|write)\b|^\W*(?:the|our)(?:\s+\S+){3}|^\W*(?:please\s+)?[a-z]{3,}\s+(?:the|our)\s+\S/i;
const CODE = /`|[\p{L}\d][._/\\-][\p{L}\d]|\p{Ll}\p{Lu}|\d/u;

function asksForNothing(prompt: string, tokenizer: Tokenizer): boolean {
  if (prompt.split(/\s+/).length > FEW_WORDS || CODE.test(prompt) || WORK.test(prompt)) return false;
  return !tokenizer.list(prompt).some((term) => CHANGE_TERMS.has(term));
}

/** The terms of a prompt that name something, and those of them that nobody says every day. None: nothing can stand out. */
export function tellingTerms(prompt: string, tokenizer: Tokenizer): Record<'named' | 'rare', Set<string>> {
  const steering = new Set(tokenizer.list(STEERING));
  const isGeneral = (term: string) =>
    /^(?:\d+|\p{L})$/u.test(term) || CHANGE_TERMS.has(term) || ASKING_TERMS.has(term) || steering.has(term);
  const named = new Set(
    tokenizer.list(TALK.reduce((text, part) => text.replace(part, ' '), prompt)).filter((term) => !isGeneral(term)),
  );
  // With what they do to a verb: proper, properly.
  const everyday = new Set(tokenizer.list(EVERYDAY.replace(/\w+/g, '$& $&ly')));
  const rare = new Set([...named].filter((term) => !everyday.has(term)));
  // Two such words in a sentence are no small talk.
  const isSentence = rare.size > 1 && prompt.trim().split(/\s+/).length > 3;
  const isTelling = rare.size > 0 && (isSentence || !asksForNothing(prompt, tokenizer));
  return isTelling ? { named, rare } : { named: new Set(), rare: new Set() };
}

// Few notes say little about which words are rare: as if there were so many more.
const OTHER_NOTES = 150;
const GENERAL_WEIGHT = 0.3;
const SHORTEST_STEM = 6;
const PREFIX_WEIGHT = 0.7;
// A note begins with what it is about. Measured on 20 other trades: 67 → 72 of 100, wrong ones 0.71 → 0.61 a prompt.
const OPENING_TERMS = 3;
const OPENING_WEIGHT = 1.2;
// About one word that hardly any note has.
const LEAST_TELLING = 3.5;
const LEAST_SHARE = 0.84;
const MOST_NOTES = 2;

/** The notes that stand out for a prompt, the best first; mostly none. */
export function relevantNotes<N extends NoteText>(notes: readonly N[], prompt: string, tokenizer: Tokenizer): N[] {
  const { named: telling } = tellingTerms(prompt, tokenizer);
  const asked = new Set(tokenizer.list(prompt));
  const terms = notes.map(({ text }) => [...new Set(tokenizer.list(text))]);
  const isSaid = terms.map((own) => saysMuchOf(own, asked));
  if (telling.size === 0 && !isSaid.includes(true)) return [];
  const scored = notes.map((note) => ({ note, score: 0, telling: 0 }));
  for (const term of asked) {
    const isTelling = telling.has(term);
    const shares = terms.map((own) => shareIn(own, term, isTelling));
    const holders = shares.filter((share) => share > 0).length;
    const rarity = Math.log(1 + (notes.length + OTHER_NOTES) / (holders + 0.5));
    for (const [at, share] of shares.entries()) {
      const entry = scored[at] as (typeof scored)[number];
      const counts = isTelling || isSaid[at] === true;
      entry.score += share * rarity * (counts ? 1 : GENERAL_WEIGHT);
      if (counts) entry.telling += Math.min(1, share) * rarity;
    }
  }
  const enough = scored.filter(({ telling: sum }) => sum >= LEAST_TELLING);
  const best = Math.max(0, ...enough.map(({ score }) => score));
  return enough
    .filter(({ score }) => score >= best * LEAST_SHARE)
    .sort((a, b) => b.score - a.score)
    .slice(0, MOST_NOTES)
    .map(({ note }) => note);
}

// Words that name nothing alone do so together, where they are half of what the note says.
function saysMuchOf(own: readonly string[], asked: ReadonlySet<string>): boolean {
  const shared = own.filter((term) => asked.has(term)).length;
  return shared > 1 && shared >= own.length / 2;
}

// The word itself, or a longer or shorter form of it: auth and authentication, config and configuration.
function shareIn(own: readonly string[], term: string, isTelling: boolean): number {
  const at = own.indexOf(term);
  if (at !== -1) return at < OPENING_TERMS ? OPENING_WEIGHT : 1;
  if (!isTelling || term.length < SHORTEST_STEM) return 0;
  for (const each of own)
    if (each.length >= SHORTEST_STEM && (each.startsWith(term) || term.startsWith(each))) return PREFIX_WEIGHT;
  return 0;
}
