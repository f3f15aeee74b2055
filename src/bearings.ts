import type { clientUseCases } from './clients/client-use-cases.ts';
import type { demoUseCases } from './clients/demo.ts';
import type { InstallPlan } from './clients/install.ts';
import type { mcpHttpUseCases } from './clients/mcp-http.ts';
import type { pageUseCases } from './clients/page.ts';
import type { Blame, MergedFile, UnaccountedBlock } from './gate/accounting/blame.ts';
import type { gateUseCases } from './gate/gate.ts';
import type { ShownProposal } from './gate/propose.ts';
import { contextUseCases, type Overview } from './gate/serve-context.ts';
import type { workspaceUseCases } from './gate/workspaces.ts';
import type { adapterUseCases } from './loader/allow-adapters.ts';
import type { LoadRequest, Rendering, TrustAnswer } from './loader/answers.ts';
import type { loaderUseCases } from './loader/load.ts';
import type { receiptUseCases } from './loader/receipts.ts';
import { memoryUseCases } from './memory/read-memory.ts';
import type { tasteUseCases } from './memory/taste-files.ts';
import type { matchingUseCases } from './project/match-project.ts';
import type { BearingsOptions } from './settings/app-context.ts';
import { openApp } from './settings/io/open-app.ts';
import type { settingsUseCases } from './settings/show-settings.ts';
import type { taskUseCases } from './tasks/run-task.ts';
import type { RunAnswer, runUseCases, StartRunOptions } from './tasks/runs.ts';
import type { sharedRunUseCases } from './tasks/shared-runs.ts';

export type { LocalAnswer, LocalRequest } from './clients/io/local-server.ts';
export type { SharedRunState as SharedLook } from './tasks/shared-runs.ts';
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

type Tastes = ReturnType<typeof tasteUseCases>;
type Workspaces = ReturnType<typeof workspaceUseCases>;
type Settings = ReturnType<typeof settingsUseCases>;
type Demo = ReturnType<typeof demoUseCases>;
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
  const app = openApp(options);
  const gate = later<Gate>(GATE, async () => (await import('./gate/gate.ts')).gateUseCases(app, options.files));
  return {
    ...memoryUseCases(app),
    ...contextUseCases(app),
    ...later<Tastes>(TASTES, async () => (await import('./memory/taste-files.ts')).tasteUseCases(app)),
    ...later<Workspaces>(WORKSPACES, async () => (await import('./gate/workspaces.ts')).workspaceUseCases(app)),
    ...later<Settings>(SETTINGS, async () => (await import('./settings/show-settings.ts')).settingsUseCases(app)),
    ...later<Demo>(DEMO, async () => (await import('./clients/demo.ts')).demoUseCases(app)),
    ...gate,
    ...later<Loader>(LOADER, async () => (await import('./loader/load.ts')).loaderUseCases(app)),
    ...later<Matching>(MATCHING, async () => {
      const { excludedIn } = await import('./loader/excluded-paths.ts');
      return (await import('./project/match-project.ts')).matchingUseCases(app, excludedIn);
    }),
    ...later<Adapters>(ADAPTERS, async () => (await import('./loader/allow-adapters.ts')).adapterUseCases(app)),
    ...later<Receipts>(RECEIPTS, async () => (await import('./loader/receipts.ts')).receiptUseCases(app)),
    ...later<Tasks>(TASKS, async () => (await import('./tasks/run-task.ts')).taskUseCases(app)),
    ...later<McpHttp>(MCP_HTTP, async () => (await import('./clients/mcp-http.ts')).mcpHttpUseCases(app)),
    ...later<Page>(PAGE, async () => (await import('./clients/page.ts')).pageUseCases(app)),
    ...later<Clients>(CLIENTS, async () => (await import('./clients/client-use-cases.ts')).clientUseCases(app, gate)),
    ...later<Runs>(RUNS, async () => (await import('./tasks/runs.ts')).runUseCases(app)),
    ...later<SharedRuns>(SHARED, async () => (await import('./tasks/shared-runs.ts')).sharedRunUseCases(app)),
  };
}

const TASTES: Record<keyof Tastes, true> = { listTastes: true, readTaste: true, createTaste: true };

const SETTINGS: Record<keyof Settings, true> = { showSettings: true, elicitationFor: true, offersRunTask: true };

const DEMO: Record<keyof Demo, true> = { createSample: true, copyExamples: true };

const WORKSPACES: Record<keyof Workspaces, true> = {
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
};

const GATE: Record<keyof Gate, true> = {
  openSession: true,
  standingSession: true,
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
  markShown: true,
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
  planImport: true,
  proposeImport: true,
  planImages: true,
  importImages: true,
  clientStates: true,
  checkSettings: true,
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
