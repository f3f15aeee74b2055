import { decode, readRange } from '../../files/read-text.ts';

export interface ScannedBlock {
  /** Where its first line begins, in bytes. */
  at: number;
  /** Null: longer than any proposal, so it can't be one. It still separates its neighbours. */
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
  let buffered = 0;
  let isAfterCr = false;
  const line = (piece: Buffer, start: number, stop: number) => {
    const bytes = buffered + stop - start;
    // Most lines are in one piece, and are read where they are.
    const isAlone = buffered === 0 && at > 0;
    const text = () =>
      isAlone
        ? piece.toString('utf8', start, stop)
        : decode(Buffer.concat([...parts, piece.subarray(start, stop)]), at === 0).text;
    const found = { at, text: bytes > MAX_BLOCK_BYTES ? null : text(), bytes: bytes + 1 };
    parts = [];
    buffered = 0;
    return found;
  };
  for (let position = from; position < end; position += PIECE_BYTES) {
    const piece = readRange(fd, position, Math.min(PIECE_BYTES, end - position));
    let start = isAfterCr && piece[0] === LF ? 1 : 0;
    if (start === 1) at += 1;
    const nextEnd = lineEnds(piece);
    for (let stop = nextEnd(start); stop !== -1; stop = nextEnd(start)) {
      yield line(piece, start, stop);
      start = stop + (piece[stop] === CR && piece[stop + 1] === LF ? 2 : 1);
      at = position + start;
    }
    isAfterCr = piece.at(-1) === CR;
    const rest = piece.subarray(start);
    buffered += rest.length;
    if (buffered <= MAX_BLOCK_BYTES) parts.push(rest);
    else parts = [];
  }
  if (buffered > 0) yield line(Buffer.alloc(0), 0, 0);
}

// Either byte is looked for only from where it was found last: a piece with one kind of line end, or with few of the other, is
// not searched again for every line.
function lineEnds(piece: Buffer): (start: number) => number {
  let [lf, cr] = [piece.indexOf(LF), piece.indexOf(CR)];
  return (start) => {
    if (lf !== -1 && lf < start) lf = piece.indexOf(LF, start);
    if (cr !== -1 && cr < start) cr = piece.indexOf(CR, start);
    if (lf === -1 || cr === -1) return Math.max(lf, cr);
    return Math.min(lf, cr);
  };
}
