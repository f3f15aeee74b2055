const FORM =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(?:\s*([Zz])|\s*([+-])(\d{2}):?(\d{2}))?)?$/;

// Milliseconds since 1970, or null. A time without a zone counts as UTC: the machine's own zone may not leak in.
export function parseTime(text: string): number | null {
  const match = FORM.exec(text.trim());
  if (!match) return null;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map((part) => Number(part ?? 0)) as [
    ...[number, number, number, number, number, number],
  ];
  if (month < 1 || month > 12 || day < 1 || day > 31 || hour > 24 || minute > 59 || second > 60) return null;
  const fraction = match[7] ? Number(`0.${match[7]}`) * 1000 : 0;
  const offset = match[9] ? (match[9] === '-' ? -1 : 1) * (Number(match[10]) * 60 + Number(match[11])) : 0;
  const time = Date.UTC(year, month - 1, day, hour, minute - offset, second, Math.floor(fraction));
  return new Date(Date.UTC(year, month - 1, day)).getUTCDate() === day ? time : null;
}

// One written form for one moment.
export function formatTime(time: number): string {
  return new Date(time).toISOString().replace('.000Z', 'Z');
}
