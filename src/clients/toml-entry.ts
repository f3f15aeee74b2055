import { parse } from 'smol-toml';
import type { EntryState } from './json-entry.ts';

type Table = Record<string, unknown>;

// What is under `[servers.name]`.
export function entryInToml(text: string, servers: string, name: string): EntryState {
  const read = readToml(text);
  if (typeof read === 'string') return { status: 'broken', reason: read };
  const table = read[servers];
  if (table !== undefined && !isTable(table)) return { status: 'broken', reason: `"${servers}" is not a table` };
  const value = table?.[name];
  return value === undefined ? { status: 'absent' } : { status: 'present', value };
}

// `name` is of letters, digits, `_` and `-`. Our table goes to the end of the file; an earlier one of ours goes first. Null where the file's own form forbids it.
export function putIntoToml(text: string, servers: string, name: string, value: Table): string | null {
  const before = entryInToml(text, servers, name).status === 'present' ? takeFromToml(text, servers, name) : text;
  if (before === null) return null;
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const gap = before === '' || before === '\ufeff' ? '' : before.endsWith('\n') ? eol : eol + eol;
  const lines = Object.entries(value).map(([key, each]) => `${key} = ${written(each)}`);
  const after = `${before}${gap}${[`[${servers}.${name}]`, ...lines].join(eol)}${eol}`;
  return isOnlyChange(before, after, servers, name) ? after : null;
}

// The lines from our header up to the next one that is not below it. Null where they can't be told apart.
export function takeFromToml(text: string, servers: string, name: string): string | null {
  // A byte order mark is not part of a line: our header may come right after it.
  const mark = text.startsWith('\ufeff') ? '\ufeff' : '';
  const lines = text.slice(mark.length).split(/(?<=\n)/);
  const own = new RegExp(`^[ \\t]*\\[[ \\t]*${servers}[ \\t]*\\.[ \\t]*(?:"${name}"|'${name}'|${name})[ \\t]*[\\].]`);
  // A line that looks like our header may be part of a long text: the parser has the last word.
  for (const [from, line] of lines.entries()) {
    const left = own.test(line) ? mark + withoutTable(lines, from, own) : null;
    if (left !== null && isOnlyChange(left, text, servers, name)) return left;
  }
  return null;
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

/** One switch, `[table] key = true`, in whichever form the file has it. Of all ways to write it the first that changes nothing else counts. */
export function switchInToml(table: string, key: string) {
  const line = new RegExp(`^([ \\t]*(?:${table}[ \\t]*\\.[ \\t]*)?${key}[ \\t]*=[ \\t]*)(?:true|false)`, 'm');
  const header = new RegExp(`^[ \\t]*\\[[ \\t]*${table}[ \\t]*\\][^\\r\\n]*(\\r?\\n|$)`, 'm');
  const valueIn = (text: string): unknown => {
    const read = readToml(text);
    return typeof read === 'string' || !isTable(read[table]) ? undefined : read[table][key];
  };
  const firstSafe = (texts: readonly string[], text: string, value: unknown): string | null =>
    texts.find((each) => each !== text && valueIn(each) === value && isOnlyThatKey(each, text, table, key)) ?? null;
  return {
    look(text: string): EntryState {
      const read = readToml(text);
      if (typeof read === 'string') return { status: 'broken', reason: read };
      const value = valueIn(text);
      return value === undefined ? { status: 'absent' } : { status: 'present', value };
    },
    put(text: string, value: boolean): string | null {
      if (valueIn(text) === value) return text;
      const eol = text.includes('\r\n') ? '\r\n' : '\n';
      const gap = text === '' || text === '\ufeff' ? '' : text.endsWith('\n') ? eol : eol + eol;
      const own = `${key} = ${value}${eol}`;
      const dotted = new RegExp(`^[ \\t]*${table}[ \\t]*\\.`, 'm');
      const ways = [
        text.replace(line, `$1${value}`),
        text.replace(header, (whole, end) => `${whole}${end === '' ? eol : ''}${own}`),
        text.replace(dotted, (whole) => `${table}.${own}${whole}`),
        `${text}${gap}[${table}]${eol}${own}`,
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

// Holds the edit against the parser: beyond our table nothing may have another meaning.
function isOnlyChange(without: string, withIt: string, servers: string, name: string): boolean {
  const [bare, full] = [readToml(without), readToml(withIt)];
  if (typeof bare === 'string' || typeof full === 'string') return false;
  if (isTable(bare[servers]) && bare[servers][name] !== undefined) return false;
  const rest = { ...(isTable(full[servers]) ? full[servers] : {}) };
  delete rest[name];
  const kept = { ...full, [servers]: rest };
  return canonical(kept) === canonical({ ...bare, [servers]: bare[servers] ?? {} });
}

// The same for one key of a table, and the table itself where nothing else is in it.
function isOnlyThatKey(left: string, right: string, table: string, key: string): boolean {
  const rest = [left, right].map((text) => {
    const read = readToml(text);
    if (typeof read === 'string' || !isTable(read[table] ?? {})) return null;
    const { [key]: _, ...others } = (read[table] ?? {}) as Table;
    return canonical({ ...read, [table]: others });
  });
  return rest[0] !== null && rest[0] === rest[1];
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

// The same for the same values, in whatever order their keys came.
function canonical(value: Table): string {
  return JSON.stringify(value, (_, each: unknown) => {
    if (typeof each === 'bigint') return String(each);
    return isTable(each)
      ? Object.fromEntries(
          Object.keys(each)
            .sort()
            .map((key) => [key, each[key]]),
        )
      : each;
  });
}

// A JSON string is a TOML string too, but for DEL, which TOML wants escaped.
function written(value: unknown): string {
  return (Array.isArray(value) ? `[${value.map(written).join(', ')}]` : JSON.stringify(value)).replaceAll(
    '\u007f',
    '\\u007f',
  );
}
