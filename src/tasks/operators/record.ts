import type { TaskResult } from '../results.ts';
import type { Measure, Part, Run, Surroundings } from '../run-parts.ts';
import type { Task } from '../template/template.ts';
import type { Frame } from './frame.ts';

export interface Seen {
  task: Task;
  frame: Frame;
  result: TaskResult;
  around: Surroundings;
  /** For a task that asks a model. */
  question?: string;
}

export async function recordStep({ task, frame, result, around, question }: Seen, run: Run): Promise<void> {
  if (!run.onRecord || !run.isRecorded(task.id)) return;
  const record = {
    id: task.id,
    inputPath: around.inputPath,
    path: around.path,
    type: task.type,
    name: task.name,
    status: result.status,
    model: task.type === 'atomic' ? (result.notes.model ?? task.model) : null,
    question: await run.measure(question ?? frame.taskText),
    inherited: await run.measure(frame.inherited),
    accumulated: await run.measure(frame.accumulated),
    fresh: await run.measure(frame.fresh),
    results: await run.measure(frame.results),
    matches: frame.matches,
    output: await run.measure(result.content),
    ...(frame.warnings.length > 0 ? { warnings: frame.warnings } : {}),
  };
  const now = run.clockMs();
  const ms = Math.round(now - (around.startedMs ?? now));
  run.onRecord(record, { frame, result, question: question ?? frame.taskText, ms });
}

const REMEMBERED = 16;

// Many tasks see the same parent: what was measured lately is not measured again.
export function partMeter({ countTokens, hash }: Pick<Run, 'countTokens' | 'hash'>): Measure {
  const lately = new Map<string, Promise<Part>>();
  const measure = async (text: string): Promise<Part> => ({
    chars: text.length,
    tokens: text === '' ? 0 : await countTokens(text),
    sha256: hash(text),
  });
  return (text) => {
    const known = lately.get(text);
    if (known) {
      lately.delete(text);
      lately.set(text, known);
      return known;
    }
    const part = measure(text);
    lately.set(text, part);
    for (const oldest of lately.keys()) {
      if (lately.size <= REMEMBERED) break;
      lately.delete(oldest);
    }
    return part;
  };
}
