import { describe, expect, test } from 'vitest';
import { FORMED_IDS, NAMED_IDS } from '../../test/samples/national-ids.ts';
import { findNationalIds, passesIban, passesLuhn } from './personal-data.ts';

const found = (text: string) =>
  findNationalIds(text).map(({ kind, start, end }) => `${kind} ${text.slice(start, end)}`);

describe('L17 the number of a person', () => {
  test.each(FORMED_IDS)('L17 of %s is found, and nothing around it', (_, numbers) => {
    for (const number of numbers)
      for (const text of [number, `of ${number}, born here`, `"${number}"`, `(${number})`, `x ${number}\ny`])
        expect(found(text)).toEqual([`national_id ${number}`]);
  });

  test.each(FORMED_IDS)('L17 of %s is found alike in ASCII and beside other letters', (_, numbers) => {
    const text = numbers.map((number) => `of ${number}, (${number}) v${number}x 1.${number}`).join('\n');
    expect(findNationalIds(`${text}\n\né`)).toEqual(findNationalIds(`${text}\n\ne`));
  });

  test.each(FORMED_IDS)('L17 of %s inside something longer is none', (_, numbers) => {
    for (const number of numbers)
      for (const text of [
        `7${number}`,
        `${number}7`,
        `v${number}x`,
        `${number}.5`,
        `1.${number}`,
        `abcd-${number}`,
        `${number}-x`,
      ])
        expect(found(text).filter((one) => one === `national_id ${number}`)).toEqual([]);
  });
});

test.each(NAMED_IDS)('L17 a number next to the word %s is found', (paper, numbers) => {
  for (const number of numbers) {
    for (const text of [`${paper}: ${number}`, `{"${paper}": "${number}"}`, `my ${paper} is ${number}, keep it`])
      expect([text, found(text)]).toEqual([text, [`national_id ${number}`]]);
  }
});

test.each([
  ...['y = sin(0.841471)', 'const sin = 0.841470984;', 'sin: 123456.789'],
  ...['Since 2022-03-21 the flag is on.', 'since 1234567 calls', 'The passport is valid until 2027-03-21.'],
])('L17 L25 a fraction, a date and what only begins like a word for them are no numbers of persons: %s', (text) =>
  expect(found(text)).toEqual([]),
);

test('L17 digits in groups end where the groups end', () => {
  for (const number of ['219-09-9999'])
    for (const text of [`12-${number}`, `${number}-34`]) expect(found(text)).toEqual([]);
});

describe('L17 checksums', () => {
  const wrongOnes = (digits: string) =>
    [...digits].flatMap((digit, at) =>
      [...'0123456789']
        .filter((other) => other !== digit)
        .map((other) => digits.slice(0, at) + other + digits.slice(at + 1)),
    );

  test.each([['Luhn', passesLuhn, ['79927398713', '4539148803436467', '0', '18', '59']]] as const)(
    'L17 %s takes what is right and nothing that has one wrong digit',
    (_, passes, numbers) => {
      for (const number of numbers) {
        expect([number, passes(number)]).toEqual([number, true]);
        expect(wrongOnes(number).filter(passes)).toEqual([]);
      }
    },
  );

  test('L17 an account number counts letters, and its head last', () => {
    const real = [
      'GB82WEST12345698765432',
      'DE89370400440532013000',
      'FR1420041010050500013M02606',
      'NL91ABNA0417164300',
    ];
    expect(real.every(passesIban)).toBe(true);
    expect(real.map((iban) => iban.toLowerCase()).every(passesIban)).toBe(true);
    expect(
      real.flatMap((iban) => wrongOnes(iban.slice(4)).map((rest) => iban.slice(0, 4) + rest)).filter(passesIban),
    ).toEqual([]);
  });
});
