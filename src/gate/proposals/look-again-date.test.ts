import { expect, it } from 'vitest';
import { lookAgainDate } from './proposal.ts';

const now = new Date('2026-11-16T10:00:00Z');

it.each([
  ['2027-03-01', '2027-03-01'],
  [' 2026-11-17 ', '2026-11-17'],
  ['90d', '2027-02-14'],
  ['2 weeks', '2026-11-30'],
  ['3 months', '2027-02-16'],
  ['1y', '2027-11-16'],
])('M43 %s is a day to review it again', (written, day) => {
  expect(lookAgainDate(written, now)).toBe(day);
});

it('M43 the last day of a month stays within the next one', () => {
  expect(lookAgainDate('1m', new Date('2027-01-31T00:00:00Z'))).toBe('2027-02-28');
});

it.each(['2026-11-16', '2020-01-01', '2027-02-30', 'soon', '', '0x1', '-3d', '2027-13-01'])(
  'M43 %j is none',
  (written) => {
    expect(() => lookAgainDate(written, now)).toThrow(expect.objectContaining({ code: 'invalid_input' }));
  },
);
