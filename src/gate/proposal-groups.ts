import { BearingsError } from '../errors.ts';
import { stem } from '../matching/text/terms.ts';
import { ruleNotes } from '../memory/rules.ts';
import { contradictionsWith } from './contradictions/contradictions.ts';
import { type Proposal, targetOf } from './proposals/proposal.ts';
import { FEWEST_LISTED } from './proposals/session-groups.ts';
import { likeness, wordsOf } from './proposals/similar-lines.ts';
import type { ShownProposal } from './propose.ts';

/** In a list, with those that say nearly the same below it. */
export interface ListedProposal extends ShownProposal {
  repeats: Proposal[];
}

const MAX_LINES = 40;
const NEARLY_THE_SAME = 0.75;
const READING_SPEED = 15;
const DECIDING_SECONDS = 5;

/** Near repeats under the one that says the most: what they say, it says too. Another number, or the opposite, is no repeat. */
export function foldRepeats(proposals: readonly Proposal[]): { proposal: Proposal; repeats: Proposal[] }[] {
  const found: { proposal: Proposal; repeats: Proposal[]; words: Set<string> }[] = [];
  const longestFirst = [...proposals].sort((a, b) => b.content.length - a.content.length);
  for (const proposal of longestFirst) {
    const words = new Set([...wordsOf(proposal.content)].map(stem));
    const same = found.find((each) => isRepeat(each.proposal, each.words, proposal, words));
    if (same) same.repeats.push(proposal);
    else found.push({ proposal, repeats: [], words });
  }
  return found
    .sort((a, b) => proposals.indexOf(a.proposal) - proposals.indexOf(b.proposal))
    .map(({ proposal, repeats }) => ({ proposal, repeats }));
}

function isRepeat(a: Proposal, wordsA: ReadonlySet<string>, b: Proposal, wordsB: ReadonlySet<string>): boolean {
  if (targetOf(a) !== targetOf(b) || a.replaces !== null || b.replaces !== null) return false;
  if (likeness(wordsA, wordsB) < NEARLY_THE_SAME || [...wordsB].some((word) => !wordsA.has(word))) return false;
  if (numbersIn(wordsA) !== numbersIn(wordsB)) return false;
  return contradictionsWith(a.content, [{ place: '', line: 1, text: b.content }]).length === 0;
}

function numbersIn(words: ReadonlySet<string>): string {
  return [...words]
    .filter((word) => /\d/.test(word))
    .sort()
    .join(' ');
}

/** Why it matters, in one line. */
export function whyOf({ similar, proposal }: ShownProposal): string {
  if (proposal.reason) return `"${proposal.reason}"`;
  const [near] = similar;
  if (near) return `near line ${near.line}: "${[...near.text].slice(0, 40).join('')}"`;
  return proposal.category ? `a new ${proposal.category}` : 'new';
}

/** Those that a person can judge in a list: short, and with nothing beside them that deserves a second look. */
function listable(all: readonly ShownProposal[]): ListedProposal[] {
  const shown = new Map(all.filter(isPlain).map((each) => [each.proposal.proposal_id, each]));
  return foldRepeats([...shown.values()].map(({ proposal }) => proposal)).flatMap(({ proposal, repeats }) => {
    const own = shown.get(proposal.proposal_id);
    return own ? [{ ...own, repeats }] : [];
  });
}

function isPlain({ state, contradicts, declined, proposal }: ShownProposal): boolean {
  const isShort = proposal.content.split('\n').length <= MAX_LINES;
  const isRule = ruleNotes(proposal.content).length > 0;
  return state === 'fresh' && contradicts.length === 0 && !declined && proposal.replaces === null && isShort && !isRule;
}

/** How long a person takes to read and decide. */
export function minutesFor(texts: readonly string[]): number {
  const seconds = texts.reduce((sum, text) => sum + DECIDING_SECONDS + text.length / READING_SPEED, 0);
  return Math.ceil(seconds / 60);
}

/** What one session proposed, on one list. */
export interface SessionList {
  lines: ListedProposal[];
  /** What comes by itself: it may contradict memory, replaces something, is a rule, or is long. */
  others: Proposal[];
  /** How long a person takes to read and decide on all of the session. */
  minutes: number;
}

/** Null: they are better decided one by one. */
export async function sessionList(
  group: readonly Proposal[],
  show: (proposalId: string) => Promise<ShownProposal>,
): Promise<SessionList | null> {
  if (group.length < FEWEST_LISTED) return null;
  const shown: ShownProposal[] = [];
  for (const { proposal_id } of group) {
    try {
      shown.push(await show(proposal_id));
    } catch (error) {
      // Decided elsewhere in the meantime.
      if (!(error instanceof BearingsError)) throw error;
    }
  }
  const lines = listable(shown);
  if (lines.length < 2) return null;
  const inside = new Set(
    lines.flatMap(({ proposal, repeats }) => [proposal, ...repeats]).map((each) => each.proposal_id),
  );
  return {
    lines,
    others: group.filter(({ proposal_id }) => !inside.has(proposal_id)),
    minutes: minutesFor(group.map(({ content }) => content)),
  };
}
