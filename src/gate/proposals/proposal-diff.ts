import { splitLines } from '../../code-points.ts';
import { showHidden } from '../../safety/hidden-characters.ts';
import { findBlock, withoutOuterBlankLines } from '../ledger/text-blocks.ts';

export interface DiffLine {
  mark: ' ' | '+' | '-';
  /** From 1; null where it is not known. */
  number: number | null;
  text: string;
}

const CONTEXT_LINES = 2;
const FILE_CONTEXT_LINES = 3;

/** The text that a yes would add. */
export function addedText(diff: readonly DiffLine[]): string {
  return diff.flatMap(({ mark, text }) => (mark === '+' ? [text] : [])).join('\n');
}

const rows = (mark: DiffLine['mark'], lines: readonly string[], first: number | null): DiffLine[] =>
  lines.map((text, index) => ({ mark, number: first === null ? null : first + index, text }));

/** Lines that all have one mark, from a number on. */
export function linesOf(text: string, mark: DiffLine['mark'], first: number | null): DiffLine[] {
  return rows(mark, text.split(/\r\n|\n|\r/), first);
}

/** The same change with other words in it. */
export function withText(diff: readonly DiffLine[], text: string): DiffLine[] {
  const at = diff.findIndex(({ mark }) => mark === '+');
  const around = diff.filter(({ mark }) => mark !== '+');
  return [...around.slice(0, at), ...linesOf(text, '+', diff[at]?.number ?? null), ...around.slice(at)];
}

// An append in its surroundings: the last lines of the file, then what would be added.
export function appendDiff(tail: readonly string[], totalLines: number | null, content: string): DiffLine[] {
  const context = tail.slice(-CONTEXT_LINES);
  const gap = context.length > 0 && context.at(-1)?.trim() !== '' ? 1 : 0;
  const after = (count: number) => (totalLines === null ? null : totalLines + count);
  const added = withoutOuterBlankLines(content).split('\n');
  return [...rows(' ', context, after(1 - context.length)), ...rows('+', added, after(gap + 1))];
}

// Lines that go and come at a place, from 0, in their surroundings.
function changed(old: readonly string[], at: number, change: { removed: string[]; added: string[]; context: number }) {
  const { removed, added, context } = change;
  const [first, after] = [Math.max(0, at - context), at + removed.length];
  return [
    ...rows(' ', old.slice(first, at), first + 1),
    ...rows('-', removed, at + 1),
    ...rows('+', added, at + 1),
    ...rows(' ', old.slice(after, after + context), after + 1),
  ];
}

// A replacement in its surroundings; null when the block is not there exactly once.
export function replaceDiff(text: string, block: string, content: string): DiffLine[] | null {
  const place = findBlock(text, block);
  if (!place) return null;
  const removed = withoutOuterBlankLines(block).split('\n');
  const added = content.trim() === '' ? [] : withoutOuterBlankLines(content).split('\n');
  return changed(splitLines(text), place.firstLine - 1, { removed, added, context: CONTEXT_LINES });
}

// What a person has to see of a change of a whole file: the lines that differ, with a few around them.
export function textDiff(before: string | null, after: string | null): DiffLine[] {
  const [old, now] = [splitLines(before ?? ''), splitLines(after ?? '')];
  const most = Math.min(old.length, now.length);
  let start = 0;
  while (start < most && old[start] === now[start]) start += 1;
  let end = 0;
  while (end < most - start && old[old.length - 1 - end] === now[now.length - 1 - end]) end += 1;
  const [removed, added] = [old.slice(start, old.length - end), now.slice(start, now.length - end)];
  return changed(old, start, { removed, added, context: FILE_CONTEXT_LINES });
}

// The lines around it come from a file that may hold anything: in a question nothing of it may be unseen.
export function diffText(diff: readonly DiffLine[]): string {
  return diff.map(({ mark, text }) => `${mark} ${showHidden(text, { keepLines: true })}`.trimEnd()).join('\n');
}
