import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isRecord, parseRecord, RECENT_RECORDS } from './json.ts';

describe('parseRecord', () => {
  it('M11 asks for ten records', () => expect(RECENT_RECORDS).toBe(10));

  it.each(['{', '[]', '1', 'null', '"x"', 'NaN', '{"a":NaN}', "{'a':1}", '{"a":1}{"b":2}', '\0', '{"a":1,}'])(
    'M12 skips %j',
    (line) => expect(parseRecord(line)).toBeNull(),
  );

  it.each(['', ' ', '\t\r'])('M12 ignores the blank line %j', (line) => expect(parseRecord(line)).toBeUndefined());

  it('M12 takes a record that JSON can give back, and refuses one too deep for it', () => {
    const nested = (depth: number) => `{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`;
    expect(parseRecord(nested(100))).not.toBeNull();
    expect(parseRecord(nested(200))).not.toBeNull();
    expect(parseRecord(nested(201))).toBeNull();
    expect(parseRecord(nested(300))).toBeNull();
    expect(parseRecord(nested(1_000_000))).toBeNull();
    expect(parseRecord('{"a":'.repeat(100_000) + '1' + '}'.repeat(100_000))).toBeNull();
  });

  it('M12 keeps a key called __proto__ a plain key', () => {
    const record = parseRecord('{"__proto__":{"polluted":true}}');
    expect(Object.keys(record ?? {})).toEqual(['__proto__']);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it('M12 never throws', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.json()), (line) => {
        const record = parseRecord(line);
        expect(record === null || record === undefined || isRecord(record)).toBe(true);
      }),
    );
  });
});
