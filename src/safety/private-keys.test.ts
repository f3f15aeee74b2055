import { describe, expect, test } from 'vitest';
import { base64, pem } from '../../test/samples/secrets.ts';
import { findPrivateKeys } from './secrets.ts';

const body = [1, 2, 3].map((seed) => base64(64, seed));
const found = (text: string) => findPrivateKeys(text).map(({ start, end }) => text.slice(start, end));
const covered = (text: string) => {
  const ranges = findPrivateKeys(text);
  return [Math.min(...ranges.map(({ start }) => start)), Math.max(...ranges.map(({ end }) => end))];
};

describe('L17 private keys', () => {
  test.each(['RSA ', 'EC ', '', 'OPENSSH ', 'ENCRYPTED ', 'DSA '])(
    'L17 a whole block (%s) goes, from edge to edge',
    (type) => {
      const block = [pem('BEGIN', type), ...body, 'QUJD==', pem('END', type)].join('\n');
      for (const text of [
        block,
        block.replaceAll('\n', '\r\n'),
        block.replaceAll('\n', '\\n'),
        block.replaceAll('\n', '\n> '),
        block.replaceAll('\n', '",\n  "'),
      ])
        expect(covered(`old: ${text} bye`)).toEqual([5, 5 + text.length]);
    },
  );

  test('L17 a block with headers of its own goes too', () => {
    const block = [pem('BEGIN'), 'Proc-Type: 4,ENCRYPTED', 'DEK-Info: AES-128-CBC,00', '', ...body, pem('END')].join(
      '\n',
    );
    expect(covered(block)).toEqual([0, block.length]);
  });

  test('L17 a block that is cut goes as far as it is there', () => {
    const [first, second, third] = body as [string, string, string];
    expect(found(`${pem('BEGIN')}\n${first}\n${second}\nand so on`)).toEqual([`${pem('BEGIN')}\n${first}\n${second}`]);
    expect(found(`so: ${first}\n${second}\nQUJD\n${pem('END')}`)).toEqual([`${first}\n${second}\nQUJD\n${pem('END')}`]);
    expect(found(`${pem('BEGIN')}\n${first}\nQUJD`)).toEqual([`${pem('BEGIN')}\n${first}\nQUJD`]);
    expect(found(`${pem('BEGIN')}\n${first}\n${third}\nshort words follow`)).toEqual([
      `${pem('BEGIN')}\n${first}\n${third}`,
    ]);
    expect(found(`x ${first.slice(0, 30)}\n${pem('END')}`)).toEqual([`${first.slice(0, 30)}\n${pem('END')}`]);
    expect(found(`x ${first.slice(0, 29)}\n${pem('END')}`)).toEqual([]);
    expect(found(`${pem('BEGIN')}\n${first.slice(0, 20)}`)).toHaveLength(1);
    expect(found(`${pem('BEGIN')}\n${first.slice(0, 19)}`)).toEqual([]);
    expect(found(`short words ${first}\n${pem('END')}`)).toEqual([`${first}\n${pem('END')}`]);
    expect(found(`Private-Lines: 2\n${first}\n${second}\n`)).toEqual([`Private-Lines: 2\n${first}\n${second}`]);
  });

  test('L17 talk of keys is no key', () => {
    for (const text of [
      `it starts with ${pem('BEGIN')} and so on`,
      `${pem('BEGIN')}\n...\n${pem('END')}`,
      `ends with ${pem('END')}`,
      'BEGIN PUBLIC KEY',
      `${pem('BEGIN')}`,
      `word word\n${pem('END')}`,
    ])
      expect(found(text)).toEqual([]);
  });
});
