import { describe, expect, test } from 'vitest';
import { findMailAddresses } from './personal-data.ts';

const found = (text: string) => findMailAddresses(text).map(({ start, end }) => text.slice(start, end));
const at = (text: string) => text.replaceAll('~', '@');

describe('L17 mail addresses', () => {
  test.each([
    ...[
      'kim~nordwind.de',
      "o'neil~nordwind.co.uk",
      'kim.lee+x~nordwind.de',
      'kim_lee~a-b.nordwind.de',
      'KIM~NORDWIND.DE',
      'kim~xn--nrdwind-90a.de',
      'kim~nordwind.xn--p1ai',
    ],
    ...['jürgen~müller.de', 'kim%40nordwind.de', '"kim lee"~nordwind.de'],
  ])('L17 %s is found, and nothing around it', (written) => {
    const mail = at(written);
    for (const text of [mail, `<${mail}>`, `ask ${mail}, please`, `mailto:${mail}?x`, `'${mail}'`])
      expect(found(text)).toEqual([mail]);
  });

  test('L17 each of a list is found, and in a link what comes after the last escape', () => {
    expect(found(at('a1~nordwind.de,b2~nordwind.de;c3~nordwind.de'))).toEqual(
      ['a1', 'b2', 'c3'].map((name) => at(`${name}~nordwind.de`)),
    );
    expect(found(at('?to=x%3Dkim~nordwind.de'))).toEqual([at('kim~nordwind.de')]);
    expect(found(at('?to=kim%2Bx~nordwind.de'))).toEqual([at('kim%2Bx~nordwind.de')]);
    expect(found(at('-.kim~nordwind.de'))).toEqual([at('kim~nordwind.de')]);
    expect(found(at('mailto://kim~nordwind.de'))).toEqual([at('kim~nordwind.de')]);
  });

  test.each([
    ...[
      'kim~example.com',
      'kim~a.EXAMPLE.org',
      'kim~example.net',
      'kim~x.test',
      'kim~x.invalid',
      'kim~x.localhost',
      'kim~users.noreply.github.com',
    ],
    ...[
      'git~github.com',
      'hg~nordwind.de',
      'svn~nordwind.de',
      'noreply~nordwind.de',
      'No-Reply~nordwind.de',
      'donotreply~nordwind.de',
      'nobody~nordwind.de',
    ],
    ...[
      'you~yourdomain.com',
      'user~domain.com',
      'your.name~company.org',
      'first.last~mail.net',
      'FOO~host.com',
      'someone~email.com',
    ],
    ...[
      'icon~2x.png',
      'getty~tty1.service',
      'left-pad~1.3.0',
      'left-pad~v1.3.0-rc.one',
      'a~b.json',
      'a~b.TS',
      'pkg~2.x',
      '~nordwind.de',
      'kim~nordwind',
      'kim~nordwind.d',
      'kim~-nordwind.de',
    ],
    ...[
      'ssh://kim~nordwind.de/x',
      'https://kim:pw~nordwind.de',
      '"^1.1.0", "~nordwind.de',
      '""~nordwind.de',
      "'~nordwind.de",
      'at example dot com',
      'me at example dot com',
      'polka at dress dot blue',
    ],
  ])('L17 %s is no mail address of a person', (written) => {
    expect(found(at(written))).toEqual([]);
  });

  test.each([
    'kim~example.company',
    'kim~myexample.com',
    'kim~latest.de',
    'gitta~nordwind.de',
    'yousuf~nordwind.com',
    'kim~domain.com',
    'you~nordwind.com',
    'kim~pngs.de',
    'xmpp://kim~nordwind.de',
  ])('L17 %s is one, although it looks like none', (written) => {
    expect(found(at(written))).toEqual([at(written.replace(/^.*\/\//, ''))]);
  });
});
