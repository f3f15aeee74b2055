import type { Sha256 } from './entry.ts';

// A block is a run of lines between blank lines. Memory is compared by blocks, not by bytes: line ends and the blank
// lines around a block are not part of what was said.

type LineEnd = '\n' | '\r\n' | '\r';

const ANY_LINE_END = /\r\n|\n|\r/;

export function withoutOuterBlankLines(content: string): string {
  const lines = content.split(ANY_LINE_END);
  const isSaid = (line: string): boolean => line.trim() !== '';
  return lines.slice(lines.findIndex(isSaid), lines.findLastIndex(isSaid) + 1).join('\n');
}

export function normalised(content: string): string {
  return withoutOuterBlankLines(content).trim();
}

export function blocksOf(text: string): string[] {
  const blocks: string[] = [];
  let open: string[] = [];
  for (const line of text.split(ANY_LINE_END)) {
    if (line.trim() !== '') open.push(line);
    else if (open.length > 0) {
      blocks.push(open.join('\n').trim());
      open = [];
    }
  }
  if (open.length > 0) blocks.push(open.join('\n').trim());
  return blocks;
}

/** The blocks of `content` are in the text, one after the other. */
export function holdsBlocks(text: string, content: string): boolean {
  const [blocks, wanted] = [blocksOf(text), blocksOf(content)];
  return blocks.some((_, at) => wanted.every((block, index) => blocks[at + index] === block));
}

/** What an append has to know of the end of a file. */
export interface FileEnd {
  empty: boolean;
  /** The last line is closed. */
  closed: boolean;
  /** The last line is blank. */
  blankLine: boolean;
  lineEnd: LineEnd;
}

export function fileEndOf(tail: string): FileEnd {
  const lineEnd = (/(\r\n|\n|\r)[^\r\n]*(?:\r\n|\n|\r)?$/.exec(tail)?.[1] ?? '\n') as LineEnd;
  const lines = tail.split(ANY_LINE_END);
  const closed = tail !== '' && lines.at(-1) === '';
  return { empty: tail === '', closed, blankLine: closed && lines.at(-2)?.trim() === '', lineEnd };
}

// The last line completed, one blank line, the content, one line end: what is there stays an unchanged prefix.
export function appendForm(end: FileEnd, content: string): string {
  const { lineEnd } = end;
  const text = withoutOuterBlankLines(content).split('\n').join(lineEnd) + lineEnd;
  if (end.empty) return text;
  return (end.closed ? '' : lineEnd) + (end.blankLine ? '' : lineEnd) + text;
}

// Where `block` appears as whole lines; null unless exactly once.
export function findBlock(text: string, block: string): { start: number; end: number } | null {
  const wanted = withoutOuterBlankLines(block).split('\n');
  const lines = linesWithPlaces(text);
  const hits: { start: number; end: number }[] = [];
  for (let at = 0; at + wanted.length <= lines.length; at += 1) {
    if (!wanted.every((line, index) => lines[at + index]?.text === line)) continue;
    const first = lines[at];
    const last = lines[at + wanted.length - 1];
    if (first && last) hits.push({ start: first.start, end: last.end });
  }
  return hits.length === 1 ? (hits[0] ?? null) : null;
}

export function replaceBlock(text: string, block: string, content: string): string | null {
  const place = findBlock(text, block);
  if (!place) return null;
  const { lineEnd } = fileEndOf(text);
  if (normalised(content) === '') return withoutRange(text, place, lineEnd);
  const inserted = withoutOuterBlankLines(content).split('\n').join(lineEnd);
  return text.slice(0, place.start) + inserted + text.slice(place.end);
}

// A whole block goes with the blank lines after it, lines within one alone.
function withoutRange(text: string, { start, end }: { start: number; end: number }, lineEnd: LineEnd): string {
  const before = text.slice(0, start);
  const isWhole = /(?:^|(?:\r\n|\n|\r)[ \t]*(?:\r\n|\n|\r))$/.test(before);
  const ends = isWhole ? /^(?:[ \t]*(?:\r\n|\n|\r))*/ : /^(?:\r\n|\n|\r)?/;
  const after = text.slice(end).replace(ends, '');
  return after === '' && isWhole ? before.replace(/(?:[ \t]*(?:\r\n|\n|\r))+$/, lineEnd) : before + after;
}

function linesWithPlaces(text: string): { text: string; start: number; end: number }[] {
  const lines: { text: string; start: number; end: number }[] = [];
  const ends = /\r\n|\n|\r|$/g;
  let start = 0;
  for (let match = ends.exec(text); match; match = ends.exec(text)) {
    lines.push({ text: text.slice(start, match.index), start, end: match.index });
    if (match[0] === '') break;
    start = match.index + match[0].length;
  }
  return lines;
}

// Of a line only as much as finds candidates: what is compared in the end is the fingerprint of the whole block.
export const LINE_HASH_CHARS = 16;

// White space is not part of what was said: a block that was moved or re-wrapped stays the block it was.
export function collapsed(text: string): string {
  // Single blanks are it already: leaving them out makes this six times as fast.
  return text.trim().replace(/\s\s+|[^\S ]/g, ' ');
}

export function fingerprintOf(block: string, sha256: Sha256): string {
  return sha256(collapsed(block));
}

export function lineHash(line: string, sha256: Sha256): string {
  return fingerprintOf(line, sha256).slice(0, LINE_HASH_CHARS);
}
