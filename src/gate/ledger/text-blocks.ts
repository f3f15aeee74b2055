import { linesWithEnds } from '../../code-points.ts';
import type { Sha256 } from './entry.ts';

// A block is a run of lines between blank lines. Memory is compared by blocks, not by bytes: line ends and the blank
// lines around a block are not part of what was said.

type LineEnd = '\n' | '\r\n' | '\r';

export const ANY_LINE_END = /\r\n|\n|\r/;

export function withoutOuterBlankLines(content: string): string {
  const lines = content.split(ANY_LINE_END);
  const isSaid = (line: string): boolean => line.trim() !== '';
  return lines.slice(lines.findIndex(isSaid), lines.findLastIndex(isSaid) + 1).join('\n');
}

export function normalised(content: string): string {
  return withoutOuterBlankLines(content).trim();
}

export interface FileBlock {
  /** From 1. */
  firstLine: number;
  lines: string[];
  /** Of its characters in the text, without the last line end. */
  start: number;
  end: number;
}

export function fileBlocks(text: string): FileBlock[] {
  const blocks: FileBlock[] = [];
  let open: FileBlock | null = null;
  for (const [index, { line, start, end }] of linesIn(text).entries()) {
    if (line.trim() === '') open = null;
    else if (open) {
      open.lines.push(line);
      open.end = end;
    } else {
      open = { firstLine: index + 1, lines: [line], start, end };
      blocks.push(open);
    }
  }
  return blocks;
}

export function blocksOf(text: string): string[] {
  return fileBlocks(text).map(({ lines }) => lines.join('\n').trim());
}

/** The blocks of `content` are in the text, one after the other. */
export function holdsBlocks(text: string, content: string): boolean {
  const [blocks, wanted] = [blocksOf(text), blocksOf(content)];
  return blocks.some((_, at) => wanted.every((block, index) => blocks[at + index] === block));
}

export type FileEnd = ReturnType<typeof fileEndOf>;

/** What an append has to know of the end of a file: whether its last line is closed, and blank. */
export function fileEndOf(tail: string) {
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
export function findBlock(text: string, block: string): Omit<FileBlock, 'lines'> | null {
  const wanted = withoutOuterBlankLines(block).split('\n');
  const lines = linesIn(text);
  const hits = lines.flatMap(({ start }, at) => {
    const last = lines[at + wanted.length - 1];
    const isIt = last && wanted.every((line, index) => lines[at + index]?.line === line);
    return isIt ? [{ firstLine: at + 1, start, end: last.end }] : [];
  });
  return hits.length === 1 ? (hits[0] ?? null) : null;
}

export function replaceBlock(text: string, block: string, content: string): string | null {
  const place = findBlock(text, block);
  if (!place) return null;
  if (normalised(content) === '')
    return withoutLines(text, [{ ...place, count: withoutOuterBlankLines(block).split('\n').length }]);
  const inserted = withoutOuterBlankLines(content).split('\n').join(fileEndOf(text).lineEnd);
  return text.slice(0, place.start) + inserted + text.slice(place.end);
}

/** A text without some lines; a whole block goes with the blank lines after it, and none are left at the end. */
export function withoutLines(text: string, ranges: readonly { firstLine: number; count: number }[]): string {
  const lines = linesWithEnds(text);
  const gone = new Set<number>();
  for (const { firstLine, count } of ranges) {
    for (let line = firstLine; line < firstLine + count; line += 1) gone.add(line - 1);
    const before = lines[firstLine - 2];
    if (before !== undefined && before.trim() !== '') continue;
    for (let next = firstLine - 1 + count; lines[next]?.trim() === ''; next += 1) gone.add(next);
  }
  const kept = lines.filter((_, index) => !gone.has(index));
  if (gone.has(lines.length - 1)) while (kept.at(-1)?.trim() === '') kept.pop();
  return kept.join('');
}

function linesIn(text: string): { line: string; start: number; end: number }[] {
  let start = 0;
  return linesWithEnds(text).map((whole) => {
    const line = whole.replace(/[\r\n]+$/, '');
    const place = { line, start, end: start + line.length };
    start += whole.length;
    return place;
  });
}

// Of a line only as much as finds candidates: what is compared in the end is the fingerprint of the whole block.
export const LINE_HASH_CHARS = 16;

// White space is not part of what was said: a block that was moved or re-wrapped stays the block it was.
export function collapsed(text: string): string {
  // Single blanks are it already: leaving them out makes this six times as fast.
  return text.trim().replace(/\s\s+|[^\S ]/g, ' ');
}

// Of a block that was re-wrapped: what the eye does not see is none of that, and no line of it becomes a heading.
const WRAPPING = /([ \t]*[\r\n][ \t\r\n]*(?=#{1,6}(?:[ \t\r\n]|$)))|[ \t\r\n]{2,}|[\t\r\n]/g;

export function fingerprintOf(block: string, sha256: Sha256): string {
  return sha256(block.trim().replace(WRAPPING, (_, heading?: string) => (heading ? '\n' : ' ')));
}

export function lineHash(line: string, sha256: Sha256): string {
  return fingerprintOf(line, sha256).slice(0, LINE_HASH_CHARS);
}
