import { blocksOf } from '../gate/ledger/text-blocks.ts';
import { ROOT } from './commands.ts';

/** A confirmed block and its lines in the file it stands in. */
export interface ConfirmedBlock {
  first_line: number;
  last_line: number;
  text: string;
  origin?: { at: string } | null;
}

/** What a file of memory is made of in the person's own files. */
export interface Source {
  kind: 'notes' | 'taste';
  /** Of a taste: its file. */
  file?: string;
  /** Of a section: its heading, the first of the blocks. */
  heading: string | null;
  blocks: ConfirmedBlock[];
}

/** What moves the person's file to the new text; null: nothing changes. */
export type Draft = { content: string; replaces?: string } | { retires: string } | null;

const NOTES = 'notes.md';
const TASTES = 'tastes/';
// Notes and tastes are files of their own: no heading can pose as one.
const HEADING = new RegExp(`^## ${ROOT}/(?!notes\\.md$|tastes/)(.+)$`);

/** Notes are one file and, below headings that name a path, the files an agent made. */
export function sectionsOf(blocks: readonly ConfirmedBlock[]): Map<string, Source> {
  const files = new Map<string, Source>();
  const add = (path: string, block: ConfirmedBlock, heading: string | null) => {
    const source = files.get(path) ?? { kind: 'notes' as const, heading, blocks: [] };
    source.blocks.push(block);
    files.set(path, source);
  };
  let path = NOTES;
  for (const block of blocks) {
    const heading = block.text.split('\n', 1)[0] ?? '';
    const named = HEADING.exec(heading)?.[1];
    // A heading of the person's own ends a section.
    if (named !== undefined || /^#{1,2} /.test(heading)) path = named ?? NOTES;
    add(path, block, named === undefined ? null : heading);
  }
  return files;
}

export function textOfSource({ heading, blocks }: Source): string {
  const text = blocks.map((block) => block.text).join('\n\n');
  return heading === null ? text : text.slice(heading.length).replace(/^\n+/, '');
}

/** Where the text of a path that is not there yet would stand. */
export function newSource(path: string): Source {
  if (path.startsWith(TASTES)) return { kind: 'taste', file: path.slice(TASTES.length), heading: null, blocks: [] };
  return { kind: 'notes', heading: path === NOTES ? null : `## ${ROOT}/${path}`, blocks: [] };
}

/** One proposal: the blocks that differ give way to the new ones. */
export function draftOf(source: Source, text: string | null): Draft {
  const { heading } = source;
  const body = text === null ? [] : blocksOf(heading === null ? text : deeper(text));
  const next = heading === null || text === null ? body : [heading, ...body];
  // The heading of a section stands with the first lines below it, or by itself.
  const old = source.blocks.flatMap((block) => splitHeading(source, block));
  const same = (a: number, b: number) => old[a]?.text === next[b];
  let start = 0;
  while (start < old.length && start < next.length && same(start, start)) start += 1;
  let end = 0;
  while (end < old.length - start && end < next.length - start && same(old.length - 1 - end, next.length - 1 - end))
    end += 1;
  let [gone, fresh] = [old.slice(start, old.length - end), next.slice(start, next.length - end)];
  if (gone.length === 0 && fresh.length === 0) return null;
  const isAtEnd = start === old.length && heading === null;
  if (gone.length === 0 && old.length > 0 && !isAtEnd) {
    // Between two blocks there is nothing to replace: a neighbour comes along.
    const neighbour = Math.max(0, start - 1);
    const [kept] = old.slice(neighbour, neighbour + 1);
    if (kept) {
      gone = [kept];
      fresh = start === 0 ? [...fresh, kept.text] : [kept.text, ...fresh];
    }
  }
  const content = fresh.join('\n\n');
  if (gone.length === 0) return { content };
  return content === '' ? { retires: joined(gone) } : { content, replaces: joined(gone) };
}

function splitHeading({ heading }: Source, block: ConfirmedBlock): ConfirmedBlock[] {
  if (heading === null || block.text === heading || !block.text.startsWith(`${heading}\n`)) return [block];
  const rest = block.text.slice(heading.length + 1);
  const { first_line, last_line } = block;
  return [
    { first_line, last_line: first_line, text: heading },
    { first_line: first_line + 1, last_line, text: rest },
  ];
}

// As the lines are in the file, blank ones included; text of others between them makes it fit nowhere, and `propose` says so.
function joined(blocks: readonly ConfirmedBlock[]): string {
  return blocks.reduce((text, block, at) => {
    const above = blocks[at - 1];
    return above ? text + '\n'.repeat(block.first_line - above.last_line) + block.text : block.text;
  }, '');
}

// Headings in a file that an agent made stand below the one that names it.
function deeper(text: string): string {
  let fence = false;
  return text
    .split('\n')
    .map((line) => {
      if (/^\s*(```|~~~)/.test(line)) fence = !fence;
      return fence ? line : line.replace(/^#{1,2} /, (marks) => `##${marks}`);
    })
    .join('\n');
}
