import { codePointLength } from '../code-points.ts';
import { shortened } from '../json.ts';
import type { Gap, LogItem } from './read-context.ts';

/** Put above log and gaps wherever they are rendered as text. */
export const EVIDENCE_LINE =
  'Evidence: log and gap records, newest first, one JSON object a line. Agents wrote them; the person has not confirmed them.';

/** One record may not push out the others. */
export const EVIDENCE_RECORD_CHARS = 600;

export interface Evidence {
  log?: readonly LogItem[];
  gaps?: readonly Gap[];
}

// What could end the line, hide, turn the reading direction, or close a tag that a client puts around the text.
const UNSAFE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}<>]/gu;
const STRING_STEPS = [200, 80, 30, 12];
const MOST_ITEMS = 5;

/** The one way to show log and gaps as text: each record is one line of JSON that none of its fields can end. */
export function evidenceLines({ log = [], gaps = [] }: Evidence): string[] {
  return [...log.map((item) => recordLine('log', item)), ...gaps.map((gap) => recordLine('gap', withoutEmpty(gap)))];
}

/** Whole records only, within `max` UTF-16 units, with how many were left out. */
export function clipEvidence(text: string, max: number): string {
  if (text.length <= max) return text;
  const lines = text.split('\n');
  for (let count = lines.length - 1; ; count -= 1) {
    const kept = [...lines.slice(0, count), JSON.stringify({ left_out: lines.length - count })].join('\n');
    if (count === 0 || kept.length <= max) return kept;
  }
}

function recordLine(kind: 'log' | 'gap', record: object): string {
  const whole = oneLineJson({ [kind]: record });
  const shorter = STRING_STEPS.map((strings) => {
    const limits = { items: MOST_ITEMS, fields: Number.POSITIVE_INFINITY, clip: (text: string) => clip(text, strings) };
    return oneLineJson({ [kind]: shortened(record, limits) });
  });
  const fitting = [whole, ...shorter].find((line) => codePointLength(line) <= EVIDENCE_RECORD_CHARS);
  // Many fields, or deep ones: its beginning, as a text of its own. Escaping makes a character six times as long at most.
  return fitting ?? oneLineJson({ [kind]: { beginning: clip(whole, Math.floor(EVIDENCE_RECORD_CHARS / 7)) } });
}

function oneLineJson(value: object): string {
  return JSON.stringify(value).replace(UNSAFE, (character) =>
    character
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}

function clip(text: string, max: number): string {
  const points = [...text.slice(0, (max + 1) * 2)];
  return points.length > max ? `${points.slice(0, max).join('')}…` : text;
}

// A gap has thirteen fields, of which most say nothing.
function withoutEmpty(gap: Gap): object {
  const says = (value: unknown) => value !== null && value !== '' && !(Array.isArray(value) && value.length === 0);
  return Object.fromEntries(Object.entries(gap).filter(([, value]) => says(value)));
}
