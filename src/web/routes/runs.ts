import { invalidInput, notFound } from '../../errors.ts';
import { isRecord } from '../../json-record.ts';
import type { RunReport, StepRecord } from '../../tasks/engine.ts';
import { explainStep } from '../../tasks/explain-step.ts';
import type { PartialResult, TaskError } from '../../tasks/results.ts';
import { childrenOf, type Task } from '../../tasks/template/template.ts';
import type { ListedRun, RunSource } from '../run-source.ts';
import type { RunPage, RunRow, RunRows, StepPage, StepRow } from '../run-wire.ts';
import type { Shown } from '../wire.ts';

const MOST_RUNS = 200;
const MOST_ROWS = 5000;
const MOST_PARTIAL = 100;
const MOST_TEMPLATE = 2000;
const MOST_CAUSES = 10;
const PARTIAL_CHARS = 2000;
const MOST_SHOWN_CHARS = 400_000;
// Reading a long journal again may cost a tenth of the time at most.
const CACHE_PER_COST = 10;
const MIN_CACHE_MS = 300;
const HASH = /^[0-9a-f]{64}$/;

// Runs as they are in their journals, or in the database of the workers.
export function runRoutes(source: RunSource, clockMs: () => number) {
  let last: { id: string; until: number; report: RunReport & ListedRun } | null = null;
  const reportOf = async (id: string): Promise<RunReport & ListedRun> => {
    const started = clockMs();
    if (last?.id === id && started < last.until) return last.report;
    const { report: found, shared } = await source.show(id);
    const report = { ...found, shared };
    const cost = clockMs() - started;
    last = { id, until: clockMs() + Math.max(MIN_CACHE_MS, cost * CACHE_PER_COST), report };
    return report;
  };

  return {
    async list(from: number): Promise<RunRows> {
      const { runs, problem } = await source.list();
      const rows = runs.slice(from, from + MOST_RUNS).map(rowOf);
      return { total: runs.length, from, rows, shared: source.isShared, problem };
    },

    async page(id: string, from: number): Promise<RunPage> {
      const report = await reportOf(id);
      const { spec, steps, damaged, seen, times, result } = report;
      const partial = result?.notes.partialResults ?? [];
      return {
        run: rowOf(report),
        model: spec.model,
        answers: steps,
        damaged,
        template: doneOnce(spec.task),
        errors: causesOf(result?.notes.error),
        partial: { total: partial.length, first: partial.slice(0, MOST_PARTIAL).map(partialOf) },
        output: result && result.content !== '' ? shown(result.content) : null,
        total: seen.length,
        from,
        rows: seen.slice(from, from + MOST_ROWS).map((record) => stepRow(record, times)),
      };
    },

    async step(id: string, path: string): Promise<StepPage> {
      const report = await reportOf(id);
      const record = report.seen.find((each) => each.path === path);
      if (!record) throw notFound('Nothing is recorded of this step yet.', 'Choose another one.');
      const { parts, matches, ...about } = explainStep(report, record);
      const time = report.times[path];
      return {
        ...about,
        at: time?.at ?? null,
        ms: time?.ms ?? null,
        parts,
        matches: matches.map(([file, why]) => ({ path: file, why: reasonOf(why) })),
      };
    },

    async text(id: string, sha256: string): Promise<Shown> {
      const text = HASH.test(sha256) ? await source.text(id, sha256) : null;
      if (text === null)
        throw notFound('This text is not stored.', 'Of long texts in long runs only the size is stored.');
      return shown(text);
    },

    async cancel(body: unknown): Promise<{ state: string }> {
      if (!isRecord(body) || typeof body.id !== 'string') throw invalidInput('Name a run.', 'Reload the page.');
      last = null;
      return { state: await source.cancel(body.id) };
    },
  };
}

function rowOf({ id, state, name, file, startedAt, endedAt, recorded, shared }: ListedRun): RunRow {
  return { id, state, name, file, started_at: startedAt, ended_at: endedAt, steps: recorded, shared };
}

function stepRow(record: StepRecord, times: RunReport['times']): StepRow {
  const { path, name, type, status, question, inherited, accumulated, fresh, results, output } = record;
  const read = [question, inherited, accumulated, fresh, results].reduce((sum, { tokens }) => sum + tokens, 0);
  return { path, name, type, failed: status === 'FAILED', read, written: output.tokens, ms: times[path]?.ms ?? null };
}

// Below a reduce a task is done once for each input, in a loop once for each round, so its places are not known before.
function doneOnce(root: Task): RunPage['template'] {
  const found: RunPage['template'] = [];
  const visit = (task: Task): void => {
    if (found.length >= MOST_TEMPLATE) return;
    found.push({ path: task.id, name: task.name, type: task.type });
    if (task.type !== 'reduce' && task.type !== 'director_evaluator_loop') childrenOf(task).forEach(visit);
  };
  visit(root);
  return found;
}

function causesOf(error: TaskError | undefined): RunPage['errors'] {
  const found: RunPage['errors'] = [];
  for (let at = error; at && found.length < MOST_CAUSES; at = 'details' in at ? at.details?.cause : undefined)
    found.push({
      reason: at.type === 'TASK_FAILURE' ? at.reason : at.resource,
      message: at.message,
      hint: at.hint ?? null,
    });
  return found;
}

function partialOf({ stepIndex, inputIndex, key, output }: PartialResult): { label: string; output: string } {
  const place = inputIndex !== undefined ? `input ${inputIndex + 1}` : `step ${(stepIndex ?? 0) + 1}`;
  const cut = output.length > PARTIAL_CHARS ? `${output.slice(0, PARTIAL_CHARS)}…` : output;
  return { label: key === undefined ? place : `${place} · ${key}`, output: cut };
}

function reasonOf(why: unknown): string {
  const { lines, words } = isRecord(why) ? why : {};
  const at = Array.isArray(lines) ? `lines ${lines.join(', ')}` : '';
  return [at, Array.isArray(words) ? words.join(', ') : ''].filter((part) => part !== '').join(' · ');
}

function shown(text: string): Shown {
  return { text: text.slice(0, MOST_SHOWN_CHARS), chars: text.length };
}
