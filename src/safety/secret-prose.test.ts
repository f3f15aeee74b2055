import { describe, expect, test } from 'vitest';
import { namesIn } from './secret-names.ts';
import { findInProse } from './secret-prose.ts';

const pw = ['Gl4cier', 'Wolf'].join('');
const token = ['q7Zp1mK4t', '9wB3nR8jHc', '5LfYc6'].join('');
const word = ['marma', 'lade'].join('');
const found = (text: string) =>
  findInProse(text, namesIn(text)).map(({ kind, start, end }) => `${kind} ${text.slice(start, end)}`);

describe('L17 passwords in sentences', () => {
  test.each([
    ...[
      'the password is ~',
      'Password for the server is now ~.',
      'the password of bob: "~"',
      'password -> ~',
      'Das Passwort für den Server lautet ~',
      'Kennwort ist ab jetzt ~,',
    ],
    ...[
      'le mot de passe est ~',
      'la contraseña es ahora ~',
      'a senha é ~',
      'hasło to: ~',
      'пароль это ~',
      'the password (staging) was ~!'.replace('!', ''),
      'we set the password to ~ today',
    ],
    ...[
      'use ~ as the password',
      'nimm ~ als Passwort',
      'mit ~ als das neue Kennwort',
      'usa ~ como contraseña',
      '"~" is the password',
      '~ ist das Passwort',
    ],
    ...[
      'the password, said Kim, ~',
      'wifi password ~ works',
      '密码是~',
      'パスワードは「~」です',
      '비밀번호：~',
      'รหัสผ่าน ~',
    ],
    ...[
      'login: bob / ~',
      'Zugangsdaten: bob / ~',
      'credentials are bob and ~',
      'log in with the user bob:~',
      'admin:~',
      'root/~',
      'u: bob p: ~',
      'user=bob, p=~',
    ],
  ])('L17 %s', (text) => {
    for (const whole of [text, `First line.\n${text}\nLast line.`])
      expect(found(whole.replace('~', pw))).toEqual([`password ${pw}`]);
  });

  test('L17 a word in quotes is one where it is tied, a code where digits are, a token where it is long', () => {
    expect(found(`the password is "${word}"`)).toEqual([`password ${word}`]);
    expect(found('the pin is 4711')).toEqual(['code 4711']);
    expect(found(`the token is ${token}`)).toEqual([`token ${token}`]);
    expect(found(`my token ${token} here`)).toEqual([`token ${token}`]);
    expect(found(`use ${token} as the token`)).toEqual([`token ${token}`]);
    expect(found(`the key is ${token}`)).toEqual([`secret ${token}`]);
  });

  test.each([
    ...[
      'the password is required',
      'the password is "required"',
      'the password is marmalade',
      'password rules: at least 8 signs',
      'the password is hashed with sha256',
      'the password must be 12 characters',
    ],
    ...[
      'the password is stored in config/app.json',
      'the password is in ~/.netrc',
      'the password is $PASSWORD',
      'the password is <password>',
      'the password is [redacted:password]',
      'the password is your-password',
    ],
    ...[
      'password: see my-app-secret-v1',
      'password.\nGl4cierWolf',
      'the password expired. Gl4cierWolf came',
      'the password (see Gl4cierWolf())',
      'base64 as the password encoding',
      'the password is 2026-11-15',
    ],
    ...[
      'the pin is 12',
      'the token is short1',
      'the key is Gl4cierWolf',
      'the key is marmalade',
      'use word as the token',
      'pass with Gl4cierWolf',
      'the clave with Gl4cierWolf',
    ],
    ...[
      'login: bob / home',
      'admin:home/x',
      'admin: marmalade',
      'root/README1.md',
      '密码不能为空',
      'パスワードは必須です',
    ],
  ])('L17 none in: %s', (text) => {
    expect(found(text)).toEqual([]);
  });

  test('L17 a sentence is read a hundred signs far, and back sixty', () => {
    const filler = (size: number) =>
      'so '
        .repeat(Math.ceil(size / 3))
        .slice(0, size)
        .trimEnd();
    expect(found(`password ${filler(80)} is ${pw} `)).toEqual([`password ${pw}`]);
    expect(found(`password ${filler(110)} is ${pw} `)).toEqual([]);
    expect(found(`${pw} ${filler(70)} as password`)).toEqual([]);
  });
});
