import { readLastRecords } from '../../files/last-records.ts';
import { join } from '../../files/paths.ts';
import { readText } from '../../files/read-text.ts';
import { isRecord, type JsonRecord, parseRecord } from '../../json-record.ts';
import { splitLines } from '../../lines.ts';
import type { Settings, TargetLike } from '../../settings/app-context.ts';
import type { Workspace } from '../../settings/io/workspace-folders.ts';
import type { Blame } from '../accounting/blame.ts';
import type { FileHistory } from '../accounting/go-back.ts';
import { accountedBrief, accountedNotes, accountedTaste } from '../domains/accounted-files.ts';
import type { Origin } from '../standing/accounts.ts';
import type { HistoryEntry } from '../standing/history.ts';

export interface Accounting {
  blame(file: string, target?: TargetLike): Promise<Blame>;
  history(file: string, target?: TargetLike): Promise<FileHistory>;
}

export type LineSources = ReturnType<typeof lineSources>;

const MOST_RECORDS = 5_000;
const RECORD_FILES = { log: 'log.jsonl', gap: 'vocabulary_gaps.jsonl' } as const;
// Words of our own where a text was shortened.
const SHORTENED = /^\.\.\. \[\d+ (?:lines elided|characters cut)\] \.\.\.$/;

type TextKind = 'taste' | 'brief' | 'notes';
type RecordKind = keyof typeof RECORD_FILES;

interface TextFile {
  kind: TextKind;
  file: string;
  text: string;
  lines: string[];
}

export function lineSources(
  settings: Settings,
  workspace: Workspace | null,
  { tastes, accounting: { blame, history } }: { tastes: readonly string[]; accounting: Accounting },
) {
  const target = { id: workspace?.id };
  const texts = new Map<string, TextFile | null>();
  const blames = new Map<string, Promise<Blame | null>>();
  const histories = new Map<string, Promise<FileHistory | null>>();
  const records = new Map<RecordKind, JsonRecord[]>();
  const once = <T>(known: Map<string, Promise<T>>, file: string, ask: () => Promise<T>): Promise<T> => {
    const value = known.get(file) ?? ask();
    known.set(file, value);
    return value;
  };

  const textOf = (kind: TextKind, file: string): TextFile | null => {
    const known = texts.get(file);
    if (known !== undefined) return known;
    const place = placeOf(settings, workspace, kind, file);
    const read = place === null ? null : readText(place.path, place.scope);
    const text = read?.status === 'ok' ? read.value.text : null;
    const found = text === null ? null : { kind, file, text, lines: splitLines(text) };
    texts.set(file, found);
    return found;
  };
  const originAt = async (file: string, line: number): Promise<Origin | null> => {
    const found = await once(blames, file, () => blame(file, target).catch(() => null));
    return found?.blocks.find(({ first_line, last_line }) => first_line <= line && line <= last_line)?.origin ?? null;
  };
  const standing = async ({ kind, file }: TextFile, at: number): Promise<Source> => ({
    ...{ kind, file, line: at + 1, record: null, gone: false },
    origin: await originAt(file, at + 1),
  });
  // The newest decision that brought it: what was replaced or taken out since is still told.
  const decided = async (kind: TextKind, file: string, holds: (text: string) => boolean): Promise<Source[]> => {
    const found = await once(histories, file, () => history(file, target).catch(() => null));
    const entry = found?.decisions.find(
      ({ decision, added }) => decision !== 'decline' && added.some(({ text }) => text !== null && holds(text)),
    );
    return entry ? [{ kind, file, line: null, origin: originOf(entry), record: null, gone: true }] : [];
  };
  const recordsOf = (kind: RecordKind): JsonRecord[] => {
    if (workspace === null) return [];
    const known = records.get(kind);
    if (known) return known;
    const tail = readLastRecords(join(workspace.folder, RECORD_FILES[kind]), workspace.scope, MOST_RECORDS);
    const found = tail.status === 'ok' ? tail.value.records : [];
    records.set(kind, found);
    return found;
  };
  const recorded = (kind: RecordKind, record: JsonRecord): Source => ({
    ...{ kind, file: RECORD_FILES[kind], line: null, origin: null, record },
    gone: !recordsOf(kind).some(({ timestamp }) => timestamp === record.timestamp),
  });
  const files = (): [TextKind, string][] => [
    ...['_default', ...tastes.filter((name) => name !== '_default')].map((name): [TextKind, string] => [
      'taste',
      `tastes/${name}.md`,
    ]),
    ...(workspace === null
      ? []
      : ([
          ['brief', 'brief.md'],
          ['notes', 'notes.md'],
        ] as [TextKind, string][])),
  ];

  const lineIn = async (kind: TextKind, file: string, line: string): Promise<Source | null> => {
    const found = textOf(kind, file);
    if (!found) return null;
    const same = found.lines.indexOf(line);
    // A long line may have been cut.
    const at = same === -1 ? found.lines.findIndex((each) => each.includes(line)) : same;
    return at === -1 ? null : standing(found, at);
  };
  const anywhere = async (line: string): Promise<Source[]> => {
    const record = evidenceIn(line);
    if (record) return [recorded(record.kind, record.record)];
    // Texts of a repository are quoted in a hook's text.
    const said = [line, line.replace(/^> /, '')].filter((each, at, all) => all.indexOf(each) === at);
    for (const each of said) {
      const exact: Source[] = [];
      for (const [kind, file] of files()) {
        const found = textOf(kind, file);
        const at = found?.lines.indexOf(each) ?? -1;
        if (found && at !== -1) exact.push(await standing(found, at));
      }
      if (exact.length > 0) return exact;
    }
    for (const [kind, file] of files())
      for (const each of said) {
        const earlier = await decided(kind, file, (text) => splitLines(text).includes(each));
        if (earlier.length > 0) return earlier;
      }
    return [];
  };

  return {
    /** Where a text is that may be a part of a line, or several lines. */
    async holding(wanted: string): Promise<Source[]> {
      const sources: Source[] = [];
      for (const [kind, file] of files()) {
        const found = textOf(kind, file);
        const places = found ? offsetsOf(found.text, wanted).map((offset) => lineAt(found.text, offset)) : [];
        for (const at of new Set(places)) if (found) sources.push(await standing(found, at));
        if (places.length === 0) sources.push(...(await decided(kind, file, (text) => text.includes(wanted))));
      }
      for (const kind of ['log', 'gap'] as const)
        for (const record of recordsOf(kind))
          if (textsOf(record).some((text) => text.includes(wanted))) sources.push(recorded(kind, record));
      return sources;
    },

    /** For one line of what was served. Empty: it is of our own words, or of what nobody knows any more. */
    async ofLine({ kind, file }: ServedPart, line: string): Promise<Source[]> {
      if (line.trim() === '' || SHORTENED.test(line)) return [];
      switch (kind) {
        case 'file':
          return [{ kind, file, line: null, origin: null, record: null, gone: false }];
        case 'log':
        case 'gap': {
          const record = parseRecord(line);
          return record ? [recorded(kind, record)] : [];
        }
        case 'memory':
        case 'text':
          return anywhere(line);
        default: {
          const found = await lineIn(kind, file, line);
          if (found) return [found];
          const earlier = await decided(kind, file, (text) => text.includes(line));
          return earlier.length > 0 ? earlier : [{ kind, file, line: null, origin: null, record: null, gone: true }];
        }
      }
    },
  };
}

function placeOf(settings: Settings, workspace: Workspace | null, kind: TextKind, file: string) {
  if (kind === 'taste') return accountedTaste(settings, file.slice('tastes/'.length, -'.md'.length));
  if (workspace === null) return null;
  return kind === 'brief' ? accountedBrief(settings, workspace) : accountedNotes(settings, workspace);
}

function originOf(entry: HistoryEntry): Omit<Origin, 'key'> {
  const { decision, at, who, client, proposed_by, proposal_id, session_id, edited, machine, seq, signed_by } = entry;
  return { decision, at, who, client, proposed_by, proposal_id, session_id, edited, machine, seq, signed_by };
}

/** Every string in a value. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsOf);
}

// One line of evidence, as it is in a text: {"log":{…}}
function evidenceIn(line: string): { kind: RecordKind; record: JsonRecord } | null {
  const value = line.startsWith('{"') ? parseRecord(line) : null;
  const [[kind, record] = []] = value ? Object.entries(value) : [];
  return (kind === 'log' || kind === 'gap') && isRecord(record) ? { kind, record } : null;
}

function offsetsOf(text: string, wanted: string): number[] {
  const found: number[] = [];
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + wanted.length)) found.push(at);
  return found;
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split(/\r\n|\n|\r/).length - 1;
}

/** Where a line that an agent was given is. */
export interface Source {
  kind: 'taste' | 'brief' | 'notes' | 'log' | 'gap' | 'file';
  /** Of memory: its name. Of a bundle: the path in the project. */
  file: string;
  /** Null where a record or a bundle has none, and where it is no longer there. */
  line: number | null;
  /** The decision behind it; null: none, or none is asked for. */
  origin: Omit<Origin, 'key'> | null;
  /** Of a log or gap record, as it is. */
  record: JsonRecord | null;
  /** It was there and is not any more. */
  gone: boolean;
}

/** `memory`: of several files of a workspace. `text`: of any, with words of our own between them. */
type PartKind = 'taste' | 'brief' | 'notes' | 'log' | 'gap' | 'file' | 'memory' | 'text';

/** Lines of one file in what an agent was given. */
export interface ServedPart {
  kind: PartKind;
  file: string;
  lines: string[];
}

const DEFAULT_TASTE = 'tastes/_default.md';

/** A file of a bundle that holds notes, log and gaps of the workspace. */
const TACTICAL = 'tactical/memory';

// A context and a bundle say themselves which file each of their lines is of.
export function servedParts(text: string): ServedPart[] {
  const value = parseWhole(text);
  if (!isRecord(value)) return [{ kind: 'text', file: '', lines: splitLines(text) }];
  const parts = Array.isArray(value.files) ? bundleParts(value.files) : contextParts(value);
  return parts.filter(({ lines }) => lines.length > 0);
}

function contextParts({ tastes, brief, notes, recent_log, recent_gaps }: JsonRecord): ServedPart[] {
  const of = (kind: PartKind, file: string, text: unknown): ServedPart => ({
    kind,
    file,
    lines: typeof text === 'string' ? splitLines(text) : [],
  });
  const genres = isRecord(tastes) && isRecord(tastes.genres) ? Object.entries(tastes.genres) : [];
  return [
    of('taste', DEFAULT_TASTE, isRecord(tastes) ? tastes.default : null),
    ...genres.map(([name, text]) => of('taste', `tastes/${name}.md`, text)),
    of('brief', 'brief.md', isRecord(brief) ? brief.raw : null),
    of('notes', 'notes.md', isRecord(notes) ? notes.summary : null),
    { kind: 'log', file: 'log.jsonl', lines: recordLines(recent_log) },
    { kind: 'gap', file: 'vocabulary_gaps.jsonl', lines: recordLines(recent_gaps) },
  ];
}

function bundleParts(files: readonly unknown[]): ServedPart[] {
  return files.flatMap((file) => {
    if (!isRecord(file) || typeof file.path !== 'string' || typeof file.excerpt !== 'string') return [];
    const kind = file.path === TACTICAL ? 'memory' : 'file';
    return [{ kind, file: file.path, lines: splitLines(file.excerpt) }];
  });
}

function recordLines(records: unknown): string[] {
  return Array.isArray(records) ? records.map((record) => JSON.stringify(record)) : [];
}

function parseWhole(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
