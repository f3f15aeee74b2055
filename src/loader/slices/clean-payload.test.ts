import { expect, test } from 'vitest';
import { warningsOf } from './clean-payload.ts';

const found = (field: string, kind = 'mail_address') => ({ field, kind, action: 'redacted' as const });

test('L17 one finding is one line with class and field', () => {
  expect(warningsOf([found('items[2].title')])).toEqual(['mail_address in items[2].title is redacted.']);
  expect(warningsOf([])).toEqual([]);
});

test('L17 the same class in the same field of many entries is one line that names each, with the count', () => {
  const actions = [
    found('items[0].author'),
    found('items[0].title'),
    found('items[3].author'),
    found('items[3].author'),
  ];
  expect(warningsOf([...actions, found('items[0].author', 'phone_number')])).toEqual([
    'mail_address in items[0].author, items[3].author is redacted (3 times).',
    'mail_address in items[0].title is redacted.',
    'phone_number in items[0].author is redacted.',
  ]);
});

test('L17 what is dropped is set apart, and a long list ends with its count', () => {
  const dropped = { field: 'items[9].author', kind: 'mail_address', action: 'dropped' as const };
  const lines = warningsOf([...Array.from({ length: 80 }, (_, index) => found(`items[${index}].author`)), dropped]);
  expect(lines).toHaveLength(2);
  expect(lines[0]).toMatch(/items\[49\]\.author and 30 more is redacted \(80 times\)\.$/);
  expect(lines[1]).toBe('mail_address in items[9].author is dropped.');
});
