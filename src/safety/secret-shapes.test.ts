import { describe, expect, test } from 'vitest';
import { cleanFile } from './clean-text.ts';
import { mergeFindings } from './secret-literals.ts';
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

describe('L25 secrets in files that have no digit, or no name next to them', () => {
  const letters = ['DCiOUe', 'YVHLqf'];
  const hex = 'b7e1c94a06d35f82'.repeat(4);
  const words = 'legal winner thank year wave sausage worth useful legal winner thank yellow';
  const uuid = '45729def-5b6d-2867-8460-5fb51b2762e6';
  const registry = btoa(`{"auths": {"r.io": {"auth": "${btoa('Q7z\u0001p1xm')}"}}}`);
  test.each([
    [letters.join('$'), '{"smtp":{"pass":"~"}}'],
    [letters.join('$'), 'db_password = "~"'],
    [letters.join('!'), "sshpass -p '~' ssh root@h"],
    [letters.join('%'), 'DriverManager.getConnection("jdbc:mysql://db/x", "root", "~")'],
    [letters.join('$'), 'ConvertTo-SecureString "~" -AsPlainText -Force'],
    ['scpucrokqzrafklg', "auth: { user: 'a@b.io', pass: '~' }"],
    ['purxhelvu7', '{"password":"~"}'],
    ['kimono7', '{"password": "~"}'],
    ['TNwncxvjcnqcMU', "create_engine('postgresql://app:~@db.internal/app')"],
    [`hf_${'uKEOXfordXiagdmgfpifSCHrFFGTZZccJQ'}`, "HfFolder.save('~')"],
    [`ntn_${'osVfkDxzO0X9C3ZREQQ21gKFKf7QcdbrcrtlIENTRvbD3v'}`, "new Client({ auth: '~' })"],
    [uuid, 'export HEROKU_API_KEY=~'],
    [hex.slice(0, 32), `Client('AC${hex.slice(8, 40)}', '~')`],
    [letters.join('$'), '{"type": "random_password", "instances": [{"attributes": {"result": "~"}}]}'],
    [letters.join('7'), 'bindpw ~'],
    [letters.join('7%'), 'createUser a SHA "~" AES'],
    [letters.join('7*'), 'net use Z: \\\\srv\\s /user:dom\\u ~'],
    [`0x${hex}`, "networks: { main: { accounts: ['~'] } }"],
    [words, "const mnemonic = '~'"],
    [words, 'seed_phrase: ~'],
    [registry, 'kind: Secret\ndata:\n  .dockerconfigjson: ~\n'],
  ])('L25 %s in %s', (secret, text) => {
    expect(cleanFile(text.replace('~', () => secret)).text).not.toContain(secret);
  });

  test.each([
    'password: string; passwordHash?: string',
    'const password = encryptedUserPassword;',
    'password = process.env.DB_PASSWORD ?? changeme',
    '"password": "changeme1", "token": "<password>"',
    'login(currentSessionUser, "useEffectOnMount")',
    'auth("xmlHttpRequestPath")',
    'password: strDbPwd',
    `const transactions = ['0x${hex}'];`,
    `requestId: ${uuid}, token: ${uuid}`,
    'mnemonic: twelve short words that the wallet shows you once and never shows again later',
    'mnemonic = "test test test test test test test test test test test junk"',
    'postgres://user:password@db.internal/app, postgres://app:secret@db.internal/app',
    'The net use of the word createUser is rising.',
    'format = "%(password)s of %(user)s"',
  ])('L25 %s stays as it is', (text) => {
    expect(cleanFile(text).text).toBe(text);
  });
});
