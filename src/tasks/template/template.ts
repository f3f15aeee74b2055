import type { SomeLimits } from '../limits.ts';
import type { Role, Settings } from './context-settings.ts';
import type { OutputFormat } from './output-format.ts';
import type { Position } from './problem.ts';

export interface InputSpec {
  readonly name: string;
  /** Null: the run must give one. */
  readonly fallback: string | null;
}

interface TaskBase extends Position {
  /** Where it stands in the template: `1`, `1.2`, `1.2.inner`. */
  readonly id: string;
  readonly role: Role;
  readonly name: string;
  readonly description: string;
  readonly inputs: readonly InputSpec[];
  readonly settings: Settings;
  readonly model: string | null;
  /** What the template lets it use at most, its own word or that of a task around it. */
  readonly limits: SomeLimits;
}

export interface AtomicTask extends TaskBase {
  readonly type: 'atomic';
  readonly prompt: string;
  readonly outputFormat: OutputFormat;
}

export interface SequentialTask extends TaskBase {
  readonly type: 'sequential';
  readonly steps: readonly Task[];
}

export interface ReduceTask extends TaskBase {
  readonly type: 'reduce';
  /** The input that holds the list; null: the one list that the run gives. */
  readonly over: string | null;
  readonly inner: Task;
  readonly reduction: Task;
  readonly concurrency: number;
  readonly fanIn: number | null;
}

/** A loaded template: checked, filled with defaults, frozen through and through. */
export type Task = AtomicTask | SequentialTask | ReduceTask;

export const DEFAULT_CONCURRENCY = 4;

export function childrenOf(task: Task): readonly Task[] {
  switch (task.type) {
    case 'atomic':
      return [];
    case 'sequential':
      return task.steps;
    case 'reduce':
      return [task.inner, task.reduction];
  }
}

export function freezeDeep<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const part of Object.values(value)) freezeDeep(part);
  }
  return value;
}
