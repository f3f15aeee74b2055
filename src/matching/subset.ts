import { type Passage, passagesOf } from './passages.ts';
import { parseQuery } from './query.ts';
import type { Tokenizer } from './terms.ts';

const HEADING = /^#{1,6}\s/;

// The passages of a parent context that share a word with the task, in their order, with the headings above them.
// Text without any such passage stays whole: nothing is a worse context than too much.
export function subsetOf(context: string, taskText: string, tokenizer: Tokenizer): string {
  const wanted = new Map(parseQuery(taskText, tokenizer).terms.map(({ term, weight }) => [term, weight]));
  const blocks = passagesOf('context.md', context).flatMap(paragraphsOf);
  const kept = blocks.map((block) => weightOf(block, wanted, tokenizer) >= 1);
  if (!kept.includes(true)) return context;
  const lines: string[] = [];
  for (const [i, block] of blocks.entries()) {
    if (kept[i] || (HEADING.test(block) && leadsToKept(blocks, kept, i))) lines.push(block);
  }
  return lines.join('\n\n');
}

function paragraphsOf({ text }: Passage): string[] {
  return text
    .split(/\n[ \t]*\n+/)
    .flatMap((part) => {
      const end = part.indexOf('\n');
      return HEADING.test(part) && end !== -1 ? [part.slice(0, end), part.slice(end + 1)] : [part];
    })
    .map((part) => part.trimEnd().replace(/^\n+/, ''))
    .filter((part) => part !== '');
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
function leadsToKept(blocks: readonly string[], kept: readonly boolean[], heading: number): boolean {
  const rank = rankOf(blocks[heading] as string);
  for (let i = heading + 1; i < blocks.length; i += 1) {
    const block = blocks[i] as string;
    if (HEADING.test(block) && rankOf(block) <= rank) return false;
    if (kept[i]) return true;
  }
  return false;
}

function rankOf(heading: string): number {
  return /^#+/.exec(heading)?.[0].length ?? 0;
}
