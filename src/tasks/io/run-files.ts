import { closeSync, constants, fdatasyncSync, ftruncateSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { conflict, ioError, orNull } from '../../errors.ts';
import { sha256 } from '../../files/file-fingerprint.ts';
import { lockState } from '../../files/lock.ts';
import { openPlain, readRange, withFile } from '../../files/read-file.ts';
import { linesOf, type SoughtText, type TextCopy } from '../../files/text-copies.ts';
import { writeAll } from '../../files/write-file.ts';
import { isRecord, parseJson } from '../../json.ts';
import { type EndState, type RunSpec, type RunSummary, SEEN_PARTS, type StepRecord } from '../engine.ts';
import { awaitingOf, isHalt, type TaskResult } from '../results.ts';
import { APPROVE } from '../steps.ts';

/** What a journal holds, one object a line. `run` comes first; `end` is last where the run has ended. */
export type JournalLine =
  | { type: 'run'; version: 1; id: string; at: string; spec: RunSpec }
  | { type: 'step'; key: string; asked: string; value?: unknown }
  | { type: 'text'; sha256: string; text: string }
  | { type: 'seen'; record: StepRecord }
  | { type: 'resumed'; at: string }
  | { type: 'end'; at: string; status: EndState; result: string | null; recorded?: number };

export type RunFiles = ReturnType<typeof runFiles>;

const RUN_ID = /^\d{8}-\d{6}-[0-9a-f]{6}(?:-[0-9a-f]{32})?$/;
const TAIL = 256 * 1024;

export function runFiles(runs: string, id: string) {
  const folder = join(runs, id);
  return {
    folder,
    journal: join(folder, 'journal.jsonl'),
    lock: join(folder, 'lock'),
    /** There while someone wants the run to stop. */
    cancel: join(folder, 'cancel'),
  };
}

export function isRunId(id: string): boolean {
  return RUN_ID.test(id);
}

// Newest first: an id begins with its time.
export function runIds(runs: string): string[] {
  return orNull(() => readdirSync(runs).filter(isRunId).sort().reverse()) ?? [];
}

export function parseLine(line: string): JournalLine | null {
  const value = parseJson(line);
  return isLine(value) ? value : null;
}

// What others read of a line is there: one damaged journal must not keep the list of runs from anybody.
function isLine(value: unknown): value is JournalLine {
  if (!isRecord(value)) return false;
  const { type, spec, record, key, id, at } = value;
  if (type === 'run')
    return isRecord(spec) && isRecord(spec.task) && [id, at, spec.project].every((text) => typeof text === 'string');
  if (type === 'step') return typeof key === 'string';
  if (type === 'seen') return isRecord(record) && typeof record.path === 'string';
  if (type === 'text') return typeof value.sha256 === 'string' && typeof value.text === 'string';
  return typeof type === 'string';
}

// One pass. Of texts only the hashes: so that a journal of any size can be read.
export function indexJournal(files: RunFiles, see?: (record: StepRecord) => void) {
  /** By its key what each finished step was asked, and what came of it. */
  const finished = new Map<string, { asked: string; value?: unknown }>();
  const texts = new Set<string>();
  /** By their paths the steps whose record is there, and what they saw. */
  const seen = new Map<string, string>();
  let header: Extract<JournalLine, { type: 'run' }> | null = null;
  let result: string | null = null;
  let [end, damaged] = [0, 0];
  for (const { bytes, offset, whole } of fileLines(files.journal)) {
    // Torn by a crash, never acknowledged.
    if (!whole) break;
    end = offset + bytes.length + 1;
    const line = parseLine(bytes.toString('utf8'));
    if (line === null) damaged += 1;
    else if (line.type === 'text') texts.add(line.sha256);
    else if (line.type === 'run') header ??= line;
    else if (line.type === 'step') finished.set(line.key, line);
    else if (line.type === 'seen') {
      see?.(line.record);
      // What failed or waited then may end otherwise now.
      if (line.record.status === 'COMPLETE') seen.set(line.record.path, partsOf(line.record));
    } else result = line.type === 'end' ? line.result : null;
  }
  return {
    header: header as Extract<JournalLine, { type: 'run' }> | null,
    finished,
    texts,
    seen,
    result,
    end,
    damaged,
  };
}

/** Names what a step saw and gave: after a resume that may be something else, where a list has changed. */
export function partsOf(record: StepRecord): string {
  return sha256(SEEN_PARTS.map((part) => record[part]?.sha256).join(' '));
}

// From the first and the last line alone: a list of runs must not read all they hold. Null where there is no beginning.
export async function summaryOf(files: RunFiles): Promise<RunSummary | null> {
  const read = firstAndLast(files);
  if (read?.header?.type !== 'run') return null;
  const { header } = read;
  let ended = read.last;
  const isLive = ended?.type !== 'end' && (await isLocked(files));
  // It may have ended since its last line was read, and let go of its lock.
  if (ended?.type !== 'end' && !isLive) ended = firstAndLast(files)?.last ?? null;
  const end = ended?.type === 'end' ? ended : null;
  return {
    id: header.id,
    state: end?.status ?? (isLive ? 'running' : isAnswer(ended) ? 'answered' : 'interrupted'),
    file: header.spec.file,
    project: header.spec.project,
    name: header.spec.task.name,
    startedAt: header.at,
    endedAt: end?.at ?? null,
    recorded: end?.recorded ?? null,
  };
}

// Nothing went wrong where the person answered and has not gone on yet.
const isAnswer = (last: JournalLine | null): boolean => last?.type === 'step' && last.key.endsWith(APPROVE);

function firstAndLast({ journal }: RunFiles) {
  const read = withFile(journal, null, ({ fd, size }) => {
    const tail = readRange(fd, Math.max(0, size - TAIL), Math.min(size, TAIL)).toString('utf8');
    const [first] = linesIn(fd);
    return {
      header: parseLine(first?.bytes.toString('utf8') ?? ''),
      last: tail.endsWith('\n') ? parseLine(tail.split('\n').at(-2) ?? '') : null,
    };
  });
  return read.status === 'ok' ? read.value : null;
}

const isLocked = async ({ lock }: RunFiles): Promise<boolean> => (await lockState(lock)) === 'held';

export function statusOf(result: TaskResult): EndState {
  if (result.status === 'COMPLETE') return 'complete';
  const { error } = result.notes;
  if (awaitingOf(error)) return 'awaiting_person';
  return isHalt(error) ? 'stopped' : 'failed';
}

/** Copies of a text in the journals of runs. A step whose text went is done again by a resume. */
export async function runCopies(runs: string, sought: SoughtText): Promise<TextCopy[]> {
  const copies: TextCopy[] = [];
  for (const id of runIds(runs)) {
    const files = runFiles(runs, id);
    const found = linesOf('run', files.journal, sought, { drop: (line) => line.startsWith('{"type":"text"') });
    if (found.length > 0 && (await isLocked(files)))
      throw conflict(
        `Run ${id} is active and has seen this text.`,
        `Wait for it, or stop it: bearings runs cancel ${id}`,
      );
    copies.push(...found);
  }
  return copies;
}

export const MAX_SEEN = { text: 1024 * 1024, total: 64 * 1024 * 1024, texts: 100_000, steps: 100_000 };

/** Texts that steps saw are kept for whoever looks later: each once, none that is large, and so much in all. */
export function seenTexts(kept: Set<string>, keep: (hash: string, text: string) => void) {
  let size = 0;
  return (texts: readonly string[]): void => {
    for (const text of texts) {
      if (text === '' || text.length > MAX_SEEN.text || size > MAX_SEEN.total || kept.size > MAX_SEEN.texts) continue;
      const hash = sha256(text);
      if (kept.has(hash)) continue;
      size += text.length;
      kept.add(hash);
      keep(hash, text);
    }
  };
}

const LF = 0x0a;
// Small, so that its lines are gone before the collector takes them for long-lived ones.
const CHUNK = 16 * 1024;

// Lines are only ever added. What comes after `end` (a line torn by a crash, never acknowledged) is cut off first.
export function openJournal(path: string, end: number) {
  const fd = openPlain(path, constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW, 0o600);
  ftruncateSync(fd, end);
  let written = end;
  const write = (line: JournalLine, isSynced: boolean): void => {
    const bytes = Buffer.from(`${JSON.stringify(line)}\n`);
    try {
      writeAll(fd, bytes, written);
      // What could not be written whole is overwritten by the next line: none comes after a gap.
      written += bytes.length;
      if (isSynced) fdatasyncSync(fd);
    } catch (error) {
      throw ioError("The journal can't be written", error);
    }
  };
  return {
    /** On the disk when it returns. */
    append: (line: JournalLine): void => write(line, true),
    /** On the disk with the next line that is: a crash may take it. */
    note: (line: JournalLine): void => write(line, false),
    close: (): void => closeSync(fd),
  };
}

/** `whole`: false at the end of a file that does not end with a line. */
type Line = { bytes: Buffer; offset: number; whole: boolean };

// One after the other: whatever the size of the file, one chunk and one line are in memory. One that goes past `maxBytes` is the
// last that is given.
export function* linesIn(fd: number, maxBytes = Number.POSITIVE_INFINITY): Generator<Line> {
  let parts: Buffer[] = [];
  for (let [position, offset] = [0, 0]; ; ) {
    const buffer = Buffer.allocUnsafe(CHUNK);
    const chunk = buffer.subarray(0, readSync(fd, buffer, 0, CHUNK, position));
    let start = 0;
    for (let stop = chunk.indexOf(LF); stop !== -1; stop = chunk.indexOf(LF, start)) {
      const end = chunk.subarray(start, stop);
      yield { bytes: parts.length === 0 ? end : Buffer.concat([...parts, end]), offset, whole: true };
      parts = [];
      start = stop + 1;
      offset = position + start;
    }
    if (start < chunk.length) parts.push(chunk.subarray(start));
    position += chunk.length;
    if (chunk.length > 0 && position - offset <= maxBytes) continue;
    if (parts.length > 0) yield { bytes: Buffer.concat(parts), offset, whole: false };
    return;
  }
}

/** Of a file of ours. */
export function* fileLines(path: string): Generator<Line> {
  const fd = openPlain(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    yield* linesIn(fd);
  } finally {
    closeSync(fd);
  }
}
