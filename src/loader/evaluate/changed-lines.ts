/** Numbers of lines in the parent's files, counted from 1: those a commit changed and one on each side. */
export type ChangedLines = ReadonlyMap<string, readonly number[]>;

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+\d+(?:,(\d+))? @@/;
const FEWEST_LETTERS = 6;

// Reads a diff of git, with or without context and prefixes. What is new in the commit has no lines in its parent.
export function changedLines(diff: string): ChangedLines {
  const changed = new Map<string, Set<number>>();
  const lines = diff.split('\n');
  let path: string | null = null;
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] as string;
    if (line.startsWith('diff --git ')) path = null;
    else if (line.startsWith('--- ')) path = nameIn(line.slice(4), lines[at + 1] ?? '');
    const hunk = HUNK.exec(line);
    if (!hunk) continue;
    let [number, old, added] = [Number(hunk[1]), Number(hunk[2] ?? 1), Number(hunk[3] ?? 1)];
    // Without lines of its own it is between the one it names and the next.
    if (old === 0) number += 1;
    const numbers = changed.get(path ?? '') ?? new Set<number>();
    if (path !== null) changed.set(path, numbers);
    // By the counts of its head: a line that was taken out may itself look like the head of a file.
    for (; (old > 0 || added > 0) && at + 1 < lines.length; at += 1) {
      const sign = (lines[at + 1] as string)[0] ?? ' ';
      if (sign === '\\') continue;
      if (sign === '+') added -= 1;
      else old -= 1;
      if (sign === ' ') added -= 1;
      else for (const near of sign === '+' ? [number - 1, number] : [number - 1, number, number + 1]) numbers.add(near);
      if (sign !== '+') number += 1;
    }
    numbers.delete(0);
  }
  return new Map([...changed].map(([name, numbers]) => [name, [...numbers].sort((a, b) => a - b)]));
}

function nameIn(written: string, next: string): string | null {
  const name = written.replace(/\t$/, '');
  if (name === '/dev/null') return null;
  return name.startsWith('a/') && /^\+\+\+ (?:b\/|\/dev\/null)/.test(next) ? name.slice(2) : name;
}

// Blank lines and brackets are everywhere and prove nothing.
export function tellingLines(text: string, numbers: readonly number[]): string[] {
  const lines = text.split(/\r\n|\n|\r/);
  return numbers.flatMap((number) => lines[number - 1] ?? []).filter(isTelling);
}

export function isTelling(line: string): boolean {
  return (line.match(/[\p{L}\p{N}]/gu)?.length ?? 0) >= FEWEST_LETTERS;
}
