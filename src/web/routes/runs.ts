import { z } from 'zod';
import { notFound } from '../../errors.ts';
import type { StepRecord } from '../../tasks/engine.ts';
import { explainStep, foundBy, tokensRead } from '../../tasks/explain-step.ts';
import { isOver, type TaskError } from '../../tasks/results.ts';
import type { ListedRun } from '../../tasks/run-places.ts';
import { childrenOf, type Task } from '../../tasks/template/template.ts';
import { type Ask, beginningOf, type Page } from '../answers.ts';

const MAX_RUNS = 200;
const MAX_ROWS = 1000;
const MAX_TEMPLATE = 2000;
const MAX_CAUSES = 10;
const HASH = /^[0-9a-f]{64}$/;

export function runRoutes({ runs: source }: Page) {
  return {
    async 'GET /api/runs'() {
      const { runs, problem } = await source.list();
      return { total: runs.length, rows: runs.slice(0, MAX_RUNS), shared: source.isShared, problem };
    },

    async 'GET /api/run'({ text }: Ask) {
      const { found, shared } = await source.show(text('id'));
      const { spec, seen, result, ...run } = found;
      return {
        run: { ...run, shared } as ListedRun,
        model: spec.model,
        /** Tasks that are done once: they have a place before they are done. */
        template: doneOnce(spec.task),
        errors: causesOf(result?.notes.error),
        /** To go on would only say so again. */
        isOver: result !== null && isOver(result),
        output: result && result.content !== '' ? beginningOf(result.content) : null,
        total: seen.length,
        /** The first, and all that failed. */
        rows: seen.filter(({ status }, at) => at < MAX_ROWS || status === 'FAILED').map(stepRow),
      };
    },

    async 'GET /api/step'({ text }: Ask) {
      const { found: report } = await source.show(text('id'));
      const record = report.seen.find(({ path }) => path === text('path'));
      if (!record) throw notFound('Nothing is recorded of this step yet.', 'Choose another one.');
      const { parts, matches, ...about } = explainStep(report, record);
      const { at = null, ms } = record;
      const found = matches.map(([file, why]) => ({ path: file, why: foundBy(why).join(' · ') }));
      return { ...about, name: nameOf(record), at, ms, parts, matches: found };
    },

    async 'GET /api/run-text'({ text: value }: Ask) {
      const sha256 = value('sha256');
      const text = HASH.test(sha256) ? await source.text(value('id'), sha256) : null;
      if (text === null)
        throw notFound('This text is not stored.', 'Of long texts in long runs only the size is stored.');
      return beginningOf(text);
    },

    async 'POST /api/cancel'({ body }: Ask) {
      const { id } = await body(z.object({ id: z.string() }), 'Name a run.');
      return { state: await source.cancel(id) };
    },
  };
}

function stepRow(record: StepRecord) {
  const { path, type, status, ms, output } = record;
  const [name, read] = [nameOf(record), tokensRead(record)];
  return { path, name, type, failed: status === 'FAILED', read, written: output.tokens, ms };
}

const nameOf = ({ name, key }: Pick<StepRecord, 'name' | 'key'>): string =>
  key === undefined ? name : `${name} · ${key}`;

// Below a reduce a task is done once for each input, in a loop once for each round, so its places are not known before.
function doneOnce(root: Task) {
  const found: { path: string; name: string; type: string }[] = [];
  const visit = (task: Task): void => {
    if (found.length >= MAX_TEMPLATE) return;
    found.push({ path: task.id, name: task.name, type: task.type });
    if (task.type !== 'reduce' && task.type !== 'director_evaluator_loop') childrenOf(task).forEach(visit);
  };
  visit(root);
  return found;
}

function causesOf(error: TaskError | undefined) {
  const found: { reason: string; message: string; hint: string | null }[] = [];
  for (let at = error; at && found.length < MAX_CAUSES; at = 'details' in at ? at.details?.cause : undefined)
    found.push({
      reason: at.type === 'TASK_FAILURE' ? at.reason : at.resource,
      message: at.message,
      hint: at.hint ?? null,
    });
  return found;
}
