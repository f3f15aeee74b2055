import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { whyNotId, whyNotNewId, whyNotPlainName, whyNotTasteName } from './hidden-characters.ts';

describe('names', () => {
  it.each([
    '',
    '.',
    '..',
    'a/b',
    '/etc/passwd',
    'a\\b',
    '..\\..\\x',
    'C:',
    'c:\\x',
    'c:x',
    'a\0b',
    '%2e%2e',
    '%2E%2e%2F',
    'a%2fb',
    'a%5cb',
    '%252e%252e%252fx',
    'a%00',
    'con',
    'NUL.txt',
    'Lpt1',
    'a\u202eb',
    'a\u200bb',
    'a\nb',
    'a\u2028b',
    '\ud800',
    'a\ufe0f',
    '1\ufe0f',
    'a\u3164',
    'a\u034fb',
    'a\uffff',
    'x'.repeat(256),
    'é'.repeat(128),
    '🐋'.repeat(64),
  ])('M9 refuses %j', (name) => {
    expect(whyNotPlainName(name)).not.toBeNull();
    expect(whyNotId(name)).not.toBeNull();
  });

  it.each([
    'a',
    'underwater',
    '10',
    '..a',
    'a..b',
    'a.b',
    'été',
    '水中',
    '🐋',
    '❤\ufe0f',
    '1\ufe0f\u20e3',
    '100%',
    '50%25',
    'x'.repeat(255),
    '_default',
  ])('M9 takes %j', (name) => expect(whyNotPlainName(name)).toBeNull());

  it.each([
    '_d\u0435fault',
    'r\u0435ef',
    'ree\u03bf',
    '\u0440\u0430\u0443',
    '\u0440\u0430\u0443-2',
    '\u043f\u0440\u043e\u0435\u043a\u0442-api',
    '\uff52eef',
    'ree\ufb01',
    'a\u00a0b',
    'a\u2003b',
    'manta ',
    ' manta',
    'manta.',
    'manta\u3000',
    'reef\u00b2',
    '\u13a1eef',
  ])('M9 refuses %j as a name of a taste or workspace: it could be taken for another', (name) => {
    expect(whyNotTasteName(name)).not.toBeNull();
    expect(whyNotNewId(name)).not.toBeNull();
  });

  it.each([
    'été',
    '水中',
    '水中 reef',
    'проект',
    'МОСКВА',
    'ελληνικά',
    'reef 2.0',
    '🐋',
    'עברית',
    '한국어 notes',
    'naïve',
  ])('M9 takes %j as a name of a taste or workspace', (name) =>
    expect([whyNotTasteName(name), whyNotNewId(name)]).toEqual([null, null]),
  );

  it('M9 counts the ending of a file in its 255 bytes', () => {
    expect(whyNotPlainName('x'.repeat(252), '.md')).toBeNull();
    expect(whyNotPlainName('x'.repeat(253), '.md')).not.toBeNull();
    expect(whyNotPlainName('é'.repeat(126), '.md')).toBeNull();
    expect(whyNotPlainName('é'.repeat(127), '.md')).not.toBeNull();
  });

  it.each(['.hidden', '.removed', ' a', 'a ', 'a.', '...'])('M13 refuses the id %j', (id) => {
    expect(whyNotId(id)).not.toBeNull();
  });

  it('M9 lets no name through that could leave a folder', () => {
    const part = fc.constantFrom('..', '.', '/', '\\', '%2e', '%2f', '%25', '2e', '2f', 'a', '\0', ':', ' ', 'é');
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
        let name = parts.join('');
        if (whyNotPlainName(name) !== null) return;
        for (let round = 0; round < 10; round += 1) {
          expect(name).not.toMatch(/[/\\\0]|^\.{0,2}$/);
          name = name.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
        }
      }),
      { numRuns: 2000 },
    );
  });
});
