import { createSecretScanner } from '../io/secret-scanner.ts';
import { splitLines } from '../memory/lines.ts';
import type { NotesText } from '../memory/notes.ts';
import type { ContextSource, Read } from '../memory/read-context.ts';
import { isRecord, type JsonRecord, RECENT_RECORDS } from '../memory/records.ts';
import { type Finding, findSecrets, findShaped } from '../safety/secrets.ts';

export interface Scanned {
  text: string;
  warnings: string[];
}

// A longer text is cut here: what was not scanned is not served.
const MOST_SCANNED = 1_000_000;
const MOST_WARNINGS = 20;
const SHORTEST_SECRET = 8;

const scanWhole = createSecretScanner(findShaped);
// Every token that the maintained rules know is longer than this: without one they need not be loaded.
const LONG_RUN = /\S{16}/;
const scanShaped = async (text: string): Promise<Finding[]> =>
  LONG_RUN.test(text) ? scanWhole(text) : findShaped(text);

// The memory of a repository is text of others: what is a secret by its shape is replaced by its class, line by line, and
// what only may be one is left and told.
export async function scanText(name: string, text: string, firstLine = 1): Promise<Scanned> {
  const warnings: string[] = [];
  const seen = text.length > MOST_SCANNED ? text.slice(0, MOST_SCANNED) : text;
  if (seen.length < text.length) warnings.push(`${name} is too long to be scanned for secrets: its end is left out.`);
  let shaped: Finding[];
  try {
    shaped = await scanShaped(seen);
  } catch {
    return { text: '', warnings: [`${name} could not be scanned for secrets and is left out.`] };
  }
  const lineOf = (at: number) => firstLine + splitLines(`${seen.slice(0, at)}x`).length - 1;
  for (const { kind, start } of shaped) warnings.push(`${name}:${lineOf(start)}: ${kind} is replaced by its class.`);
  const told = new Set(shaped.map(({ start }) => lineOf(start)));
  for (const [line, kind] of doubtful(seen, shaped, lineOf))
    if (!told.has(line)) warnings.push(`${name}:${line}: what may be a secret (${kind}) is left as it is.`);
  return { text: replaced(seen, shaped), warnings: fewer(name, warnings) };
}

/** The source of a context with all that comes from the repository scanned. Tastes are the person's own. */
export async function scannedSource(source: ContextSource): Promise<{ source: ContextSource; warnings: string[] }> {
  const warnings: string[] = [];
  const scan = async (name: string, text: string, firstLine?: number): Promise<string> => {
    const scanned = await scanText(name, text, firstLine);
    warnings.push(...scanned.warnings);
    return scanned.text;
  };
  const brief = await mapped(source.brief(), async (file) => ({ ...file, text: await scan('brief.md', file.text) }));
  const notes = await mapped(source.notes(), async ({ notes: all, valid }) => ({
    notes: await scannedNotes(all, scan),
    valid,
  }));
  const records = async (name: 'log.jsonl' | 'vocabulary_gaps.jsonl') =>
    mapped(source.lastRecords(name, RECENT_RECORDS), async (tail) => ({
      ...tail,
      records: await scannedRecords(name, tail.records, warnings),
    }));
  const tails = {
    'log.jsonl': await records('log.jsonl'),
    'vocabulary_gaps.jsonl': await records('vocabulary_gaps.jsonl'),
  };
  return {
    source: { ...source, brief: () => brief, notes: () => notes, lastRecords: (name) => tails[name] },
    warnings,
  };
}

async function scannedNotes(
  notes: NotesText,
  scan: (name: string, text: string, firstLine?: number) => Promise<string>,
): Promise<NotesText> {
  if (notes.kind === 'whole') return { ...notes, text: await scan('notes.md', notes.text) };
  const lines = async (part: readonly string[], firstLine: number) =>
    (await scan('notes.md', part.join('\n'), firstLine)).split('\n');
  return {
    ...notes,
    head: await lines(notes.head, 1),
    tail: await lines(notes.tail, notes.totalLines - notes.tail.length + 1),
  };
}

async function scannedRecords(name: string, records: JsonRecord[], warnings: string[]): Promise<JsonRecord[]> {
  const scanned: JsonRecord[] = [];
  for (const [index, record] of records.entries()) {
    let kinds: string[] = [];
    const clean = async (value: unknown): Promise<unknown> => {
      if (typeof value === 'string') {
        if (value.length < SHORTEST_SECRET) return value;
        const found = await scanShaped(value);
        kinds = [...kinds, ...found.map(({ kind }) => kind)];
        return replaced(value, found);
      }
      if (Array.isArray(value)) return Promise.all(value.map(clean));
      if (!isRecord(value)) return value;
      const fields = Object.entries(value).map(async ([key, field]) => [await clean(key), await clean(field)] as const);
      return Object.fromEntries(await Promise.all(fields));
    };
    try {
      scanned.push((await clean(record)) as JsonRecord);
    } catch {
      warnings.push(`${name}, record ${index + 1} from the end: it could not be scanned for secrets and is left out.`);
    }
    if (kinds.length > 0)
      warnings.push(
        `${name}, record ${index + 1} from the end: ${[...new Set(kinds)].join(', ')} is replaced by its class.`,
      );
  }
  return scanned;
}

// A text keeps its lines: what stood on several leaves as many.
function replaced(text: string, findings: readonly Finding[]): string {
  let out = '';
  let done = 0;
  for (const { kind, start, end } of findings) {
    const ends = text.slice(start, end).match(/\r\n|\n|\r/g) ?? [];
    out += `${text.slice(done, start)}[redacted:${kind}]${ends.join('')}`;
    done = end;
  }
  return out + text.slice(done);
}

function doubtful(text: string, shaped: readonly Finding[], lineOf: (at: number) => number): Map<number, string> {
  const isShaped = ({ start, end }: Finding) => shaped.some((known) => start < known.end && known.start < end);
  const left = findSecrets(text).filter((finding) => !isShaped(finding));
  return new Map(left.map(({ kind, start }) => [lineOf(start), kind]));
}

function fewer(name: string, warnings: string[]): string[] {
  const more = warnings.length - MOST_WARNINGS;
  return more > 0 ? [...warnings.slice(0, MOST_WARNINGS), `${name}: ${more} more findings.`] : warnings;
}

async function mapped<T>(read: Read<T>, change: (value: T) => Promise<T>): Promise<Read<T>> {
  return read.status === 'ok' ? { status: 'ok', value: await change(read.value) } : read;
}
