import { splitLines } from '../lines.ts';
import { shownName } from '../safety/hidden-characters.ts';
import { whyNotTasteName } from '../safety/names.ts';

export interface Brief {
  raw: string;
  intent: string;
  tastes: string[];
}

export interface ParsedBrief {
  brief: Brief;
  /** Line (from 1) on which each taste was first declared. */
  declaredAt: ReadonlyMap<string, number>;
  warnings: string[];
}

const DEFAULT_TASTE = '_default';
const LIST_MARKER = /^(?:[-*+]|\d{1,9}[.)])(?=[ \t])/;
const LONGEST_MARKER = 11;
const KEY = /^([*_]{0,3})tastes([*_]{0,3})[ \t]*:([*_]{0,3})/i;
const FENCE = /^(`{3,}|~{3,})(.*)$/s;
const REFUSED_SHOWN = 5;
// Each is a file to look for: more than that nobody declares.
const MOST_TASTES = 1000;

export function parseBrief(raw: string): ParsedBrief {
  const names: string[] = [];
  const declaredAt = new Map<string, number>();
  const warnings: string[] = [];
  const kept: string[] = [];
  const declarations: number[] = [];
  const refused = new Map<string, string>();
  let fence: string | null = null;

  for (const [index, { text, end }] of linesWithEnds(raw).entries()) {
    const body = text.slice(leadLength(text));
    const marker = FENCE.exec(body);
    if (fence !== null) {
      if (closesFence(body, fence)) fence = null;
    } else if (marker?.[1] && !(marker[1].startsWith('`') && marker[2]?.includes('`'))) {
      fence = marker[1];
    } else {
      const list = declarationIn(body);
      if (list !== null) {
        declarations.push(index + 1);
        for (const name of namesIn(list)) {
          const reason = whyNotTasteName(name);
          if (reason) refused.set(shownName(name), reason);
          else if (names.length >= MOST_TASTES) refused.set(shownName(name), `is one of more than ${MOST_TASTES}`);
          else if (name !== DEFAULT_TASTE && !declaredAt.has(name)) {
            declaredAt.set(name, index + 1);
            names.push(name);
          }
        }
        continue;
      }
    }
    kept.push(text + end);
  }
  for (const [name, reason] of [...refused].slice(0, REFUSED_SHOWN)) {
    warnings.push(
      `brief.md names the taste "${name}", which ${reason}. Use a name from tastes/, for example: Tastes: underwater`,
    );
  }
  if (refused.size > REFUSED_SHOWN)
    warnings.push(`brief.md names ${refused.size - REFUSED_SHOWN} more tastes that are refused.`);
  if (declarations.length > 1) {
    warnings.push(
      `brief.md declares tastes on ${declarations.length} lines (${listed(declarations)}); they add up. Put them on one line.`,
    );
  }
  return { brief: { raw, intent: kept.join('').trim(), tastes: names }, declaredAt, warnings };
}

// Indent, block quotes and list markers, in any mixture. A loop, because a repeated group of a regular expression
// overflows its stack on a line of some megabytes.
function leadLength(text: string): number {
  for (let at = 0; ; ) {
    const char = text[at];
    if (char === ' ' || char === '\t' || char === '>') at += 1;
    else {
      const marker = LIST_MARKER.exec(text.slice(at, at + LONGEST_MARKER));
      if (!marker) return at;
      at += marker[0].length;
    }
  }
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
  let inner = list.trim();
  if (inner.startsWith('[') && inner.endsWith(']')) inner = inner.slice(1, -1);
  return inner
    .split(',')
    .map(bareName)
    .filter((name) => name !== '');
}

function bareName(written: string): string {
  const name = withoutQuotes(written);
  return name.endsWith('.md') ? withoutQuotes(name.slice(0, -3)) : name;
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

function linesWithEnds(text: string): { text: string; end: string }[] {
  const lines = splitLines(text);
  let at = 0;
  return lines.map((line) => {
    at += line.length;
    const end = text.startsWith('\r\n', at) ? '\r\n' : text.charAt(at);
    at += end.length;
    return { text: line, end };
  });
}

function listed(numbers: number[]): string {
  const shown = numbers.slice(0, 5).join(', ');
  return numbers.length > 5 ? `${shown}, …` : shown;
}
