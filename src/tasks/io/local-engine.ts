import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { compareCodePoints } from '../../code-point-order.ts';
import { BearingsError, invalidInput, notFound } from '../../errors.ts';
import { syncFolder } from '../../files/atomic-write.ts';
import { lockState, tryHold } from '../../files/lock.ts';
import { sha256 } from '../../files/sha256.ts';
import { ioError } from '../../files/system-error.ts';
import { shownName } from '../../safety/hidden-characters.ts';
import type { Engine, RunReport, RunSpec, RunState, RunSummary, StepRecord, StepTime } from '../engine.ts';
import type { TaskResult } from '../results.ts';
import { APPROVE } from '../steps.ts';
import { fileLines } from './journal-file.ts';
import { type LocalRun, openRun } from './open-run.ts';
import {
  endsOf,
  indexJournal,
  isRunId,
  type Journal,
  type RunFiles,
  runFiles,
  runIds,
  summaryOf,
  textOf,
} from './run-files.ts';

export interface LocalEngineOptions {
  /** Where runs are kept: never inside a project, whose files are others' words. */
  runs: string;
  now(): Date;
  sleep(ms: number): Promise<void>;
}

const CANCEL_WAIT_MS = 10_000;
const CANCEL_STEP_MS = 50;
const HOLD_TRIES = 4;

// In this process, with a journal on the disk. One process at a time holds a run.
export function localEngine({ runs, now, sleep }: LocalEngineOptions): Engine {
  const filesOf = (id: string): RunFiles => {
    if (!isRunId(id)) throw invalidInput(`"${shownName(id)}" is not a run.`, 'See them: bearings runs list');
    const files = runFiles(runs, id);
    if (!existsSync(files.journal)) throw notFound(`There is no run ${id}.`, 'See them: bearings runs list');
    return files;
  };
  const summaryFor = async (id: string): Promise<RunSummary | null> => {
    const files = runFiles(runs, id);
    const ends = endsOf(files);
    if (ends === null) return null;
    const isRunning = ends.last?.type === 'end' ? false : await isLocked(files);
    return summaryOf(ends, () => isRunning);
  };
  // Someone who only looks holds the lock for an instant.
  const holdRun = async (files: RunFiles): Promise<{ release(): void } | null> => {
    for (let tries = 0; tries < HOLD_TRIES; tries += 1) {
      const hold = await tryHold(files.lock);
      if (hold) return hold;
      await sleep(CANCEL_STEP_MS);
    }
    return null;
  };
  // An open page looks at the times of this folder, not into each run.
  const tellPage = (): void => utimesSync(runs, now(), now());
  const opened = async (files: RunFiles, prepare: (files: RunFiles) => void): Promise<LocalRun> => {
    const hold = await holdRun(files);
    if (hold === null)
      throw new BearingsError('conflict', 'The run is active in another process.', {
        hint: 'Wait for it, or stop it: bearings runs cancel',
      });
    try {
      prepare(files);
      rmSync(files.cancel, { force: true });
      return openRun(files, { now, hash: sha256, release: hold.release, tellWaiting: tellPage });
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

    async reopen(id) {
      return opened(filesOf(id), () => {});
    },

    async list() {
      const found: RunSummary[] = [];
      for (const id of runIds(runs)) {
        const summary = await summaryFor(id);
        if (summary) found.push(summary);
      }
      // An id tells the second; two runs may begin in the same one.
      return found.sort((a, b) => compareCodePoints(b.startedAt, a.startedAt) || compareCodePoints(b.id, a.id));
    },

    async read(id): Promise<RunReport> {
      const files = filesOf(id);
      const summary = await summaryFor(id);
      const seen = new Map<string, StepRecord>();
      const times: Record<string, StepTime> = Object.create(null);
      let resultHash: string | null = null;
      const journal = indexJournal(files, (line) => {
        if (line.type === 'seen') {
          const { record, at, ms } = line;
          seen.set(record.path, record);
          if (at !== undefined && ms !== undefined) times[record.path] = { at, ms };
        } else if (line.type === 'end') resultHash = line.result;
        else if (line.type === 'resumed') resultHash = null;
      });
      if (!journal.header || !summary) throw damaged(id);
      const text = resultHash === null ? null : textIn(files, journal, resultHash);
      return {
        ...summary,
        recorded: seen.size,
        spec: journal.header.spec,
        steps: journal.finished.size,
        seen: [...seen.values()],
        times,
        result: text === null ? null : (JSON.parse(text) as TaskResult),
        damaged: journal.damaged,
      };
    },

    async text(id, hash) {
      const files = filesOf(id);
      return textIn(files, indexJournal(files), hash);
    },

    async answer(id, key, call, answer) {
      const run = await opened(filesOf(id), () => {});
      await run.answer(key, call, answer);
    },

    async answers(id) {
      const files = filesOf(id);
      const found = new Map<string, unknown>();
      indexJournal(files, (line) => {
        if (line.type === 'step' && line.key.endsWith(APPROVE)) found.set(line.key, line.value);
      });
      return [...found].map(([key, answer]) => ({ key, answer }));
    },

    async cancel(id): Promise<RunState> {
      const files = filesOf(id);
      for (let waited = 0; ; waited += CANCEL_STEP_MS) {
        const summary = await summaryFor(id);
        if (!summary) throw damaged(id);
        if (summary.state === 'interrupted') {
          const run = await opened(files, () => {});
          await run.abandon();
          return 'stopped';
        }
        if (summary.state !== 'running' || waited > CANCEL_WAIT_MS) return summary.state;
        writeFileSync(files.cancel, '', { mode: 0o600 });
        await sleep(CANCEL_STEP_MS);
      }
    },
  };
}

async function isLocked(files: RunFiles): Promise<boolean> {
  return (await lockState(files.lock)) === 'held';
}

function textIn(files: RunFiles, { texts }: Journal, hash: string): string | null {
  const place = texts.get(hash);
  if (place !== undefined)
    for (const { bytes } of fileLines(files.journal, place)) return textOf(bytes.toString('utf8'), hash, sha256);
  return null;
}

export function stamp(now: Date): string {
  const digits = now.toISOString().replace(/\D/g, '');
  return `${digits.slice(0, 8)}-${digits.slice(8, 14)}`;
}

function damaged(id: string): BearingsError {
  return new BearingsError('io_error', `The journal of run ${id} has no beginning that can be read.`, {
    hint: 'Run the template again.',
  });
}
