import fc from 'fast-check';

// Texts with every kind of line end, some of them long enough that the ends fall around the edges of a reader's blocks.
export function linedText(block: number): fc.Arbitrary<string> {
  const end = fc.constantFrom('\n', '\r\n', '\r', '\n\n', '\r\r', '\n\r', '\r\n\r\n');
  const word = fc.constantFrom('', 'a', 'é', '🐋', 'some words');
  const short = fc.array(fc.tuple(word, end), { maxLength: 120 }).map((parts) => parts.flat().join(''));
  const filler = fc
    .tuple(fc.integer({ min: -12, max: 12 }), fc.constantFrom('x', 'short\n', 'short\r\n', 'short\r'))
    .map(([shift, unit]) => unit.repeat(Math.ceil(block / unit.length)).slice(0, block + shift));
  const long = fc.array(fc.oneof(short, filler), { maxLength: 5 }).map((parts) => parts.join(''));
  return fc.tuple(fc.oneof(short, long), fc.constantFrom('', 'open end')).map((parts) => parts.join(''));
}
