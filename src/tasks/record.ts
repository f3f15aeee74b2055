import type { Frame } from './frame.ts';
import type { TaskResult } from './results.ts';
import type { Part, Run } from './run-parts.ts';
import type { Task } from './template.ts';

export interface Seen {
  task: Task;
  frame: Frame;
  result: TaskResult;
  inputPath: readonly number[];
}

export async function recordStep({ task, frame, result, inputPath }: Seen, run: Run): Promise<void> {
  const part = async (text: string): Promise<Part> => ({
    chars: text.length,
    tokens: text === '' ? 0 : await run.countTokens(text),
    sha256: run.hash(text),
  });
  run.onRecord?.({
    id: task.id,
    inputPath,
    type: task.type,
    name: task.name,
    status: result.status,
    inherited: await part(frame.inherited),
    accumulated: await part(frame.accumulated),
    fresh: await part(frame.fresh),
    results: await part(frame.results),
    matches: frame.matches,
    output: await part(result.content),
  });
}
