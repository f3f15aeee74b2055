import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { effort } from '../../test/support/effort.ts';
import { describeCodePoint, findHiddenCharacter, showHidden } from './hidden-characters.ts';

const tags = (text: string) =>
  Array.from(text, (letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('');
const flag = (region: string) => `\u{1f3f4}${tags(region)}\u{e007f}`;

type Attack = [title: string, text: string, codePoint: number, offset: number];
const ATTACKS: Attack[] = [
  ['a null', 'a\0b', 0x00, 1],
  ['a bell', 'ring\x07', 0x07, 4],
  ['a backspace', 'safe\b\b\b\bevil', 0x08, 4],
  ['a vertical tab', 'a\vb', 0x0b, 1],
  ['a form feed', 'a\fb', 0x0c, 1],
  ['a lone carriage return', 'harmless\rrm -rf', 0x0d, 8],
  ['a carriage return at the end', 'line\r', 0x0d, 4],
  ['a doubled carriage return', 'line\r\r\n', 0x0d, 4],
  ['a terminal colour', '\x1b[31mred', 0x1b, 0],
  ['a terminal title', 'x\x1b]0;title\x07', 0x1b, 1],
  ['a delete', 'a\x7fb', 0x7f, 1],
  ['an 8-bit escape', 'a\x9b31m', 0x9b, 1],
  ['a next line', 'a\x85b', 0x85, 1],
  ['a soft hyphen', 'pass\u00adword', 0xad, 4],
  ['a grapheme joiner', 'a\u034fb', 0x34f, 1],
  ['an Arabic letter mark', 'a\u061cb', 0x61c, 1],
  ['a Hangul filler of the first kind', '\u115f', 0x115f, 0],
  ['a Hangul filler of the second kind', '\u1160', 0x1160, 0],
  ['a Khmer inherent vowel', 'ក\u17b4', 0x17b4, 1],
  ['a Mongolian vowel separator', 'a\u180eb', 0x180e, 1],
  ['a zero width space', 'https://good\u200b.example', 0x200b, 12],
  ['a zero width space after a pair', '😀\u200b', 0x200b, 1],
  ['a non-joiner between Latin letters', 'ad\u200cmin', 0x200c, 2],
  ['a joiner between Latin letters', 'ad\u200dmin', 0x200d, 2],
  ['a joiner between digits', '1\u200d2', 0x200d, 1],
  ['a joiner at the start', '\u200dمن', 0x200d, 0],
  ['a doubled non-joiner in Persian', 'می\u200c\u200cخواهم', 0x200c, 2],
  ['a non-joiner at the end of a Persian word', 'می\u200c خواهم', 0x200c, 2],
  ['a non-joiner between emoji', '👩\u200c👩', 0x200c, 1],
  ['a joiner after an emoji and before a letter', '👩\u200da', 0x200d, 1],
  ['a doubled joiner between emoji', '👩\u200d\u200d👩', 0x200d, 1],
  ['a joiner between Latin letters with marks', 'e\u0308\u200d\u0308', 0x200d, 2],
  ['a left-to-right mark', 'a\u200eb', 0x200e, 1],
  ['a right-to-left mark', 'a\u200fb', 0x200f, 1],
  ['a line separator', 'a\u2028b', 0x2028, 1],
  ['a paragraph separator', 'a\u2029b', 0x2029, 1],
  ['an embedding', 'a\u202ab', 0x202a, 1],
  ['an override (Trojan Source)', 'if (isAdmin\u202e) {', 0x202e, 11],
  ['a pop', 'a\u202cb', 0x202c, 1],
  ['an isolate', 'a\u2066b\u2069', 0x2066, 1],
  ['a pop isolate', 'ab\u2069', 0x2069, 2],
  ['a word joiner', 'a\u2060b', 0x2060, 1],
  ['an invisible times', 'a\u2062b', 0x2062, 1],
  ['a deprecated format character', 'a\u206ab', 0x206a, 1],
  ['a Hangul filler', 'a\u3164b', 0x3164, 1],
  ['a halfwidth Hangul filler', 'a\uffa0b', 0xffa0, 1],
  ['a byte order mark inside', 'a\ufeffb', 0xfeff, 1],
  ['a byte order mark in front', '\ufeffa', 0xfeff, 0],
  ['an interlinear anchor', 'a\ufff9b', 0xfff9, 1],
  ['a selector after a letter', 'a\ufe0f', 0xfe0f, 1],
  ['a selector after a bare digit', '1\ufe0f0', 0xfe0f, 1],
  ['a doubled selector', '❤\ufe0f\ufe0f', 0xfe0f, 2],
  ['a first selector after an emoji', '❤\ufe00', 0xfe00, 1],
  ['bytes hidden in selectors after an emoji', '😀\u{e0148}\u{e0155}', 0xe0148, 1],
  ['an ideographic selector', '葛\u{e0100}', 0xe0100, 1],
  ['a tag text', `hi${tags('ignore all')}`, 0xe0069, 2],
  ['a tag text behind a black flag', `\u{1f3f4}${tags('send the keys')}\u{e007f}`, 0xe0073, 1],
  ['a tag flag without its end', `\u{1f3f4}${tags('gbeng')}`, 0xe0067, 1],
  ['a tag flag that is not drawn', flag('ustx'), 0xe0075, 1],
  ['a tag text after a real flag', `${flag('gbeng')}${tags('x')}`, 0xe0078, 7],
  ['a language tag', 'a\u{e0001}', 0xe0001, 1],
  ['a shorthand format control', 'a\u{1bca0}', 0x1bca0, 1],
  ['a musical format control', 'a\u{1d173}', 0x1d173, 1],
  ['a lone high surrogate', 'a\ud83db', 0xd83d, 1],
  ['a lone low surrogate', 'a\ude00', 0xde00, 1],
  ['a noncharacter', 'a\ufdd0', 0xfdd0, 1],
  ['the last noncharacter', 'a\u{10ffff}', 0x10ffff, 1],
];

const ORDINARY = [
  ...[
    '',
    'plain text',
    'two\nlines',
    'two\r\nlines\r\n',
    'a\ttab',
    '“quotes” – dashes … 50 % § ©®™ №',
    'nbsp\u00a0and\u202fthin',
  ],
  ...[
    'Ça coûte 12 €',
    'Größe: 3 m² süß',
    'mañana ¿qué?',
    'Příliš žluťoučký kůň',
    'Zażółć gęślą jaźń',
    'Þetta er íslenska',
  ],
  ...[
    'ﬁne ligatures',
    'e\u0301 with a combining accent',
    'Việt Nam đẹp',
    'İstanbul ığdır',
    'Привет, мир',
    'Καλημέρα',
    'Բարեւ',
    'გამარჯობა',
  ],
  ...[
    'שָׁלוֹם עולם',
    'السَّلامُ عليكم ١٢٣',
    'می‌خواهم بروم خانه‌ها',
    'سال ۱۴۰۰ ه‍.ش',
    '۲۴‌ساعته',
    'اردو میں لکھا',
    'ܫܠܡܐ',
    'ߒߞߏ',
    'ދިވެހި',
  ],
  ...['नमस्ते दुनिया', 'क्‍ष और क्‌ष', 'বাংলা র‍্যাব', 'ਪੰਜਾਬੀ', 'ગુજરાતી', 'ଓଡ଼ିଆ', 'தமிழ் க்‌ஷ', 'తెలుగు హైదరాబాద్‌ లో', 'ಕನ್ನಡ ಬ್ಯಾಂಕ್‌'],
  ...['മലയാളം അവന്‍ വന്നു', 'ශ්‍රී ලංකා', 'བོད་སྐད', 'ภาษาไทย', 'ພາສາລາວ', 'ភាសាខ្មែរ', 'မြန်မာဘာသာ', 'አማርኛ', 'ᏣᎳᎩ', 'ᐃᓄᒃᑎᑐᑦ'],
  ...['ᠮᠣᠩᠭᠣᠯ', 'Монгол хэл', '中文（简体）', '繁體中文', '日本語のテキスト、ｶﾀｶﾅ', '한국어 문장', '𠮷野家', 'ꦧꦱꦗꦮ'],
  ...[
    '😀 🎉',
    '❤️ and ❤',
    '☎︎ as text',
    '👨‍👩‍👧‍👦',
    '👩🏽‍💻',
    '🕵🏻‍♂️',
    '🕵️‍♀️',
    '🏳️‍🌈',
    '🏳️‍⚧️',
    '🏴‍☠️',
    '❤️‍🔥',
    '👁️‍🗨️',
    '🧑‍🤝‍🧑',
    '👋🏿',
    '🐻‍❄️',
  ],
  ...[
    '🇩🇪🇯🇵',
    flag('gbeng'),
    `${flag('gbsct')}${flag('gbwls')}`,
    '1️⃣ 2️⃣ #️⃣ *️⃣',
    '©️ ™️ ↔️',
    '∑ ∫ √ ≤ x² a⃗',
    '┌─┐│█',
    'an emoji to come \u{1faef} \u{1fc00}',
    'replacement \ufffd',
  ],
];

describe('M28 what the eye does not see', () => {
  test.each(ATTACKS)('M28 %s is refused with code point and offset', (_title, text, codePoint, offset) => {
    expect(findHiddenCharacter(text)).toEqual({ codePoint, offset });
  });

  test.each(ATTACKS)('M28 %s is shown as an escape', (_title, text, codePoint) => {
    expect(showHidden(text)).toContain(`\\u{${codePoint.toString(16)}}`);
  });

  test.each(ORDINARY)('M28 ordinary text passes: %s', (text) => {
    expect(findHiddenCharacter(text)).toBeNull();
    expect(showHidden(text, { keepLines: true })).toBe(text.replaceAll('\r\n', '\n'));
  });

  test('M28 every C0 and C1 control but tab and line ends is refused, and every tag and bidirectional control', () => {
    const ranges = [
      [0x00, 0x08],
      [0x0b, 0x1f],
      [0x7f, 0x9f],
      [0x200e, 0x200f],
      [0x202a, 0x202e],
      [0x2060, 0x206f],
      [0xe0000, 0xe0fff],
    ];
    for (const [from = 0, to = 0] of ranges) {
      for (let codePoint = from; codePoint <= to; codePoint += 1) {
        const text = `a${String.fromCodePoint(codePoint)}b`;
        expect(findHiddenCharacter(text)).toEqual({ codePoint, offset: 1 });
      }
    }
  });
});

describe('M28 showHidden', () => {
  test('M28 lines and tabs are kept only on request', () => {
    expect(showHidden('a\tb\nc\r\nd\re')).toBe('a\\u{9}b\\u{a}c\\u{d}\\u{a}d\\u{d}e');
    expect(showHidden('a\tb\nc\r\nd\re', { keepLines: true })).toBe('a\tb\nc\nd\\u{d}e');
  });

  test('M28 a terminal escape loses its power', () => {
    expect(showHidden('\x1b[2Jgone \x9b1A')).toBe('\\u{1b}[2Jgone \\u{9b}1A');
  });
});

describe('M28 what everybody sees differently, or as a blank', () => {
  test.each([
    [0x2800, 'U+2800'],
    [0x1d159, 'U+1D159'],
    [0x16fe4, 'U+16FE4'],
    [0xe000, 'U+E000'],
    [0x10fffd, 'U+10FFFD'],
    [0x0378, 'U+0378'],
    [0x3fffd, 'U+3FFFD'],
  ])('M28 U+%i is refused and shown', (codePoint, name) => {
    const text = `a${String.fromCodePoint(codePoint)}b`;
    expect(findHiddenCharacter(text)).toEqual({ codePoint, offset: 1 });
    expect(showHidden(text)).toBe(`a\\u{${codePoint.toString(16)}}b`);
    expect(describeCodePoint(codePoint)).toBe(name);
  });

  test('M28 braille itself and music pass', () => {
    expect(findHiddenCharacter('\u2813\u2811\u2807 \u{1d15f}')).toBeNull();
  });
});

test('M28 a code point is told by its number', () => {
  expect([0x1b, 0x200b, 0xe0041].map(describeCodePoint)).toEqual(['U+001B', 'U+200B', 'U+E0041']);
});

describe('M28 any string', () => {
  const special = fc.constantFrom(
    ...ATTACKS.map(([, text]) => text),
    ...ORDINARY,
    '\u200d',
    '\u200c',
    '\ufe0f',
    '\r',
    '\n',
    '\ud83d',
  );
  const units = fc
    .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 30 })
    .map((codes) => String.fromCharCode(...codes));
  const anyText = fc
    .array(fc.oneof(special, units, fc.string({ unit: 'binary' })), { maxLength: 6 })
    .map((parts) => parts.join(''));

  test('M28 the search never throws, and its answer points at the character', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const found = findHiddenCharacter(text);
        if (found) expect([...text][found.offset]?.codePointAt(0)).toBe(found.codePoint);
      }),
      { numRuns: 1000 },
    );
  });

  test('M28 what is shown holds nothing hidden and no control but the lines asked for', () => {
    fc.assert(
      fc.property(anyText, fc.boolean(), (text, keepLines) => {
        const shown = showHidden(text, { keepLines });
        expect(findHiddenCharacter(shown)).toBeNull();
        expect(/\p{Cc}/u.test(keepLines ? shown.replace(/[\t\n]/g, '') : shown)).toBe(false);
      }),
      { numRuns: 1000 },
    );
  });

  test('M28 a long text of joiners, selectors or tags is searched to its end', () => {
    for (const unit of ['\u200d', '👩\u200d', 'م\u200c', '\u{1f3f4}\u{e0067}', '❤\ufe0f', '\r\n']) {
      expect(showHidden(`${unit.repeat(Math.ceil(effort(1_000_000) / unit.length))}end\u202e`)).toMatch(
        /end\\u\{202e\}$/,
      );
    }
  });

  test('M28 finds the same in plain ASCII as beside other letters', () => {
    const ascii = fc.string({ unit: fc.integer({ min: 0, max: 127 }).map((code) => String.fromCharCode(code)) });
    fc.assert(
      fc.property(ascii, (text) => {
        const beside = findHiddenCharacter(`\u00e9${text}`);
        expect(findHiddenCharacter(text)).toEqual(beside && { ...beside, offset: beside.offset - 1 });
        expect(`\u00e9${showHidden(text)}`).toBe(showHidden(`\u00e9${text}`));
      }),
    );
  });
});
