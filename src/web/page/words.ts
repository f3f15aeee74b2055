import { type ComponentChildren, Fragment, options } from 'preact';
import { showHidden } from '../../safety/hidden-characters.ts';
import { ageOf as age } from '../../words.ts';

export { counted, grouped as figure } from '../../words.ts';

export const ageOf = (timestamp: string | null): string => age(timestamp ?? '', new Date());

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
