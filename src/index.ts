export { type Bearings, openBearings } from './bearings.ts';
export { CONFIG_KEYS, type ConfigKey } from './config/keys.ts';
export type { ConfigProblem, Setting } from './config/resolve.ts';
export { BearingsError, ERROR_CODES, type ErrorCode } from './errors.ts';
export type { AdapterReport } from './loader/adapter-slice.ts';
export type { LoadOptions } from './loader/arguments.ts';
export type { Bundle, LoadArguments } from './loader/bundle.ts';
export type { BundleChange, BundleDiff } from './loader/diff.ts';
export type { Explanation } from './loader/explain.ts';
export type { Dropped, DropReason, FileEntry } from './loader/fill.ts';
export type { Policy } from './loader/policy.ts';
export type { Provenance } from './loader/provenance.ts';
export type { Receipt, StaleReason } from './loader/receipt.ts';
export type { Match, MatchMetadata } from './matching/match.ts';
export type { Brief } from './memory/brief.ts';
export type { Gap } from './memory/gaps.ts';
export type { LogItem } from './memory/log.ts';
export {
  NOTES_HEAD_LINES,
  NOTES_TAIL_LINES,
  NOTES_TRUNCATION_THRESHOLD,
  type Notes,
} from './memory/notes.ts';
export type { Context } from './memory/read-context.ts';
export type { Conflict, Tastes } from './memory/tastes.ts';
export type { MatchingInput, MemorySystem } from './tasks/memory-system.ts';
export type { Model, ModelAnswer, ModelRequest } from './tasks/model.ts';
export { defineTask, type ParsedTask, type ParseOptions, parseTask, type TaskDefinition } from './tasks/parse-task.ts';
export type { Problem } from './tasks/problem.ts';
export type { PartialResult, TaskError, TaskResult } from './tasks/results.ts';
export type { RunEvent, StepRecord } from './tasks/run-parts.ts';
export type { Task } from './tasks/template.ts';
export type { BearingsOptions, TargetLike } from './use-cases/house.ts';
export type { LinkEntry, LinkPlan } from './use-cases/links.ts';
export type {
  DriftAnswer,
  LoadRequest,
  PolicyAnswer,
  PolicyCheck,
  Rendering,
  TrustAnswer,
} from './use-cases/loader-answers.ts';
export type { IndexReport, MatchInput, RankedMatch, RankOptions } from './use-cases/matching.ts';
export type { Target } from './use-cases/meant-workspace.ts';
export type { BriefAnswer, ContextAnswer, NotesAnswer, Overview } from './use-cases/memory.ts';
export type { ReceiptCheck, ReceiptRequest } from './use-cases/receipts.ts';
export { type RunTaskOptions, runTask } from './use-cases/tasks.ts';
export type { TasteEntry } from './use-cases/tastes.ts';
export type { NewWorkspace, WorkspaceEntry } from './use-cases/workspaces.ts';
