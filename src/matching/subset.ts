import { type Passage, passagesOf } from './passages.ts';
import { parseInput, type QueryInput } from './query.ts';
import type { Tokenizer } from './text/terms.ts';

const HEADING = /^#{1,6}\s/;

// The passages of a parent context that share a word with the task, in their order, with the headings above them.
// Text without any such passage stays whole, and that is said: nothing is a worse context than too much.
export function subsetOf(
  context: string,
  { taskText, previousOutputs = '' }: QueryInput,
  tokenizer: Tokenizer,
): { text: string; missed: boolean } {
  const { terms } = parseInput({ taskText, previousOutputs }, tokenizer);
  const wanted = new Map(terms.map(({ term, weight }) => [term, weight]));
  const blocks = passagesOf('context.md', context).flatMap((passage, i, all) => blocksOf(passage, all[i - 1]));
  const matching = blocks.map(({ text }) => weightOf(text, wanted, tokenizer) >= 1);
  if (!matching.includes(true)) return { text: context, missed: context.trim() !== '' };
  let subset = '';
  let last = -1;
  for (const [i, { text, isRightBelow }] of blocks.entries()) {
    if (!matching[i] && !leadsToMatch(blocks, matching, i)) continue;
    if (subset !== '') subset += isRightBelow && last === i - 1 ? '\n' : '\n\n';
    subset += text;
    last = i;
  }
  return { text: subset, missed: false };
}

/** A heading, or a paragraph. */
interface Block {
  text: string;
  /** No empty line parts it from the block before it. */
  isRightBelow: boolean;
}

function blocksOf({ text }: Passage, before: Passage | undefined): Block[] {
  const isRightBelow = before !== undefined && !/\n[ \t]*$/.test(before.text) && !/^[ \t]*\n/.test(text);
  return text
    .split(/\n[ \t]*\n+/)
    .flatMap((part, i) => {
      const isNext = i === 0 && isRightBelow;
      const end = part.indexOf('\n');
      if (!HEADING.test(part) || end === -1) return [{ text: part, isRightBelow: isNext }];
      return [
        { text: part.slice(0, end), isRightBelow: isNext },
        { text: part.slice(end + 1), isRightBelow: true },
      ];
    })
    .map((block) => ({ ...block, text: block.text.trimEnd().replace(/^\n+/, '') }))
    .filter((block) => block.text !== '');
}

function weightOf(text: string, wanted: ReadonlyMap<string, number>, tokenizer: Tokenizer): number {
  const found = new Set<string>();
  tokenizer.each(text, (term) => {
    if (wanted.has(term)) found.add(term);
  });
  let weight = 0;
  for (const term of found) weight += wanted.get(term) ?? 0;
  return weight;
}

// A heading stays when something below it stays, up to the next heading of its rank.
function leadsToMatch(blocks: readonly Block[], matching: readonly boolean[], at: number): boolean {
  const rank = rankOf(blocks[at]);
  if (rank === null) return false;
  for (let i = at + 1; i < blocks.length; i += 1) {
    const below = rankOf(blocks[i]);
    if (below !== null && below <= rank) return false;
    if (matching[i]) return true;
  }
  return false;
}

// How deep a heading is; null for what is none.
function rankOf(block: Block | undefined): number | null {
  return block && HEADING.test(block.text) ? (/^#+/.exec(block.text)?.[0].length ?? null) : null;
}
