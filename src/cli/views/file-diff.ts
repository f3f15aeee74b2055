import { showHidden } from '../../safety/hidden-characters.ts';
import type { Terminal } from '../terminal/terminal.ts';

const CONTEXT = 3;

// What a person has to see of a change: the lines that differ, with a few around them. Escapes are shown, never obeyed.
export function fileDiff(before: string | null, after: string | null, { paint }: Pick<Terminal, 'paint'>): string[] {
  const [old, now] = [linesOf(before), linesOf(after)];
  const most = Math.min(old.length, now.length);
  let start = 0;
  while (start < most && old[start] === now[start]) start += 1;
  let end = 0;
  while (end < most - start && old[old.length - 1 - end] === now[now.length - 1 - end]) end += 1;
  const shown = (mark: string, lines: string[]) => lines.map((line) => `  ${mark} ${showHidden(line)}`.trimEnd());
  return [
    ...shown(' ', old.slice(Math.max(0, start - CONTEXT), start)),
    ...shown('-', old.slice(start, old.length - end)).map((line) => paint('red', line)),
    ...shown('+', now.slice(start, now.length - end)).map((line) => paint('green', line)),
    ...shown(' ', old.slice(old.length - end, old.length - end + CONTEXT)),
  ];
}

function linesOf(text: string | null): string[] {
  if (text === null || text === '') return [];
  const lines = text.split(/\r\n|\r|\n/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}
