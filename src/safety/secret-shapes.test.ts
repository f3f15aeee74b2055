import { describe, expect, test } from 'vitest';
import { hex } from '../../test/samples/secrets.ts';
import { mergeFindings } from './finding.ts';
import { findShapes, holdsUserAndPassword, isLive } from './secret-shapes.ts';

const run = ['q7Zp1xmK4t', '9wB3nV8sRd', '2LfYc6HjTe', '5GaUoPiQkM'].join('');
const pw = ['Gl4cier', 'Wolf'].join('');
const basic = btoa(`alice:${pw}`);
const found = (text: string) => [
  ...new Set(mergeFindings(findShapes(text)).map(({ kind, start, end }) => `${kind} ${text.slice(start, end)}`)),
];

describe('L17 secrets by what stands around them', () => {
  test.each([
    ['slack_webhook', 'T01/B02/'.concat(run.slice(0, 24)), 'https://hooks.slack.com/services/~'],
    ['discord_webhook', `123456789012345678/${run}`, 'https://discord.com/api/webhooks/~'],
    ['discord_webhook', `123456789012345678/${run}`, 'https://discordapp.com/api/v10/webhooks/~'],
    ['webhook', run, 'https://x.webhook.office.com/webhookb2/~'],
    ['webhook', run, 'https://hooks.zapier.com/hooks/catch/~'],
    ['webhook', run, 'https://maker.ifttt.com/trigger/go/with/key/~'],
    ['webhook', run, 'https://webhook.site/~'],
    ['signed_url', run, 'https://mainnet.infura.io/v3/~'],
    ['signed_url', run, 'https://x.de/reset/~'],
    ['signed_url', run, 'https://x.de/password-reset/token/~'],
    ['signed_url', run, 'HTTPS://X.DE/INVITE/~'],
    ['azure_key', run.repeat(2), 'AccountKey=~'],
    ['azure_key', `${run}==`, 'sharedaccesskey=~;x'],
    ['signed_url', run, 'https://x.de/a?sig=~'],
    ['signed_url', run, 'https://x.de/a?x=1&X-Amz-Signature=~'],
    ['signed_url', run, 'https://x.de/a?code=~'],
    ['signed_url', run, 'https://x.de/a?TOKEN=~'],
    ['signature', hex(64), 'Credential=x, Signature=~'],
    ['wifi_password', pw, 'WIFI:T:WPA;S:net;P:~;;'],
    ['bearer', run, 'Authorisation Bearer ~'],
    ['bearer', `${run}==`, 'bearer\t~'],
    ['basic_auth', basic, 'Basic ~'],
    ['authorization', run, 'Authorization: Custom ~'],
    ['authorization', run, '"proxy-authorization": "Custom ~"'],
    ['url_credentials', pw, 'postgres://app:~@db/x'],
    ['url_credentials', pw, 'redis://:~@127.0.0.1'],
    ['url_credentials', `${run}:x-oauth`, 'https://~@git.io'],
    ['url_credentials', run, 'https://~@git.io'],
    ['url_credentials', pw, 'app:~@tcp(db:3306)/x'],
    ['url_credentials', pw, 'app:~@db.nordwind.de:5432/x'],
    ['cookie', `sid=${run}`, 'Cookie: ~'],
    ['cookie', `a=1; sid=${run}; Path=/`, 'set-cookie: ~'],
    ['cookie', run, 'PHPSESSID=~'],
    ['cookie', run, 'connect.sid=~'],
    ['private_key', run, '{"kty":"OKP","d":"~"}'],
    ['private_key', run, '{"d" : "~", "x":1, "kty":"EC"}'],
  ])('L17 %s %s', (kind, secret, text) => {
    const whole = text.replace('~', () => secret);
    for (const one of [whole, `see ${whole}\nthere`]) expect(found(one)).toEqual([`${kind} ${secret}`]);
  });

  test.each([
    ...[
      'Bearer of bad news and good',
      'bearer authenticationscheme',
      'bearer 123456789012',
      'Bearer 1234567890abcdefXYZ',
      'Authorization: Custom authenticationscheme',
      'https://webhook.site/documentationofall',
      'bearer <token-of-yours-here>',
      `Basic ${btoa('nothing at all')}`,
      'basic training starts',
      'Basic !!!!!!!!',
    ],
    ...[
      'https://x.de/reset/my-long-article-about-version-2',
      'https://x.de/a?code=my-long-article-about-version-2',
      'https://x.de/a?code=aaaaaaaaaaaaaaaaaaaaaaaa1',
      'https://x.de/a?key=shortone1',
    ],
    ...[
      'http://app:app@db',
      'http://app:pw@db',
      'http://app:$PW@db',
      'http://app:8080?x@db',
      'https://just-a-very-long-name-of-user@git.io',
      'https://some-long-name-without-one:x@git.io',
    ],
    ...[
      'app:home@db.nordwind.de:5432/x',
      'app:base64@db.nordwind.de:5432/x',
      'Cookie: theme=dark',
      'Cookie: a=1; b=2',
      'cookie: yes',
      'PHPSESSID=<your-session-id-here>',
      'PHPSESSID=abcdefghijklmnopq',
    ],
    ...[
      `{"d":"${run}"}`,
      `{"kty":"x"} {"d":"${run}"}`,
      'Signature=abc',
      'WIFI:T:WPA;S:net;P:<password>;;',
      'AccountKey=short',
    ],
  ])('L17 none in %s', (text) => {
    expect(found(text)).toEqual([]);
  });
});

describe('L17 tokens of services that are not in the table', () => {
  test('L17 a short name and one long random run is one, a hash or a word is none', () => {
    const hash = hex(48, 5);
    for (const token of [`zq_${run}`, `zq-liv_${run}`, `abc_de_fg_${run}`, `zqk_${hash}`])
      expect(found(`x ${token} y`)).toEqual([`token ${token}`]);
    for (const text of [
      `sha256-${run}`,
      `hash_${run}`,
      `build-${run}`,
      `pk_${run}`,
      `req1_${run}`,
      `sha1_${hash}`,
      `app_${hash}`,
      `v2_${hash}`,
      `longer_${hash}`,
      `zqk_${hash}.js`,
      `zq_${run}=`,
      `zq_${'a'.repeat(40)}`,
      `zq_${'Ab'.repeat(16)}12`,
      `zq_${run.slice(0, 31)}`,
      `xzq_${'kitchenTable'.repeat(3)}`,
    ])
      expect([text, ...found(text)]).toEqual([text]);
  });

  test('L17 a key of Amazon is one beside its id', () => {
    const id = ['AK', 'IA', 'J7K2M4N6P8Q3R5S9'].join('');
    for (const text of [`${id} ${run}`, `${id}\nsecret: ${run}`, `${id},${run}`])
      expect(found(text)).toContain(`aws_key ${run}`);
    expect(found(`x ${run}`)).toEqual([]);
  });
});

describe('L17 samples of handbooks', () => {
  test.each([
    ['live', true, `zq_${run}`],
    ['EXAMPLE', false, 'AKIAIOSFODNN7EXAMPLE'],
    ['example in small letters', false, `zq_example${run}`],
    ['not real', false, 'zq_not-a-real-key'],
    ['not real in one word', false, 'zq_notarealkey123'],
    ['yours', false, 'zq_your_key_123'],
    ['one sign eight times', false, `zq_${'7'.repeat(8)}${run}`],
    ['one sign seven times', true, `zq_${'7'.repeat(7)}${run}`],
    ['a row of A at the start', true, `${'A'.repeat(21)}${run}`],
    ['crosses', false, `zq_xxxx${run}`],
    ['dots', false, 'zq_abc...'],
    ['a row of the keyboard', false, `zq_1234567890abcdef${run}`],
    ['the alphabet', false, `zq_abcdefghijklmnop${run}`],
    ['of Stripe', false, ['sk_test_', '4eC39HqLyjWDarjtT1zdp7dc'].join('')],
    ['of Stripe too', false, ['sk_test_', 'BQokikJOvBiI2HlWgH4olfQ2'].join('')],
    ['of Stripe as well', false, ['sk_test_', '26PHem9AhJZvU623DfE1x4sd'].join('')],
    ['nearly of Stripe', true, ['sk_test_', '4eC39HqLyjWDarjtT1zdp7dd'].join('')],
  ])('L17 %s: live %s', (_, live, token) => {
    expect(isLive(token)).toBe(live);
  });

  test('L17 a login in base64 holds a user and a password', () => {
    expect(['a:b', 'alice:x y', 'a:b:c'].map((login) => holdsUserAndPassword(btoa(login)))).toEqual([true, true, true]);
    expect(['ab', ':b', 'a:', 'a:b\n', '\u0001:b'].map((login) => holdsUserAndPassword(btoa(login)))).toEqual(
      Array(5).fill(false),
    );
    expect(holdsUserAndPassword('a')).toBe(false);
  });
});
