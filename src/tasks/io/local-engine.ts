import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { compareCodePoints } from '../../code-points.ts';
import { type BearingsError, conflict, invalidInput, ioError, ioFault, notFound } from '../../errors.ts';
import { sha256 } from '../../files/file-fingerprint.ts';
import { tryHold } from '../../files/lock.ts';
import { syncFolder } from '../../files/write-file.ts';
import { shownName } from '../../safety/hidden-characters.ts';
import type { OpenRun, RunReport, RunSpec, RunState, RunSummary, StepRecord } from '../engine.ts';
import type { TaskResult } from '../results.ts';
import { APPROVE, type ApproveAnswer, askedText, type StepCall, type StepRunner } from '../steps.ts';
import {
  fileLines,
  indexJournal,
  isRunId,
  type JournalLine,
  MAX_SEEN,
  openJournal,
  parseLine,
  partsOf,
  type RunFiles,
  runFiles,
  runIds,
  seenTexts,
  statusOf,
  summaryOf,
} from './run-files.ts';

const CANCEL_WAIT_MS = 10_000;
const CANCEL_STEP_MS = 50;
const HOLD_TRIES = 4;
const LOOK_FOR_CANCEL_MS = 250;

/** What there is to do with runs wherever they are kept. */
export type Engine = Pick<ReturnType<typeof localEngine>, 'list' | 'read' | 'text' | 'cancel' | 'answer'>;

// In this process, with a journal on the disk. One process at a time holds a run. `runs`: where they are kept, never inside a
// project, whose files are others' words.
export function localEngine(runs: string, now: () => Date) {
  const filesOf = (id: string): RunFiles => {
    if (!isRunId(id)) throw invalidInput(`"${shownName(id)}" is not a run.`, 'See them: bearings runs list');
    const files = runFiles(runs, id);
    if (!existsSync(files.journal)) throw notFound(`There is no run ${id}.`, 'See them: bearings runs list');
    return files;
  };
  // An open page looks at the times of this folder, not into each run.
  const tellPage = (): void => utimesSync(runs, now(), now());
  const opened = async (files: RunFiles, prepare?: () => void) => {
    let hold = await tryHold(files.lock);
    // Someone who only looks holds the lock for an instant.
    for (let tries = 1; !hold && tries < HOLD_TRIES; tries += 1)
      hold = await pause(CANCEL_STEP_MS).then(() => tryHold(files.lock));
    if (hold === null)
      throw conflict('The run is active in another process.', 'Wait for it, or stop it: bearings runs cancel');
    try {
      prepare?.();
      rmSync(files.cancel, { force: true });
      return openRun(files, { now, release: hold.release, tellPage });
    } catch (error) {
      hold.release();
      throw ioError("The run can't be stored", error);
    }
  };

  return {
    async start(spec: RunSpec) {
      const id = `${stamp(now())}-${randomBytes(3).toString('hex')}`;
      const files = runFiles(runs, id);
      try {
        mkdirSync(files.folder, { recursive: true, mode: 0o700 });
      } catch (error) {
        throw ioError("The run can't be stored", error);
      }
      return opened(files, () => {
        const line = JSON.stringify({ type: 'run', version: 1, id, at: now().toISOString(), spec });
        writeFileSync(files.journal, `${line}\n`, { flag: 'wx', mode: 0o600, flush: true });
        syncFolder(files.folder);
        syncFolder(runs);
        // Its folder was seen before there was anything in it to list.
        tellPage();
      });
    },

    /** Goes on with a run that nobody is at. */
    async reopen(id: string) {
      return opened(filesOf(id));
    },

    async list(): Promise<RunSummary[]> {
      const read = await Promise.all(runIds(runs).map((id) => summaryOf(runFiles(runs, id))));
      const found = read.filter((summary) => summary !== null);
      // An id tells the second; two runs may begin in the same one.
      return found.sort((a, b) => compareCodePoints(b.startedAt, a.startedAt) || compareCodePoints(b.id, a.id));
    },

    async read(id: string): Promise<RunReport> {
      const files = filesOf(id);
      const summary = await summaryOf(files);
      const seen = new Map<string, StepRecord>();
      const journal = indexJournal(files, (record) => void seen.set(record.path, record));
      if (!journal.header || !summary) throw damaged(id);
      const text = journal.result === null ? null : textIn(files, journal.result);
      return {
        ...summary,
        recorded: seen.size,
        spec: journal.header.spec,
        steps: journal.finished.size,
        seen: [...seen.values()],
        result: text === null ? null : (JSON.parse(text) as TaskResult),
        damaged: journal.damaged,
      };
    },

    /** A text that some step saw or gave; null when it is not kept. */
    async text(id: string, hash: string) {
      return textIn(filesOf(id), hash);
    },

    /** Keeps what the person said to what the run waits for. */
    async answer(id: string, key: string, call: StepCall, answer: ApproveAnswer) {
      const run = await opened(filesOf(id));
      await run.endWith({ type: 'step', key, asked: sha256(askedText(call)), value: answer });
      tellPage();
    },

    /** What the journal says that the person said. */
    async answers(id: string) {
      const answers = [...indexJournal(filesOf(id)).finished].filter(([key]) => key.endsWith(APPROVE));
      return answers.map(([key, { value }]) => ({ key, answer: value }));
    },

    async cancel(id: string): Promise<RunState> {
      const files = filesOf(id);
      for (let waited = 0; ; waited += CANCEL_STEP_MS) {
        const summary = await summaryOf(files);
        if (!summary) throw damaged(id);
        if (summary.state === 'interrupted' || summary.state === 'answered') {
          const run = await opened(files);
          await run.endWith({ type: 'end', at: now().toISOString(), status: 'stopped', result: null });
          return 'stopped';
        }
        if (summary.state !== 'running' || waited > CANCEL_WAIT_MS) return summary.state;
        writeFileSync(files.cancel, '', { mode: 0o600 });
        await pause(CANCEL_STEP_MS);
      }
    },
  };
}

// Only lines that name it are parsed: a page asks for texts of long runs.
function textIn(files: RunFiles, hash: string): string | null {
  for (const { bytes } of fileLines(files.journal)) {
    const line = bytes.includes(hash) ? parseLine(bytes.toString('utf8')) : null;
    // A text that is damaged has another hash.
    if (line?.type === 'text' && sha256(line.text) === hash) return line.text;
  }
  return null;
}

export function stamp(now: Date): string {
  const digits = now.toISOString().replace(/\D/g, '');
  return `${digits.slice(0, 8)}-${digits.slice(8, 14)}`;
}

function damaged(id: string): BearingsError {
  return ioFault(`The journal of run ${id} has no beginning that can be read.`, 'Run the template again.');
}

// A run from its journal: what is finished is given back, what is not is done and kept.
function openRun(
  files: RunFiles,
  { now, release, tellPage }: { now(): Date; release(): void; tellPage(): void },
): OpenRun & { endWith(line: JournalLine): Promise<void> } {
  const known = indexJournal(files);
  const { header } = known;
  if (!header) throw damaged(basename(files.folder));
  const journal = openJournal(files.journal, known.end);
  const isResumed = known.end > 0 && (known.finished.size > 0 || known.seen.size > 0);
  if (isResumed) journal.note({ type: 'resumed', at: now().toISOString() });

  // On the disk with the next line that is: what names it comes after it.
  const noteText = (hash: string, text: string): void => journal.note({ type: 'text', sha256: hash, text });
  const keepSeen = seenTexts(known.texts, noteText);

  const steps: StepRunner = {
    async step(step, work) {
      const asked = sha256(askedText(step.call));
      // Asked something else then, where an input has changed since: then it is simply done.
      const before = known.finished.get(step.key);
      if (before?.asked === asked) return before.value as never;
      const value = await work();
      journal.append({ type: 'step', key: step.key, asked, value });
      return value;
    },
  };

  const cancelling = new AbortController();
  const watch = setInterval(() => {
    if (existsSync(files.cancel)) cancelling.abort();
  }, LOOK_FOR_CANCEL_MS);
  watch.unref();
  const close = async (): Promise<void> => {
    clearInterval(watch);
    try {
      journal.close();
    } finally {
      release();
    }
  };

  const run = {
    id: header.id,
    spec: header.spec,
    steps,
    cancelled: cancelling.signal,
    record(record: StepRecord, texts: readonly string[]) {
      if (known.seen.get(record.path) === partsOf(record)) return;
      // A list of any length: what failed is told all the same.
      if (known.seen.size >= MAX_SEEN.steps && record.status === 'COMPLETE') return;
      known.seen.set(record.path, partsOf(record));
      keepSeen(texts);
      journal.note({ type: 'seen', record: { ...record, at: now().toISOString() } });
    },
    leave: close,
    async end(result: TaskResult) {
      const status = statusOf(result);
      const text = JSON.stringify(result);
      const hash = sha256(text);
      if (!known.texts.has(hash)) noteText(hash, text);
      await run.endWith({ type: 'end', at: now().toISOString(), status, result: hash, recorded: known.seen.size });
      if (status === 'awaiting_person') tellPage();
    },
    /** One more line, and lets go of it. */
    async endWith(line: JournalLine) {
      try {
        journal.append(line);
      } finally {
        await close();
      }
    },
  };
  return run;
}
