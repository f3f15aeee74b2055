import { describe, expect, test } from 'vitest';
import { findInTables } from './secret-tables.ts';

const found = (text: string) => findInTables(text).map(({ kind, start, end }) => `${kind} ${text.slice(start, end)}`);
const pw = ['Gl4cier', 'Wolf'].join('');
const word = ['marma', 'lade'].join('');

describe('L17 a column of secrets', () => {
  test.each([
    ['Markdown', `| user | password |\n|---|:--:|\n| bob | ${pw} |\n| al | ${word} |`],
    ['Markdown without edges', `user | password\n--- | ---\nbob | ${pw}\nal | \`${word}\``],
    [
      'a drawn table',
      `+------+------+\n| user | password |\n+------+------+\n| bob | ${pw} |\n| al | ${word} |\n+------+------+`,
    ],
    ['CSV', `user,password\nbob,${pw}\nal,"${word}"\n`],
    ['CSV with CRLF', `"user","password"\r\nbob,${pw}\r\nal,${word}\r\n`],
    ['semicolons', `user;password\nbob;${pw}\nal;${word}`],
    ['tabs', `user\tpassword\nbob\t${pw}\nal\t${word}`],
    ['blanks', `user    password\nbob     ${pw}\nal      ${word}`],
    ['blanks, indented', `  user    password\n  bob     ${pw}\n  al      ${word}`],
  ])('L17 is read in %s', (_, text) => {
    for (const whole of [text, `Accounts:\n\n${text}`])
      expect(found(whole)).toEqual([`password ${pw}`, `password ${word}`]);
  });

  test.each([
    ['service', 'api_key', 'api_key'],
    ['host', 'token', 'token'],
    ['Login', 'PIN', 'code'],
  ])('L17 beside %s under %s its class is %s', (head, name, kind) => {
    const value = kind === 'code' ? '4711' : pw;
    expect(found(`${head},${name}\nx,${value}`)).toEqual([`${kind} ${value}`]);
  });

  test.each([
    ['words about it', 'user,password\nbob,required\nal,n/a\nkim,Unchanged\nlee,string\neve,'],
    ['a word where no account stands', `colour,password\nred,${word}`],
    ['another number of columns', `user,password\nbob,x,${pw}`],
    ['after the table', `user,password\n\nbob,${pw}`],
    ['under another column', `user,password\n${pw},`],
    ['no head', `a: user, password\nbob,${pw}`],
    ['a call', `login(user, password)\nlogin(bob, ${pw})`],
    ['a head that is too long', `${'user'.repeat(11)},password\nbob,${pw}`],
    ['a line that is too long', `user,password${' '.repeat(1000)},\nbob,${pw},`],
    ['one column', `password\n${pw}`],
  ])('L17 %s gives none', (_, text) => {
    expect(found(text)).toEqual([]);
  });

  test('L17 a table is read to its two thousandth row', () => {
    const rows = Array.from({ length: 2_001 }, (_, at) => `bob,${pw}${at}`);
    expect(found(['user,password', ...rows].join('\n'))).toHaveLength(2_000);
  });
});
