import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTokenizer, wordsOf } from './terms.ts';

const tokenizer = createTokenizer();

describe('terms', () => {
  it('L7 identifiers are split and joined, whatever their style', () => {
    expect(wordsOf('parseHTTPBody_size')).toEqual(['parse', 'http', 'body', 'size']);
    for (const spelled of ['bodyLimit', 'body_limit', 'BodyLimit'])
      expect(tokenizer.list(spelled)).toContain('bodylimit');
  });

  it('L7 words of any script are found; scripts without blanks by pairs', () => {
    expect(tokenizer.list('Übergrößen')).toEqual(['übergrößen']);
    expect(tokenizer.list('漢字変換')).toEqual(['漢字', '字変', '変換']);
  });

  it('L7 no text breaks it, no term is empty, and what was read before changes nothing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (text) => {
        for (const term of tokenizer.list(text)) expect(term.length).toBeGreaterThan(0);
        expect(tokenizer.list(text)).toEqual(createTokenizer().list(text));
      }),
      { numRuns: 200 },
    );
  });

  it('L7 a line of ten megabytes costs no more than its length', () => {
    expect(tokenizer.list('a'.repeat(10_000_000))).toEqual([]);
    expect(tokenizer.list('a_'.repeat(5_000_000))).toEqual([]);
  });
});
