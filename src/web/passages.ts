import type { Blame } from '../bearings.ts';
import type { FilePage, Passage } from './wire.ts';

const CHUNK_LINES = 80;
const MOST_POINTS = 240;

type Blocks = Blame['blocks'];

/** A file of memory in pieces that a page can show one by one. */
export interface FileView {
  page: FilePage;
  chunks: Passage[][];
}

export function fileView({ target, blocks }: Blame, totalLines: number): FileView {
  const chunks = chunksOf(passagesOf(blocks));
  return {
    page: {
      target,
      lines: totalLines,
      unaccounted: blocks.filter(({ origin }) => origin === null).length,
      chunks: chunks.map((passages) => ({
        first_line: passages[0]?.first_line ?? 1,
        lines: passages.reduce((sum, { text }) => sum + text.split('\n').length + 1, 0),
      })),
      growth: growthOf(blocks),
      head: chunks[0] ?? [],
    },
    chunks,
  };
}

// A code fence may hold blank lines: its blocks are read as one, or half of it would look like prose.
function passagesOf(blocks: Blocks): Passage[] {
  const passages: Passage[] = [];
  let fence = '';
  for (const { first_line, last_line, text, origin } of blocks) {
    const open = passages.at(-1);
    const block = { first_line, last_line, text, origin };
    if (fence !== '' && open && open.blocks.length < CHUNK_LINES) {
      open.text += `\n\n${text}`;
      open.blocks.push(block);
    } else {
      fence = '';
      passages.push({ first_line, text, blocks: [block] });
    }
    for (const line of text.split('\n')) {
      const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1] ?? '';
      if (fence === '') fence = mark;
      else if (mark.startsWith(fence)) fence = '';
    }
  }
  return passages;
}

function chunksOf(passages: Passage[]): Passage[][] {
  const chunks: Passage[][] = [];
  let lines = CHUNK_LINES;
  for (const passage of passages) {
    if (lines >= CHUNK_LINES) {
      chunks.push([]);
      lines = 0;
    }
    chunks.at(-1)?.push(passage);
    lines += passage.text.split('\n').length + 1;
  }
  return chunks;
}

// The lines that are there today, by when they were decided.
function growthOf(blocks: Blocks): FilePage['growth'] {
  const decided = blocks
    .flatMap(({ origin, first_line, last_line }) =>
      origin ? [{ at: origin.at, lines: last_line - first_line + 1 }] : [],
    )
    .sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
  const points: FilePage['growth'] = [];
  let lines = 0;
  for (const each of decided) {
    lines += each.lines;
    const last = points.at(-1);
    if (last?.at === each.at) last.lines = lines;
    else points.push({ at: each.at, lines });
  }
  const step = Math.ceil(points.length / MOST_POINTS);
  return points.filter((_, index) => index % step === 0 || index === points.length - 1);
}
