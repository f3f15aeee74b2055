import fc from 'fast-check';
import { expect, it } from 'vitest';
import { toGap } from './read-context.ts';

const DEFAULTS =
  '{"timestamp":"","image_id":"","description":"","session_id":null,"snapshot_hash":null,"intent":null,"intent_category":"uncategorized","missing_capability":null,"operations_involved":[],"vocabulary_used":[],"satisfaction":null,"notes":""}';

it('M11 fills an empty record with the defaults, in the order of the seed', () => {
  expect(JSON.stringify(toGap({}))).toBe(DEFAULTS);
});

it('M11 loads an old record of four fields', () => {
  const gap = toGap({ timestamp: 't', image_id: 'i', description: 'd', session_id: 's' });
  expect(gap).toEqual({ ...JSON.parse(DEFAULTS), timestamp: 't', image_id: 'i', description: 'd', session_id: 's' });
});

it('M5 keeps a workaround as the thirteenth key, and only where there is one', () => {
  expect(Object.keys(toGap({ workaround: 'w' })).at(12)).toBe('workaround');
  expect(Object.keys(toGap({}))).toHaveLength(12);
  expect(Object.keys(toGap(JSON.parse('{"__proto__":{"workaround":"x"}}')))).toHaveLength(12);
});

it.each([
  ['satisfaction', 2, null],
  ['satisfaction', '1', null],
  ['satisfaction', -1, -1],
  ['satisfaction', 0, 0],
  ['operations_involved', 'x', []],
  ['operations_involved', ['a', 1, null, 'b'], ['a', 'b']],
  ['intent_category', null, 'uncategorized'],
  ['intent_category', ' ', 'uncategorized'],
  ['notes', null, ''],
  ['intent', 5, null],
  ['timestamp', {}, ''],
] as const)('M12 reads %s %j as %j', (key, written, read) => {
  expect(toGap({ [key]: written })[key]).toEqual(read);
});

it('M12 gives a right gap for any record', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...Object.keys(JSON.parse(DEFAULTS)), 'x'), fc.jsonValue()), (record) => {
      const gap = toGap(record);
      expect(Object.keys(gap)).toEqual(Object.keys(JSON.parse(DEFAULTS)));
      expect(gap.vocabulary_used.every((word) => typeof word === 'string')).toBe(true);
    }),
  );
});

it('M11 keeps what is right in every field', () => {
  const text = fc.string();
  const gap = fc.record({
    ...{
      timestamp: text,
      image_id: text,
      description: text,
      session_id: fc.option(text),
      snapshot_hash: fc.option(text),
    },
    ...{
      intent: fc.option(text),
      intent_category: fc.string().filter((each) => each.trim() !== ''),
      missing_capability: fc.option(text),
    },
    ...{
      operations_involved: fc.array(text),
      vocabulary_used: fc.array(text),
      satisfaction: fc.constantFrom(-1, 0, 1, null),
    },
    ...{ notes: text, workaround: fc.option(text) },
  });
  fc.assert(fc.property(gap, (record) => void expect(toGap(record)).toEqual(record)));
  for (const satisfaction of [-2, 2, 0.5, true, '0']) expect(toGap({ satisfaction }).satisfaction).toBeNull();
});
