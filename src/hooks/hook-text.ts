import { showHidden } from '../safety/hidden-characters.ts';
import type { Confirmed } from './confirmed.ts';

/** A file of the project that fits a prompt, and its best lines. */
export interface Place {
  path: string;
  start: number | null;
  end: number | null;
  title: string | null;
  why: string;
}

const NOTES_LINE = 'From Bearings, for this prompt. The person confirmed:';
export const PATH_LINE = 'From Bearings, for this file. The person confirmed:';
// What follows are names that anybody who wrote the repository chose: this line says so, and no name can end it.
const PLACES_LINE =
  'Places in this project that fit the prompt, found by Bearings (the names are the repository’s own words):';
const MAX_BLOCK = 2_400;
const MAX_NAME = 160;

/** At least as many as any tokenizer in use counts in ordinary text: loading one takes longer than a person should wait. */
const tokensAtMost = (text: string): number => Math.ceil(text.replace(/[^\0-\x7f]/g, '   ').length / 3);

/** `5 Nov 2026` */
export const dayOf = (at: string): string => new Date(at).toUTCString().slice(5, 16).replace(/^0/, '');

/** As many of them as fit, in their order: the notes as the person wrote them, then places under a line of their own. */
export function pushedText(
  notes: readonly Confirmed[],
  places: readonly Place[],
  { tokens, faults, head = NOTES_LINE }: { tokens: number; faults(): string[]; head?: string | undefined },
): { text: string; tokens: number; notes: Confirmed[]; places: Place[] } {
  const out: string[] = [];
  let used = 0;
  const add = (line: string, text: string): boolean => {
    const cost = tokensAtMost(`${out.includes(line) ? '' : `\n${line}\n`}${text}\n\n`);
    if (used + cost > tokens) return false;
    if (!out.includes(line)) out.push(...(out.length > 0 ? ['', line] : [line]));
    out.push(text);
    used += cost;
    return true;
  };
  const given = {
    notes: notes.filter((note) => add(head, noteText(note))),
    places: places.filter((place) => add(PLACES_LINE, placeText(place))),
  };
  const warnings = given.notes.length === 0 ? [] : faults().map((line) => `\nWarning: ${line}`);
  return { text: [...out, ...warnings].join('\n'), tokens: used, ...given };
}

function noteText({ text, from, at }: Confirmed): string {
  const cut = text.length > MAX_BLOCK ? `${text.slice(0, MAX_BLOCK).trimEnd()} …` : text;
  return `\n${cut}\n(${from}, ${dayOf(at)})`;
}

function placeText({ path, start, end, title, why }: Place): string {
  const lines = start === null ? '' : `:${start}-${end}`;
  const named = title === null ? '' : ` ${showHidden(title).slice(0, 60)}`;
  return `- ${showHidden(path).slice(0, MAX_NAME)}${lines}${named} · ${why}`;
}
