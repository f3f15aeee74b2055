import type { Run, Seen, Surroundings } from '../engine.ts';
import { scopeFor } from '../inputs.ts';
import { performCall } from '../perform-call.ts';
import { failure, type TaskResult } from '../results.ts';
import type { ScriptAnswer } from '../steps.ts';
import type { ScriptTask } from '../template/template.ts';
import { cleanText, redactedWarning } from '../text.ts';
import { assembleFrame, fillText } from './frame.ts';
import { extractOf } from './notes.ts';

// A program that the person has allowed. What it printed, how it ended and what it complained of are the result.
export async function runScript(
  task: ScriptTask,
  around: Surroundings,
  { run, seen }: { run: Run; seen: Seen },
): Promise<TaskResult> {
  const { signal, results, path } = around;
  const scope = scopeFor(task, around.scope);
  const frame = await assembleFrame(task, { scope, around, run, results: '' });
  const warnings: string[] = [];
  const input = fillText(task.prompt, { scope, results, warnings });
  Object.assign(seen, { frame, question: `${task.command.join(' ')}${input === '' ? '' : `\n\n${input}`}` });
  const { command, timeoutSeconds } = task;
  const call = { kind: 'script' as const, command, input, timeoutSeconds };
  const answer = await run.steps.step({ key: `${path}#script`, call, signal }, () =>
    performCall(call, run, { signal }),
  );
  return resultOf(task, answer, warnings);
}

function resultOf(task: ScriptTask, { exitCode, output, errorText }: ScriptAnswer, warnings: string[]): TaskResult {
  const [printed, errors] = [cleanText(output), cleanText(errorText)];
  const kinds = [...new Set([...printed.kinds, ...errors.kinds])];
  if (kinds.length > 0) warnings.push(redactedWarning('What the program printed', kinds));
  if (exitCode !== 0 && task.failOnError)
    throw failure(
      'subtask_failure',
      `The program ended with exit code ${exitCode}${errors.text.trim() === '' ? '.' : `: ${extractOf(errors.text)}`}`,
      'Fix what it complains about, or leave out fail_on_error.',
    );
  const joined = (parts: string[], between: string): string => parts.filter((part) => part !== '').join(between);
  const errorPart = errors.text.trim() === '' ? '' : `Error text:\n${errors.text.trimEnd()}`;
  const ends = [printed, errors].map(({ text }) => text.trimEnd().split('\n').slice(-3).join('\n'));
  return {
    status: 'COMPLETE',
    content: joined([`Exit code ${exitCode}`, printed.text.trimEnd(), errorPart], '\n\n'),
    parsedContent: { exit_code: exitCode, output: printed.text, error_text: errors.text },
    notes: {
      summary: extractOf(joined([`Exit code ${exitCode}`, ...ends], '\n')),
      derived: true,
      ...(warnings.length > 0 ? { warnings } : {}),
    },
  };
}
