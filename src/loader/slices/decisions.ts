import { compareCodePoints } from '../../code-points.ts';
import { isRecord } from '../../json.ts';
import { parseTime } from '../bundle/time.ts';

const INACTIVE = ['superseded', 'retired', 'rejected'];
const HEADER_LINES = 40;
const STATUS_KEYS = new Set(['status', 'state', 'lifecycle', 'lifecycle_state', 'decision_status']);
// Promotion counts before capture.
const DATE_KEYS = [/^promot(?:ed|ion)_?(?:at|on|date)?$/, /^captured?_?(?:at|on|date)?$/];
const FIELD_LINE = /^[\s>*_|+-]*([a-z][a-z _-]{0,30}?)[*_`]*\s*[:=|][*_`]*\s*(.*?)[\s|*_`]*$/i;
// A record is named by its plain fields; its links name other decisions.
const LINK_KEY = /supersede|replace/i;
const UNDATED = Number.MIN_SAFE_INTEGER;
const NO_VALUE = /^(?:none|null|no|false|n\/a|-|–|—|\[\]|)$/i;

// Newest first: by date where one is known; then by the numbers right at the start of the name (0012, 2026-11-15), by its
// version (v10 after v2), and the last by path.
export function newestFirst(paths: Iterable<string>, dateOf: (path: string) => number | null = () => null): string[] {
  const keyed = [...paths].map((path) => ({ path, date: dateOf(path) ?? UNDATED, ...numbersOf(path) }));
  keyed.sort(
    (a, b) =>
      compareNumbers([b.date], [a.date]) ||
      compareNumbers(b.lead, a.lead) ||
      b.version - a.version ||
      compareCodePoints(b.path, a.path),
  );
  return keyed.map(({ path }) => path);
}

function numbersOf(path: string): { lead: number[]; version: number } {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const lead = /^(?:(?:decision|adr|rfc)[-_ ]?)?(\d+(?:[-_.]\d+)*)(?![a-z\d])/i.exec(name)?.[1] ?? '';
  const version = /[-_]v(\d+)(?=\.[^.]*$)/i.exec(name)?.[1];
  return { lead: (lead.match(/\d+/g) ?? []).map(Number), version: version === undefined ? -1 : Number(version) };
}

function compareNumbers(a: readonly number[], b: readonly number[]): number {
  for (let i = 0; i < Math.max(a.length, b.length); i += 1) {
    const difference = (a[i] ?? -1) - (b[i] ?? -1);
    if (difference !== 0) return difference;
  }
  return 0;
}

// When a decision was promoted, else captured, from the lines before its first section.
export function dateInHeader(text: string): number | null {
  const fields = new Map<string, string>();
  for (const line of headerLines(text)) {
    if (/^#{2,6}\s/.test(line)) break;
    const field = FIELD_LINE.exec(line);
    if (field) fields.set(field[1] ?? '', field[2] ?? '');
  }
  return dateIn(fields);
}

// The same for decisions that a report names: `{"decision_artifact": …, "promoted_at": …}`, at any depth.
export function datesInReport(report: unknown): (path: string) => number | null {
  const dates = new Map<string, number>();
  eachRecord(report, (record) => {
    const date = dateIn(Object.entries(record));
    if (date === null) return;
    for (const [key, value] of Object.entries(record))
      if (typeof value === 'string' && !LINK_KEY.test(key)) dates.set(stemOf(value), date);
  });
  return (path) => dates.get(stemOf(path)) ?? null;
}

function dateIn(fields: Iterable<readonly [string, unknown]>): number | null {
  const known = [...fields].map(([key, value]) => [key.trim().toLowerCase().replaceAll(/[ -]/g, '_'), value] as const);
  for (const form of DATE_KEYS)
    for (const [key, value] of known) {
      const date = form.test(key) && typeof value === 'string' ? parseTime(value) : null;
      if (date !== null) return date;
    }
  return null;
}

function headerLines(text: string): string[] {
  return text.split(/\r\n|\n|\r/).slice(0, HEADER_LINES);
}

// The word that takes a decision out of force, from the lines before its first section; null while it is active.
export function inactiveWord(text: string): string | null {
  const lines = headerLines(text);
  const frontMatterEnd = /^---\s*$/.test(lines[0] ?? '')
    ? lines.findIndex((line, at) => at > 0 && /^(?:---|\.\.\.)\s*$/.test(line))
    : -1;
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    const section = at > frontMatterEnd && /^#{2,6}\s+(.*?)[\s#]*$/.exec(line);
    if (section) {
      // `## Status` with the word below it is a header too; any other section ends it.
      if (!/^(?:status|state)$/i.test(section[1] ?? '')) return null;
      const below = lines.slice(at + 1).find((candidate) => candidate.trim() !== '') ?? '';
      return wordIn(below);
    }
    const field = FIELD_LINE.exec(line);
    const word = field ? wordOfField(field[1] ?? '', field[2] ?? '') : null;
    if (word) return word;
  }
  return null;
}

// Decisions that a report marks: `{"path": …, "status": "superseded"}`, `{"decision_x_v1": "retired"}` or
// `{"rejected": ["decision_x_v1.md"]}`, at any depth.
export function inactiveInReport(report: unknown): (path: string) => string | null {
  const marked = new Map<string, string>();
  const mark = (name: unknown, word: string): void => {
    if (typeof name === 'string') marked.set(stemOf(name), marked.get(stemOf(name)) ?? word);
  };
  eachRecord(report, (record) => {
    const own = recordWord(record);
    for (const [key, item] of Object.entries(record)) {
      if (own && !LINK_KEY.test(key)) mark(item, own);
      const named = isRecord(item) ? recordWord(item) : typeof item === 'string' ? exactWord(item) : null;
      if (named && !STATUS_KEYS.has(key)) mark(key, named);
      const listed = exactWord(key);
      if (listed && Array.isArray(item))
        for (const entry of item)
          for (const name of isRecord(entry) ? Object.values(entry) : [entry]) mark(name, listed);
    }
  });
  return (path) => marked.get(stemOf(path)) ?? null;
}

function eachRecord(report: unknown, take: (record: Record<string, unknown>) => void): void {
  const open: unknown[] = [report];
  for (let value = open.pop(); value !== undefined || open.length > 0; value = open.pop()) {
    for (const item of Array.isArray(value) ? value : isRecord(value) ? Object.values(value) : [])
      if (typeof item === 'object' && item !== null) open.push(item);
    if (isRecord(value)) take(value);
  }
}

function recordWord(record: Record<string, unknown>): string | null {
  for (const [key, value] of Object.entries(record)) {
    const word = typeof value === 'string' || value === true ? wordOfField(key, String(value)) : null;
    if (word) return word;
  }
  return null;
}

function wordOfField(name: string, value: string): string | null {
  const key = name.trim().toLowerCase().replaceAll(/[ -]/g, '_');
  if (STATUS_KEYS.has(key)) return wordIn(value);
  const said = INACTIVE.find((word) => key === word || key === `${word}_by`);
  return said && !NO_VALUE.test(value.trim()) ? said : null;
}

function wordIn(text: string): string | null {
  const words: string[] = text.toLowerCase().match(/[a-z]+/g) ?? [];
  return INACTIVE.find((word) => words.includes(word)) ?? null;
}

function exactWord(text: string): string | null {
  return INACTIVE.find((word) => text.trim().toLowerCase() === word) ?? null;
}

// `.cortex/…/decision_x_v1.md`, `decision_x_v1.md` and `decision_x_v1` name one decision.
function stemOf(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1).replace(/\.md$/i, '');
}
