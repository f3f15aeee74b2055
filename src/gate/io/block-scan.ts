import { decode, readRange } from '../../files/read-text.ts';

export interface ScannedBlock {
  /** Where its first line begins, in bytes. */
  at: number;
  /** Null: longer than any proposal, so it can't be one. It still stands between its neighbours. */
  text: string | null;
}

const PIECE_BYTES = 1024 * 1024;
// More than the longest proposal, four bytes a character.
const MAX_BLOCK_BYTES = 256 * 1024;
const [LF, CR] = [0x0a, 0x0d];

// Blocks as `blocksOf` sees them, with their places, in one pass that holds a piece and a block at most.
export function* scanBlocks(fd: number, from: number, end: number): Generator<ScannedBlock> {
  let open: { at: number; lines: string[]; bytes: number } | null = null;
  const closed = ({ at, lines, bytes }: NonNullable<typeof open>): ScannedBlock => ({
    at,
    text: bytes > MAX_BLOCK_BYTES ? null : lines.join('\n').trim(),
  });
  for (const { at, text, bytes } of scanLines(fd, from, end)) {
    if (text !== null && text.trim() === '') {
      if (open) yield closed(open);
      open = null;
      continue;
    }
    open ??= { at, lines: [], bytes: 0 };
    open.bytes += bytes;
    if (open.bytes > MAX_BLOCK_BYTES) open.lines = [];
    else open.lines.push(text ?? '');
  }
  if (open) yield closed(open);
}

// Lines without their ends. A line too long for a block comes as null, without its text.
function* scanLines(
  fd: number,
  from: number,
  end: number,
): Generator<{ at: number; text: string | null; bytes: number }> {
  let at = from;
  let parts: Buffer[] = [];
  let held = 0;
  let isAfterCr = false;
  const line = (last: Buffer) => {
    const bytes = held + last.length;
    const text = bytes > MAX_BLOCK_BYTES ? null : decode(Buffer.concat([...parts, last]), at === 0).text;
    parts = [];
    held = 0;
    return { at, text, bytes: bytes + 1 };
  };
  for (let position = from; position < end; position += PIECE_BYTES) {
    const piece = readRange(fd, position, Math.min(PIECE_BYTES, end - position));
    let start = isAfterCr && piece[0] === LF ? 1 : 0;
    if (start === 1) at += 1;
    for (let stop = nextEnd(piece, start); stop !== -1; stop = nextEnd(piece, start)) {
      yield line(piece.subarray(start, stop));
      start = stop + (piece[stop] === CR && piece[stop + 1] === LF ? 2 : 1);
      at = position + start;
    }
    isAfterCr = piece.at(-1) === CR;
    const rest = piece.subarray(start);
    held += rest.length;
    if (held <= MAX_BLOCK_BYTES) parts.push(rest);
    else parts = [];
  }
  if (held > 0) yield line(Buffer.alloc(0));
}

function nextEnd(piece: Buffer, start: number): number {
  const lf = piece.indexOf(LF, start);
  // Looked for only up to the line feed: a file without any must not be searched again for every line.
  const cr = piece.subarray(start, lf === -1 ? piece.length : lf).indexOf(CR);
  return cr === -1 ? lf : start + cr;
}
