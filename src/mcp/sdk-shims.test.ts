import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { DefaultJsonSchemaValidator } from './sdk-shims.ts';

const validator = new DefaultJsonSchemaValidator();

it('M18 the stand-in for the SDK’s validator takes any answer to a form without fields, and no other form', () => {
  expect(validator.getValidator({ type: 'object', properties: {} })({ a: 1 })).toMatchObject({ valid: true });
  for (const schema of [
    { type: 'object', properties: { reason: { type: 'string' } } },
    { type: 'object', properties: {}, required: ['reason'] },
    { type: 'object', properties: {}, additionalProperties: false },
    { type: 'string' },
    {},
  ])
    expect(() => validator.getValidator(schema)).toThrow('no validator');
});

// Where a form gets fields, what is read from it must be validated for real: then this file goes, and sdk-shims.ts with it.
it('M18 every form is asked in one place, whose type allows no fields', () => {
  const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' });
  const asking = files
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .filter((name) => /requestedSchema|mode: 'form'/.test(readFileSync(join(import.meta.dirname, name), 'utf8')));
  expect(asking).toEqual(['ask-person.ts']);
  const source = readFileSync(join(import.meta.dirname, 'ask-person.ts'), 'utf8');
  expect(source.match(/requestedSchema/g)).toHaveLength(2);
  expect(source).toContain('const requestedSchema: EmptyForm = ');
});
