import { baseName } from '../../matching/text/paths.ts';

// A change of more files is a sweep: its subject says nothing of any of them.
const MOST_FILES = 10;
const FEWEST_WORDS = 3;
const GENERATED =
  /[-_.]lockb?(?:\.(?:json|ya?ml|toml))?$|^(?:go\.sum|npm-shrinkwrap\.json)$|\.(?:snap|min\.js|min\.css|map|svg|png|jpe?g|gif|ico|pdf)$/i;

/** Written by a program: nobody reads it for a task. */
export function isGenerated(path: string): boolean {
  return GENERATED.test(baseName(path));
}

// A subject such as `4.6.3` or `typo` is no task.
export function isTask(subject: string): boolean {
  return subject.split(/\s+/).filter((word) => /\p{L}{2}/u.test(word)).length >= FEWEST_WORDS;
}

export function isFocused(paths: readonly string[]): boolean {
  return paths.length >= 1 && paths.length <= MOST_FILES;
}

const LINE_END = /\r\n|\n|\r/;
const HUNK = /^@@ -(\d+)(?:,(\d+))? \+\d+(?:,(\d+))? @@/;
const FEWEST_LETTERS = 6;

// Numbers of lines in the parent's files, counted from 1: those a commit changed and one on each side. Reads a diff of git
// without context and prefixes. What is new in the commit has no lines in its parent.
export function changedLines(diff: string): ReadonlyMap<string, readonly number[]> {
  const changed = new Map<string, Set<number>>();
  let [path, skip]: [string | null, number] = [null, 0];
  for (const line of diff.split('\n')) {
    // By the counts of its head: a line that was taken out may itself look like the head of a file.
    if (skip > 0) {
      if (!line.startsWith('\\')) skip -= 1;
      continue;
    }
    if (line.startsWith('--- ')) path = line === '--- /dev/null' ? null : line.slice(4).replace(/\t$/, '');
    const hunk = HUNK.exec(line);
    if (!hunk) continue;
    const [start, old, added] = [Number(hunk[1]), Number(hunk[2] ?? 1), Number(hunk[3] ?? 1)];
    skip = old + added;
    if (path === null) continue;
    const numbers = changed.get(path) ?? new Set();
    changed.set(path, numbers);
    // Without lines of its own it is between the one it names and the next.
    for (let number = old === 0 ? start : start - 1; number <= start + Math.max(old, 1); number += 1)
      if (number > 0) numbers.add(number);
  }
  return new Map([...changed].map(([name, numbers]) => [name, [...numbers].sort((a, b) => a - b)]));
}

// Blank lines and brackets are everywhere and prove nothing.
export function tellingLines(text: string, numbers: readonly number[]): string[] {
  const lines = text.split(LINE_END);
  return numbers.flatMap((number) => lines[number - 1] ?? []).filter(isTelling);
}

function isTelling(line: string): boolean {
  return (line.match(/[\p{L}\p{N}]/gu)?.length ?? 0) >= FEWEST_LETTERS;
}

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

/** What one selection held over all cases: shares from 0 to 1, characters on the mean. */
export interface Figures extends Coverage {
  /** Cases of which it held any line. */
  hits: number;
}

export function figuresOf(cases: readonly Coverage[]): Figures {
  const mean = (of: (one: Coverage) => number) =>
    cases.reduce((sum, one) => sum + of(one), 0) / Math.max(1, cases.length);
  return {
    files: mean(({ files }) => files),
    lines: mean(({ lines }) => lines),
    precision: mean(({ precision }) => precision),
    f1: mean(({ f1 }) => f1),
    hits: mean(({ lines }) => Number(lines > 0)),
    chars: Math.round(mean(({ chars }) => chars)),
  };
}
