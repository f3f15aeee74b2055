import type { Blame, MergedFile, UnaccountedBlock } from './use-cases/accounting.ts';
import type { adapterUseCases } from './use-cases/adapters.ts';
import type { clientUseCases } from './use-cases/clients.ts';
import type { gateUseCases } from './use-cases/gate.ts';
import { type BearingsOptions, openDoors } from './use-cases/house.ts';
import type { InstallPlan } from './use-cases/install.ts';
import type { loaderUseCases } from './use-cases/loader.ts';
import type { LoadRequest, Rendering, TrustAnswer } from './use-cases/loader-answers.ts';
import type { matchingUseCases } from './use-cases/matching.ts';
import type { mcpHttpUseCases } from './use-cases/mcp-http.ts';
import { memoryUseCases, type Overview } from './use-cases/memory.ts';
import type { pageUseCases } from './use-cases/page.ts';
import type { ShownProposal } from './use-cases/proposals.ts';
import type { receiptUseCases } from './use-cases/receipts.ts';
import type { RunAnswer, runUseCases, StartRunOptions } from './use-cases/runs.ts';
import type { sharedRunUseCases } from './use-cases/shared-runs.ts';
import type { taskUseCases } from './use-cases/tasks.ts';
import type { upkeepUseCases } from './use-cases/upkeep.ts';

export type { LocalAnswer, LocalRequest } from './io/local-server.ts';
export type { SharedLook } from './use-cases/shared-runs.ts';
export type {
  Blame,
  InstallPlan,
  LoadRequest,
  MergedFile,
  Overview,
  Rendering,
  RunAnswer,
  ShownProposal,
  StartRunOptions,
  TrustAnswer,
  UnaccountedBlock,
};
export type Bearings = ReturnType<typeof openBearings>;

type Upkeep = ReturnType<typeof upkeepUseCases>;
type Gate = ReturnType<typeof gateUseCases>;
type Loader = ReturnType<typeof loaderUseCases>;
type Matching = ReturnType<typeof matchingUseCases>;
type Adapters = ReturnType<typeof adapterUseCases>;
type Receipts = ReturnType<typeof receiptUseCases>;
type Clients = ReturnType<typeof clientUseCases>;
type Tasks = ReturnType<typeof taskUseCases>;
type McpHttp = ReturnType<typeof mcpHttpUseCases>;
type Runs = ReturnType<typeof runUseCases>;
type Page = ReturnType<typeof pageUseCases>;
type SharedRuns = ReturnType<typeof sharedRunUseCases>;

// The one place where the parts meet the disk. Opening reads nothing: each call reads what is there at that moment.
export function openBearings(options: BearingsOptions = {}) {
  const doors = openDoors(options);
  return {
    ...memoryUseCases(doors),
    ...later<Upkeep>(UPKEEP, async () => (await import('./use-cases/upkeep.ts')).upkeepUseCases(doors)),
    ...later<Gate>(GATE, async () => (await import('./use-cases/gate.ts')).gateUseCases(doors, options.files)),
    ...later<Loader>(LOADER, async () => (await import('./use-cases/loader.ts')).loaderUseCases(doors)),
    ...later<Matching>(MATCHING, async () => (await import('./use-cases/matching.ts')).matchingUseCases(doors)),
    ...later<Adapters>(ADAPTERS, async () => (await import('./use-cases/adapters.ts')).adapterUseCases(doors)),
    ...later<Receipts>(RECEIPTS, async () => (await import('./use-cases/receipts.ts')).receiptUseCases(doors)),
    ...later<Tasks>(TASKS, async () => (await import('./use-cases/tasks.ts')).taskUseCases(doors)),
    ...later<McpHttp>(MCP_HTTP, async () => (await import('./use-cases/mcp-http.ts')).mcpHttpUseCases(doors)),
    ...later<Page>(PAGE, async () => (await import('./use-cases/page.ts')).pageUseCases(doors)),
    ...later<Clients>(CLIENTS, async () => (await import('./use-cases/clients.ts')).clientUseCases(doors)),
    ...later<Runs>(RUNS, async () => (await import('./use-cases/runs.ts')).runUseCases(doors)),
    ...later<SharedRuns>(SHARED, async () => (await import('./use-cases/shared-runs.ts')).sharedRunUseCases(doors)),
  };
}

const UPKEEP: Record<keyof Upkeep, true> = {
  listTastes: true,
  readTaste: true,
  createTaste: true,
  listWorkspaces: true,
  createWorkspace: true,
  renameWorkspace: true,
  removeWorkspace: true,
  planLink: true,
  linkWorkspace: true,
  unlinkWorkspace: true,
  listLinks: true,
  worktreeOffer: true,
  writeFirstBrief: true,
  editFile: true,
  editText: true,
  showSettings: true,
  elicitationFor: true,
  offersRunTask: true,
  checkSettings: true,
  createSample: true,
  copyExamples: true,
};

const GATE: Record<keyof Gate, true> = {
  openSession: true,
  standingSession: true,
  recordDecision: true,
  resumeSession: true,
  listSessions: true,
  readSession: true,
  searchSessions: true,
  logOperation: true,
  logGap: true,
  propose: true,
  listProposals: true,
  discardedProposals: true,
  showProposal: true,
  withdrawProposal: true,
  reviveProposal: true,
  endSession: true,
  decide: true,
  confirmLevel: true,
  setPassphrase: true,
  removePassphrase: true,
  verify: true,
  unknownKeys: true,
  trustKey: true,
  untrustKey: true,
  blame: true,
  unaccountedBlocks: true,
  neverAccounted: true,
  mergedFiles: true,
  lastDecision: true,
  adoptBlock: true,
  takeOutBlock: true,
  adoptAll: true,
  tidyFile: true,
  keepMerged: true,
  blocksBefore: true,
  accountEdit: true,
  editableText: true,
  saveText: true,
  planImport: true,
  proposeImport: true,
  discardedSinceLook: true,
  sessionWarnings: true,
  rememberLook: true,
};

const LOADER: Record<keyof Loader, true> = {
  loadContext: true,
  saveBundle: true,
  renderBundle: true,
  repositoryAbove: true,
  explainPath: true,
  readBundle: true,
  diffBundles: true,
  driftOf: true,
  showPolicy: true,
  checkPolicy: true,
};

const MATCHING: Record<keyof Matching, true> = {
  relevantContext: true,
  rankedMatches: true,
  freshContext: true,
  usedHistory: true,
  indexStatus: true,
  rebuildIndex: true,
};

const RECEIPTS: Record<keyof Receipts, true> = { listReceipts: true, checkReceipt: true };

const ADAPTERS: Record<keyof Adapters, true> = {
  trustQuestions: true,
  allowAdapter: true,
  allowedAdapters: true,
  revokeAdapters: true,
};

const CLIENTS: Record<keyof Clients, true> = {
  planInstall: true,
  applyInstall: true,
  planUndo: true,
  applyUndo: true,
  clientStates: true,
  hookContext: true,
  examine: true,
  memoryNames: true,
  memoryText: true,
  watchMemory: true,
  mend: true,
};

const TASKS: Record<keyof Tasks, true> = { checkTask: true };

const RUNS: Record<keyof Runs, true> = {
  startRun: true,
  resumeRun: true,
  listRuns: true,
  showRun: true,
  runText: true,
  cancelRun: true,
};

const MCP_HTTP: Record<keyof McpHttp, true> = { mcpToken: true, listenForMcp: true };

const PAGE: Record<keyof Page, true> = {
  serveLocally: true,
  pageAsset: true,
  announcePage: true,
  leavePage: true,
  runningPage: true,
  openDoor: true,
  closeDoor: true,
  memoryStamp: true,
  conflictSides: true,
  conflictsWith: true,
};

const SHARED: Record<keyof SharedRuns, true> = {
  submitRun: true,
  followRun: true,
  resumeShared: true,
  lookAtShared: true,
  listShared: true,
  showShared: true,
  sharedText: true,
  cancelShared: true,
  work: true,
};

// The same methods, loaded at their first call: an agent's first turn waits for nothing but reading.
function later<T extends object>(methods: Record<keyof T, true>, load: () => Promise<T>): T {
  let loading: Promise<T> | undefined;
  const call =
    (name: keyof T) =>
    async (...args: unknown[]): Promise<unknown> => {
      loading ??= load();
      return ((await loading)[name] as (...args: unknown[]) => unknown)(...args);
    };
  return Object.fromEntries(Object.keys(methods).map((name) => [name, call(name as keyof T)])) as T;
}
