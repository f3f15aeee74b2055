import { describe, expect, test } from 'vitest';
import { TOKENS } from '../../test/samples/vendor-tokens.ts';
import { foldLookAlikes, searchViews } from './clean-text.ts';

const found = (text: string, wanted: string) =>
  searchViews(text, (view) =>
    [...view.matchAll(new RegExp(wanted, 'g'))].map(({ 0: match, index }) => ({
      kind: 'x',
      start: index,
      end: index + match.length,
      certainty: 'certain',
    })),
  ).map(({ start, end }) => text.slice(start, end));

describe('L17 one text, read as others would read it', () => {
  test.each([
    ['&amp;&quot;&apos;&colon;&equals;&commat;&period;&lowbar;&num;', '&"\':=@._#'],
    ['&dollar;&excl;&sol;&plus;&hyphen;&dash;&comma;&semi;&lpar;&rpar;&percnt;&ast;&quest;', '$!/+--,;()%*?'],
    ['&AMP;&Colon;', '&:'],
    ['&nbsp;&unknown;', '&nbsp;&unknown;'],
    ['\\u0041\\x42\\u{43}\\u00e9', 'ABC\\u00e9'],
    ['&#65;&#066;&#x43;&#x0044;&#10;&#233;', 'ABCD&#10;&#233;'],
    ['%41%2542%252543%0a%7f', 'ABC%0a%7f'],
    ['ＡＢｃ１２：', 'ABc12:'],
    ['a\u00a0b\u2003c\u3000d', 'a b c d'],
    ['1\u20102\u20133\u20144\u22125', '1-2-3-4-5'],
    ['٠١٢٣٤٥٦٧٨٩', '0123456789'],
    ['०१२३४५६७८९', '0123456789'],
    ['𝟎𝟏𝟗', '019'],
    ['раsswоrd', 'password'],
    ['пароль', 'пароль'],
    ['pass\u200bword', 'pass\u200bword'],
    ['Ünïcödé', 'Ünïcödé'],
  ])('L17 %s is read as %s', (written, read) => {
    expect(foldLookAlikes(`é ${written}`)).toBe(`é ${read}`);
  });

  test('L17 what is plain stays as it is', () => {
    expect(foldLookAlikes('a&colon;b %41')).toBe('a&colon;b %41');
  });

  test.each([
    ['plain', 'say needle here', 'needle'],
    ['with hidden characters inside', 'say nee\u200bd\u200dle here', 'nee\u200bd\u200dle'],
    ['in wide letters', 'say ｎｅｅｄｌｅ here', 'ｎｅｅｄｌｅ'],
    ['in escapes', 'say \\u006eee&#100;%6Ce here', '\\u006eee&#100;%6Ce'],
    ['in letters of two scripts', 'say nееdle here', 'nееdle'],
    ['twice', 'needle and nee\u00addle', 'needle'],
  ])('L17 a find %s is marked where it is in the text', (_, text, written) => {
    expect(found(text, 'needle')).toContain(written);
    expect(found(`${text}é`, 'needle').join(' ')).toContain(written);
  });

  test('L17 a hidden character parts words for one reader and not for another: both are heard', () => {
    expect(found('a\u200bb', 'a b')).toEqual(['a\u200bb']);
    expect(found('a\u200bb', 'ab')).toEqual(['a\u200bb']);
    expect(found('ab', 'a b')).toEqual([]);
  });

  test('L17 a token that is cut by a line end or put together in code is found whole', () => {
    const { token } = TOKENS.find(({ kind }) => kind === 'github_token') ?? { token: '' };
    const [head, tail] = [token.slice(0, 20), token.slice(20)];
    for (const seam of ['\n', '\r\n', '\\\n', '" + "', "' + '"])
      expect([seam, found(`x ${head}${seam}${tail} y`, 'needle')]).toEqual([seam, [`${head}${seam}${tail}`]]);
    expect(found(`x ${token} y\nz`, 'needle')).toEqual([]);
    for (const next of ['Never force push.', '# Heading', 'DEBUG=1', '  retries: 3', '> quoted', 'retry-count 4'])
      expect([next, found(`x ${token}\n${next}`, 'needle').map((piece) => piece.trimEnd())]).toEqual([next, [token]]);
    expect(found(`x ${token}\nq8Zk2LsQx71mZ`, 'needle')).toEqual([`${token}\nq8Zk2LsQx71mZ`]);
    expect(found(`one\ntwo ${head}\n${tail}\n\nthree\n\n${head}\n${tail}`, 'needle')).toEqual(
      Array(2).fill(`${head}\n${tail}`),
    );
  });
});
