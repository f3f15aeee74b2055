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

const MAX_RECORDS = 5_000;
const RECORD_FILES = { log: 'log.jsonl', gap: 'vocabulary_gaps.jsonl' } as const;
// Words of our own where a text was shortened.
const SHORTENED = /^\.\.\. \[\d+ (?:lines elided|characters cut)\] \.\.\.$/;

type TextKind = 'taste' | 'brief' | 'notes';
type RecordKind = keyof typeof RECORD_FILES;

/** Where a line that an agent was given is. */
export interface Source {
  kind: TextKind | RecordKind | 'file';
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

export function sourceOf(kind: Source['kind'], file: string, rest: Partial<Source> = {}): Source {
  return { kind, file, line: null, origin: null, record: null, gone: false, ...rest };
}

export function lineSources(
  settings: Settings,
  workspace: Workspace | null,
  { tastes, accounting: { blame, history } }: { tastes: readonly string[]; accounting: Accounting },
) {
  const target = { id: workspace?.id };
  // A file with the decisions behind its blocks, and all that were ever made on it.
  const readFile = async (kind: TextKind, file: string) => {
    const place = placeOf(settings, workspace, kind, file);
    const read = place && readText(place.path, place.scope);
    const text = read?.status === 'ok' ? read.value.text : '';
    const { blocks = [] } = (await blame(file, target).catch(() => null)) ?? {};
    const { decisions = [] } = (await history(file, target).catch(() => null)) ?? {};
    return { kind, file, text, lines: splitLines(text), blocks, decisions };
  };
  type MemoryFile = Awaited<ReturnType<typeof readFile>>;
  const known = new Map<string, Promise<MemoryFile>>();
  const fileOf = (kind: TextKind, file: string): Promise<MemoryFile> => {
    const read = known.get(file) ?? readFile(kind, file);
    known.set(file, read);
    return read;
  };
  const files = () =>
    Promise.all([
      ...[...new Set(['_default', ...tastes])].map((name) => fileOf('taste', `tastes/${name}.md`)),
      ...(workspace === null ? [] : [fileOf('brief', 'brief.md'), fileOf('notes', 'notes.md')]),
    ]);

  const standing = ({ kind, file, blocks }: MemoryFile, at: number): Source => {
    const block = blocks.find(({ first_line, last_line }) => first_line <= at + 1 && at < last_line);
    return sourceOf(kind, file, { line: at + 1, origin: block?.origin ?? null });
  };
  // The newest decision that brought it: what was replaced or taken out since is still told.
  const decided = ({ kind, file, decisions }: MemoryFile, holds: (text: string) => boolean): Source[] => {
    const entry = decisions.find(
      ({ decision, added }) => decision !== 'decline' && added.some(({ text }) => text !== null && holds(text)),
    );
    return entry ? [sourceOf(kind, file, { origin: originOf(entry), gone: true })] : [];
  };

  const records = new Map<RecordKind, JsonRecord[]>();
  const recordsOf = (kind: RecordKind): JsonRecord[] => {
    const path = join(workspace?.folder ?? '', RECORD_FILES[kind]);
    const tail = workspace && !records.has(kind) ? readLastRecords(path, workspace.scope, MAX_RECORDS) : null;
    if (tail) records.set(kind, tail.status === 'ok' ? tail.value.records : []);
    return records.get(kind) ?? [];
  };
  const recorded = (kind: RecordKind, record: JsonRecord): Source =>
    sourceOf(kind, RECORD_FILES[kind], {
      record,
      gone: !recordsOf(kind).some(({ timestamp }) => timestamp === record.timestamp),
    });

  const anywhere = async (line: string): Promise<Source[]> => {
    const record = evidenceIn(line);
    if (record) return [recorded(record.kind, record.record)];
    // Texts of a repository are quoted in a hook's text.
    const forms = [...new Set([line, line.replace(/^> /, '')])];
    const all = await files();
    for (const form of forms) {
      const exact = all.map((file) => [file, file.lines.indexOf(form)] as const).filter(([, at]) => at !== -1);
      if (exact.length > 0) return exact.map(([file, at]) => standing(file, at));
    }
    const earlier = all.flatMap((file) =>
      forms.flatMap((form) => decided(file, (text) => splitLines(text).includes(form))),
    );
    return earlier.slice(0, 1);
  };

  return {
    /** Where a text is that may be a part of a line, or several lines. */
    async holding(wanted: string): Promise<Source[]> {
      const ofFiles = (await files()).flatMap((file) => {
        const lines = linesHolding(file.text, wanted);
        return lines.length > 0
          ? lines.map((at) => standing(file, at))
          : decided(file, (text) => text.includes(wanted));
      });
      const ofRecords = (['log', 'gap'] as const).flatMap((kind) =>
        recordsOf(kind)
          .filter((record) => textsOf(record).some((text) => text.includes(wanted)))
          .map((record) => recorded(kind, record)),
      );
      return [...ofFiles, ...ofRecords];
    },

    /** For one line of what was served. Empty: it is of our own words, or of what nobody knows any more. */
    async ofLine({ kind, file }: ServedPart, line: string): Promise<Source[]> {
      if (line.trim() === '' || SHORTENED.test(line)) return [];
      if (kind === 'file') return [sourceOf(kind, file)];
      if (kind === 'memory' || kind === 'text') return anywhere(line);
      if (kind === 'log' || kind === 'gap') {
        const record = parseRecord(line);
        return record ? [recorded(kind, record)] : [];
      }
      const read = await fileOf(kind, file);
      const same = read.lines.indexOf(line);
      // A long line may have been cut.
      const at = same === -1 ? read.lines.findIndex((each) => each.includes(line)) : same;
      if (at !== -1) return [standing(read, at)];
      const earlier = decided(read, (text) => text.includes(line));
      return earlier.length > 0 ? earlier : [sourceOf(kind, file, { gone: true })];
    },
  };
}

function placeOf(settings: Settings, workspace: Workspace | null, kind: TextKind, file: string) {
  if (kind === 'taste') return accountedTaste(settings, file.slice('tastes/'.length, -'.md'.length));
  return workspace && (kind === 'brief' ? accountedBrief : accountedNotes)(settings, workspace);
}

function originOf(entry: HistoryEntry): Omit<Origin, 'key'> {
  const { decision, at, who, client, proposed_by, proposal_id, session_id, edited, machine, seq, signed_by } = entry;
  return { decision, at, who, client, proposed_by, proposal_id, session_id, edited, machine, seq, signed_by };
}

/** Every string in a value. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
}

// One line of evidence, as it is in a text: {"log":{…}}
function evidenceIn(line: string): { kind: RecordKind; record: JsonRecord } | null {
  const value = line.startsWith('{"') ? parseRecord(line) : null;
  const [[kind, record] = []] = value ? Object.entries(value) : [];
  return (kind === 'log' || kind === 'gap') && isRecord(record) ? { kind, record } : null;
}

/** From 0: where it begins. */
function linesHolding(text: string, wanted: string): number[] {
  const lines = new Set<number>();
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + wanted.length))
    lines.add(text.slice(0, at).split(/\r\n|\n|\r/).length - 1);
  return [...lines];
}

/** Lines of one file in what an agent was given. `memory`: of several files of a workspace. `text`: of any, with words of our own between them. */
export interface ServedPart {
  kind: Source['kind'] | 'memory' | 'text';
  file: string;
  lines: string[];
}

/** A file of a bundle that holds notes, log and gaps of the workspace. */
const TACTICAL = 'tactical/memory';

// A context and a bundle say themselves which file each of their lines is of.
export function servedParts(text: string): ServedPart[] {
  const value = parseRecord(text);
  if (!value) return [{ kind: 'text', file: '', lines: splitLines(text) }];
  const parts = Array.isArray(value.files) ? value.files.flatMap(bundlePart) : contextParts(value);
  return parts.filter(({ lines }) => lines.length > 0);
}

function contextParts({ tastes, brief, notes, recent_log, recent_gaps }: JsonRecord): ServedPart[] {
  const part = (kind: TextKind, file: string, holder: unknown, key: string): ServedPart => {
    const text = isRecord(holder) ? holder[key] : null;
    return { kind, file, lines: typeof text === 'string' ? splitLines(text) : [] };
  };
  const recordPart = (kind: RecordKind, records: unknown): ServedPart => ({
    ...{ kind, file: RECORD_FILES[kind] },
    lines: Array.isArray(records) ? records.map((record) => JSON.stringify(record)) : [],
  });
  const genres = isRecord(tastes) && isRecord(tastes.genres) ? tastes.genres : {};
  return [
    part('taste', 'tastes/_default.md', tastes, 'default'),
    ...Object.keys(genres).map((name) => part('taste', `tastes/${name}.md`, genres, name)),
    part('brief', 'brief.md', brief, 'raw'),
    part('notes', 'notes.md', notes, 'summary'),
    recordPart('log', recent_log),
    recordPart('gap', recent_gaps),
  ];
}

function bundlePart(file: unknown): ServedPart[] {
  if (!isRecord(file) || typeof file.path !== 'string' || typeof file.excerpt !== 'string') return [];
  const kind = file.path === TACTICAL ? 'memory' : 'file';
  return [{ kind, file: file.path, lines: splitLines(file.excerpt) }];
}
