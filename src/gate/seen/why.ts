import { splitLines } from '../../code-points.ts';
import { invalidInput } from '../../errors.ts';
import { join } from '../../files/paths.ts';
import { readLastRecords, readText } from '../../files/read-file.ts';
import { isRecord, type JsonRecord, parseRecord } from '../../json.ts';
import { servedStore } from '../../memory/io/memory-files.ts';
import { readMemory } from '../../memory/read-memory.ts';
import type { AppContext, Settings, TargetLike } from '../../settings/app-context.ts';
import type { Workspace } from '../../settings/io/workspace-folders.ts';
import { type AccountedFile, accountedFile } from '../domains/accounted-files.ts';
import { standings } from '../io/read-standing.ts';
import type { transcriptUseCases } from '../sessions/sessions.ts';
import type { Origin } from '../standing/accounts.ts';
import { type HistoryEntry, historyOf } from '../standing/history.ts';

export interface Why {
  text: string;
  sources: Source[];
  /** The newest first. */
  served: { session_id: string; image_id: string | null; client: string; at: string; sha256: string }[];
  /** Contexts whose text is no longer stored. */
  not_kept: number;
}

type Sessions = Pick<ReturnType<typeof transcriptUseCases>, 'listSessions' | 'sessionRecords'>;

const MAX_SERVED = 50;

// For any line an agent was given: the decision, file or record it comes from, and in which sessions it was served.
export function whyUseCases(app: AppContext, { listSessions, sessionRecords }: Sessions) {
  const sourcesOf = async (target: TargetLike | null) => {
    const settings = await app.settings();
    const workspace = target === null ? null : settings.workspace(target);
    const { context } = await readMemory(settings, workspace);
    return lineSources(app, settings, workspace, context.brief.tastes);
  };
  const store = async () => {
    const settings = await app.settings();
    return servedStore(settings.home, settings.number('keep_served'), app.now);
  };

  return {
    async why(text: string, target: TargetLike = {}): Promise<Why> {
      const wanted = text.trim();
      if (wanted === '') throw invalidInput('Which text?', 'For example: bearings why "The white balance runs cool"');
      const { id } = (await app.settings()).workspace(target);
      const sources = (await sourcesOf(target)).holding(wanted);
      const { read } = await store();
      const served: Why['served'] = [];
      const lost = new Set<string>();
      const known = new Map<string, boolean>();
      const holding = new Map<string, ServedPart>();
      const holds = (hash: string): boolean => {
        const whole = read(hash) ?? '';
        if (whole === '') lost.add(hash);
        // As a reader sees it: in JSON quotes and line ends are escaped.
        const parts = servedParts(whole).filter(({ lines }) => lines.join('\n').includes(wanted));
        for (const part of parts) if (!holding.has(part.file)) holding.set(part.file, part);
        return parts.length > 0 || whole.includes(wanted);
      };
      for (const { session_id, image_id, client } of await listSessions(id))
        for (const { type, at, sha256 } of (await sessionRecords(session_id, image_id)).records)
          if (type === 'context_served' && typeof sha256 === 'string') {
            if (!known.has(sha256)) known.set(sha256, holds(sha256));
            if (known.get(sha256)) served.push({ session_id, image_id, client, at: String(at), sha256 });
          }
      served.sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0));
      // What was served says itself which file it is of, also where that has changed past the gate.
      for (const { kind, file } of holding.values())
        if (kind !== 'memory' && kind !== 'text' && !sources.some((each) => each.kind === kind && each.file === file))
          sources.push(sourceOf(kind, file, { gone: kind !== 'file' }));
      return { text: wanted, sources, served: served.slice(0, MAX_SERVED), not_kept: lost.size };
    },

    /** What an agent was given; null: it is no longer stored. */
    async servedText(hash: string): Promise<string | null> {
      return (await store()).read(hash);
    },
  };
}

const MAX_RECORDS = 5_000;
const RECORD_FILES = { log: 'log.jsonl', gap: 'vocabulary_gaps.jsonl' } as const;

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

function sourceOf(kind: Source['kind'], file: string, rest: Partial<Source> = {}): Source {
  return { kind, file, line: null, origin: null, record: null, gone: false, ...rest };
}

function lineSources(app: AppContext, settings: Settings, workspace: Workspace | null, declared: readonly string[]) {
  const { of } = standings(app);
  // A file with the decisions behind its blocks, and all that were ever made on it, the newest first.
  const readFile = (kind: TextKind, place: AccountedFile) => {
    const read = readText(place.path, place.scope);
    const text = read.status === 'ok' ? read.value.text : '';
    const { blocks = [], decisions = [] } = of(place.at).files.get(place.file) ?? {};
    const file = kind === 'taste' ? place.target : place.file;
    return { kind, file, text, blocks, decisions: historyOf(decisions).reverse() };
  };
  type MemoryFile = ReturnType<typeof readFile>;
  const readTastes = (names: readonly string[]) =>
    names.map((name) => readFile('taste', accountedFile(settings, null, `${name}.md`)));
  const files = [
    ...readTastes([...new Set(['_default', ...declared])]),
    ...(workspace ? [readFile('brief', accountedFile(settings, workspace, 'brief.md'))] : []),
    ...(workspace ? [readFile('notes', accountedFile(settings, workspace, 'notes.md'))] : []),
  ];
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

  return {
    /** Where a text is that may be a part of a line, or several lines. */
    holding(wanted: string): Source[] {
      const ofFiles = files.flatMap((file) => {
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
  };
}

function originOf(entry: HistoryEntry): Omit<Origin, 'key'> {
  const { decision, decision_id, at, who, client, proposed_by, proposal_id, session_id, edited } = entry;
  const { machine, seq, signed_by } = entry;
  return {
    decision,
    decision_id,
    at,
    who,
    client,
    proposed_by,
    proposal_id,
    session_id,
    edited,
    machine,
    seq,
    signed_by,
  };
}

/** Every string in a value. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
}

/** From 0: where it begins. */
function linesHolding(text: string, wanted: string): number[] {
  const lines = new Set<number>();
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + wanted.length))
    lines.add(text.slice(0, at).split(/\r\n|\n|\r/).length - 1);
  return [...lines];
}

/** Lines of one file in what an agent was given. `memory`: of several files of a workspace. `text`: of any, with words of our own between them. */
interface ServedPart {
  kind: Source['kind'] | 'memory' | 'text';
  file: string;
  lines: string[];
}

/** A file of a bundle that holds notes, log and gaps of the workspace. */
const TACTICAL = 'tactical/memory';

// A context and a bundle say themselves which file each of their lines is of.
function servedParts(text: string): ServedPart[] {
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
