import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sha256 } from '../../files/file-fingerprint.ts';
import { isDeeperThan, MAX_RECORD_DEPTH, safeEntry, safeFields } from './transcript-reader.ts';

const KEY = `AKIA${'QWERTYUIOPASDFGH'}`;

describe('what a record may hold', () => {
  it('M29 a secret or hidden text is kept as class, length and hash, wherever it is', () => {
    const entry = {
      arguments: { content: `use ${KEY}`, list: ['a', `b\u202e`], deep: { [KEY]: 1 }, password: 'hunter2horse' },
    };
    const safe = safeEntry(entry);
    expect(safe).toEqual({
      arguments: {
        content: { refused: 'aws_key_id', length: 24, sha256: sha256(`use ${KEY}`) },
        list: ['a', { refused: 'hidden_character', length: 2, sha256: sha256(`b\u202e`) }],
        deep: { refused: 1 },
        password: { refused: 'password', length: 12, sha256: sha256('hunter2horse') },
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
    expect(safeEntry(entry)).toEqual(entry);
    expect(safeEntry({ session_id: KEY })).not.toEqual({ session_id: KEY });
  });

  it('M29 what is too deep to be written is left out, and never throws', () => {
    let deep: unknown = 'x';
    for (let i = 0; i < 5_000; i += 1) deep = i % 2 ? [deep] : { deep };
    expect(safeEntry({ deep })).toEqual({ refused: 'too_deep' });
    expect([isDeeperThan({ a: [1] }, 2), isDeeperThan({ a: [1] }, 1), isDeeperThan('x', 0)]).toEqual([
      false,
      true,
      false,
    ]);
    fc.assert(fc.property(fc.jsonValue(), (value) => void JSON.stringify(safeEntry({ value }))));
  });

  it('M29 ids of our own pass, a secret beside one does not', () => {
    const ids = ['2e6cc6f2cb2d', 'p_0123456789abcdef', 'e767c4bb'.repeat(8)];
    for (const key of ['session_id', 'proposal_id', 'sha256', 'content_sha256'])
      for (const id of ids) expect(safeEntry({ [key]: id })).toEqual({ [key]: id });
    const passes = (key: string, text: string) => Object.values(safeEntry({ [key]: text }))[0] === text;
    for (const id of ids)
      for (const text of [`${KEY} ${id}`, `${id} ${KEY}`, `${id}\n${KEY}`])
        expect([text, passes('session_id', text)]).toEqual([text, false]);
    expect(passes('name', 'Ada')).toBe(true);
  });

  it('M29 what is kept of a refused text tells its class, also under a name', () => {
    expect(safeEntry(`a ${KEY}`)).toEqual({
      refused: 'aws_key_id',
      length: 22,
      sha256: sha256(`a ${KEY}`),
    });
    expect(safeEntry({ note: 'a\u200bb' })).toEqual({
      note: { refused: 'hidden_character', length: 3, sha256: sha256('a\u200bb') },
    });
    expect(safeEntry({ 'a\u200b': 'b' })).toEqual({ refused: 'b' });
    expect(safeEntry([null, 1, false, 'x', { y: [] }])).toEqual([null, 1, false, 'x', { y: [] }]);
  });

  it('M29 a record may nest a hundred deep', () => {
    const nested = (depth: number): unknown =>
      depth === 0 ? 'x' : depth % 2 ? [nested(depth - 1)] : { a: nested(depth - 1) };
    expect(MAX_RECORD_DEPTH).toBe(100);
    expect(safeEntry(nested(100))).toEqual(nested(100));
    expect(safeEntry(nested(101))).toEqual({ refused: 'too_deep' });
    fc.assert(
      fc.property(fc.nat(12), fc.nat(12), (depth, limit) => {
        expect(isDeeperThan(nested(depth), limit)).toBe(depth > limit);
        expect(isDeeperThan([1, null, nested(depth)], limit + 1)).toBe(depth > limit);
      }),
    );
  });

  it('M29 of a transcript somebody’s text is looked at, our own words are not', () => {
    const own = { tool: 'x', sha256: KEY, arguments: { a: KEY } };
    const refused = { refused: 'aws_key_id', length: 20, sha256: sha256(KEY) };
    for (const type of ['tool_result', 'context_served', 'session_end'] as const)
      expect(safeFields(type, own)).toBe(own);
    expect(safeFields('tool_call', own)).toEqual({ tool: 'x', sha256: KEY, arguments: { a: refused } });
    for (const type of ['session_start', 'proposal', 'decision', 'withdrawn', 'discarded', 'revived', 'note'] as const)
      expect(safeFields(type, own)).toEqual({ tool: 'x', sha256: refused, arguments: { a: refused } });
  });
});
