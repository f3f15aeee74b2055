import fc, { type Arbitrary } from 'fast-check';
import type { FuzzTarget } from './target.ts';

// Characters and values that readers trip over.
const TRICKY = [
  ...['\0', '\r', '\n', '\r\n', '\t', ' ', '\ufeff', '\u2028', '\u0085', '\u200b', '\u202e', '\u00ad', '\ufe0f'],
  ...['\u{e0041}', '\x1b[2J', '\\', '"', "'", '`', '{', '}', '[', ']', '<', '>', '&', ':', ',', '-', '#', '*', '/'],
  ...['..', '%2e', '🙂', 'é', '__proto__', 'constructor', 'toString', 'null', 'true', '\\ud800', '{}', '[]'],
];
const NUMBERS = [
  '0',
  '-0',
  '-1',
  '1',
  '64',
  '65',
  '200',
  '201',
  '0.1',
  '1e308',
  '1e999',
  '2147483648',
  '9007199254740993',
];
const BROKEN_UTF8 = [[0xff], [0xc3], [0xed, 0xa0, 0x80], [0xf0, 0x9f], [0xc0, 0x80]];

type Edit = (bytes: Buffer) => Buffer;
type Place = (bytes: Buffer) => number;

// Mostly a seed or a corpus entry with a few edits; sometimes built from the words of the format, or any bytes.
export function inputsOf({ words, seeds, max = 4096 }: FuzzTarget, corpus: readonly Buffer[]): Arbitrary<Uint8Array> {
  const entry = fc.constantFrom(...seeds.map((seed) => Buffer.from(seed)), ...corpus);
  const piece = pieceOf(words);
  const edited = fc
    .tuple(entry, fc.array(editOf(piece, entry), { minLength: 1, maxLength: 6 }))
    .map(([bytes, edits]) => edits.reduce((text, edit) => edit(text), bytes));
  const built = fc.array(piece, { maxLength: 40 }).map((pieces) => Buffer.concat(pieces));
  return fc
    .oneof(
      { weight: 12, arbitrary: edited },
      { weight: 2, arbitrary: built },
      { weight: 1, arbitrary: fc.uint8Array({ maxLength: 64 }) },
    )
    .map((bytes) => Uint8Array.from(bytes.subarray(0, max)));
}

function pieceOf(words: readonly string[]): Arbitrary<Buffer> {
  return fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...words).map((text) => Buffer.from(text)) },
    { weight: 4, arbitrary: fc.constantFrom(...TRICKY, ...NUMBERS).map((text) => Buffer.from(text)) },
    { weight: 1, arbitrary: fc.constantFrom(...BROKEN_UTF8).map((bytes) => Buffer.from(bytes)) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 8 }).map((text) => Buffer.from(text)) },
    { weight: 1, arbitrary: fc.json({ maxDepth: 2 }).map((text) => Buffer.from(text)) },
  );
}

// An edit is a function: the bytes it works on, and with them the places in them, are only known when it is applied.
function editOf(piece: Arbitrary<Buffer>, entry: Arbitrary<Buffer>): Arbitrary<Edit> {
  const place = fc.noBias(fc.nat({ max: 0xffff })).map(
    (share): Place =>
      (bytes) =>
        share % (bytes.length + 1),
  );
  const length = fc.oneof(
    { weight: 3, arbitrary: fc.nat({ max: 16 }) },
    { weight: 1, arbitrary: fc.nat({ max: 4096 }) },
  );
  const times = fc.oneof(
    { weight: 5, arbitrary: fc.integer({ min: 2, max: 7 }) },
    { weight: 1, arbitrary: fc.integer({ min: 50, max: 450 }) },
  );
  const inserted = fc.tuple(place, piece).map(
    ([at, by]): Edit =>
      (bytes) =>
        replaced(bytes, at, 0, by),
  );
  const overwritten = fc.tuple(place, fc.nat({ max: 8 }), piece).map(
    ([at, size, by]): Edit =>
      (bytes) =>
        replaced(bytes, at, size, by),
  );
  const removed = fc.tuple(place, length).map(
    ([at, size]): Edit =>
      (bytes) =>
        replaced(bytes, at, size, Buffer.alloc(0)),
  );
  const flipped = fc.tuple(place, fc.nat({ max: 7 })).map(
    ([at, bit]): Edit =>
      (bytes) => {
        const byte = bytes[at(bytes)];
        return byte === undefined ? bytes : replaced(bytes, at, 1, Buffer.from([byte ^ (1 << bit)]));
      },
  );
  const copied = fc.tuple(place, place, length, fc.oneof(fc.constant(1), times)).map(
    ([to, from, size, count]): Edit =>
      (bytes) =>
        replaced(bytes, to, 0, repeated(part(bytes, from, size), count)),
  );
  const wordRepeated = fc.tuple(place, piece, times).map(
    ([at, by, count]): Edit =>
      (bytes) =>
        replaced(bytes, at, 0, repeated(by, count)),
  );
  const spliced = fc.tuple(place, entry, place).map(
    ([to, other, from]): Edit =>
      (bytes) =>
        Buffer.concat([bytes.subarray(0, to(bytes)), other.subarray(from(other))]),
  );
  const grafted = fc.tuple(place, length, entry, place, length).map(
    ([to, gone, other, from, size]): Edit =>
      (bytes) =>
        replaced(bytes, to, gone, part(other, from, size)),
  );
  const renumbered = fc.tuple(fc.nat({ max: 0xffff }), fc.constantFrom(...NUMBERS)).map(
    ([nth, by]): Edit =>
      (bytes) => {
        const found = [...bytes.toString('latin1').matchAll(/-?\d+(?:\.\d+)?/g)];
        const number = found[nth % found.length];
        return number ? replaced(bytes, () => number.index, number[0].length, Buffer.from(by)) : bytes;
      },
  );
  const edits = [inserted, overwritten, removed, flipped, copied, wordRepeated, spliced, grafted, renumbered];
  return fc.oneof(...edits);
}

function replaced(bytes: Buffer, at: Place, size: number, by: Buffer): Buffer {
  const start = at(bytes);
  return Buffer.concat([bytes.subarray(0, start), by, bytes.subarray(start + size)]);
}

function part(bytes: Buffer, at: Place, size: number): Buffer {
  return bytes.subarray(at(bytes), at(bytes) + size);
}

function repeated(piece: Buffer, count: number): Buffer {
  return Buffer.concat(Array.from({ length: count }, () => piece));
}
