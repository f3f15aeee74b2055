export { BearingsError, ERROR_CODES, type ErrorCode } from './errors.ts';
export type { Blame, UnaccountedBlock } from './gate/accounting/blame.ts';
export type { FileHistory, ShownEarlier, WentBack } from './gate/accounting/go-back.ts';
export type { Contradiction } from './gate/contradictions/contradictions.ts';
export type { Decided, Decision } from './gate/decide.ts';
export type { WorkspaceGap } from './gate/gap-list.ts';
export type { Fault } from './gate/ledger/chain.ts';
export type { ConfirmLevel } from './gate/ledger/entry.ts';
export type { Proposal, ProposalInput } from './gate/proposals/proposal.ts';
export type { AlreadyPresent, DeclinedBefore, Proposed, ShownProposal } from './gate/propose.ts';
export type { Why } from './gate/search-and-why.ts';
export type { ContextAnswer, Overview } from './gate/serve-context.ts';
export type { GapInput, Session, SessionEntry, SessionHit, SessionTranscript } from './gate/sessions/sessions.ts';
export type { HistoryBlock, HistoryEntry } from './gate/standing/history.ts';
export type { Verification } from './gate/verify.ts';
export type { NewWorkspace, WorkspaceEntry } from './gate/workspaces.ts';
export { type Bearings, openBearings } from './library.ts';
export type { Bundle, LoadArguments } from './loader/bundle/bundle.ts';
export type { BundleChange, BundleDiff } from './loader/bundle/diff.ts';
export type { Explanation } from './loader/bundle/explain.ts';
export type { Dropped, DropReason, FileEntry } from './loader/bundle/fill.ts';
export type { Provenance } from './loader/bundle/provenance.ts';
export type { Receipt, StaleReason } from './loader/bundle/receipt.ts';
export type { Evaluation } from './loader/evaluate-past.ts';
export type { DriftAnswer } from './loader/load.ts';
export type { Policy } from './loader/policy/policy.ts';
export type { AdapterReport } from './loader/slices/adapter-slice.ts';
export type { Match, MatchMetadata } from './matching/match.ts';
export type { FoundBlock } from './matching/search-blocks.ts';
export type { Brief } from './memory/brief-and-notes.ts';
export {
  NOTES_HEAD_LINES,
  NOTES_TAIL_LINES,
  NOTES_TRUNCATION_THRESHOLD,
  type Notes,
} from './memory/brief-and-notes.ts';
export type { RankedGap } from './memory/gap-ranking.ts';
export type { Conflict, Context, Gap, LogItem, Tastes } from './memory/read-context.ts';
export type { BriefAnswer, NotesAnswer } from './memory/read-memory.ts';
export type { TasteEntry } from './memory/taste-files.ts';
export type { FreshReason } from './project/fresh-passages.ts';
export type { RankedMatch } from './project/match-project.ts';
export type { Progress } from './project/project-indexes.ts';
export type { TargetLike } from './settings/app-context.ts';
export type { BearingsOptions } from './settings/bearings-options.ts';
export { CONFIG_KEYS, type ConfigKey } from './settings/resolve.ts';
export type { WaitingRun } from './tasks/answer-run.ts';
export type {
  RunEvent,
  RunReport,
  RunState,
  RunSummary,
  RunWatch,
  StartRunOptions,
  StepRecord,
  WorkOptions,
} from './tasks/engine.ts';
export type { FittingTemplate } from './tasks/find-template.ts';
export type { PartialResult, TaskError, TaskResult } from './tasks/results.ts';
export { type RunTaskOptions, runTask } from './tasks/run-task.ts';
export type { RunAnswer, SharedWatch } from './tasks/runs.ts';
export type { MatchingInput, MemorySystem, Model, ModelAnswer, ModelRequest } from './tasks/steps.ts';
export {
  defineTask,
  type ParsedTask,
  type ParseOptions,
  parseTask,
  type TaskDefinition,
} from './tasks/template/parse-task.ts';
export type { Problem, Task } from './tasks/template/template.ts';
