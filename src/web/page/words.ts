import { type ComponentChildren, Fragment, options } from 'preact';
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

export const figure = (value: number): string => value.toLocaleString('en');

export function counted(count: number, what: string, plural = `${what}s`): string {
  return `${figure(count)} ${count === 1 ? what : plural}`;
}

export const labelOf = (name: string): string => `${name[0]?.toUpperCase()}${name.slice(1)}`;

/** Those that there are, with a dot between. */
export const dotted = (...parts: (string | false | null | undefined)[]): string => parts.filter(Boolean).join(' · ');

export function durationOf(ms: number | null): string {
  if (ms === null || !Number.isFinite(ms)) return '';
  if (ms < 1000) return `${Math.round(ms)} ms`;
  const seconds = ms / 1000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  return `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')} min`;
}

/** Nothing unseen: what the eye would miss is written out. */
function seen(text: string): string {
  return showHidden(text, { keepLines: true });
}

const LABELS = ['aria-label', 'title', 'placeholder'];

// Every text that becomes part of the page goes through here, so that none can be forgotten: whoever wrote it, nothing in it
// is hidden. What the person edits is in a field's value, and stays as it is.
options.vnode = ({ type, props }) => {
  if (typeof type !== 'string' && type !== Fragment) return;
  const own = props as Record<string, unknown>;
  if ('children' in own) own.children = withoutHidden(own.children as ComponentChildren);
  for (const name of LABELS) if (typeof own[name] === 'string') own[name] = seen(own[name]);
};

function withoutHidden(children: ComponentChildren): ComponentChildren {
  if (typeof children === 'string') return seen(children);
  return Array.isArray(children) ? children.map(withoutHidden) : children;
}
