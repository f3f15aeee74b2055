import { memoryUseCases } from '../memory/read-memory.ts';
import type { AppContext } from '../settings/app-context.ts';
import type { ClientUseCases } from './clients.ts';
import type { GateUseCases } from './gate.ts';
import { loadOnce } from './load-once.ts';
import type { LoaderUseCases } from './loader.ts';
import type { SettingsUseCases } from './settings.ts';
import type { RunUseCases, SharedRunUseCases } from './tasks.ts';
import { traced } from './trace-facts.ts';

export interface Loads {
  gate: () => Promise<GateUseCases>;
  loader: () => Promise<LoaderUseCases>;
  runs: () => Promise<RunUseCases>;
  shared: () => Promise<SharedRunUseCases>;
  clients: () => Promise<ClientUseCases>;
  settings: () => Promise<SettingsUseCases>;
}

// What only our own command line, server and page need: no part of the contract, and no public type names it.
export function internalMethods(app: AppContext, loads: Loads) {
  const { workspaceId, workspaceKey } = memoryUseCases(app);
  const gate = after(loads.gate);
  const loader = after(loads.loader);
  const runs = after(loads.runs);
  const shared = after(loads.shared);
  const clients = after(loads.clients);
  const settings = after(loads.settings);
  const workspaces = after(loadOnce(async () => (await import('../gate/workspaces.ts')).workspaceUseCases(app)));
  const adapters = after(loadOnce(async () => (await import('../loader/allow-adapters.ts')).adapterUseCases(app)));
  const mcpHttp = after(loadOnce(async () => (await import('../clients/mcp-http.ts')).mcpHttpUseCases(app)));
  const page = after(loadOnce(async () => (await import('../clients/page.ts')).pageUseCases(app)));
  const demo = after(loadOnce(async () => (await import('../clients/demo.ts')).demoUseCases(app)));
  return {
    traced,
    workspaceId,
    workspaceKey,
    planLink: workspaces((each) => each.planLink),
    linkWorkspace: workspaces((each) => each.linkWorkspace),
    unlinkWorkspace: workspaces((each) => each.unlinkWorkspace),
    listLinks: workspaces((each) => each.listLinks),
    worktreeOffer: workspaces((each) => each.worktreeOffer),
    renameWorkspace: workspaces((each) => each.renameWorkspace),
    removeWorkspace: workspaces((each) => each.removeWorkspace),
    writeFirstBrief: workspaces((each) => each.writeFirstBrief),
    editText: workspaces((each) => each.editText),
    withUnsavedCopy: workspaces((each) => each.withUnsavedCopy),

    resumeSession: gate((each) => each.resumeSession),
    standingSession: gate((each) => each.standingSession),
    sessionWarnings: gate((each) => each.sessionWarnings),
    markShown: gate((each) => each.markShown),
    searchServed: gate((each) => each.searchServed),
    lastDecision: gate((each) => each.lastDecision),
    discardedProposals: gate((each) => each.discardedProposals),
    reviveProposal: gate((each) => each.reviveProposal),
    discardedSinceReview: gate((each) => each.discardedSinceReview),
    decidedByClients: gate((each) => each.decidedByClients),
    rememberClientDecisions: gate((each) => each.rememberClientDecisions),
    rememberReview: gate((each) => each.rememberReview),
    rankedGap: gate((each) => each.rankedGap),
    allGaps: gate((each) => each.allGaps),
    proposeGap: gate((each) => each.proposeGap),
    sessionRecords: gate((each) => each.sessionRecords),
    servedLines: gate((each) => each.servedLines),
    clearGaps: gate((each) => each.clearGaps),
    checkPassphrase: gate((each) => each.checkPassphrase),
    keyInfo: gate((each) => each.keyInfo),
    replaceLostKey: gate((each) => each.replaceLostKey),
    setPassphrase: gate((each) => each.setPassphrase),
    removePassphrase: gate((each) => each.removePassphrase),
    registerPasskey: gate((each) => each.registerPasskey),
    addAuthenticator: gate((each) => each.addAuthenticator),
    leavePasskey: gate((each) => each.leavePasskey),
    passkeys: gate((each) => each.passkeys),
    actFor: gate((each) => each.actFor),
    firstAct: gate((each) => each.firstAct),
    authenticatorOf: gate((each) => each.authenticatorOf),
    questionFor: gate((each) => each.questionFor),
    unknownKeys: gate((each) => each.unknownKeys),
    trustKey: gate((each) => each.trustKey),
    untrustKey: gate((each) => each.untrustKey),
    lastCode: gate((each) => each.lastCode),
    settleFault: gate((each) => each.settleFault),
    adoptShown: gate((each) => each.adoptAll),
    neverAccounted: gate((each) => each.neverAccounted),
    olderTaste: gate((each) => each.olderTaste),
    moveOlderTaste: gate((each) => each.moveOlderTaste),
    mergedFiles: gate((each) => each.mergedFiles),
    tidyFile: gate((each) => each.tidyFile),
    keepMerged: gate((each) => each.keepMerged),
    editableText: gate((each) => each.editableText),
    saveText: gate((each) => each.saveText),

    repositoryAbove: loader((each) => each.repositoryAbove),
    trustQuestions: adapters((each) => each.trustQuestions),
    allowAdapter: adapters((each) => each.allowAdapter),
    allowedAdapters: adapters((each) => each.allowedAdapters),
    revokeAdapters: adapters((each) => each.revokeAdapters),

    resumeShared: shared((each) => each.resumeShared),
    openSharedState: shared((each) => each.openSharedState),
    listShared: shared((each) => each.listShared),
    showShared: shared((each) => each.showShared),
    sharedText: shared((each) => each.sharedText),
    cancelShared: shared((each) => each.cancelShared),
    answerShared: shared((each) => each.answerShared),
    answerRun: runs((each) => each.answerRun),
    waitingRun: runs((each) => each.waitingRun),
    allWaitingShared: shared((each) => each.allWaitingShared),
    unbackedAnswers: runs((each) => each.unbackedAnswers),
    waitingShared: shared((each) => each.waitingShared),
    scriptQuestions: runs((each) => each.scriptQuestions),

    planImages: clients((each) => each.planImages),
    importImages: clients((each) => each.importImages),
    foreignPin: clients((each) => each.foreignPin),
    hookContext: clients((each) => each.hookContext),
    fix: clients((each) => each.fix),
    memoryNames: clients((each) => each.memoryNames),
    memoryText: clients((each) => each.memoryText),
    watchMemory: clients((each) => each.watchMemory),
    elicitationFor: settings((each) => each.elicitationFor),
    offersRunTask: settings((each) => each.offersRunTask),

    mcpToken: mcpHttp((each) => each.mcpToken),
    listenForMcp: mcpHttp((each) => each.listenForMcp),
    serveLocally: page((each) => each.serveLocally),
    servedFile: page((each) => each.servedFile),
    announcePage: page((each) => each.announcePage),
    leavePage: page((each) => each.leavePage),
    runningPage: page((each) => each.runningPage),
    openBrowser: page((each) => each.openBrowser),
    closeBrowserFile: page((each) => each.closeBrowserFile),
    memoryStamp: page((each) => each.memoryStamp),
    conflictSides: page((each) => each.conflictSides),
    conflictsWith: page((each) => each.conflictsWith),
    createSample: demo((each) => each.createSample),
    copyExamples: demo((each) => each.copyExamples),
  };
}

// The named method, called as soon as its code is there.
function after<T>(load: () => Promise<T>) {
  return <A extends unknown[], R>(method: (loaded: T) => (...args: A) => R) =>
    async (...args: A): Promise<Awaited<R>> =>
      await method(await load())(...args);
}
