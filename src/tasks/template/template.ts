import type { SomeLimits } from '../results.ts';
import type { Role, Settings } from './context-settings.ts';
import type { OutputFormat } from './output-format.ts';
import type { Position } from './source.ts';

export interface InputSpec {
  readonly name: string;
  /** Null: the run must give one. */
  readonly fallback: string | null;
  /** An earlier step, and what of it. */
  readonly from: string | null;
}

interface TaskBase extends Position {
  /** Where it is in the template: `1`, `1.2`, `1.2.inner`. */
  readonly id: string;
  readonly role: Role;
  readonly name: string;
  readonly description: string;
  readonly inputs: readonly InputSpec[];
  readonly settings: Settings;
  readonly model: string | null;
  /** What the template lets it use at most, its own word or that of a task around it. */
  readonly limits: SomeLimits;
  /** Files of the project that it gets whole. */
  readonly filePaths: readonly string[];
  /** Of the outermost task. */
  readonly rootContext: RootContext | null;
}

/** What a run starts from. */
export interface RootContext {
  readonly memory: string | null;
  readonly load: string | null;
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

export interface CallTask extends TaskBase {
  readonly type: 'call';
  readonly template: string;
  /** What the name led to when the template was loaded. */
  readonly target: Task;
}

export interface ScriptTask extends TaskBase {
  readonly type: 'script';
  readonly command: readonly string[];
  /** What the program gets on its input. */
  readonly prompt: string;
  readonly timeoutSeconds: number;
  readonly failOnError: boolean;
}

export interface LoopTask extends TaskBase {
  readonly type: 'director_evaluator_loop';
  readonly director: Task;
  readonly script: Task | null;
  readonly evaluator: Task;
  readonly maxIterations: number;
  readonly stop: { readonly field: string; readonly equals: string };
}

export interface ApproveTask extends TaskBase {
  readonly type: 'approve';
}

/** A loaded template: checked, filled with defaults, frozen through and through. */
export type Task = AtomicTask | SequentialTask | ReduceTask | CallTask | ScriptTask | LoopTask | ApproveTask;

export const DEFAULT_CONCURRENCY = 4;
export const DEFAULT_ITERATIONS = 5;
export const DEFAULT_SCRIPT_SECONDS = 120;

export function childrenOf(task: Task): readonly Task[] {
  switch (task.type) {
    case 'atomic':
      return [];
    case 'sequential':
      return task.steps;
    case 'reduce':
      return [task.inner, task.reduction];
    case 'call':
      return [task.target];
    case 'director_evaluator_loop':
      return task.script ? [task.director, task.script, task.evaluator] : [task.director, task.evaluator];
    case 'script':
    case 'approve':
      return [];
  }
}

/** It, and all tasks below it. */
export function tasksIn(task: Task): Task[] {
  return [task, ...childrenOf(task).flatMap(tasksIn)];
}

export function freezeDeep<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const part of Object.values(value)) freezeDeep(part);
  }
  return value;
}
