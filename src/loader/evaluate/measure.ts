/** What a bundle, or another selection of the same size, holds of a change. Shares from 0 to 1. */
export interface Coverage {
  files: number;
  lines: number;
  chars: number;
}

/** The parent's lines around a change, by path. */
export type Change = ReadonlyMap<string, readonly string[]>;

/** What was selected of each file. */
export type Selection = ReadonlyMap<string, string>;

// A line is covered where it is in what was selected of its own file.
export function coverageOf(change: Change, selection: Selection): Coverage {
  let [files, lines, all] = [0, 0, 0];
  for (const [path, wanted] of change) {
    const text = selection.get(path);
    all += wanted.length;
    if (text === undefined) continue;
    files += 1;
    const shown = new Set(text.split(/\r\n|\n|\r/));
    lines += wanted.filter((line) => shown.has(line)).length;
  }
  let chars = 0;
  for (const text of selection.values()) chars += text.length;
  return { files: files / Math.max(1, change.size), lines: lines / Math.max(1, all), chars };
}
