import { existsSync } from 'node:fs';
import { BearingsError } from '../../errors.ts';
import type { OpenRun } from '../engine.ts';
import type { TaskResult } from '../results.ts';
import type { ApproveAnswer, StepCall, StepRunner } from '../steps.ts';
import { type JournalFile, openJournal } from './journal-file.ts';
import {
  indexJournal,
  type Journal,
  type JournalLine,
  parseLine,
  type RunFiles,
  statusOf,
  textLine,
  textOf,
} from './run-files.ts';

export interface LocalRun extends OpenRun {
  /** Marks a run that nobody is at as stopped. */
  abandon(): Promise<void>;
  /** Keeps the person's word as the answer of a step, and lets go of the run. */
  answer(key: string, call: StepCall, value: ApproveAnswer): Promise<void>;
}

export interface RunEffects {
  now(): Date;
  hash(text: string): string;
  release(): void;
  /** A run waits for the person, or does no longer: whoever watches the folder of runs sees it change. */
  tellWaiting(): void;
}

// Larger values are lines of their own, named by their hash.
const MAX_INLINE = 16 * 1024;
// Texts that steps saw are kept for whoever looks later, up to so much.
const MAX_SEEN_TEXT = 1024 * 1024;
const MAX_SEEN_TOTAL = 64 * 1024 * 1024;
const MAX_SEEN_TEXTS = 100_000;
const LOOK_FOR_CANCEL_MS = 250;

// A run from its journal: what is finished is given back, what is not is done and kept.
export function openRun(files: RunFiles, { now, hash, release, tellWaiting }: RunEffects): LocalRun {
  const known = indexJournal(files);
  const { header } = known;
  if (!header) throw new BearingsError('io_error', 'The journal has no beginning that can be read.');
  const { texts: offsets } = known;
  const journal = openJournal(files.journal, known.end);
  const add = (line: JournalLine): Promise<number> => journal.append(JSON.stringify(line));
  const isResumed = known.end > 0 && (known.finished.size > 0 || known.seen.size > 0);
  if (isResumed) journal.note(JSON.stringify({ type: 'resumed', at: now().toISOString() } satisfies JournalLine));
  let seenSize = 0;
  let recorded = known.seen.size;

  // On the disk with the next line that is: what names it comes after it.
  const keepText = (text: string): string => {
    const sha256 = hash(text);
    if (!offsets.has(sha256)) offsets.set(sha256, journal.note(textLine(sha256, text)));
    return sha256;
  };

  const steps: StepRunner = {
    async step(step, work) {
      const asked = hash(askedText(step.call));
      const before = finishedValue({ journal, offsets, hash }, known.finished.get(step.key), asked);
      if (before) return before.value as never;
      const value = await work();
      const text = JSON.stringify(value);
      const small = text.length <= MAX_INLINE;
      const answer = small ? { value } : { kept: keepText(text) };
      await add({ type: 'step', key: step.key, asked, ...answer });
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
      await journal.close();
    } finally {
      release();
    }
  };

  return {
    id: header.id,
    spec: header.spec,
    steps,
    cancelled: cancelling.signal,
    record(record, { texts, ms }) {
      if (known.seen.has(record.path)) return;
      recorded += 1;
      for (const text of texts) {
        if (text === '' || text.length > MAX_SEEN_TEXT || seenSize > MAX_SEEN_TOTAL) continue;
        if (offsets.size > MAX_SEEN_TEXTS) break;
        const before = offsets.size;
        keepText(text);
        if (offsets.size > before) seenSize += text.length;
      }
      journal.note(JSON.stringify({ type: 'seen', at: now().toISOString(), ms, record } satisfies JournalLine));
    },
    leave: close,
    async end(result: TaskResult) {
      try {
        const text = JSON.stringify(result);
        const outcome = { status: statusOf(result), result: keepText(text), recorded };
        await add({ type: 'end', at: now().toISOString(), ...outcome });
        if (outcome.status === 'awaiting_person') tellWaiting();
      } finally {
        await close();
      }
    },
    async answer(key, call, value) {
      try {
        await add({ type: 'step', key, asked: hash(askedText(call)), value });
        tellWaiting();
      } finally {
        await close();
      }
    },
    async abandon() {
      await add({ type: 'end', at: now().toISOString(), status: 'stopped', result: null, recorded });
      await close();
    },
  };
}

// Null: not finished, asked something else then (an input has changed since), or damaged. Then it is simply done.
function finishedValue(
  { journal, offsets, hash }: { journal: JournalFile; offsets: Journal['texts']; hash(text: string): string },
  place: number | undefined,
  asked: string,
): { value: unknown } | null {
  if (place === undefined) return null;
  const line = parseLine(journal.readAt(place));
  if (line?.type !== 'step' || line.asked !== asked) return null;
  if (line.kept === undefined) return { value: line.value };
  const at = offsets.get(line.kept);
  const text = at === undefined ? null : textOf(journal.readAt(at), line.kept, hash);
  return text === null ? null : { value: JSON.parse(text) as unknown };
}

function askedText(call: StepCall): string {
  if (call.kind !== 'model') return JSON.stringify(call);
  const { prompt, outputFormat, maxOutputTokens, turn } = call.request;
  return JSON.stringify([call.model, outputFormat, maxOutputTokens, turn, prompt]);
}
