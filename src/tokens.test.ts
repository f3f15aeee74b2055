import fc from 'fast-check';
import { countTokens as wholeCount } from 'gpt-tokenizer/encoding/o200k_base';
import { expect, it } from 'vitest';
import { lateTokenCounter, tokenCounter } from './tokens.ts';

const countTokens = lateTokenCounter();

it('M15 counts ordinary text as the tokenizer does', async () => {
  const words = [
    'water',
    'reads',
    'clean,',
    '"warm',
    'it"',
    '+0.15',
    'naïve',
    '水中',
    '{"op":',
    "don't",
    'x\\n',
    '\n-',
  ];
  const text = fc.array(fc.constantFrom(...words), { maxLength: 400 }).map((parts) => parts.join(' '));
  await fc.assert(
    fc.asyncProperty(text, async (written) => {
      expect(await countTokens(written)).toBe(wholeCount(written));
    }),
    { numRuns: 50 },
  );
});

it('M15 marks of the tokenizer itself are counted as the text they are', async () => {
  const text = 'it ends at <|endoftext|> only';
  const counts = [await countTokens(text), await lateTokenCounter()(text), (await tokenCounter())(text)];
  expect(new Set(counts).size).toBe(1);
  expect(counts[0]).toBeGreaterThan(wholeCount('it ends at only') + 2);
});

// Not a timed test: uncut, the tokenizer would outlast the runner's own limit.
it.each(['x', '🐋', '水', ' ', '\n', 'ab'])('M15 comes to an end on a long run of %j', async (unit) => {
  expect(await countTokens(unit.repeat(60_000))).toBeGreaterThan(400);
});
