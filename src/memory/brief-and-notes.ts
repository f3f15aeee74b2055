import { linesWithEnds, splitLines } from '../code-points.ts';
import { shownName, whyNotTasteName } from '../safety/hidden-characters.ts';

export interface Brief {
  raw: string;
  intent: string;
  tastes: string[];
}

const DEFAULT_TASTE = '_default';
// Indent, block quotes and list markers, in any mixture.
const LEAD = /^(?:[ \t>]|(?:[-*+]|\d{1,9}[.)])(?=[ \t]))*/;
// A repeated group overflows its stack on a line of some megabytes.
const LONGEST_LEAD = 10_000;
const KEY = /^([*_]{0,3})tastes([*_]{0,3})[ \t]*:([*_]{0,3})/i;
const FENCE = /^(`{3,}|~{3,})(.*)$/s;
const REFUSED_SHOWN = 5;
// Each is a file to look for: more than that nobody declares.
const MOST_TASTES = 1000;

export function parseBrief(raw: string) {
  /** Line (from 1) on which each taste was first declared. */
  const declaredAt = new Map<string, number>();
  const warnings: string[] = [];
  const kept: string[] = [];
  const declarations: number[] = [];
  const refused = new Map<string, string>();
  let fence: string | null = null;

  for (const [index, line] of linesWithEnds(raw).entries()) {
    const text = line.replace(/[\r\n]+$/, '');
    const body = text.slice(LEAD.exec(text.slice(0, LONGEST_LEAD))?.[0].length);
    const marker = FENCE.exec(body);
    if (fence !== null) {
      if (closesFence(body, fence)) fence = null;
    } else if (marker?.[1] && !(marker[1].startsWith('`') && marker[2]?.includes('`'))) {
      fence = marker[1];
    } else {
      const list = declarationIn(body);
      for (const name of namesIn(list ?? '')) {
        const reason = whyNotTasteName(name);
        if (reason) refused.set(shownName(name), reason);
        else if (declaredAt.size >= MOST_TASTES) refused.set(shownName(name), `is one of more than ${MOST_TASTES}`);
        else if (name !== DEFAULT_TASTE && !declaredAt.has(name)) declaredAt.set(name, index + 1);
      }
      if (list !== null) {
        declarations.push(index + 1);
        continue;
      }
    }
    kept.push(line);
  }
  for (const [name, reason] of [...refused].slice(0, REFUSED_SHOWN)) {
    warnings.push(
      `brief.md names the taste "${name}", which ${reason}. Use a name from tastes/, for example: Tastes: typescript`,
    );
  }
  if (refused.size > REFUSED_SHOWN)
    warnings.push(`brief.md names ${refused.size - REFUSED_SHOWN} more tastes that are refused.`);
  if (declarations.length > 1) {
    const shown = declarations.slice(0, 5).join(', ') + (declarations.length > 5 ? ', …' : '');
    warnings.push(
      `brief.md declares tastes on ${declarations.length} lines (${shown}); they add up. Put them on one line.`,
    );
  }
  const brief: Brief = { raw, intent: kept.join('').trim(), tastes: [...declaredAt.keys()] };
  return { brief, declaredAt, warnings };
}

// The names part of a `Tastes:` line, or null when the line is something else.
function declarationIn(body: string): string | null {
  const match = KEY.exec(body);
  if (!match) return null;
  const [whole, opened = '', closedBefore = '', closedAfter = ''] = match;
  // Without opening emphasis, marks after the colon belong to the names (`Tastes:_a`).
  if (opened === '') return closedBefore === '' ? body.slice(whole.length - closedAfter.length).trim() : null;
  const rest = body.slice(whole.length).trim();
  const closed = closedBefore + closedAfter;
  if (closed === opened) return rest;
  // Emphasis around the whole line: **Tastes: a, b**
  if (closed === '' && rest.endsWith(opened)) return rest.slice(0, -opened.length);
  return null;
}

function namesIn(list: string): string[] {
  const inner = list.startsWith('[') && list.endsWith(']') ? list.slice(1, -1) : list;
  const names = inner.split(',').map(withoutQuotes);
  return names.map((name) => (name.endsWith('.md') ? withoutQuotes(name.slice(0, -3)) : name)).filter(Boolean);
}

function withoutQuotes(written: string): string {
  let name = written.trim();
  while (name.length > 1 && /^["'`]/.test(name) && name.endsWith(name.charAt(0))) name = name.slice(1, -1).trim();
  return name;
}

function closesFence(body: string, fence: string): boolean {
  const run = body.trimEnd();
  return run.length >= fence.length && [...run].every((char) => char === fence[0]);
}

export const NOTES = 'notes.md';
export const BRIEF = 'brief.md';

/** Next to the notes: blocks that were replaced or retired. Never served, always found, merged by union. */
export const ARCHIVE = 'notes-archive.md';

export const NOTES_HEAD_LINES = 10;
export const NOTES_TAIL_LINES = 30;
export const NOTES_TRUNCATION_THRESHOLD = NOTES_HEAD_LINES + NOTES_TAIL_LINES;

/** Of a file of memory that is larger nothing is scanned, */
export const MAX_SCANNED_BYTES = 4 * 1024 * 1024;
/** and of one with more blocks than anybody wrote neither: it is their count that costs. */
const MAX_SCANNED_BLOCKS = 20_000;

export function hasTooManyBlocks(text: string): boolean {
  const blankLines = /(?:\r\n|\n|\r(?!\n))\s*[\r\n]/g;
  let count = 1;
  while (count <= MAX_SCANNED_BLOCKS && blankLines.test(text)) count += 1;
  return count > MAX_SCANNED_BLOCKS;
}

export type Notes = ReturnType<typeof summariseNotes>;

/** What a reader brings of a notes file: all of it, or of a long one the lines at its two ends. */
export type NotesText = ReturnType<typeof wholeNotes>;

export function wholeNotes(text: string) {
  return { text, totalLines: splitLines(text).length };
}

export function summariseNotes({ text, totalLines }: NotesText) {
  const elided = totalLines - NOTES_TRUNCATION_THRESHOLD;
  if (elided <= 0) return { summary: text, truncated: false };
  const lines = splitLines(text);
  const [head, tail] = [lines.slice(0, NOTES_HEAD_LINES).join('\n'), lines.slice(-NOTES_TAIL_LINES).join('\n')];
  return { summary: `${head}\n\n... [${elided} lines elided] ...\n\n${tail}`, truncated: true };
}

/** The headings among the elided lines, as they are written. */
export function elidedHeadings(text: string): string[] {
  const lines = splitLines(text);
  let fence = '';
  return lines.filter((line, index) => {
    const [, mark = ''] = /^ {0,3}(```+|~~~+)/.exec(line) ?? [];
    if (fence === '') fence = mark;
    else if (mark.startsWith(fence) && line.trim() === mark) fence = '';
    const isElided = index >= NOTES_HEAD_LINES && index < lines.length - NOTES_TAIL_LINES;
    return isElided && fence === '' && /^ {0,3}#{1,6}[ \t]+\S/.test(line);
  });
}
