import { describe, expect, test } from 'vitest';
import { findNamedIds } from './named-ids.ts';

const found = (text: string) => findNamedIds(text).map(({ kind, start, end }) => `${kind} ${text.slice(start, end)}`);
const number = ['C01X', '00T478'].join('');

describe('L17 papers by their name', () => {
  test.each(
    'SSN|social security number|itin|Medicare card|NINO|national insurance no|NHS number|BSN|burgerservicenummer|rijksregisternummer|Aadhaar|pan card|voter id|CPF|cédula|CURP|personnummer|personal id|fødselsnummer|hetu|kennitala|Steuer-ID|Steuernummer|idnr|tax id|Personalausweis|Ausweisnummer|svnr|Führerschein|Reisepass-Nr|AHV-Nummer|numéro de sécurité sociale|carte vitale|passeport|permis de conduire|codice fiscale|carta d’identità|passaporto|pasaporte|passaporte|PESEL|dowód osobisty|paszport|rodné číslo|személyi szám|CNP|OIB|JMBG|AMKA|ИНН|СНИЛС|паспорт|TC kimlik no|NRIC|HKID|マイナンバー|身份证号码|护照|주민등록번호|CNIC|Emirates ID|iqama|social insurance|health card|ID card|passport|residence permit|visa number|alien registration|driver’s license|driving licence|license plate|rijbewijs|körkort'.split(
      '|',
    ),
  )('L17 %s', (name) => {
    for (const text of [
      `${name}: ${number}`,
      `${name} ${number}, please`,
      `"${name}": "${number}"`,
      `${name.toUpperCase()}=${number}`,
    ])
      expect([text, ...found(text)]).toEqual([text, `national_id ${number}`]);
  });

  test.each([
    ['birth_date', 'date of birth: ~', '1980-02-17'],
    ['birth_date', 'DOB ~', '17.02.1980'],
    ['birth_date', 'geboren am ~', '17.2.80'],
    ['birth_date', 'birthday is ~', '17 February 1980'],
    ['birth_date', 'born? birthdate: ~', 'February 17, 1980'],
    ['birth_date', '生年月日：~', '1980年2月17日'],
    ['birth_date', 'né le ~', '17/02/1980'],
    ['bank_account', 'account number: ~', '12345678'],
    ['bank_account', 'Kontonummer ~', '1234 567890'],
    ['bank_account', 'sort code ~', '12-34-56'],
    ['bank_account', 'routing number is ~', '021000021'],
    ['postal_address', 'address: ~', '12 Baker Street, London NW1'],
    ['postal_address', 'Anschrift: ~', 'Lindenstraße 12, 10969 Berlin'],
    ['postal_address', 'lives at ~', '221B Baker St.'],
    ['postal_address', 'adresse : ~'.replace(' :', ':'), '12 rue de la Paix, 75002 Paris'],
    ['postal_address', 'dirección: ~', 'Calle Mayor 5, Madrid'],
  ])('L17 a %s: %s', (kind, text, value) => {
    expect(found(text.replace('~', value))).toEqual([`${kind} ${value}`]);
  });

  test.each([
    ...[
      'passport is required',
      'passport 1234',
      'passport: v1.2.3',
      'passport 12.10.5',
      'passport: 2026-11-15',
      'mypassport: C01X00T478',
      'passports C01X00T478',
    ],
    ...[
      'sin C01X00T478',
      'tin 12345678',
      'my number C01X00T478',
      'dni 12345678',
      'passport abcdefgh',
      'passport a_12345678',
    ],
    ...[
      'date: 1980-02-17',
      'birthday party',
      'account: 12345678',
      'account number 1234',
      'address: home',
      'address 0x12345678',
      'email address: x',
      'street 12',
    ],
  ])('L17 none in: %s', (text) => {
    expect(found(text)).toEqual([]);
  });

  test('L17 a word of everyday names a paper where a sign says so', () => {
    for (const name of ['sin', 'tin', 'nie', 'dni', 'rut', 'patente', 'my number'])
      expect(found(`${name}: ${number}`)).toEqual([`national_id ${number}`]);
    expect(found('passport 123.456.789')).toEqual(['national_id 123.456.789']);
    expect(found('passport AB12345')).toEqual(['national_id AB12345']);
    expect(found('passport ABC1234')).toEqual(['national_id ABC1234']);
    expect(found('passport AB1234')).toEqual([]);
  });
});
