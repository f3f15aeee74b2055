import { describe, expect, it } from 'vitest';
import { listOf, lookUp, type Scope, scopeFor, stepValue, textOf } from './inputs.ts';
import type { TaskResult } from './results.ts';
import type { Task } from './template/template.ts';

const outer: Scope = { values: { a: 'outer', b: { c: [1, 2], toString: 'x' } }, outer: null };
const scope: Scope = { values: { a: 'inner', item: 'one' }, outer, itemName: 'list' };

async function allOf(value: Parameters<typeof listOf>[0]): Promise<unknown[]> {
  const found: unknown[] = [];
  for await (const { key, value: item } of listOf(value, 'list').open()) found.push([key, item]);
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
    const lists: Scope = { values: { source: listOf([1], 'x') }, outer: null };
    expect(() => textOf(lists, 'source')).toThrow('{{source}} is a list.');
  });

  it('T2 lists come from arrays and sources; nothing else is one', async () => {
    const items = [
      ['0', 1],
      ['1', 2],
      ['2', 3],
    ];
    expect(await allOf([1, 2, 3])).toEqual(items);
    expect(await allOf(listOf([1, 2, 3], 'x'))).toEqual(items);
    expect(listOf([1, 2, 3], 'x').count).toBe(3);
    expect(() => listOf('abc', 'x')).toThrow('The input "x" is not a list.');
    expect(() => listOf(undefined, 'x')).toThrow('The list "x" is missing.');
  });

  const finished = (content: string, more: Partial<TaskResult> = {}): TaskResult => ({
    status: 'COMPLETE',
    content,
    notes: { summary: `in short: ${content}` } as TaskResult['notes'],
    ...more,
  });
  const parsedContent = { title: 'T', parts: { first: [1, 2], content: 'deep' } };
  const steps: Scope = {
    values: {},
    outer: { values: {}, outer: null, steps: new Map([['far', finished('far away')]]) },
    steps: new Map([
      ['find', finished('{"title":"T"}', { parsedContent })],
      ['plain', finished('words')],
    ]),
  };

  it('T2 a finished step gives its text, its summary, what was parsed of it, or a field of that', () => {
    const at = (from: string) => stepValue(steps, from);
    expect([at('find'), at('find.content'), at('find.summary'), at('far')]).toEqual([
      '{"title":"T"}',
      '{"title":"T"}',
      'in short: {"title":"T"}',
      'far away',
    ]);
    expect([at('find.parsed'), at('find.parsed.title'), at('find.title'), at('find.parts.first')]).toEqual([
      parsedContent,
      'T',
      'T',
      [1, 2],
    ]);
    expect(at('find.parsed.parts.content')).toBe('deep');
    for (const none of ['nobody', 'plain.parsed', 'plain.title', 'find.none', 'find.title.length', 'find.toString'])
      expect([none, at(none)]).toEqual([none, undefined]);
    expect(stepValue(null, 'find')).toBeUndefined();
  });

  it('T2 a task adds its defaults where nothing is given, and ends where there is neither', () => {
    const task = (...inputs: Partial<Task['inputs'][number]>[]) =>
      ({
        type: 'atomic',
        inputs: inputs.map((input) => ({ fallback: null, from: null, ...input })),
      }) as unknown as Task;
    expect(scopeFor(task(), scope)).toBe(scope);
    expect(scopeFor(task({ name: 'a' }), scope)).toBe(scope);
    expect(scopeFor(task({ name: 'a', fallback: 'default' }), scope)).toBe(scope);
    const added = scopeFor(task({ name: 'a' }, { name: 'new', fallback: 'default' }), scope);
    expect(added).toEqual({ values: { new: 'default' }, outer: scope });
    expect(() => scopeFor(task({ name: 'new' }), scope)).toThrow('The input "new" is missing.');
    // From a step before what is given, and its default only where there is no such step.
    const from = (step: string, fallback: string | null = null) =>
      scopeFor(task({ name: 'a', from: step, fallback }), { ...steps, values: { a: 'given' } })?.values.a;
    expect([from('find.title'), from('nobody', 'default'), from('find.title', 'default')]).toEqual([
      'T',
      'default',
      'T',
    ]);
    expect(() => from('nobody')).toThrow('The input "a" is missing: there is no nobody.');
  });
});
