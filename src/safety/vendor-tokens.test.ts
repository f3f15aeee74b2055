import { describe, expect, test } from 'vitest';
import { TOKENS } from '../../test/samples/vendor-tokens.ts';
import { findVendorTokens } from './secret-shapes.ts';
import { findSecrets } from './secrets.ts';

const found = (text: string) => findSecrets(text).map(({ kind, start, end }) => `${kind} ${text.slice(start, end)}`);

describe('L17 tokens of services', () => {
  test('L17 each is found by its own form, to its last character, and called what it is', () => {
    for (const { kind, token, byForm } of TOKENS) {
      const escaped = byForm ? [] : [`\\n${token}\n`, `a%3D${token}`];
      for (const text of [`see ${token} there`, `["${token}"]`, ...escaped])
        expect([text, ...found(text)]).toEqual([text, `${kind} ${token}`]);
    }
  });

  test('L17 no two are the same', () => {
    expect(new Set(TOKENS.map(({ token }) => token)).size).toBe(TOKENS.length);
  });

  test('L17 a form inside a word, or a sample of a handbook, is none', () => {
    for (const { token } of TOKENS) {
      const [head, tail] = [token.slice(0, -12), token.slice(-12)];
      for (const text of [`${head}${'x'.repeat(12)}`, `${head}EXAMPLE${tail.slice(7)}`, `${head.slice(0, 9)}...`])
        expect([text, ...findVendorTokens(text)]).toEqual([text]);
    }
  });
});
