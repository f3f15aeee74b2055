import { join } from 'node:path';
import { expect, it } from 'vitest';
import { cleanFile } from '../../src/safety/clean-text.ts';
import { findSecrets } from '../../src/safety/secrets.ts';
import { NO_SECRETS, type SecretFile, secretFiles, secretOfKind } from '../samples/secret-files.ts';
import { ORDINARY_PASSAGES, SECRET_FORMS } from '../samples/secret-forms.ts';
import { bearings } from '../support/process/binary.ts';
import { put, tempFolder } from '../support/temp-folder.ts';

const SEEDS = [1, 2, 3];
const AT_ONCE = 25;

function excerptsOf(files: readonly SecretFile[]): ReadonlyMap<string, string> {
  const home = tempFolder();
  const cwd = join(home, 'project');
  const paths = files.map(({ path }) => `  - path: ${path}`).join('\n');
  put(cwd, {
    ...Object.fromEntries(files.map(({ path, text }) => [path, text])),
    '.bearings/policy.yaml': `extends: repo\ncontrol_plane:\n${paths}\n`,
  });
  const room = ['--max-files', '100', '--max-total-chars', '100000'];
  const { code, stdout, stderr } = bearings({ home, cwd }, 'load', ...room, '--json');
  expect([code, stderr]).toEqual([0, stderr]);
  const bundle = JSON.parse(stdout) as { files: { path: string; excerpt: string }[] };
  return new Map(bundle.files.map(({ path, excerpt }) => [path, excerpt]));
}

it('L25 of at least eighty secrets in the files that projects have, at most one in eighty reaches a bundle', () => {
  for (const seed of SEEDS) {
    const files = secretFiles(seed);
    expect(files.length).toBeGreaterThanOrEqual(80);
    const leaked: SecretFile[] = [];
    for (let at = 0; at < files.length; at += AT_ONCE) {
      const some = files.slice(at, at + AT_ONCE);
      const excerpts = excerptsOf(some);
      expect([...excerpts.keys()].sort()).toEqual(some.map(({ path }) => path).sort());
      leaked.push(...some.filter(({ path, secret }) => excerpts.get(path)?.includes(secret)));
    }
    const shown = leaked.map(({ path, text }) => `${path}: ${text}`).join('');
    expect(leaked.length, shown).toBeLessThanOrEqual(Math.floor(files.length / 80));
  }
});

it('L25 placeholders where a secret would be raise no alarm', () => {
  const alarms = NO_SECRETS.flatMap(({ path, text }) =>
    findSecrets(text).map(({ kind, certainty }) => `${path} ${kind} ${certainty}: ${text}`),
  );
  expect(alarms).toEqual([]);
});

it('L25 a secret is replaced in every form in which frameworks, servers, shells and CI files write one', () => {
  expect(SECRET_FORMS.length).toBeGreaterThan(200);
  const leaked = SEEDS.flatMap((seed) =>
    SECRET_FORMS.map(({ kind, text }, at) => {
      const secret = secretOfKind(kind, seed * 1_000 + at);
      const file = text.replace('§', () => secret);
      return { file, secret };
    }).filter(({ file, secret }) => cleanFile(file).text.includes(secret)),
  );
  expect(leaked).toEqual([]);
});

it('L25 ordinary source that speaks of passwords, tokens and keys raises no alarm', () => {
  expect(ORDINARY_PASSAGES.length).toBeGreaterThan(100);
  const alarms = ORDINARY_PASSAGES.flatMap((text) =>
    cleanFile(`${text}\n`).findings.map((finding) => ({ text, finding })),
  );
  expect(alarms).toEqual([]);
});

it('L25 a hostile line of 100,000 characters is read to its end', () => {
  const parts = [
    ...[
      '(',
      'password =\n',
      'password = (\n"a',
      'password: $(cat <<X\n',
      'auth("',
      'require("a")(',
      'a::',
      'mysql -p',
      'docker login -',
      'echo aaaaaaa | ',
      'a:bcdefg',
      'net a%',
    ],
    ...[
      'set ',
      'user a ',
      'password || ',
      'password" {',
      'key=',
      'secret = from.',
      '_AUTH=a/',
      'IDENTIFIED WITH ',
      '\\"',
    ],
    ...['kind: Secret\ndata:\n a: bcdefghijk\n', 'chpasswd: |\n a:', 'password</key> ', 'x auth a:', 'login=( '],
  ];
  for (const part of parts) expect(cleanFile(part.repeat(100_000 / part.length)).refused).toBeUndefined();
});

it('L25 salts of all signs, passwords in four groups and what opens a tunnel are replaced', () => {
  const salt = 'gA RaO(dRIV{dZ;gRnJIwaW51y[IV+AM}@q05[jr9;AhLCyp Rf#AW@a~d$dk.]A';
  const groups = ['irpr', 'vzst', 'kcbd', 'xxtm'].join(' ');
  const made = ['DYqmgzqA', 'rCTQb5'].join('');
  expect(cleanFile(`define('AUTH_KEY',         '${salt}');\n`).text).not.toContain(salt);
  expect(cleanFile(`SMTP_PASS=${groups}\n`).text).not.toContain(groups);
  expect(cleanFile(`url = "mysql://root:${made}@127.0.0.1/app"\n`).text).not.toContain(made);
});

it('L25 ids of one of many, a negated name and a sentence without blanks raise no alarm', () => {
  const id = `sesn_${['011CZkZAtmR3', 'yMPDzynEDxu7'].join('')}`;
  for (const text of [
    `for await (const event of client.beta.sessions.events.list('${id}')) {\n`,
    'const pass = !this.result.issues || this.result.issues.length === 0;\n',
    '{ "pass": "未指定影響文字間距的帶有「!important」的內聯樣式" }\n',
    'SMTP_PASS=test with your mail host\nurl = "mysql://root:password1@localhost/app"\n',
  ])
    expect(findSecrets(text).filter(({ certainty }) => certainty === 'certain')).toEqual([]);
});

it('L25 a secret in a text of several lines, on the line after the name, is replaced', () => {
  const made = ['rwpPtuEFBNOfQ5', 'xj7t2ydf'].join('');
  expect(cleanFile(`const password = \`\n${made}\`;\r\n`).text).not.toContain(made);
  expect(cleanFile(`password =\r\n  "${made}"\r\n`).text).not.toContain(made);
});
