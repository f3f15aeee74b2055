// How figures and times are said, on every face.

export function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}

export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${grouped(count)} ${count === 1 ? noun : plural}`;
}

const STEPS = [
  ['d', 86_400],
  ['h', 3600],
  ['min', 60],
] as const;

// How long ago, in the largest unit that fits; empty where the time can't be read.
export function ageOf(timestamp: string, now: Date): string {
  const then = Date.parse(timestamp);
  if (Number.isNaN(then)) return '';
  const seconds = (now.getTime() - then) / 1000;
  for (const [unit, length] of STEPS) if (seconds >= length) return `${Math.floor(seconds / length)} ${unit} ago`;
  return seconds < 0 ? '' : 'just now';
}
