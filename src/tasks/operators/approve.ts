import { scopeFor } from '../inputs.ts';
import { performCall } from '../perform-call.ts';
import { failure, type TaskResult } from '../results.ts';
import type { Run, Surroundings } from '../run-parts.ts';
import { APPROVE } from '../steps.ts';
import type { ApproveTask } from '../template/template.ts';
import { fillText } from './fill-text.ts';
import { extractOf } from './notes.ts';
import { recordStep } from './record.ts';

// Waits for the person. Their answer is in the journal like any other: it is given once and not asked for again.
export async function runApprove(task: ApproveTask, around: Surroundings, run: Run): Promise<TaskResult> {
  const scope = scopeFor(task, around.scope);
  const question = fillText(task.description, { scope, results: around.results });
  const shown = around.previous?.content ?? around.accumulated;
  const call = { kind: 'approve' as const, question, shown };
  const key = `${around.path}${APPROVE}`;
  const answer = await run.steps.step({ key, call, stop: around.stop }, () =>
    performCall(call, run, { stop: around.stop, key }),
  );
  const frame = Object.freeze({
    taskText: question,
    inherited: '',
    accumulated: shown,
    fresh: '',
    results: '',
    matches: [],
    warnings: [],
  });
  const record = async (result: TaskResult): Promise<void> => {
    if (run.onRecord) await recordStep({ task, frame, around, question, result }, run);
  };
  if (answer.answer === 'decline') {
    await record({ status: 'FAILED', content: '', notes: { summary: 'declined' } });
    const why = answer.reason?.trim() ? `: ${answer.reason.trim()}` : '.';
    throw failure(
      'execution_halted',
      `The person declined${why}`,
      'Change the template or its inputs, then run it again.',
    );
  }
  const content = answer.answer === 'edit' ? (answer.text ?? '') : shown;
  const isSame = content === around.previous?.content;
  const result: TaskResult = {
    status: 'COMPLETE',
    content,
    ...(isSame && around.previous?.parsedContent !== undefined ? { parsedContent: around.previous.parsedContent } : {}),
    notes:
      isSame && around.previous
        ? { summary: around.previous.notes.summary }
        : { summary: extractOf(content), derived: true },
  };
  await record(result);
  return result;
}
