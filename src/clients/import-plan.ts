import { ANY_LINE_END, blocksOf, withoutOuterBlankLines } from '../gate/ledger/text-blocks.ts';
import { parseBrief } from '../memory/brief-and-notes.ts';
import { readSections } from './memory-formats.ts';
import { blockTools } from './notes-block.ts';

/** A file that a person has already, and where its text would belong. */
export interface ImportSource {
  /** As a person reads it. */
  name: string;
  text: string;
  /** Whose notes, where the file itself says so. */
  workspace?: string | undefined;
  to: { kind: 'notes' } | { kind: 'taste'; file: string };
  /** It lies in a repository: what it says of tastes is its own word. */
  inProject?: boolean;
  /** Instructions: each item of a list is a note. */
  byItem?: boolean;
  /** Each text is one block of its own. */
  texts?: readonly string[] | undefined;
}

export interface ImportItem {
  from: string;
  /** Of the notes, where the file itself says so. */
  workspace?: string | undefined;
  /** `brief`: told, never written. */
  kind: 'notes' | 'taste' | 'brief';
  file: string;
  content: string;
  /** A repository's file says that this is a taste of the person's. */
  claimed?: boolean | undefined;
}

const HEADING = /^#{1,6}\s/;
const ITEM = /^[-*+]\s/;
// A line across the page says nothing by itself, and the same one appears many times in a file: it goes with what follows.
const RULE = /^ {0,3}([-*_])(?:[ \t]*\1){2,}[ \t]*$/;
// Without it an item would say something else.
const BINDING =
  /\b(?:never|don['’]?t|avoid|not|no|forbidden|wrong|bad|only|when|if|unless|until|before|after|while|for|in|on)\b|[❌✗🚫⛔]/iu;
const FENCE = /^\s*(?:```|~~~)/;
// Rules of some editors begin with settings between two lines of dashes.
const FRONT_MATTER = /^\uFEFF?---\r?\n[\s\S]*?\r?\n---\r?\n/;

// Each block by itself, a heading with the block it heads, a code block whole: what the person decides on one by one.
export function planImport(source: ImportSource): ImportItem[] {
  const { name, workspace, to, texts } = source;
  const shared = { from: name, workspace };
  const whole = source.text.replace(FRONT_MATTER, '');
  // What Bearings keeps there itself is in the notes.
  const text = blockTools.take(whole, 0) ?? whole;
  const briefOf = (said: string): ImportItem[] => [
    { ...shared, kind: 'brief', file: 'brief.md', content: withoutOuterBlankLines(said) },
  ];
  const sections = readSections(text);
  if (sections)
    return sections.flatMap(({ target, text: said }) => {
      if (target === 'brief.md') return briefOf(said);
      const item: Pick<ImportItem, 'kind' | 'file' | 'claimed'> =
        target === 'notes.md'
          ? { kind: 'notes', file: target }
          : { kind: 'taste', file: target.slice('tastes/'.length), claimed: source.inProject };
      return blocksOf(said).map((content) => ({ ...shared, ...item, content }));
    });
  if (!texts && isBrief(name, text)) return briefOf(text);
  const file = to.kind === 'taste' ? to.file : 'notes.md';
  const blocks = texts?.map(withoutOuterBlankLines) ?? importBlocks(text);
  return (source.byItem ? blocks.flatMap(itemsOf) : blocks).map((content) => ({
    ...shared,
    kind: to.kind,
    file,
    content,
  }));
}

function importBlocks(text: string): string[] {
  const open: string[][] = [[]];
  let [isFenced, isBegun] = [false, false];
  for (const line of text.split(ANY_LINE_END)) {
    if (FENCE.test(line)) isFenced = !isFenced;
    const isBlank = line.trim() === '' && !isFenced;
    const isHeading = HEADING.test(line) && !isFenced;
    if ((isBlank || isHeading) && isBegun) open.push([]);
    isBegun = (isBegun && !isBlank && !isHeading) || !(line.trim() === '' || HEADING.test(line) || RULE.test(line));
    open.at(-1)?.push(isBlank ? '' : line);
  }
  const blocks = open.map((lines) => withoutOuterBlankLines(lines.join('\n'))).filter((block) => block !== '');
  const last = blocks.at(-1) ?? '';
  if (blocks.length > 1 && last.split('\n').every((line) => line === '' || RULE.test(line)))
    blocks.splice(-2, 2, `${blocks.at(-2)}\n\n${last}`);
  return blocks;
}

function itemsOf(block: string): string[] {
  const lines = block.split('\n');
  const first = lines.findIndex((line) => line.trim() !== '' && !HEADING.test(line));
  if (!ITEM.test(lines[first] ?? '') || BINDING.test(lines.slice(0, first).join('\n'))) return [block];
  const items: string[] = [];
  for (const line of lines.slice(first)) items.push(ITEM.test(line) ? line : `${items.pop()}\n${line}`);
  return items;
}

// It says so itself, or it declares tastes.
function isBrief(name: string, text: string): boolean {
  return /(?:^|\/)brief\.md$/i.test(name) || parseBrief(text).brief.tastes.length > 0;
}
