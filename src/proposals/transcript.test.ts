import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isDeeperThan, safeEntry } from './transcript.ts';

const sha256 = (text: string) => `hash of ${text.length}`;
const KEY = `AKIA${'QWERTYUIOPASDFGH'}`;

describe('what a record may hold', () => {
  it('M29 a secret or hidden text is kept as class, length and hash, wherever it stands', () => {
    const entry = {
      arguments: { content: `use ${KEY}`, list: ['a', `b\u202e`], deep: { [KEY]: 1 }, password: 'hunter2horse' },
    };
    const safe = safeEntry(entry, sha256);
    expect(safe).toEqual({
      arguments: {
        content: { refused: expect.any(String), length: 24, sha256: 'hash of 24' },
        list: ['a', { refused: 'hidden_character', length: 2, sha256: 'hash of 2' }],
        deep: { refused: 1 },
        password: { refused: expect.any(String), length: 12, sha256: 'hash of 12' },
      },
    });
    expect(JSON.stringify(safe)).not.toMatch(/QWERTY|hunter2|\u202e/);
  });

  it('M29 ordinary records and our own ids stay as they are', () => {
    const entry = {
      session_id: '2e6cc6f2cb2d',
      proposal_id: 'p_0123456789abcdef',
      sha256: 'e767c4bbd17ec6b89f6a51bd1a191487bd21a6bbbf529db31de1e4f6f40124fb',
      text: 'Keep the water blue.\n- 3 mm\n',
      nested: [{ a: null, b: [true, 1.5] }],
    };
    expect(safeEntry(entry, sha256)).toEqual(entry);
    expect(safeEntry({ session_id: KEY }, sha256)).not.toEqual({ session_id: KEY });
  });

  it('M29 what is too deep to be written is left out, and never throws', () => {
    let deep: unknown = 'x';
    for (let i = 0; i < 5_000; i += 1) deep = i % 2 ? [deep] : { deep };
    expect(safeEntry({ deep }, sha256)).toEqual({ refused: 'too_deep' });
    expect([isDeeperThan({ a: [1] }, 2), isDeeperThan({ a: [1] }, 1), isDeeperThan('x', 0)]).toEqual([
      false,
      true,
      false,
    ]);
    fc.assert(fc.property(fc.jsonValue(), (value) => void JSON.stringify(safeEntry({ value }, sha256))));
  });
});
