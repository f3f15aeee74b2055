import { expect, it } from 'vitest';
import { ageOf } from './age.ts';

const now = new Date('2026-03-10T12:00:00Z');

it.each([
  ['2026-03-10T12:00:00Z', 'just now'],
  ['2026-03-10T11:59:01Z', 'just now'],
  ['2026-03-10T11:58:00Z', '2 min ago'],
  ['2026-03-10T09:00:00Z', '3 h ago'],
  ['2026-03-08T12:00:00Z', '2 d ago'],
  ['2027-01-01T00:00:00Z', ''],
  ['', ''],
  ['yesterday', ''],
])('M5 says of %j: %j', (timestamp, age) => expect(ageOf(timestamp, now)).toBe(age));
