import { invalidInput } from '../errors.ts';
import { join } from '../files/paths.ts';
import { readLastRecords, readText, textOf } from '../files/read-file.ts';
import { isRecord, type JsonRecord, parseRecord } from '../json.ts';
import { type Block, type FoundBlock, numberedBlocks, searchBlocks } from '../matching/search-blocks.ts';
import { BRIEF } from '../memory/brief-and-notes.ts';
import { readMemory, scanned } from '../memory/read-memory.ts';
import type { AppContext, Settings, TargetLike } from '../settings/app-context.ts';
import type { Workspace } from '../settings/io/workspace-folders.ts';
import { accountedIn, faultWarning, unaccountedWarning } from './accounting/unaccounted.ts';
import { type AccountedFile, memoryTexts, servedFiles } from './domains/accounted-files.ts';
import { standings } from './io/read-standing.ts';
import { fromRecords, STANDING_SESSION } from './io/transcript-reader.ts';
import { inOrder } from './ledger/home-state.ts';
import { servedTexts } from './sessions/sessions.ts';
import { type Origin, originOf } from './standing/accounts.ts';
import type { Standing } from './standing/standing.ts';

const MAX_FOUND = 50;
const MAX_FOR_AGENT = 20;
const TEXT_KEYS = ['text', 'content', 'edited_content', 'reason'] as const;

export function searchUseCases(app: AppContext) {
  return {
    /** Tastes, briefs, notes, the archive, decisions with their reasons and transcripts; the best first. */
    search(settings: Settings, words: string, id?: string): FoundBlock[] {
      assertWords(words);
      const of = placesOf(settings, id);
      const files = memoryTexts(settings, of).flatMap(({ target, text }) => numberedBlocks(target, text));
      return searchBlocks([...files, ...sessionBlocks(settings, of, newTexts(files))], words, MAX_FOUND);
    },

    /** What is told beside what was found: how much of memory no decision stands behind. */
    async searchWarnings(settings: Settings, id?: string): Promise<string[]> {
      return unaccountedWarning(await accountedIn(app, settings, memoryTexts(settings, placesOf(settings, id))));
    },

    /** Only what an agent may read there: the tastes that hold, the brief, the notes. */
    async searchServed(settings: Settings, words: string, target: TargetLike) {
      assertWords(words);
      const workspace = settings.workspace(target);
      const { context } = await readMemory(settings, workspace);
      const whole = textOf(join(workspace.folder, 'notes.md'), workspace.scope) ?? '';
      const notes = await scanned(workspace, 'notes.md', whole);
      const blocks = [
        ...numberedBlocks('tastes/_default.md', context.tastes.default),
        ...Object.entries(context.tastes.genres).flatMap(([name, text]) => numberedBlocks(`tastes/${name}.md`, text)),
        ...numberedBlocks('brief.md', context.brief.raw),
        ...numberedBlocks('notes.md', notes.text),
      ];
      return { image_id: workspace.id, found: searchBlocks(blocks, words, MAX_FOR_AGENT) };
    },
  };
}

function placesOf(settings: Settings, id: string | undefined): Workspace | 'all' {
  return id === undefined ? 'all' : settings.workspace({ id });
}

function assertWords(words: string): void {
  if (words.trim() === '')
    throw invalidInput('What should be searched for?', 'For example: bearings search "white balance"');
}

// A text that was accepted is in its file, and a transcript holds it at its call and at its proposal: it is found once.
function newTexts(files: readonly Block[]): (text: string) => boolean {
  const known = new Set(files.map(({ text }) => text.trim()));
  return (text) => {
    const blocks = numberedBlocks('', text).map((block) => block.text.trim());
    const isNew = blocks.some((block) => !known.has(block));
    for (const block of blocks) known.add(block);
    return isNew;
  };
}

function sessionBlocks(settings: Settings, of: Workspace | 'all', isNew: (text: string) => boolean): Block[] {
  return fromRecords(settings, of, (record, { session_id, line }) => {
    const text = saidIn(record).filter(isNew).join('\n');
    const from = session_id === STANDING_SESSION ? 'from the command line' : `in session ${session_id}`;
    return text === '' ? [] : [{ place: `${String(record.type)} ${from}`, line, text }];
  });
}

// What somebody wrote; ids, sizes and hashes are not searched for.
function saidIn(record: JsonRecord): string[] {
  const said = [record, record.proposal, record.arguments]
    .filter(isRecord)
    .flatMap((part) => TEXT_KEYS.map((key) => part[key]));
  return said.filter((value): value is string => typeof value === 'string' && value !== '');
}

export type Why = Awaited<ReturnType<ReturnType<typeof whyUseCases>['why']>>;

type SourceKind = 'taste' | 'brief' | 'notes' | 'log' | 'gap' | 'file';
type Source = ReturnType<typeof sourceOf>;

const BRINGS_NOTHING = /^(?:decline|remove|retire)$/;
const MAX_SERVED = 50;
const MAX_RECORDS = 5_000;
const RECORD_FILES = { log: 'log.jsonl', gap: 'vocabulary_gaps.jsonl' } as const;
/** A file of a bundle that holds notes, log and gaps of the workspace. */
const TACTICAL = 'tactical/memory';

// For any line an agent was given: the decision, file or record it comes from, and in which sessions it was served.
export function whyUseCases(app: AppContext) {
  return {
    async why(settings: Settings, text: string, target: TargetLike = {}) {
      const wanted = text.trim();
      if (wanted === '') throw invalidInput('Which text?', 'For example: bearings why "The white balance runs cool"');
      const workspace = settings.workspace(target);
      const { context } = await readMemory(settings, workspace);
      const files = servedFiles(settings, workspace, context.brief.tastes);
      const { home, of } = standings(app);
      const sources = files.flatMap((place) => sourcesIn(of(place.at), place, wanted));
      const ledgers = new Set([home().decided, ...files.map(({ at }) => of(at))]);
      const warnings = faultWarning([...ledgers].flatMap(({ faults }) => faults));
      sources.push(...recordsWith(workspace, wanted));
      const { holds, parts, lost } = servedSearch(app, settings, wanted);
      const served = fromRecords(settings, workspace, ({ type, at, sha256 }, { session_id, image_id, client }) =>
        type === 'context_served' && typeof sha256 === 'string' && holds(sha256)
          ? [{ session_id, image_id, client, at: String(at), sha256 }]
          : [],
      );
      served.sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0));
      // What was served says itself which file it is of, also where that has changed past the gate.
      for (const { kind, file } of parts.values())
        if (!sources.some((each) => each.kind === kind && each.file === file))
          sources.push(sourceOf(kind, file, { gone: kind !== 'file' }));
      /** In which sessions it was served, the newest first; contexts whose text is no longer stored. */
      return { text: wanted, sources, served: served.slice(0, MAX_SERVED), not_kept: lost.size, warnings };
    },

    /** What an agent was given; null: it is no longer stored. */
    servedText: (settings: Settings, hash: string): string | null => servedTexts(app, settings).read(hash),
  };
}

/** Where a line that an agent was given is: in a file of memory by its name, or by its path in the project of a bundle. */
function sourceOf(
  kind: SourceKind,
  file: string,
  {
    line = null,
    origin = null,
    record = null,
    gone = false,
  }: {
    /** Null where a record or a bundle has none, and where it is no longer there. */
    line?: number | null;
    /** The decision behind it; null: none, or none is asked for. */
    origin?: Origin | null;
    /** Of a log or gap, as it is. */
    record?: JsonRecord | null;
    /** It was there and is not any more. */
    gone?: boolean;
  } = {},
) {
  return { kind, file, line, origin, record, gone };
}

// Where it is in a file; else the newest decision that brought it there, since what was replaced or taken out is still told.
function sourcesIn({ files }: Standing, place: AccountedFile, wanted: string): Source[] {
  const read = readText(place.path, place.scope);
  const { blocks = [], decisions = [] } = files.get(place.file) ?? {};
  const kind = place.kind === 'taste' ? 'taste' : place.file === BRIEF ? 'brief' : 'notes';
  const file = kind === 'taste' ? place.target : place.file;
  const lines = read.status === 'ok' ? linesHolding(read.value.text, wanted) : [];
  if (lines.length > 0)
    return lines.map((line) => {
      const block = blocks.find(({ first_line, last_line }) => first_line <= line && line <= last_line);
      return sourceOf(kind, file, { line, origin: block?.origin ?? null });
    });
  const brought = inOrder(decisions).findLast(
    ({ entry: { decision }, said }) =>
      !BRINGS_NOTHING.test(decision) && said.blocks.some(({ text }) => text?.includes(wanted)),
  );
  return brought ? [sourceOf(kind, file, { origin: originOf(brought), gone: true })] : [];
}

function recordsWith({ folder, scope }: Workspace, wanted: string): Source[] {
  return (['log', 'gap'] as const).flatMap((kind) => {
    const tail = readLastRecords(join(folder, RECORD_FILES[kind]), scope, MAX_RECORDS);
    const records = tail.status === 'ok' ? tail.value.records : [];
    return records
      .filter((record) => says(record, wanted))
      .map((record) => sourceOf(kind, RECORD_FILES[kind], { record }));
  });
}

// Each text is read once, however often it was served. `parts`: what of them says it, by file; `lost`: those no longer stored.
function servedSearch(app: AppContext, settings: Settings, wanted: string) {
  const { read } = servedTexts(app, settings);
  const known = new Map<string, boolean>();
  const parts = new Map<string, { kind: SourceKind; file: string }>();
  const lost = new Set<string>();
  const look = (hash: string): boolean => {
    const whole = read(hash);
    if (whole === null) lost.add(hash);
    const value = parseRecord(whole ?? '');
    for (const [kind, file, said] of value ? servedParts(value) : [])
      if (says(said, wanted)) parts.set(file, { kind, file });
    // As a reader sees it: in JSON quotes and line ends are escaped.
    return whole?.includes(wanted) || says(value, wanted);
  };
  const holds = (hash: string): boolean => {
    const isIn = known.get(hash) ?? look(hash);
    known.set(hash, isIn);
    return isIn;
  };
  return { holds, parts, lost };
}

// A context and a bundle say themselves which file each of their lines is of.
function servedParts({ files, tastes, brief, notes, recent_log, recent_gaps }: JsonRecord) {
  const fieldsOf = (value: unknown): JsonRecord => (isRecord(value) ? value : {});
  const { default: own, genres } = fieldsOf(tastes);
  const bundled = (Array.isArray(files) ? files : []).map(fieldsOf).filter(({ path }) => path !== TACTICAL);
  const parts: [kind: SourceKind, file: string, said: unknown][] = [
    ['taste', 'tastes/_default.md', own],
    ['brief', BRIEF, fieldsOf(brief).raw],
    ['notes', 'notes.md', fieldsOf(notes).summary],
    ['log', RECORD_FILES.log, recent_log],
    ['gap', RECORD_FILES.gap, recent_gaps],
  ];
  for (const [name, said] of Object.entries(fieldsOf(genres))) parts.push(['taste', `tastes/${name}.md`, said]);
  for (const { path, excerpt } of bundled) parts.push(['file', String(path), excerpt]);
  return parts;
}

/** Any text in a value. */
function says(value: unknown, wanted: string): boolean {
  if (typeof value === 'string') return value.includes(wanted);
  return typeof value === 'object' && value !== null && Object.values(value).some((each) => says(each, wanted));
}

/** From 1: where it begins. */
function linesHolding(text: string, wanted: string): number[] {
  const lines = new Set<number>();
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + wanted.length))
    lines.add(text.slice(0, at).split(/\r\n|\n|\r/).length);
  return [...lines];
}
