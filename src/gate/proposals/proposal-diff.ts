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

/** The text that a yes would add. */
export function addedText(diff: readonly DiffLine[]): string {
  return diff.flatMap(({ mark, text }) => (mark === '+' ? [text] : [])).join('\n');
}

// An append in its surroundings: the last lines of the file, then what would be added.
export function appendDiff(tail: readonly string[], totalLines: number | null, content: string): DiffLine[] {
  const context = tail.slice(-CONTEXT_LINES);
  const first = totalLines === null ? null : totalLines - context.length + 1;
  const added = withoutOuterBlankLines(content).split('\n');
  const gap = context.length > 0 && context.at(-1)?.trim() !== '' ? 1 : 0;
  const start = totalLines === null ? null : totalLines + gap + 1;
  return [
    ...context.map((text, index) => ({ mark: ' ' as const, number: first === null ? null : first + index, text })),
    ...added.map((text, index) => ({ mark: '+' as const, number: start === null ? null : start + index, text })),
  ];
}

// A replacement in its surroundings; null when the block is not there exactly once.
export function replaceDiff(text: string, block: string, content: string): DiffLine[] | null {
  const place = findBlock(text, block);
  if (!place) return null;
  const lines = splitLines(text);
  const before = splitLines(text.slice(0, place.start)).length;
  const removed = withoutOuterBlankLines(block).split('\n');
  const added = content.trim() === '' ? [] : withoutOuterBlankLines(content).split('\n');
  const row = (mark: DiffLine['mark'], from: number) => (line: string, index: number) => ({
    mark,
    number: from + index + 1,
    text: line,
  });
  const contextStart = Math.max(0, before - CONTEXT_LINES);
  const after = before + removed.length;
  return [
    ...lines.slice(contextStart, before).map(row(' ', contextStart)),
    ...removed.map(row('-', before)),
    ...added.map(row('+', before)),
    ...lines.slice(after, after + CONTEXT_LINES).map(row(' ', after)),
  ];
}

const FILE_CONTEXT_LINES = 3;

// What a person has to see of a change of a whole file: the lines that differ, with a few around them.
export function textDiff(before: string | null, after: string | null): DiffLine[] {
  const [old, now] = [splitLines(before ?? ''), splitLines(after ?? '')];
  const most = Math.min(old.length, now.length);
  let start = 0;
  while (start < most && old[start] === now[start]) start += 1;
  let end = 0;
  while (end < most - start && old[old.length - 1 - end] === now[now.length - 1 - end]) end += 1;
  const rows = (mark: DiffLine['mark'], lines: readonly string[], from: number, to: number) =>
    lines.slice(from, to).map((text, index) => ({ mark, number: from + index + 1, text }));
  return [
    ...rows(' ', old, Math.max(0, start - FILE_CONTEXT_LINES), start),
    ...rows('-', old, start, old.length - end),
    ...rows('+', now, start, now.length - end),
    ...rows(' ', now, now.length - end, now.length - end + FILE_CONTEXT_LINES),
  ];
}

// The lines around it come from a file that may hold anything: in a question nothing of it may be unseen.
export function diffText(diff: readonly DiffLine[]): string {
  return diff.map(({ mark, text }) => `${mark} ${showHidden(text, { keepLines: true })}`.trimEnd()).join('\n');
}
