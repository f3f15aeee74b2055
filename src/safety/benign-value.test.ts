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
  isStatus,
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

  test.each([
    [
      'a placeholder',
      isPlaceholder,
      'aaaa ---- •••• a***b a…b ab...c Xxxxx $HOME $home_dir $(cat $\x7bVAR $\x7bVAR} {{x {{x}} #{x} <%=x %(x)s {name} {user.name!r} %NAME% %s <token> <token [token] !vault !Ref process.env.X os.environ getenv env.X secrets.X vault:x op://x arn:aws ref+x ENC[x ENC(x System.getenv your-password example-token sample changeme change-me change_it placeholder dummy fake redacted hidden TODO enter-here foobar foo bar baz test testing my-secret some_token the-key default demo mock null none nil undefined empty unset required optional true false yes no tbd n/a secret token apikey admin postgres my-password-1',
    ],
    [
      'no placeholder',
      isPlaceholder,
      null,
      '$Ecret1! $9abc a{b} x<y> aab marmalade password1x example-9fK3 mypass99word test-4711 footballer1 nottingham7',
    ],
    [
      'code',
      isCode,
      'string Str, bytes): &str *char ?string int[] u8 Promise<x> getToken() foo[0] a|b user.password a::b a->b a?.b a!.b req.body.token :x a/*b accessToken user_token TOKEN this await',
    ],
    ['no code', isCode, null, 'monkey MyDogRex abc(def)9 qwerty123 a.b1!c hunter2 1a.b'],
    [
      'a location',
      isLocation,
      'https://x.de/a s3://bucket ~/x ./x ../x /x C:\\x \\x a/b/c a.pem a/b.key x.txt x.json x.yaml x.yml x.toml x.env x.crt x.p12 x.ts x.py x.md x.htm x.html x.sh',
    ],
    [
      'no location',
      isLocation,
      null,
      'a/b x.pem9 marmalade x.pemx 9://x /Ab3xAb3xAb3xAb3xAb3x a/Ab3xAb3xAb3xAb3xAb3x/c .x',
    ],
    ['a slug', isSlug, 'my-app my_app my.app a/b a:b my-app-v1 my-app-12 App-name'],
    ['no slug', isSlug, null, 'myapp my-App my-app-123 1-a my- -my a8f-9c2 my--app'],
    ['a status', isStatus, 'required Optional, EXPIRED. wrong! geändert oublié vacía 必須 none'],
    ['no status', isStatus, null, 'requiredx marmalade .required'],
    [
      'a holder',
      isHolderName,
      'password token userToken USER_TOKEN db_secrets apiKey keyId fileName passStr $token tokenSchema',
    ],
    ['no holder', isHolderName, null, 'marmalade tokenizer monkey user12token a1btoken 1token my-token keyed TOKENx'],
  ] as const)('L17 %s', (...row) => {
    const [, is] = row;
    const words = (row.length === 4 ? row[3] : row[2]).split(' ');
    expect(words.filter((word) => is(word) !== (row.length === 3))).toEqual([]);
  });

  test('L17 what is longer than any stand-in is none, whatever it says', () => {
    expect(isPlaceholder('x'.repeat(512))).toBe(true);
    expect(isPlaceholder('x'.repeat(513))).toBe(false);
    expect(flipsCase('aBcDeFgHiJk')).toBe(false);
    expect(entropyOf('aabb')).toBe(1);
    expect(entropyOf('aaab')).toBeCloseTo(0.811, 3);
  });
});
