import { invalidInput } from '../../errors.ts';

const DATE = /^\d{4}-\d\d-\d\d$/;
const SPAN = /^(\d{1,3})\s*(d|day|days|w|week|weeks|m|month|months|y|year|years)$/i;

/** A day to come, `2027-03-01`, or a span from now: `6 months`, `90d`. */
export function lookAgainDate(written: string, now: Date): string {
  const text = written.trim();
  const today = now.toISOString().slice(0, 10);
  const date = DATE.test(text) ? dayOf(new Date(`${text}T00:00:00Z`)) : later(text, now);
  if (date === null || (DATE.test(text) && date !== text))
    throw invalidInput(
      'This is not a day to review it again.',
      'Give a date or a span: 2027-03-01, 90d, 6 months, 1y',
      {
        field: 'until',
      },
    );
  if (date > today) return date;
  throw invalidInput('The day to review it again must be after today.', `Today is ${today}.`, { field: 'until' });
}

function later(text: string, now: Date): string | null {
  const [, count = '', unit = ''] = SPAN.exec(text) ?? [];
  const letter = unit.slice(0, 1).toLowerCase();
  if (count === '' || letter === '') return null;
  const day = new Date(now.getTime());
  if (letter === 'd' || letter === 'w') day.setUTCDate(day.getUTCDate() + Number(count) * (letter === 'w' ? 7 : 1));
  else {
    const months = Number(count) * (letter === 'y' ? 12 : 1);
    const wanted = day.getUTCDate();
    day.setUTCDate(1);
    day.setUTCMonth(day.getUTCMonth() + months);
    const last = new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + 1, 0)).getUTCDate();
    day.setUTCDate(Math.min(wanted, last));
  }
  return dayOf(day);
}

function dayOf(day: Date): string | null {
  return Number.isNaN(day.getTime()) ? null : day.toISOString().slice(0, 10);
}
