import { isTelling } from './changed-lines.ts';

const LINE_END = /\r\n|\n|\r/;

/** What a bundle, or another selection of the same size, holds of a change. Shares from 0 to 1. */
export interface Coverage {
  files: number;
  /** The recall of lines. */
  lines: number;
  /** Of the lines that are given for the task, how many are of the change. */
  precision: number;
  f1: number;
  chars: number;
}

/** The parent's lines around a change, by path. */
export type Change = ReadonlyMap<string, readonly string[]>;

/** What was selected of each file. */
export type Selection = ReadonlyMap<string, string>;

// A line is covered where it is in what was selected of its own file. What everyone gets, whatever the task, counts for no precision.
export function coverageOf(change: Change, selection: Selection, control: ReadonlySet<string> = new Set()): Coverage {
  let [files, found, all, right, given, chars] = [0, 0, 0, 0, 0, 0];
  for (const [path, wanted] of change) {
    all += wanted.length;
    const text = selection.get(path);
    if (text === undefined) continue;
    files += 1;
    const shown = new Set(text.split(LINE_END));
    const held = wanted.filter((line) => shown.has(line)).length;
    found += held;
    if (!control.has(path)) right += held;
  }
  for (const [path, text] of selection) {
    chars += text.length;
    if (!control.has(path)) given += text.split(LINE_END).filter(isTelling).length;
  }
  const [lines, precision] = [found / Math.max(1, all), Math.min(1, right / Math.max(1, given))];
  const f1 = lines + precision === 0 ? 0 : (2 * lines * precision) / (lines + precision);
  return { files: files / Math.max(1, change.size), lines, precision, f1, chars };
}
