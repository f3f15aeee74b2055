import { collapsed } from '../ledger/fingerprints.ts';
import { blocksOf } from '../ledger/text-blocks.ts';
import { fileBlocks, withoutLines } from './tidy.ts';

interface LineRange {
  firstLine: number;
  count: number;
}

/** Where a text is in a file: as a block, as a run of blocks, or as whole lines within one. */
export function placesOfText(whole: string, text: string): LineRange[] {
  const wanted = blocksOf(text).map(collapsed);
  const blocks = fileBlocks(whole);
  const found: LineRange[] = [];
  for (let at = 0; at + wanted.length <= blocks.length && wanted.length > 0; ) {
    const run = blocks.slice(at, at + wanted.length);
    const last = run.at(-1);
    const isIt = run.every(({ lines }, index) => collapsed(lines.join('\n')) === wanted[index]);
    if (isIt && last && run[0]) {
      const { firstLine } = run[0];
      found.push({ firstLine, count: last.firstLine + last.lines.length - firstLine });
    }
    at += isIt ? wanted.length : 1;
  }
  return found.length > 0 ? found : linesWithin(whole, text);
}

// What a merge ran together is no block of its own.
function linesWithin(whole: string, text: string): LineRange[] {
  const wanted = text
    .trim()
    .split(/\r\n|\n|\r/)
    .map(collapsed);
  const lines = whole.split(/\r\n|\n|\r/).map(collapsed);
  const found: LineRange[] = [];
  for (let at = 0; at + wanted.length <= lines.length; ) {
    const isIt = wanted.every((line, index) => lines[at + index] === line);
    if (isIt) found.push({ firstLine: at + 1, count: wanted.length });
    at += isIt ? wanted.length : 1;
  }
  return found;
}

export function withoutText(whole: string, text: string): string {
  const places = placesOfText(whole, text);
  return places.length === 0 ? whole : withoutLines(whole, places);
}
