/** Numbers of lines in the parent's files, counted from 1: those a commit changed and one on each side. */
export type ChangedLines = ReadonlyMap<string, readonly number[]>;

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+\d+(?:,(\d+))? @@/;
const FEWEST_LETTERS = 6;

// Reads `git diff -U0 --no-prefix`. What is new in the commit has no lines in its parent.
export function changedLines(diff: string): ChangedLines {
  const changed = new Map<string, Set<number>>();
  const lines = diff.split('\n');
  let path: string | null = null;
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] as string;
    if (line.startsWith('diff --git ')) path = null;
    else if (line.startsWith('--- ')) path = nameIn(line.slice(4));
    const hunk = HUNK.exec(line);
    if (!hunk) continue;
    const [start, removed, added] = [Number(hunk[1]), Number(hunk[2] ?? 1), Number(hunk[3] ?? 1)];
    // A line that was taken out may itself look like the head of a file.
    at += removed + added;
    if (path === null) continue;
    const numbers = changed.get(path) ?? new Set<number>();
    changed.set(path, numbers);
    const [from, to] = removed === 0 ? [start, start + 1] : [start - 1, start + removed];
    for (let number = Math.max(1, from); number <= to; number += 1) numbers.add(number);
  }
  return new Map([...changed].map(([name, numbers]) => [name, [...numbers].sort((a, b) => a - b)]));
}

function nameIn(written: string): string | null {
  const name = written.replace(/\t$/, '');
  return name === '/dev/null' ? null : name;
}

// Blank lines and brackets are everywhere and prove nothing.
export function tellingLines(text: string, numbers: readonly number[]): string[] {
  const lines = text.split(/\r\n|\n|\r/);
  return numbers
    .flatMap((number) => lines[number - 1] ?? [])
    .filter((line) => (line.match(/[\p{L}\p{N}]/gu)?.length ?? 0) >= FEWEST_LETTERS);
}
