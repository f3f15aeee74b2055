import { type InputValue, lookUp, type Scope, stepValue } from '../inputs.ts';
import type { TaskResult } from '../results.ts';
import type { Run, Surroundings } from '../run-parts.ts';
import { placeholdersIn } from '../template/placeholders.ts';
import type { CallTask } from '../template/template.ts';
import { fillText } from './fill-text.ts';

// The template that is called sees its parameters and nothing else by name; context reaches it like any other task.
export function runCall(task: CallTask, around: Surroundings, run: Run): Promise<TaskResult> {
  const values: Record<string, InputValue> = {};
  for (const { name, fallback, from } of task.inputs) {
    const value = parameter({ name, fallback, from }, around.scope);
    if (value !== undefined) values[name] = value;
  }
  return run.evaluate(task.target, { ...around, scope: { values, outer: null }, path: `${around.path}.call` });
}

type Parameter = { name: string; fallback: string | null; from: string | null };

function parameter({ name, fallback, from }: Parameter, scope: Scope | null): InputValue | undefined {
  const found = from === null ? undefined : stepValue(scope, from);
  if (found !== undefined) return found;
  if (fallback === null) return lookUp(scope, name);
  // A value alone is handed over as it is: a list stays a list.
  const [only] = placeholdersIn(fallback);
  if (only !== undefined && fallback.replace(/\s/g, '') === `{{${only}}}`) return lookUp(scope, only) ?? '';
  return fillText(fallback, { scope });
}
