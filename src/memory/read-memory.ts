import { codePointLength, splitLines } from '../code-points.ts';
import { invalidInput, ioFault, notFound } from '../errors.ts';
import { join } from '../files/paths.ts';
import { decode, type FileResult, readLastRecords, readRange, readText, withFile } from '../files/read-file.ts';
import { shownName } from '../safety/hidden-characters.ts';
import type { AppContext, Settings, TargetLike } from '../settings/app-context.ts';
import type { Workspace } from '../settings/io/workspace-folders.ts';
import { elidedHeadings, hasTooManyBlocks, MAX_SCANNED_BYTES, parseBrief } from './brief-and-notes.ts';
import { type ClipLimits, clipEnd } from './clip-context.ts';

import { EVIDENCE_LINE, evidenceLines } from './evidence.ts';
import { countLines, readNotes, readNotesWindow, tasteFolder } from './io/memory-files.ts';
import { type ContextReading, type ContextSource, notUtf8, readContext, toGap, toLogItem } from './read-context.ts';
import type { Scanned } from './repository-memory.ts';

const MAX_NOTES_WINDOW = 2000;
const SCAN_MARGIN_LINES = 200;

export type NotesAnswer = ReturnType<typeof windowAnswer>;
export type BriefAnswer = Awaited<ReturnType<ReturnType<typeof memoryUseCases>['readBrief']>>;

export function memoryUseCases(app: AppContext) {
  const workspaceId = async (target: TargetLike): Promise<string> => (await app.settings()).workspace(target).id;
  return {
    workspaceId,

    /** The id a target leads to; null where it leads nowhere. */
    workspaceKey: (target: TargetLike): Promise<string | null> => workspaceId(target).catch(() => null),

    async readFullNotes(
      target: TargetLike = {},
      options: LineWindow & { forAgent?: boolean } = {},
    ): Promise<NotesAnswer> {
      const { offset, wanted } = windowOf(options);
      const settings = await app.settings();
      const workspace = settings.workspace(target);
      // A key that begins before the window, or ends after it, is seen whole.
      const margin = workspace.kind === 'home' ? 0 : SCAN_MARGIN_LINES;
      const from = Math.max(0, offset - margin);
      const window = readNotesWindow(join(workspace.folder, 'notes.md'), workspace.scope, settings.lineCounts, {
        offset: from,
        limit: wanted + offset - from + margin,
      });
      if (window.status === 'unreadable') throw cantRead('notes.md', window.reason);
      const none = { lines: [], totalLines: 0, valid: true };
      const { lines: all, totalLines, valid } = window.status === 'ok' ? window.value : none;
      const safe = await scanned(workspace, 'notes.md', all.join('\n'), from + 1);
      const seen = all.length === 0 ? [] : safe.text.split('\n');
      const lines = seen.slice(offset - from, offset - from + wanted);
      const warnings = [...(valid ? [] : [notUtf8('notes.md')]), ...safe.warnings];
      const max = options.forAgent ? settings.number('max_chars') : Number.POSITIVE_INFINITY;
      return windowAnswer(workspace, 'notes.md', { offset, lines, total: totalLines, end: totalLines, max, warnings });
    },

    /** Lines of the brief, of a taste that holds here, or of log and gaps, newest first: what an agent may read beyond its context. */
    async readPart(target: TargetLike, file: string, options: LineWindow): Promise<NotesAnswer> {
      const { offset, wanted } = windowOf(options);
      const settings = await app.settings();
      const workspace = settings.workspace(target);
      const isEvidence = file === 'log.jsonl' || file === 'vocabulary_gaps.jsonl';
      const part = isEvidence
        ? await evidencePart(settings, workspace, file, offset + wanted)
        : await textPart(settings, workspace, file);
      const lines = part.lines.slice(offset, offset + wanted);
      const window = { ...part, offset, lines, end: part.lines.length, max: settings.number('max_chars') };
      const answer = windowAnswer(workspace, file, window);
      return isEvidence ? { ...answer, text: [EVIDENCE_LINE, answer.text].join('\n').trimEnd() } : answer;
    },

    /** For the text of a hook: what the lines that are elided are about. None of a file that is too long to be gone through. */
    async elidedHeadings(target: TargetLike = {}): Promise<string> {
      const workspace = (await app.settings()).workspace(target);
      const file = withFile(join(workspace.folder, 'notes.md'), workspace.scope, ({ fd, size }) =>
        size > MAX_SCANNED_BYTES ? '' : decode(readRange(fd, 0, size)).text,
      );
      const isScanned = file.status === 'ok' && !hasTooManyBlocks(file.value);
      const headings = isScanned ? elidedHeadings(file.value).join('\n') : '';
      return (await scanned(workspace, 'notes.md', headings)).text;
    },

    async readBrief(target: TargetLike = {}) {
      const settings = await app.settings();
      const workspace = settings.workspace(target);
      const file = readText(join(workspace.folder, 'brief.md'), workspace.scope);
      if (file.status === 'unreadable') throw cantRead('brief.md', file.reason);
      const { text, valid } = file.status === 'ok' ? file.value : { text: '', valid: true };
      const safe = await scanned(workspace, 'brief.md', text);
      const { brief, warnings } = parseBrief(safe.text);
      const told = [...(valid ? [] : [notUtf8('brief.md')]), ...warnings, ...safe.warnings];
      return { image_id: workspace.id, ...brief, warnings: told };
    },
  };
}

type LineWindow = { offset?: number | undefined; limit?: number | undefined };

function windowOf({ offset = 0, limit = MAX_NOTES_WINDOW }: LineWindow) {
  if (!Number.isSafeInteger(offset) || offset < 0)
    throw invalidInput('offset must be a whole number from 0.', 'Start at 0.');
  if (!Number.isSafeInteger(limit) || limit < 1)
    throw invalidInput('limit must be a whole number from 1.', 'Ask for 1 to 2000 lines.');
  return { offset, wanted: Math.min(limit, MAX_NOTES_WINDOW) };
}

/** As many whole lines of a window as fit. `end`: where no more are known. */
function windowAnswer(
  { id }: Workspace,
  file: string,
  { offset, lines, total, end, max, warnings }: Part & { offset: number; end: number; max: number },
) {
  const { kept, cut } = fitting(lines, max);
  const next = offset + kept.length;
  const told = cut > 0 ? [`Line ${offset + 1} of ${file} is long: ${cut} characters are cut here.`] : [];
  return {
    ...{ image_id: id, offset, lines: kept.length, total_lines: total, text: kept.join('\n') },
    /** The offset to go on from; null at the end. */
    next_offset: next < end && kept.length > 0 ? next : null,
    /** Travels beside the answer, never inside it. */
    warnings: [...warnings, ...told],
  };
}

interface Part {
  lines: string[];
  total: number;
  warnings: string[];
}

// One more than wanted: so that it is known whether there are any further back.
async function evidencePart(
  settings: Settings,
  workspace: Workspace,
  file: 'log.jsonl' | 'vocabulary_gaps.jsonl',
  wanted: number,
): Promise<Part> {
  const path = join(workspace.folder, file);
  const tail = readLastRecords(path, workspace.scope, wanted + 1);
  if (tail.status === 'unreadable') throw cantRead(file, tail.reason);
  const records = tail.status === 'ok' ? tail.value.records : [];
  const lines = evidenceLines(file === 'log.jsonl' ? { log: records.map(toLogItem) } : { gaps: records.map(toGap) });
  const count = countLines(path, workspace.scope, settings.lineCounts);
  const { text, warnings } = await scanned(workspace, file, lines.join('\n'));
  return {
    lines: lines.length === 0 ? [] : text.split('\n'),
    total: count.status === 'ok' ? count.value : 0,
    warnings,
  };
}

async function textPart(settings: Settings, workspace: Workspace, file: string): Promise<Part> {
  const { context } = await readMemory(settings, workspace);
  const genres = Object.entries(context.tastes.genres).map(([name, text]) => [`${name}.md`, text] as const);
  const texts = new Map([['brief.md', context.brief.raw], ['_default.md', context.tastes.default], ...genres]);
  const text = texts.get(file);
  if (text === undefined)
    throw notFound(
      `There is no ${JSON.stringify(shownName(file))} to read here.`,
      `There are notes.md, log.jsonl, vocabulary_gaps.jsonl and ${[...texts.keys()].slice(0, 20).join(', ')}.`,
    );
  const lines = splitLines(text);
  return { lines, total: lines.length, warnings: [] };
}

// Whole, as it is in the files. Without a workspace: the tastes that hold for all work.
export async function readMemory(settings: Settings, workspace: Workspace | null): Promise<ContextReading> {
  const { readDefault: defaultTaste, read: genre } = tasteFolder(settings);
  const { folder, scope, kind } = workspace ?? { folder: null, scope: null, kind: 'home' };
  const from = <T>(name: string, read: (path: string) => FileResult<T>): FileResult<T> =>
    folder === null ? { status: 'missing' } : read(join(folder, name));
  const source: ContextSource = {
    defaultTaste,
    genre,
    brief: () => from('brief.md', (path) => readText(path, scope)),
    notes: () => from('notes.md', (path) => readNotes(path, scope, settings.lineCounts)),
    lastRecords: (file, count) => from(file, (path) => readLastRecords(path, scope, count)),
  };
  if (kind === 'home') return readContext(source);
  const { scannedSource } = await import('./repository-memory.ts');
  const scanned = await scannedSource(source);
  const reading = readContext(scanned.source);
  return { ...reading, warnings: [...reading.warnings, ...scanned.warnings] };
}

// The scanner is loaded only for who needs it: a person's own folder holds what the person put there.
export async function scanned(workspace: Workspace, name: string, text: string, firstLine?: number): Promise<Scanned> {
  if (workspace.kind === 'home' || text === '') return { text, warnings: [] };
  return (await import('./repository-memory.ts')).scanText(name, text, firstLine);
}

/** How much of it an agent gets. */
export function clipLimits(settings: Settings): ClipLimits {
  return { maxChars: settings.number('max_chars'), maxRecordChars: settings.number('max_record_chars') };
}

export const cantRead = (name: string, reason: string) =>
  ioFault(`${name} can't be read: ${reason}.`, 'Fix the file, then try again.');

// As many whole lines as fit; one line that is too long by itself is cut, so that the next call gets on.
function fitting(lines: readonly string[], max: number): { kept: string[]; cut: number } {
  let room = max;
  const kept: string[] = [];
  for (const line of lines) {
    const size = codePointLength(line) + (kept.length > 0 ? 1 : 0);
    if (size > room) break;
    room -= size;
    kept.push(line);
  }
  const [first] = lines;
  if (kept.length > 0 || first === undefined) return { kept, cut: 0 };
  const { text, cut } = clipEnd(first, max);
  return { kept: [text], cut };
}
