import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { effort } from '../../test/support/effort.ts';
import { findPersonalData } from './personal-data.ts';

const found = (text: string) =>
  findPersonalData(text).map(({ kind, start, end }) => `${kind} ${text.slice(start, end)}`);
const join = (...parts: string[]) => parts.join('');

describe('L17 findPersonalData marks the value alone', () => {
  test.each([
    ['mail_address', join('jo+x', '@', 'nordwind.co.uk'), (s: string) => `<${s}>, and others`],
    ['mail_address', join('jürgen', '@', 'müller.de'), (s: string) => `An: ${s}.`],
    ['phone_number', join('+1 (415) ', '867-5309'), (s: string) => `call ${s}, please`],
    ['phone_number', join('8675', '309'), (s: string) => `phone: ${s}`],
    ['card_number', join('4539 1488', ' 0343 6467'), (s: string) => `3 ${s} 12/27`],
    ['iban', join('NL91 ABNA', ' 0417 1643 00'), (s: string) => `to ${s} today`],
    ['national_id', join('219-09', '-9999'), (s: string) => `room 12 ${s} 2024`],
    ['national_id', join('44051', '401359'), (s: string) => `PESEL ${s}`],
    ['national_id', join('756.9217', '.0769.85'), (s: string) => `AHV ${s}`],
    ['national_id', join('131052', '-308T'), (s: string) => `HETU ${s}`],
  ])('L17 %s %s', (kind, value, text) => expect(found(text(value))).toEqual([`${kind} ${value}`]));

  test('L17 one wrong digit is no card, no account and no id', () => {
    const wrong = ['4539 1488 0343 6468', 'NL91ABNA0417164301', '44051401358', '756.9217.0769.86', '529.982.247-26'];
    expect(wrong.flatMap(found)).toEqual([]);
  });

  test('L17 numbers that are kept free for handbooks, and users of addresses, are no persons', () => {
    const benign = [
      '(415) 555-0132',
      '020 7946 0958',
      'ssh://deploy@host.io/x',
      '"^1.1.0", "@bomb.sh/tab"',
      '<Buffer 01 02 03 04 05>',
    ];
    expect(benign.flatMap(found)).toEqual([]);
  });

  test('L17 findings are sorted and inside the text, for any text', () => {
    const unit = fc.constantFrom(...'0123456789+-. ()@aDE:%'.split(''), 'phone', 'ssn', '00', 'é');
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 120 }), (text) => {
        let last = 0;
        for (const { start, end } of findPersonalData(text)) {
          expect(start).toBeGreaterThanOrEqual(last);
          expect(end).toBeGreaterThan(start);
          last = end;
        }
        expect(last).toBeLessThanOrEqual(text.length);
      }),
      { numRuns: effort(300) },
    );
  });
});

describe('L17 hostile texts', () => {
  const patterns = [
    ...[
      'a',
      '@',
      'a@',
      'a@a.',
      '"@',
      '%40',
      '[at]',
      'a[at]b[dot]',
      '1',
      '1 ',
      '1-',
      '0.0.',
      '+1',
      '00',
      '01 ',
      '(',
      '+1 ( ',
    ],
    ...[
      'DE89',
      'DE89 ',
      '4111 ',
      'phone: 1',
      'tel',
      'call me at ',
      'ssn: a',
      'ssn ',
      'AAAAAA',
      'A1',
      '9 ',
      '12 345 678 ',
    ],
  ];
  test.each(patterns.map((pattern) => ({ pattern })))(
    'L17 a long text of $pattern is read to its end',
    ({ pattern }) => {
      const mail = join('kim', '@', 'nordwind.de');
      expect(found(`${pattern.repeat(Math.ceil(effort(1_000_000) / pattern.length))}\n\n${mail}`).at(-1)).toBe(
        `mail_address ${mail}`,
      );
    },
  );
});
