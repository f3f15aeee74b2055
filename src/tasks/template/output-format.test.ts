import { describe, expect, it } from 'vitest';
import { readSchema, whyNotFitting } from './output-format.ts';

describe('a schema for answers', () => {
  it.each([
    ['object', { type: 'object' }],
    [' string[] ', { type: 'array', items: { type: 'string' } }],
    ['{"type":"array","items":{"type":"integer"}}', { type: 'array', items: { type: 'integer' } }],
  ])('T2 %s is one', (text, schema) => expect(readSchema(text)).toEqual({ schema }));

  it('T2 what is not checked is for readers', () => {
    expect(readSchema('{"title":"t","minLength":1,"items":{"pattern":"x"}}')).toMatchObject({ schema: { title: 't' } });
  });

  it.each([
    ['thing', '"thing" is not a type'],
    ['object[][]', 'it is neither a type nor an object in JSON'],
    ['Object', 'it is neither a type nor an object in JSON'],
    ['[]', 'it is neither a type nor an object in JSON'],
    ['null', 'fine'],
    ['{"type":"date"}', '"date" is not a type'],
    ['{"type":["string"]}', '["string"] is not a type'],
    ['{"required":"a"}', 'required must be a list'],
    ['{"enum":{}}', 'enum must be a list'],
    ['{"additionalProperties":{}}', 'additionalProperties is true or false'],
    ['{"items":[]}', 'a schema is an object'],
    ['{"properties":[]}', 'properties is an object'],
    ['{"properties":{"a":1}}', 'a schema is an object'],
    ['{"properties":{"a":{"items":{"type":"x"}}}}', '"x" is not a type'],
  ])('T2 %s: %s', (text, fault) => {
    const read = readSchema(text);
    expect('fault' in read ? read.fault : 'fine').toBe(fault);
  });

  it.each<[string, unknown, object, string | null]>([
    ['a text', 'x', { type: 'string' }, null],
    ['a number for a text', 1, { type: 'string' }, 'the answer is not of type string'],
    ['a list for an object', [], { type: 'object' }, 'the answer is not of type object'],
    ['null for an object', null, { type: 'object' }, 'the answer is not of type object'],
    ['an object for a list', {}, { type: 'array' }, 'the answer is not of type array'],
    ['nothing for null', false, { type: 'null' }, 'the answer is not of type null'],
    ['null', null, { type: 'null' }, null],
    ['a whole number', 2, { type: 'integer' }, null],
    ['half a number', 2.5, { type: 'integer' }, 'the answer is not of type integer'],
    ['a half', 2.5, { type: 'number' }, null],
    ['a yes', true, { type: 'boolean' }, null],
    ['one of a list', { a: 1 }, { enum: ['x', { a: 1 }] }, null],
    ['none of a list', 'y', { enum: ['x'] }, 'the answer is none of the values that the schema lists'],
    ['a wrong item', [1, 'x'], { items: { type: 'number' } }, 'the answer[1] is not of type number'],
    ['a missing field', {}, { required: ['a'] }, 'the answer has no "a"'],
    ['an inherited field', {}, { required: ['toString'] }, 'the answer has no "toString"'],
    [
      'a field too many',
      { b: 1 },
      { properties: { a: {} }, additionalProperties: false },
      'the answer has "b", which is not expected',
    ],
    [
      'a field of every object',
      { toString: 1 },
      { properties: {}, additionalProperties: false },
      'the answer has "toString", which is not expected',
    ],
    ['a field more', { b: 1 }, { properties: { a: {} } }, null],
    [
      'a deep fault',
      { a: [{ b: 'x' }] },
      { properties: { a: { items: { properties: { b: { type: 'number' } } } } } },
      'the answer.a[0].b is not of type number',
    ],
  ])('T2 %s', (_, value, schema, why) => expect(whyNotFitting(value, schema)).toBe(why));

  it('T2 a long name is cut in what is said', () =>
    expect(whyNotFitting({ ['x'.repeat(70)]: 1 }, { additionalProperties: false })).toBe(
      `the answer has "${'x'.repeat(60)}", which is not expected`,
    ));
});
