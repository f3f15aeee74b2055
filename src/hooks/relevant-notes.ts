import { ASKING_TERMS, CHANGE_TERMS } from '../matching/text/stop-words.ts';
import type { Tokenizer } from '../matching/text/terms.ts';

/** What the person confirmed, and may belong to a prompt. */
export interface NoteText {
  text: string;
  /** Paths and globs it belongs to. */
  paths: readonly string[];
}

// Words that steer an agent and name nothing: with them alone a prompt is small talk or a follow-up. Measured: without the list 39 of 105
// such prompts would be answered, with it none (bench/hooks.mjs).
const STEERING = `
ok okay yes yeah yep no nope please thanks thank welcome sorry hello hi hey bye good great nice cool perfect awesome fine best better well bad
worse morning night tomorrow today yesterday later soon now again still already yet ever never always maybe sure really exactly correct right
wrong true false go going gone come coming keep keeping continue proceed start stop wait hold finish done end begin try trying retry do make get
got give take put let need want like run running ran test tests check checking verify look looking see show tell say explain describe summarize
summary detail details short shorter brief long longer think thought know idea mean means meant guess believe hope understand remember forget
remind fix fixed fail fails failed failing failure error errors problem problems issue issues bug bugs work works working broken break commit
push pull merge revert undo redo diff branch pr request message open close save apply first second third last next previous before other others
another same different rest step steps part parts option options plan one two three choice decide choose pick thing things stuff something
anything nothing everything everyone else way ways kind sort lot bit little more less much many few all both neither none only even code file
files line lines function change changes changed changing update add remove delete create write read edit rename move clean cleanup refactor
improve simplify simple implement question answer help helpful ready careful worry matter status state place time times minute moment while new
old big small whole full empty quick quickly slow fast easy hard use using used leave left skip ignore happen happened found find pass passes
passing output result results version window mistake oops lol haha wow hmm interesting fair enough agree agreed sense
myself yourself yourselves himself herself itself ourselves themselves mine yours ours theirs somebody someone anybody anyone nobody whoever
ll ve re don didn doesn isn aren wasn weren won wouldn couldn shouldn can cannot back forward forwards backwards ahead behind away apart together
along aside across around once twice double triple half quarter warning warnings notice hint hints letter number sentence paragraph word words`;

/** The terms of a prompt that name something. None: nothing can stand out. */
export function tellingTerms(prompt: string, tokenizer: Tokenizer): Set<string> {
  const steering = new Set(tokenizer.list(STEERING));
  const isGeneral = (term: string) =>
    /^(?:\d+|\p{L})$/u.test(term) || CHANGE_TERMS.has(term) || ASKING_TERMS.has(term) || steering.has(term);
  return new Set(tokenizer.list(prompt).filter((term) => !isGeneral(term)));
}

// Few notes say little about which words are rare: as if there were so many more.
const OTHER_NOTES = 150;
const GENERAL_WEIGHT = 0.3;
const SHORTEST_STEM = 4;
const PREFIX_WEIGHT = 0.7;
// About one word that hardly any note has.
const LEAST_TELLING = 3.5;
const LEAST_SHARE = 0.86;
const MOST_NOTES = 2;

/** The notes that stand out for a prompt, the best first; mostly none. */
export function relevantNotes<N extends NoteText>(notes: readonly N[], prompt: string, tokenizer: Tokenizer): N[] {
  const telling = tellingTerms(prompt, tokenizer);
  if (telling.size === 0) return [];
  const terms = notes.map(({ text }) => new Set(tokenizer.list(text)));
  const scored = notes.map((note) => ({ note, score: 0, telling: 0 }));
  for (const term of new Set(tokenizer.list(prompt))) {
    const isTelling = telling.has(term);
    const shares = terms.map((own) => shareIn(own, term, isTelling));
    const holders = shares.filter((share) => share > 0).length;
    const rarity = Math.log(1 + (notes.length + OTHER_NOTES) / (holders + 0.5));
    for (const [at, share] of shares.entries()) {
      const entry = scored[at] as (typeof scored)[number];
      entry.score += share * rarity * (isTelling ? 1 : GENERAL_WEIGHT);
      if (isTelling) entry.telling += share * rarity;
    }
  }
  const enough = scored.filter((entry) => entry.telling >= LEAST_TELLING);
  const best = Math.max(0, ...enough.map(({ score }) => score));
  return enough
    .filter(({ score }) => score >= best * LEAST_SHARE)
    .sort((a, b) => b.score - a.score)
    .slice(0, MOST_NOTES)
    .map(({ note }) => note);
}

// The word itself, or a longer or shorter form of it: auth and authentication, config and configuration.
function shareIn(own: ReadonlySet<string>, term: string, isTelling: boolean): number {
  if (own.has(term)) return 1;
  if (!isTelling || term.length < SHORTEST_STEM) return 0;
  for (const each of own)
    if (each.length >= SHORTEST_STEM && (each.startsWith(term) || term.startsWith(each))) return PREFIX_WEIGHT;
  return 0;
}
