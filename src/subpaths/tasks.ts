// bearings/tasks: templates, checked and run.
export type { MatchingInput, MemorySystem } from '../tasks/memory-system.ts';
export type { Model, ModelAnswer, ModelRequest } from '../tasks/model.ts';
export type { PartialResult, TaskError, TaskResult } from '../tasks/results.ts';
export type { RunEvent, StepRecord } from '../tasks/run-parts.ts';
export { type RunTaskOptions, runTask } from '../tasks/run-task.ts';
export {
  defineTask,
  type ParsedTask,
  type ParseOptions,
  parseTask,
  type TaskDefinition,
} from '../tasks/template/parse-task.ts';
export type { Problem } from '../tasks/template/problem.ts';
export type { Task } from '../tasks/template/template.ts';
