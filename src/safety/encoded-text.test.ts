import { describe, expect, test } from 'vitest';
import type { Finding } from './secret-literals.ts';
import { findEncoded } from './secrets.ts';

const find = (text: string): Finding[] => {
  const start = text.indexOf('needle');
  return start < 0
    ? []
    : [{ kind: 'x', start, end: start + 6, certainty: text.includes('maybe') ? 'possible' : 'certain' }];
};
const found = (text: string) =>
  findEncoded(text, find).map(({ kind, start, end }) => `${kind} ${text.slice(start, end)}`);
const said = 'say needle, please';
const hexOf = (text: string) => [...text].map((letter) => letter.charCodeAt(0).toString(16).padStart(2, '0'));
const wide = (text: string) => [...text].map((letter) => `${letter}\0`).join('');

describe('L17 what is written in another code', () => {
  test.each([
    ['base64', btoa(said)],
    ['base64 of an address', btoa(`${said}???>>>`).replaceAll('+', '-').replaceAll('/', '_')],
    ['base64 without its end', btoa(`${said}!`).replace(/=+$/, '')],
    ['base64 of two bytes a letter', btoa(wide(said))],
    ['hex', hexOf(said).join('')],
    ['hex in capitals', hexOf(said).join('').toUpperCase()],
    ['hex with its sign', `0x${hexOf(said).join('')}`],
    ['hex of lines', hexOf('say\r\n\tneedle').join('')],
  ])('L17 %s goes as a whole where it says a secret', (_, written) => {
    for (const text of [written, `x ${written} y`, `"${written}"`])
      expect([text, ...found(text)]).toEqual([text, `x ${written}`]);
  });

  test.each([
    ['says nothing of it', btoa('nothing of the kind here')],
    ['only might be one', btoa(`maybe ${said}`)],
    ['is part of a word', `ä${btoa(said)}ä`.replaceAll('ä', '_')],
    ['is part of a longer hex', `z${hexOf(said).join('')}`],
    ['is not readable', hexOf(`\u0001${said}`).join('')],
    ['is no base64 at all', 'needleneedleneedle!'],
    ['has an odd length', `${hexOf(said).join('')}7`],
  ])('L17 what %s stays', (_, text) => {
    expect(found(text)).toEqual([]);
  });
});
