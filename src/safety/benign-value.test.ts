import { describe, expect, test } from 'vitest';
import {
  entropyOf,
  flipsCase,
  isCode,
  isHolderName,
  isLocation,
  isMixed,
  isPlaceholder,
  isSlug,
} from './benign-value.ts';

describe('L17 values that stand for no secret', () => {
  test.each([
    '',
    'xxxx',
    '****',
    '<your-password>',
    '$TOKEN',
    '{{ token }}',
    'changeme',
    'my-password',
    'sk-...abc',
    'password',
  ])('L17 %j is a placeholder', (value) => expect(isPlaceholder(value)).toBe(true));

  test.each(['$ecret1!', 'letmein', ['password', '123'].join(''), 'example-9fK3', ['mysecret', 'password'].join('')])(
    'L17 %j is no placeholder',
    (value) => expect(isPlaceholder(value)).toBe(false),
  );

  test.each([
    'string',
    'Token',
    '&str',
    'getToken()',
    'req.body.password',
    'user_password',
    'Optional[str]',
    'bytes):',
  ])('L17 %j is code', (value) => expect(isCode(value)).toBe(true));

  test.each(['monkey', 'MyDogRex', 'abc(def)9', 'qwerty123'])('L17 %j is not code', (value) =>
    expect(isCode(value)).toBe(false),
  );

  test('L17 a path is a location unless a part of it looks random', () => {
    expect(isLocation('/run/secrets/db')).toBe(true);
    expect(isLocation('https://host.io/token')).toBe(true);
    expect(isLocation('keys/id_rsa.pem')).toBe(true);
    expect(isLocation(`/${'aB3'.repeat(10)}`)).toBe(false);
  });

  test('L17 words, holders of secrets and random letters are told apart', () => {
    expect(isSlug('my-app-secret-v1')).toBe(true);
    expect(isSlug('a8f-9c2')).toBe(false);
    expect(isHolderName('accessToken')).toBe(true);
    expect(isHolderName('monkey')).toBe(false);
    expect(flipsCase('FzpJzTadkFdpQx')).toBe(true);
    expect(flipsCase('getUserTokenFromRequest')).toBe(false);
    expect(isMixed('aB3')).toBe(true);
    expect(entropyOf('abcd')).toBe(2);
    expect(entropyOf('')).toBe(0);
  });
});
