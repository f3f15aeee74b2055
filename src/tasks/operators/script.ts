import { cleanText, redactedWarning } from '../clean-text.ts';
import { scopeFor } from '../inputs.ts';
import { performCall } from '../perform-call.ts';
import { failure, type TaskResult } from '../results.ts';
import type { Run, Surroundings } from '../run-parts.ts';
import type { ScriptAnswer } from '../steps.ts';
import type { ScriptTask } from '../template/template.ts';
import { assembleFrame } from './assemble-frame.ts';
import { fillText } from './fill-text.ts';
import { extractOf } from './notes.ts';
import { recordStep } from './record.ts';

// A program that the person has allowed. What it printed, how it ended and what it complained of are the result.
export async function runScript(task: ScriptTask, around: Surroundings, run: Run): Promise<TaskResult> {
  const scope = scopeFor(task, around.scope);
  const warnings: string[] = [];
  const filling = { scope, results: around.results, warnings };
  const { settings, filePaths } = task;
  const frame = await assembleFrame(
    {
      settings,
      taskText: fillText(task.description, { ...filling, warnings: [] }),
      parent: around.parent,
      accumulated: around.accumulated,
      results: '',
      filePaths: filePaths.map((path) => fillText(path, { scope })),
    },
    { run, path: around.path, stop: around.stop },
  );
  const input = fillText(task.prompt, filling);
  const call = { kind: 'script' as const, command: task.command, input, timeoutSeconds: task.timeoutSeconds };
  const step = { key: `${around.path}#script`, call, stop: around.stop };
  const seen = { task, frame, around, question: `${task.command.join(' ')}${input === '' ? '' : `\n\n${input}`}` };
  try {
    const answer = await run.steps.step(step, () => performCall(call, run, { stop: around.stop }));
    const result = resultOf(task, answer, [...frame.warnings, ...warnings]);
    if (run.onRecord) await recordStep({ ...seen, result }, run);
    return result;
  } catch (error) {
    if (run.onRecord)
      await recordStep({ ...seen, result: { status: 'FAILED', content: '', notes: { summary: '' } } }, run);
    throw error;
  }
}

function resultOf(task: ScriptTask, { exitCode, output, errorText }: ScriptAnswer, warnings: string[]): TaskResult {
  const [said, complained] = [cleanText(output), cleanText(errorText)];
  const kinds = [...new Set([...said.kinds, ...complained.kinds])];
  if (kinds.length > 0) warnings.push(redactedWarning('What the program printed', kinds));
  if (exitCode !== 0 && task.failOnError)
    throw failure(
      'subtask_failure',
      `The program ended with exit code ${exitCode}${complained.text.trim() === '' ? '.' : `: ${extractOf(complained.text)}`}`,
      'Fix what it complains about, or leave out fail_on_error.',
    );
  const parts = [`Exit code ${exitCode}`, said.text.trimEnd()];
  if (complained.text.trim() !== '') parts.push(`Error text:\n${complained.text.trimEnd()}`);
  const content = parts.filter((part) => part !== '').join('\n\n');
  const last = [said.text, complained.text].map((text) => text.trimEnd().split('\n').slice(-3).join('\n'));
  const summary = extractOf([`Exit code ${exitCode}`, ...last].filter((part) => part !== '').join('\n'));
  return {
    status: 'COMPLETE',
    content,
    parsedContent: { exit_code: exitCode, output: said.text, error_text: complained.text },
    notes: { summary, derived: true, ...(warnings.length > 0 ? { warnings } : {}) },
  };
}
