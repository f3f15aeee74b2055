import type { FileMemo } from './file-memo.ts';
import { type LineCounts, lineCounts } from './line-counts.ts';
import { type FileResult, withFile } from './open-file.ts';
import { decode, readRange } from './read-text.ts';

const MOST_BYTES = 1024 * 1024;

/** The last lines of a file, as many as fit into a mebibyte, and the number of the first of them. */
export function readLastLines(
  path: string,
  scope: string | null,
  memo: FileMemo<LineCounts>,
): FileResult<{ lines: string[]; firstLine: number }> {
  return withFile(path, scope, (file) => {
    const from = Math.max(0, file.size - MOST_BYTES);
    const lines = decode(readRange(file.fd, from, file.size - from), from === 0).text.split(/\r\n|\n|\r/);
    if (lines.at(-1) === '') lines.pop();
    if (from === 0) return { lines, firstLine: 1 };
    // The first one is cut.
    lines.shift();
    return { lines, firstLine: lineCounts(file, memo).lines - lines.length + 1 };
  });
}
