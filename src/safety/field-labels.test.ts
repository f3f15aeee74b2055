import { describe, expect, test } from 'vitest';
import { sanitiseValue } from './sanitise.ts';

const pw = ['Gl4cier', 'Wolf'].join('');
const word = ['marma', 'lade'].join('');
const cleaned = (value: unknown) => JSON.stringify(sanitiseValue(value).value);

describe('L17 what a field says of its value', () => {
  test.each<[title: string, value: unknown]>([
    ['by its key', { password: '~' }],
    ['by a short key', [{ pw: '~' }, { passcode: '~' }]],
    [
      'by the key above',
      [
        { password: { current: '~', old: '~' } },
        { db_password: { prod: '~', '1': '~' } },
        { password: { value: { plain: '~' } } },
      ],
    ],
    ['by the list of names above', { passwords: { bob: '~', alice: '~' } }],
    ['by a cookie', { cookies: { sid: 'q7Zp1xmK4t9wB3nV8s' } }],
    [
      'by the name beside',
      [
        { name: 'DB_PASSWORD', value: '~' },
        { value: '~', key: 'password' },
        { header: 'password', content: '~' },
        { question: 'password', answer: '~' },
        { k: 'password', v: '~' },
      ],
    ],
    [
      'by a login beside',
      [
        { user: 'bob', pass: '~' },
        { Email: 'x', pass: '~' },
        { usuario: 'bob', PASS: '~' },
      ],
    ],
    ['by a key in JSON', { kty: 'oct', k: 'q7Zp1xmK4t9wB3nV8sRd2L' }],
    [
      'by Kubernetes',
      [
        { kind: 'Secret', data: { x: '~' } },
        { kind: 'Secret', stringData: { y: '~' } },
      ],
    ],
  ])('L17 a secret %s', (_, value) => {
    const text = JSON.stringify(value).replaceAll('~', pw);
    const clean = cleaned(JSON.parse(text));
    const marks = (text.match(new RegExp(`${pw}|q7Zp1xmK4t9wB3nV8\\w*`, 'g')) ?? []).length;
    expect([clean, clean.split('[redacted:').length - 1]).toEqual([expect.not.stringMatching(/Gl4cier|q7Zp1/), marks]);
  });

  test.each<[title: string, value: unknown]>([
    ['count tests', { pass: 12, fail: 3 }],
    ['say nothing', [{ value: word }, { name: 'colour', value: word }, { current: word }]],
    ['are names in a list', ['password', word, 'token', 'colour']],
    [
      'follow an option of another kind',
      [
        ['--colour', word],
        ['-p', word],
        ['password-field', word],
      ],
    ],
    ['are in a public key', { kty: 'RSA', n: 'q7Zp1xmK4t9wB3nV8sRd2L', e: 'AQAB' }],
    ['are in a config map', { kind: 'ConfigMap', data: { x: word } }],
    ['are keys of words', { password_hint: word, tokens: 120, key: 'a' }],
  ])('L17 values that %s stay', (_, value) => {
    expect(cleaned(value)).toBe(JSON.stringify(value));
  });

  test('L17 fields of text keep their lines, all others are one line', () => {
    const long =
      'text body summary description content contents excerpt note notes comment comments message details detail markdown md html log logs output stdout stderr error stack trace diff patch code snippet source readme brief gap gaps question answer reason steps transcript prompt'.split(
        ' ',
      );
    for (const key of [...long, 'BODY'])
      expect(cleaned({ [key]: 'one\ntwo' })).toBe(JSON.stringify({ [key]: 'one\ntwo' }));
    for (const key of ['title', 'id', 'name', 'bodyline', 'x'])
      expect(cleaned({ [key]: ' one\n \ttwo  three ' })).toBe(JSON.stringify({ [key]: 'one two  three' }));
  });
});
