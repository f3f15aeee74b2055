import { parse, stringify } from 'smol-toml';
import type { EntryState } from './json-entry.ts';

type Table = Record<string, unknown>;

// What is under `[table]` by this name: the table of a server, or a switch.
export function entryInToml(text: string, table: string, name: string): EntryState {
  const read = readToml(text);
  if (typeof read === 'string') return { status: 'broken', reason: read };
  const entries = read[table];
  if (entries !== undefined && !isTable(entries)) return { status: 'broken', reason: `"${table}" is not a table` };
  const value = entries?.[name];
  return value === undefined ? { status: 'absent' } : { status: 'present', value };
}

// `name` is of letters, digits, `_` and `-`. Our table goes to the end of the file; an earlier one of ours goes first. Null where the file's own form forbids it.
export function putIntoToml(text: string, servers: string, name: string, value: Table): string | null {
  const before = entryInToml(text, servers, name).status === 'present' ? takeFromToml(text, servers, name) : text;
  if (before === null) return null;
  const after = withLines(before, [`[${servers}.${name}]`, ...stringify(value).trimEnd().split('\n')]);
  return isOnlyThatEntry(before, after, servers, name) ? after : null;
}

// The lines from our header up to the next one that is not below it. Null where they can't be told apart.
export function takeFromToml(text: string, servers: string, name: string): string | null {
  // A byte order mark is not part of a line: our header may come right after it.
  const mark = text.startsWith('\ufeff') ? '\ufeff' : '';
  const lines = text.slice(mark.length).split(/(?<=\n)/);
  const own = new RegExp(`^[ \\t]*\\[[ \\t]*${servers}[ \\t]*\\.[ \\t]*(?:"${name}"|'${name}'|${name})[ \\t]*[\\].]`);
  // A line that looks like our header may be part of a long text: the parser has the last word.
  const ways = lines.flatMap((line, from) => (own.test(line) ? [mark + withoutTable(lines, from, own)] : []));
  const isGone = (left: string) => entryInToml(left, servers, name).status === 'absent';
  return ways.find((left) => isGone(left) && isOnlyThatEntry(left, text, servers, name)) ?? null;
}

function withoutTable(lines: readonly string[], from: number, own: RegExp): string {
  const isHeader = (line: string) => /^[ \t]*\[/.test(line);
  const isBlank = (line: string | undefined) => line !== undefined && line.trim() === '';
  let to = from + 1;
  while (to < lines.length && (!isHeader(lines[to] ?? '') || own.test(lines[to] ?? ''))) to += 1;
  // Comments right above the next table belong to it.
  if (to < lines.length) while (to > from + 1 && /^[ \t]*(?:#|\r?\n)/.test(lines[to - 1] as string)) to -= 1;
  const start = isBlank(lines[from - 1]) && (to === lines.length || isBlank(lines[to])) ? from - 1 : from;
  return [...lines.slice(0, start), ...lines.slice(to)].join('');
}

// At the end, after a blank line.
function withLines(text: string, lines: readonly string[]): string {
  const eol = eolOf(text);
  const gap = text === '' || text === '\ufeff' ? '' : text.endsWith('\n') ? eol : eol + eol;
  return `${text}${gap}${lines.join(eol)}${eol}`;
}

const eolOf = (text: string) => (text.includes('\r\n') ? '\r\n' : '\n');

/** One switch, `[table] key = true`, in whichever form the file has it. Of all ways to write it the first that changes nothing else counts. */
export function switchInToml(table: string, key: string) {
  const line = new RegExp(`^([ \\t]*(?:${table}[ \\t]*\\.[ \\t]*)?${key}[ \\t]*=[ \\t]*)(?:true|false)`, 'm');
  const header = new RegExp(`^[ \\t]*\\[[ \\t]*${table}[ \\t]*\\][^\\r\\n]*(\\r?\\n|$)`, 'm');
  const look = (text: string) => entryInToml(text, table, key);
  const valueIn = (text: string): unknown => {
    const state = look(text);
    return state.status === 'present' ? state.value : undefined;
  };
  const firstSafe = (texts: readonly string[], text: string, value: unknown): string | null =>
    texts.find((each) => each !== text && valueIn(each) === value && isOnlyThatEntry(each, text, table, key)) ?? null;
  return {
    look,
    put(text: string, value: unknown): string | null {
      if (valueIn(text) === value) return text;
      const eol = eolOf(text);
      const own = `${key} = ${value}`;
      const dotted = new RegExp(`^[ \\t]*${table}[ \\t]*\\.`, 'm');
      const ways = [
        text.replace(line, `$1${value}`),
        text.replace(header, (whole, end) => `${whole}${end === '' ? eol : ''}${own}${eol}`),
        text.replace(dotted, (whole) => `${table}.${own}${eol}${whole}`),
        withLines(text, [`[${table}]`, own]),
      ];
      return firstSafe(ways, text, value);
    },
    take(text: string): string | null {
      const whole = new RegExp(`${line.source}[^\\r\\n]*(?:\\r?\\n|$)`, 'm');
      const alone = new RegExp(`(?:\\r?\\n)?${header.source}${whole.source.replace('^', '')}(?![^\\[]*=)`, 'm');
      return firstSafe([text.replace(alone, ''), text.replace(whole, '')], text, undefined);
    },
    brings: () => 0,
  };
}

// Holds the edit against the parser: but for our entry, and a table that holds nothing else, both mean the same.
function isOnlyThatEntry(left: string, right: string, table: string, name: string): boolean {
  const [one, other] = [left, right].map((text) => {
    const read = readToml(text);
    if (typeof read === 'string' || !isTable(read[table] ?? {})) return null;
    // Our table last: where it lies in the file means nothing.
    const { [table]: own, ...rest } = read;
    const { [name]: _, ...others } = (own ?? {}) as Table;
    return stringify({ ...rest, [table]: others });
  });
  return one !== null && one === other;
}

function readToml(text: string): Table | string {
  try {
    return parse(text.replace(/^\ufeff/, ''), { integersAsBigInt: 'asNeeded' }) as Table;
  } catch (error) {
    const { line } = error as { line?: number };
    return line === undefined ? 'it is not valid TOML' : `line ${line} is not valid TOML`;
  }
}

function isTable(value: unknown): value is Table {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}
