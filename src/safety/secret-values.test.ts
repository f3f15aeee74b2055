import { describe, expect, test } from 'vitest';
import { findInField } from './secret-assignments.ts';
import { isTechnical, looksRandom } from './secret-values.ts';
import { findSecrets } from './secrets.ts';

const found = (text: string) => findSecrets(text).map(({ kind, start, end }) => `${kind} ${text.slice(start, end)}`);
const inField = (label: string, value: string, loose = false) =>
  findInField(value, { label, loose }).map(({ kind, start, end }) => `${kind} ${value.slice(start, end)}`);
const pw = ['Gl4cier', 'Wolf'].join('');
const token = ['q7Zp1xmK4t', '9wB3nV8sRd', '2LfYc6'].join('');

describe('L17 what is given to a name', () => {
  test.each([
    ...[
      'password=~',
      'password: ~',
      'password := ~',
      'password => ~',
      'password == "~"',
      'password != "~"',
      'password ||= "~"',
      'password ??= "~"',
      "password = '~'",
      'password=`~`',
      'password：~',
    ],
    ...[
      '"password": "~"',
      '**password**: ~',
      '__password__: ~',
      'password (staging): ~',
      'password [x]: ~',
      '<password>~</password>',
      '<b>Password:</b> ~',
      'password: |\n  ~',
      'password: >-\n  ~',
    ],
    ...[
      'val password: String = "~"',
      'password string = "~"',
      'char password[] = "~"',
      'password = “~”',
      'password = «~»',
      'password: 「~」',
      'password = """~"""',
    ],
    ...[
      '{"name": "password", "value": "~"}',
      '["password","~"]',
      'set("password", "~")',
      '<td>Password</td><td>~</td>',
      '<key>Password</key>\n<string>~</string>',
      '--password ~',
      'password%3D~',
      '?password=~&x=1',
      'password=~;x=1',
      'Password:\n~\n',
    ],
    ...[
      'password: Basic ~',
      'passwords: ["~"]',
      'passwords:\n  - ~',
      '\\"password\\":\\"~\\"',
      '<password type="x">~</password>',
      '<password><![CDATA[~]]></password>',
      'password = "~" # or so',
    ],
  ])('L17 %s', (text) => {
    expect(found(text.replace('~', pw))).toEqual([`password ${pw}`]);
  });

  test('L17 a phrase of several words, or of two with a digit, is one', () => {
    expect(found('password: "correct horse battery"')).toEqual(['password correct horse battery']);
    expect(found('password: "horse 77"')).toEqual(['password horse 77']);
  });

  test.each([
    ...[
      'password: "enter the password"',
      'password: "horse battery"',
      'password: "is it you?"',
      'password = getPassword()',
      'password = user.password',
      'password: string',
      'password: str = None',
      'password = process.env.PW',
      'password: {{PW}}',
    ],
    ...[
      'password = locked ? a : b',
      'password: required',
      'password: abc',
      'password: 1.2.3',
      'password: 2026-11-15',
      'PASSWORD: "password"',
      'CHALLENGE_PASSWORD: "challengePassword"',
      'password: /etc/pw.txt',
      'password: https://x.de/reset',
      'password: ****',
      'password = newPassword',
    ],
    ...[
      'token: next',
      'token: 12345678',
      'token: abcdefgh',
      'token: my-app-token-v1',
      'token = accessToken',
      'secret: "abc"',
      'secret: 123456',
      'secret: my-app-secret',
      'key: marmalade',
      'key: my-app-key-with-a-name',
      'key: ABCDEFGHIJKLMNOPQRSTUVWX',
      'pass: 12',
      'pass: marmalade',
      'pin: 12',
      'pin: marmalade',
      'cvv: 2026-11-15',
    ],
  ])('L17 none in: %s', (text) => {
    expect(found(text)).toEqual([]);
  });

  test('L17 how long and how random it must be hangs on the name', () => {
    expect(inField('password', 'abcd')).toEqual(['password abcd']);
    expect(inField('password', 'abc')).toEqual([]);
    expect(inField('pass', 'a1b2c')).toEqual(['password a1b2c']);
    expect(inField('pass', 'a1b2')).toEqual([]);
    expect(inField('secret', 'abcdef')).toEqual(['secret abcdef']);
    expect(inField('secret', 'abcde')).toEqual([]);
    expect(inField('token', 'abcdefg1')).toEqual(['token abcdefg1']);
    expect(inField('token', 'abcdef1')).toEqual([]);
    expect(inField('token', 'abcdefghijklmnopqrst')).toEqual(['token abcdefghijklmnopqrst']);
    expect(inField('token', 'abcdefghijklmnopqrs')).toEqual([]);
    expect(inField('key', token.slice(0, 20))).toEqual([`secret ${token.slice(0, 20)}`]);
    expect(inField('key', token.slice(0, 19))).toEqual([]);
    expect(inField('key', `AAAA${token}`)).toEqual([]);
    expect(inField('pin', '123')).toEqual(['code 123']);
    expect(inField('pin', '12')).toEqual([]);
    expect(inField('otp', '12 34-56')).toEqual(['code 12 34-56']);
    expect(inField('otp', 'ABC123')).toEqual(['code ABC123']);
    expect(inField('otp', 'ABC12')).toEqual([]);
    expect(inField('colour', pw)).toEqual([]);
  });

  test('L17 a name from further up asks for more', () => {
    expect(inField('password', pw, true)).toEqual([`password ${pw}`]);
    expect(inField('password', 'abcdef', true)).toEqual([]);
    expect(inField('password', 'a1bc', true)).toEqual([]);
    expect(inField('token', pw, true)).toEqual([]);
    expect(inField('token', token, true)).toEqual([`token ${token}`]);
    expect(inField('password', `it is ${pw}, ok`, true)).toEqual([`password ${pw}`]);
    expect(inField('credentials', `bob:${pw}`)).toEqual([`password ${pw}`]);
    expect(inField('auth', btoa(`bob:${pw}`))).toEqual([`basic_auth ${btoa(`bob:${pw}`)}`]);
  });

  test.each([
    [
      'technical',
      true,
      'base64 sha256 SHA-512 md5 utf8 utf-16 oauth2 argon2id pbkdf2 hs256 aes-256 rsa4096 ed25519 x25519 secp256k1 p256 x509 1password auth0 2fa s3 ec2 k8s ipv4 tls1.3 http/2 web3 log4j i18n iso-8601 rfc2119 pkcs12 fido2 win11 1.2.3 v2 12px 3x4 node:20 base64-encoded sha256hash',
    ],
    ['not technical', false, `${pw} base65 sha md7 abc123 x510 v2x`],
  ])('L17 a word of the trade: %s', (_, is, words) => {
    expect(words.split(' ').filter((word) => isTechnical(word) !== is)).toEqual([]);
  });

  test('L17 random is what mixes', () => {
    expect(['a1', 'é9', 'ab!', 'aBcDeFgHiJkL', 'aBcdefgHijklMno'].map(looksRandom)).toEqual(Array(5).fill(true));
    expect(['abc', '123', '1!', 'helloWorld', 'aBcDeFgHiJk', 'aBcdefgHijklMnop'].map(looksRandom)).toEqual(
      Array(6).fill(false),
    );
  });
});
