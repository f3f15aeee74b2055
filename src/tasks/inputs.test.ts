import { describe, expect, it } from 'vitest';
import { listOf, lookUp, type Scope, textOf } from './inputs.ts';

const outer: Scope = { values: { a: 'outer', b: { c: [1, 2], toString: 'x' } }, outer: null };
const scope: Scope = { values: { a: 'inner', item: 'one' }, outer, itemName: 'list' };

async function* three() {
  yield* [1, 2, 3];
}

async function allOf(value: Parameters<typeof listOf>[0]): Promise<unknown[]> {
  const reader = listOf(value, 'list').open();
  const found: unknown[] = [];
  for (let item = await reader.next(); item !== null; item = await reader.next()) found.push([item.key, item.value]);
  reader.close();
  return found;
}

describe('inputs', () => {
  it('T2 the nearest value counts; the name of the list means the one at hand', () => {
    expect([lookUp(scope, 'a'), lookUp(scope, 'list'), lookUp(scope, 'none'), lookUp(null, 'a')]).toEqual([
      'inner',
      'one',
      undefined,
      undefined,
    ]);
    expect(lookUp(scope, 'constructor')).toBeUndefined();
  });

  it('T2 a field is reached by its own name only, and a value becomes its text', () => {
    expect([textOf(scope, 'a'), textOf(scope, 'b.c'), textOf(scope, 'b')]).toEqual([
      'inner',
      '[1,2]',
      '{"c":[1,2],"toString":"x"}',
    ]);
    for (const name of ['none', 'b.none', 'a.length', 'b.c.constructor'])
      expect(() => textOf(scope, name)).toThrow(`{{${name}}} has no value.`);
  });

  it('T2 a list that is read piece by piece is not text', () => {
    const lists: Scope = { values: { lazy: three(), source: listOf([1], 'x') }, outer: null };
    for (const name of ['lazy', 'source']) expect(() => textOf(lists, name)).toThrow(`{{${name}}} is a list.`);
  });

  it('T2 lists come from arrays, sources and what can be iterated; nothing else is one', async () => {
    const items = [
      ['0', 1],
      ['1', 2],
      ['2', 3],
    ];
    expect(await allOf([1, 2, 3])).toEqual(items);
    expect(await allOf(three())).toEqual(items);
    expect(await allOf(listOf([1, 2, 3], 'x'))).toEqual(items);
    expect(listOf([1, 2, 3], 'x').count).toBe(3);
    expect(() => listOf('abc', 'x')).toThrow('The input "x" is not a list.');
    expect(() => listOf(undefined, 'x')).toThrow('The list "x" is missing.');
  });
});
