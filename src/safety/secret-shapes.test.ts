import { describe, expect, test } from 'vitest';
import { mergeFindings } from './finding.ts';
import { findShapes } from './secret-shapes.ts';

const run = ['q7Zp1xmK4t', '9wB3nV8sRd', '2LfYc6HjTe', '5GaUoPiQkM'].join('');
const pw = ['Gl4cier', 'Wolf'].join('');
const basic = btoa(`alice:${pw}`);
const found = (text: string) => [
  ...new Set(mergeFindings(findShapes(text)).map(({ kind, start, end }) => `${kind} ${text.slice(start, end)}`)),
];

describe('L17 secrets by what is around them', () => {
  test.each([
    ['webhook', 'T01/B02/'.concat(run.slice(0, 24)), 'https://hooks.slack.com/services/~'],
    ['webhook', `123456789012345678/${run}`, 'https://discordapp.com/api/v10/webhooks/~'],
    ['webhook', run, 'https://x.webhook.office.com/webhookb2/~'],
    ['webhook', run, 'https://hooks.zapier.com/hooks/catch/~'],
    ['azure_key', run.repeat(2), 'AccountKey=~'],
    ['azure_key', `${run}==`, 'sharedaccesskey=~;x'],
    ['signed_url', run, 'https://x.de/a?sig=~'],
    ['signed_url', run, 'https://x.de/a?x=1&X-Amz-Signature=~'],
    ['wifi_password', pw, 'WIFI:T:WPA;S:net;P:~;;'],
    ['bearer', run, 'Authorisation Bearer ~'],
    ['bearer', `${run}==`, 'bearer\t~'],
    ['basic_auth', basic, 'Basic ~'],
    ['authorization', run, 'Authorization: Custom ~'],
    ['authorization', run, '"proxy-authorization": "Custom ~"'],
    ['url_credentials', pw, 'postgres://app:~@db/x'],
    ['url_credentials', `${run}:x-oauth9`, 'https://~@git.io'],
    ['url_credentials', run, 'https://~@git.io'],
    ['url_credentials', pw, 'app:~@tcp(db:3306)/x'],
    ['cookie', run, 'PHPSESSID=~'],
    ['cookie', run, 'Cookie: a=1; connect.sid=~; Path=/'],
    ['private_key', run, '{"kty":"OKP","d":"~"}'],
    ['private_key', run, '{"d" : "~", "x":1, "kty":"EC"}'],
  ])('L17 %s %s', (kind, secret, text) => {
    const whole = text.replace('~', () => secret);
    for (const one of [whole, `see ${whole}\nthere`]) expect(found(one)).toEqual([`${kind} ${secret}`]);
  });

  test.each([
    'Bearer of bad news and good',
    'bearer authenticationscheme',
    'Bearer 1234567890abcdefXYZ',
    'bearer <token-of-yours-here>',
    `Basic ${btoa('nothing at all')}`,
    `Authorization: Basic ${btoa('username:password')}`,
    'http://app:app@db',
    'http://app:$PW@db',
    'http://app:8080?x@db',
    `http://app:${pw}@localhost:5432`,
    `http://app:${pw}@db.example.com`,
    'https://just-a-very-long-name-of-user@git.io',
    'Cookie: theme=dark',
    'PHPSESSID=<your-session-id-here>',
    `{"d":"${run}"}`,
    `{"kty":"x"} {"d":"${run}"}`,
    'WIFI:T:WPA;S:net;P:<password>;;',
    'AccountKey=short',
    'AKIAIOSFODNN7EXAMPLE',
    ['sk_test_', '4eC39HqLyjWDarjtT1zdp7dc'].join(''),
  ])('L17 none in %s', (text) => {
    expect(found(text)).toEqual([]);
  });

  test('L25 a word as the password of an address is only possible', () => {
    expect(findShapes('postgres://app:marmalade@db.nordwind.de/x').map(({ certainty }) => certainty)).toEqual([
      'possible',
    ]);
    expect(findShapes(`postgres://app:${pw}@db.nordwind.de/x`).map(({ certainty }) => certainty)).toEqual(['certain']);
  });

  test('L17 a key of Amazon is one beside its id', () => {
    const id = ['AK', 'IA', 'J7K2M4N6P8Q3R5S9'].join('');
    for (const text of [`${id} ${run}`, `${id}\nsecret: ${run}`, `${id},${run}`])
      expect(found(text)).toContain(`aws_key ${run}`);
    expect(found(`x ${run}`)).toEqual([]);
  });
});
