import { linesIn } from './text/definitions.ts';
import { type Extent, extentsIn } from './text/extents.ts';
import { kindOf } from './text/paths.ts';

export interface Passage {
  /** Lines counted from 1, both included. */
  start: number;
  end: number;
  /** The heading or the name it is under. */
  title: string | null;
  text: string;
}

const LONGEST_LINES = 60;
const LONGEST_CHARS = 4000;
// Up to so many lines what holds others is one thing, and what is between two of them goes with the first.
const [SMALL_CONTAINER, SMALL_GAP] = [30, 3];
// A function that long is given by what it defines inside.
const LONG_FUNCTION = 150;
// Single constants and types of one line stay together.
const ONE_LINERS = 3;
const CONTAINER =
  /\b(?:class|interface|trait|impl|struct|enum|union|module|namespace|object|protocol|extension|record|mod|defmodule)\b/;
const HEADING = /^#{1,6}\s+(.{1,200})/;
const FENCE = /^\s*(?:```|~~~)/;

// Where a file falls apart by its own sense: headings in prose, definitions in code, blank lines elsewhere.
export function passagesOf(path: string, text: string, longest = LONGEST_LINES): Passage[] {
  const lines = linesIn(text);
  const starts = kindOf(path) === 'prose' ? headingStarts(lines) : definitionStarts(path, text, lines);
  const passages: Passage[] = [];
  const bounds = [...(starts[0]?.line === 0 ? [] : [{ line: 0, title: null }]), ...starts];
  for (const [i, { line, title }] of bounds.entries()) {
    passages.push(...pieces(lines, { from: line, to: bounds[i + 1]?.line ?? lines.length, title, longest }));
  }
  return passages.filter((passage) => passage.text.trim() !== '');
}

interface Start {
  line: number;
  title: string | null;
}

function headingStarts(lines: readonly string[]): Start[] {
  const starts: Start[] = [];
  let fenced = false;
  for (const [line, text] of lines.entries()) {
    if (FENCE.test(text)) fenced = !fenced;
    const title = fenced ? null : HEADING.exec(text)?.[1]?.trim();
    if (title) starts.push({ line, title });
  }
  return starts;
}

// Definitions in their order, each whole: a class falls apart into its head and its members, a function does not.
function definitionStarts(path: string, text: string, lines: readonly string[]): Start[] {
  const extents = extentsIn(path, text).filter(({ isLocal }) => !isLocal);
  const parents = new Set(extents.map(({ outer }) => outer));
  const isSplit = (extent: Extent): boolean => {
    const size = extent.end - extent.start;
    if (!parents.has(extent) || size <= SMALL_CONTAINER) return false;
    return CONTAINER.test(lines[extent.start] as string) || size > LONG_FUNCTION;
  };
  const starts: Start[] = [];
  let [end, around]: [number, Extent | null] = [0, null];
  // What follows a definition and is none itself belongs to what is around both.
  const gap = (to: number): void => {
    let from = end;
    while (from < to && /^\W*$/.test(lines[from] as string)) from += 1;
    if (starts.length > 0 && to - from > SMALL_GAP) starts.push({ line: end, title: around?.qualified ?? null });
  };
  for (const extent of extents) {
    if (extent.outer && !isSplit(extent.outer)) continue;
    const line = Math.max(end, withComment(lines, extent.start));
    gap(line);
    const before = starts.at(-1);
    const areShort = extent.end - extent.start <= ONE_LINERS && before && line - before.line <= ONE_LINERS;
    if (!areShort || end < line) starts.push({ line, title: extent.qualified });
    const members = isSplit(extent) ? extents.find(({ outer }) => outer === extent) : undefined;
    [end, around] = members ? [withComment(lines, members.start), extent] : [extent.end, extent.outer];
  }
  gap(lines.length);
  return starts;
}

// The comment and the decorators right above belong to what they speak of.
function withComment(lines: readonly string[], line: number): number {
  let start = line;
  if (/^\s*$/.test(lines[start - 1] ?? 'x') && /\*\/\s*$/.test(lines[start - 2] ?? '')) start -= 1;
  while (start > 0 && /^\s*(?:\/\/|\/?\*|#|@|--|\[\w.*\]\s*$)/.test(lines[start - 1] as string)) start -= 1;
  return start;
}

function* pieces(
  lines: readonly string[],
  { from, to, title, longest }: { from: number; to: number; title: string | null; longest: number },
) {
  let start = from;
  while (start < to) {
    let end = start;
    let size = 0;
    let pause = -1;
    while (end < to && end - start < longest && (size === 0 || size + (lines[end] as string).length <= LONGEST_CHARS)) {
      size += (lines[end] as string).length + 1;
      end += 1;
      if (end < to && (lines[end - 1] as string).trim() === '') pause = end;
    }
    if (end < to && pause > start) end = pause;
    const text = lines.slice(start, end).join('\n').slice(0, LONGEST_CHARS);
    yield { start: start + 1, end, title, text };
    start = end;
  }
}

export interface ScoredPassage extends Passage {
  score: number;
  /** One of few places that a stack frame points at. */
  isFramed?: boolean;
}
