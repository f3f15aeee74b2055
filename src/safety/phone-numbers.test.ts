import { describe, expect, test } from 'vitest';
import { findPhoneNumbers } from './personal-data.ts';
import { mergeFindings } from './secret-literals.ts';

const found = (text: string) => mergeFindings(findPhoneNumbers(text)).map(({ start, end }) => text.slice(start, end));

describe('L17 phone numbers', () => {
  test.each([
    ...[
      '+49 30 90182077',
      '+1 (415) 867-5309',
      '+14158675309',
      '0049 30 90182077',
      '+44 20 7183 8750',
      '+33 1 70 18 99 00',
      '+352 26 20 40 1',
      '+49 170 5550132',
      '+49 40 2079 460123',
      '+49 170 5550132',
      '+49 2079 460123',
    ],
    ...[
      '+86 138 0013 8000',
      '+7 912 345-67-89',
      '+971 50 123 4567',
      '+12 345 678 901'.replace('+12 ', '+27 '),
      '0033170189900',
    ],
    ...['(415) 867-5309', '1 (415) 867-5309', '(030) 90182-077'],
  ])('L17 %s is found, alone and in a sentence', (number) => {
    for (const text of [number, `mine is ${number}, thanks`, `(${number})`.replace('((', '( (')])
      expect(found(text)).toEqual([number]);
  });

  test.each([
    ...[
      'phone: 8675309',
      'Tel. 8675309',
      'tel: 8675309',
      'cell 8675309',
      'fax: 8675309',
      'WhatsApp 8675309',
      'SMS: 8675309',
      'Handy: 8675309',
    ],
    ...[
      'mobile number: 8675309',
      'Telefon 8675309',
      'teléfono: 8675309',
      'téléphone: 8675309',
      'Rufnummer 8675309',
      '电话：8675309',
      'телефон: 8675309',
    ],
    ...['"phone": "8675309"', 'phone_home=8675309', 'phone is 8675309'],
  ])('L17 in "%s" the word says what the digits are', (text) => {
    expect(found(text)).toEqual(['8675309']);
  });

  test.each([
    ['a date', '12.11.2026'],
    ['a date in a named field', 'phone: 12.11.2026'],
    ['a date the other way round', 'phone: 2026-11-12'],
    ['an address of a machine', 'phone: 192.168.10.12'],
    ['a film number', '(415) 555-0132'],
    ['a film number with its country', '+1 415 555 0132'],
    ['a drama number', '020 7946 0958'],
    ['a drama mobile', '+44 7700 900123'],
    ['a sum', '+12 345 678'],
    ['too short abroad', '+49 30 12'],
    ['an unknown country', '+210 1234567890'],
    ['a padded id', '0000012345678'],
    ['a padded id of one piece', '00112345678901'],
    ['bytes', '01 02 03 04 05 06 07'],
    ['bytes of a buffer', '<Buffer 01 02 03 04 05>'],
    ['bytes beside others', 'ff 0a 01 02 03 04 05'],
    ['a book', 'ISBN 3-12-345678-9'],
    ['the outline of a drawing', 'd="M415.867 530.9l-415-867-5309z"'],
    ['a microphone', 'microphone 8675309'],
    ['a call of something else', 'call it 8675309'],
    ['part of a hash', 'a0612345678'],
    ['part of a version', '1.0612345678'],
    ['part of an id', 'dead-0612345678'],
    ['a ratio', '0612345678/12'],
    ['a Spanish thousand', '612 345 000'],
  ])('L17 %s is none: %s', (_, text) => {
    expect(found(text)).toEqual([]);
  });
});
