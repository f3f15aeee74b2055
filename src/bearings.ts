import { systemFault } from './files/system-error.ts';
import { isErasing } from './gate/io/is-erasing.ts';
import { failingWith, type KeysOf, knownKeys } from './known-keys.ts';
import { clientsNamespace } from './namespaces/clients.ts';
import { copiesInRooms } from './namespaces/forget.ts';
import { gateNamespace } from './namespaces/gate.ts';
import { internalMethods } from './namespaces/internal.ts';
import { loadOnce } from './namespaces/load-once.ts';
import { loaderNamespace } from './namespaces/loader.ts';
import { matchingNamespace } from './namespaces/matching.ts';
import { memoryNamespace } from './namespaces/memory.ts';
import { settingsNamespace } from './namespaces/settings.ts';
import { tasksNamespace } from './namespaces/tasks.ts';
import type { BearingsOptions } from './settings/app-context.ts';
import { isImporting } from './settings/io/import-journal-path.ts';
import { openApp } from './settings/io/open-app.ts';

export type { InstallPlan } from './clients/install.ts';
export type { LocalAnswer, LocalRequest } from './clients/io/local-server.ts';
export type { Blame, MergedFile, UnaccountedBlock } from './gate/accounting/blame.ts';
export type { DueBlock } from './gate/accounting/look-again.ts';
export type { ShownProposal } from './gate/propose.ts';
export type { Overview } from './gate/serve-context.ts';
export type { LoadRequest, Rendering, TrustAnswer } from './loader/answers.ts';
export type { RunAnswer, StartRunOptions } from './tasks/runs.ts';
export type { SharedRunState } from './tasks/shared-runs.ts';
/** For our own command line, server and page; a program gets the one of `library.ts`, without `internal`. */
export type Bearings = ReturnType<typeof openBearings>;

const OPTIONS: KeysOf<BearingsOptions> = {
  'home?': 'text',
  'workspaces?': 'text',
  'tastes?': 'text',
  'workspace?': 'text',
  'only?': 'flag',
  'cwd?': 'text',
  'variables?': 'object',
  'now?': 'function',
  'onWarning?': 'function',
  'files?': 'object',
};

// What the system refuses and no room has put into words.
const told = <T extends object>(methods: T): T => failingWith(methods, (error) => systemFault(error) ?? error);

// The one place where the parts meet the disk. Opening reads nothing: each call reads what is there at that moment.
export function openBearings(options: BearingsOptions = {}) {
  const app = openApp(knownKeys(options, OPTIONS, 'openBearings'));
  const loadGate = loadOnce(async () =>
    (await import('./gate/gate.ts')).gateUseCases(app, options.files, copiesInRooms(app)),
  );
  const gate = async (): Promise<Awaited<ReturnType<typeof loadGate>>> => {
    const loaded = await loadGate();
    if (isImporting(app.home)) await (await clients()).rollBackImport();
    if (isErasing(app.home)) await loaded.finishErasure();
    return loaded;
  };
  // What is being erased is not read once more.
  const settled = async () => {
    if (isErasing(app.home)) await gate();
  };
  const sessions = loadOnce(async () => (await import('./gate/sessions/sessions.ts')).sessionUseCases(app));
  const loader = loadOnce(async () => (await import('./loader/load.ts')).loaderUseCases(app));
  const matching = loadOnce(async () => {
    const { outsideCorpus } = await import('./loader/excluded-paths.ts');
    return (await import('./project/match-project.ts')).matchingUseCases(app, (root) => outsideCorpus(app, root));
  });
  const runs = loadOnce(async () => (await import('./tasks/runs.ts')).runUseCases(app));
  const shared = loadOnce(async () => (await import('./tasks/shared-runs.ts')).sharedRunUseCases(app));
  const clients = loadOnce(async () => (await import('./clients/client-use-cases.ts')).clientUseCases(app, gate));
  const settings = loadOnce(async () => (await import('./settings/show-settings.ts')).settingsUseCases(app));
  return {
    memory: told(memoryNamespace(app, settled)),
    gate: told(gateNamespace(gate, sessions)),
    loader: told(loaderNamespace(app, loader)),
    matching: told(matchingNamespace(matching)),
    tasks: told(tasksNamespace(runs, shared)),
    clients: told(clientsNamespace(clients)),
    settings: told(settingsNamespace(app, settings)),
    internal: internalMethods(app, { gate, loader, runs, shared, clients, settings }),
  };
}
