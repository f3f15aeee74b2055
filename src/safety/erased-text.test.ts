import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { erasedText } from './erased-text.ts';

const TEXT = 'The "orange" tree\nstands behind the <blue> house & blooms ünder snow.';

describe('M44 a text in every form it may have', () => {
  it('M44 is found plain, re-wrapped, escaped, in XML, in base64 at any place, in hex and in other bytes', () => {
    const erased = erasedText([TEXT]);
    const json = JSON.stringify({ notes: TEXT });
    const forms = [
      TEXT,
      TEXT.replace('\n', '\r\n'),
      TEXT.replace('\n', ' '),
      json,
      JSON.stringify(json),
      TEXT.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
      ...['', 'a', 'ab', 'abc'].map((before) => Buffer.from(before + TEXT).toString('base64')),
      Buffer.from(TEXT).toString('base64url'),
      Buffer.from(TEXT).toString('hex'),
      encodeURIComponent(TEXT),
      TEXT.toLowerCase(),
    ];
    for (const form of forms) {
      expect(erased.isIn(`before ${form} after`), form).toBe(true);
      expect(erased.isInBytes(Buffer.from(form).toString('latin1')), form).toBe(true);
    }
    expect(erased.isInBytes(Buffer.from(TEXT, 'utf16le').toString('latin1'))).toBe(true);
    for (const other of ['', 'something else', 'The "orange', '------------', '            ', '{"a":1}'])
      expect(erased.isIn(other), other).toBe(false);
  });

  it('M44 without a Latin letter too: as JSON of plain ASCII, in hex of either case, in base64 to its last letters', () => {
    const text = 'Апельсиновое дерево за домом';
    const erased = erasedText([text]);
    const ascii = JSON.stringify(text).replace(
      /[^ -~]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
    const hex = Buffer.from(text).toString('hex');
    for (const form of [ascii, hex, hex.toUpperCase()]) {
      expect(erased.isIn(form), form).toBe(true);
      expect(erased.without(`a line before ${form} and one after it, which are both longer`), form).not.toContain(
        form.slice(-20, -2),
      );
    }
    for (const before of ['', 'a', 'ab']) {
      const form = Buffer.from(before + text).toString('base64');
      expect(erased.isIn(form.slice(-20)), form).toBe(true);
    }
  });

  it('M44 twelve characters of it in a row are a piece, eleven are none', () => {
    fc.assert(
      fc.property(fc.nat({ max: TEXT.length - 12 }), (at) => {
        const erased = erasedText([TEXT]);
        const piece = TEXT.slice(at, at + 12);
        expect(erased.isIn(`x${piece}x`)).toBe(true);
        expect(erased.without(`a long line of other words x${piece}x and yet more of them`)).toBe(
          'a long line of other words x[erased]x and yet more of them',
        );
        expect(erased.isIn(piece.slice(1))).toBe(false);
      }),
    );
  });

  it('M44 what other texts of memory say too is theirs', () => {
    const erased = erasedText([TEXT], { kept: ['Nothing stands behind the fence.'] });
    expect(erased.isIn('Nothing stands behind the fence.')).toBe(false);
    expect(erased.without('It stands behind the <blue> house, and so on, as everybody knows by now.')).not.toContain(
      '<blue>',
    );
  });

  it('M44 a record keeps its ids and times; a text that is mostly it goes whole; hashes go too', () => {
    const hash = 'a'.repeat(32) + 'b'.repeat(32);
    const erased = erasedText([TEXT, 'At 2026-11-16T06:00 we left.'], { prints: [hash] });
    const record = {
      type: 'proposal',
      at: '2026-11-16T06:00:00Z',
      proposal: { content: `${TEXT} Yes!`, content_sha256: hash },
    };
    expect(JSON.parse(erased.withoutInLine(JSON.stringify(record)))).toEqual({
      type: 'proposal',
      at: '2026-11-16T06:00:00Z',
      proposal: { content: '[erased]', content_sha256: '[erased]' },
    });
    expect(erased.withoutInLine(`torn {"${TEXT}`)).toBe('[erased]');
  });

  it('M44 a short text counts as a whole line alone', () => {
    const erased = erasedText(['- tabs']);
    expect([erased.isIn('- tabs'), erased.isIn('a\n  - tabs\nb'), erased.isIn('no - tabs here')]).toEqual([
      true,
      true,
      false,
    ]);
    expect(erased.without('a\n- tabs\nb')).toBe('a\n[erased]\nb');
  });
});
