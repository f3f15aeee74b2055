import { showHidden } from '../../safety/hidden-characters.ts';

const STEPS = [
  ['d', 86_400],
  ['h', 3600],
  ['min', 60],
] as const;

export function ageOf(timestamp: string | null): string {
  const then = Date.parse(timestamp ?? '');
  if (Number.isNaN(then)) return '';
  const seconds = (Date.now() - then) / 1000;
  for (const [unit, length] of STEPS) if (seconds >= length) return `${Math.floor(seconds / length)} ${unit} ago`;
  return 'just now';
}

export function dayOf(timestamp: string): string {
  const then = new Date(timestamp);
  if (Number.isNaN(then.getTime())) return '';
  return then.toLocaleDateString(undefined, { day: 'numeric', month: 'short', year: 'numeric' });
}

export function timeOf(timestamp: unknown): string {
  const then = new Date(String(timestamp));
  if (Number.isNaN(then.getTime())) return '';
  return then.toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit' });
}

export function counted(count: number, what: string, plural = `${what}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? what : plural}`;
}

/** Nothing unseen: what the eye would miss is written out. */
export function seen(text: string): string {
  return showHidden(text, { keepLines: true });
}

export function durationOf(ms: number | null): string {
  if (ms === null || !Number.isFinite(ms)) return '';
  if (ms < 1000) return `${Math.round(ms)} ms`;
  const seconds = ms / 1000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60
    ? `${minutes}:${String(Math.floor(seconds % 60)).padStart(2, '0')} min`
    : `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')} h`;
}

/** The state of a run as the person reads it. */
export function stateWord(state: string): string {
  return state === 'awaiting_person' ? 'waits for you' : state;
}
