import { systemFault } from './errors.ts';
import { isErasing } from './gate/io/marks.ts';
import { contextUseCases } from './gate/serve-context.ts';
import { memoryUseCases } from './memory/read-memory.ts';
import type { BearingsOptions } from './settings/bearings-options.ts';
import { isImporting, openApp } from './settings/io/open-app.ts';

export type { LocalAnswer, LocalRequest } from './clients/io/local-server.ts';
export type { ShownProposal } from './gate/propose.ts';
export type { LoadRequest } from './loader/load.ts';
export { failSpan, traced } from './settings/io/tracing.ts';
/** The use cases by room, for our own command line, server and page; a program gets what `library.ts` names. */
export type Rooms = ReturnType<typeof openRooms>;

// The one place where the rooms meet. Opening reads nothing, and a room's code is loaded at its first call, as a whole: an
// agent's first turn waits for nothing but reading.
export function openRooms(options: BearingsOptions = {}, method?: string) {
  const app = openApp(options, method);
  const loadGate = once(async () => {
    const useCases = (await import('./gate/gate.ts')).gateUseCases(
      app,
      options.files,
      async (settings, sought, roots) => [
        ...(await import('./memory/io/memory-files.ts')).memoryCopies(settings, sought),
        ...(await import('./project/project-indexes.ts')).indexCopies(app.cacheFolder, roots, sought),
        ...(await import('./loader/io/clean-texts.ts')).loaderCopies(settings, sought),
        ...(await (await import('./tasks/io/run-files.ts')).runCopies(app.runsFolder, sought)),
      ],
    );
    return followed(useCases, CHANGING, async () =>
      (await import('./clients/install.ts')).installUseCases(app).refreshNotesBlocks(),
    );
  });
  const gate = async (): ReturnType<typeof loadGate> => {
    const loaded = await loadGate();
    if (isImporting(app.home)) await (await clients()).rollBackImport();
    if (isErasing(app.home)) await loaded.finishErasure();
    return loaded;
  };
  // What is being erased is not read once more.
  const afterErasure = async () => {
    if (isErasing(app.home)) await gate();
  };
  const clients = once(async () => (await import('./clients/client-use-cases.ts')).clientUseCases(app, gate));
  const tastes = once(async () => (await import('./memory/taste-files.ts')).tasteUseCases(app));
  const memory = once(async () => ({
    ...memoryUseCases(app),
    ...contextUseCases(app, async (target, name, context) =>
      (await import('./loader/choose-policy.ts')).fitForProfile(app, target, { name, context }),
    ),
  }));
  // A session is all that an agent's first call needs of the gate, so it loads alone.
  const sessions = once(async () => (await import('./gate/sessions/sessions.ts')).sessionUseCases(app));
  const matching = once(async () => {
    const { outsideCorpus } = await import('./loader/choose-policy.ts');
    return (await import('./project/match-project.ts')).matchingUseCases(app, (root) => outsideCorpus(app, root));
  });
  const shared = new Map<string, ReturnType<typeof import('./tasks/shared-runs.ts').sharedRunUseCases>>();
  const guard = once(async () => {
    const { guardUseCases } = await import('./clients/guard.ts');
    return guardUseCases(app, { gate, session: async (...given) => (await sessions()).standingSession(...given) });
  });
  return {
    async memory() {
      await afterErasure();
      return memory();
    },
    async tastes() {
      await afterErasure();
      return tastes();
    },
    gate,
    clients,
    hooks: once(async () =>
      (await import('./hooks/hooks.ts')).hookUseCases(app, {
        session: async (...given) => (await sessions()).standingSession(...given),
        matching,
        protectedFiles: async () => (await import('./clients/protected-files.ts')).protectedFiles(app),
        guard,
      }),
    ),
    learning: once(async () => (await import('./learn/learn.ts')).learnUseCases(app, gate)),
    sessions,
    workspaces: once(async () => (await import('./gate/workspaces.ts')).workspaceUseCases(app)),
    loader: once(async () => (await import('./loader/load.ts')).loaderUseCases(app)),
    adapters: once(async () => (await import('./loader/run-adapters.ts')).adapterUseCases(app)),
    evaluation: once(async () => (await import('./loader/evaluate-past.ts')).evaluateUseCases(app)),
    receipts: once(async () => {
      const { bundleLoader } = await import('./loader/load.ts');
      return (await import('./loader/receipts.ts')).receiptUseCases(app, bundleLoader(app));
    }),
    matching,
    runs: once(async () => (await import('./tasks/runs.ts')).runUseCases(app)),
    // Runs in a database load the packages for it, so they are apart.
    async sharedRuns(url: string) {
      const { sharedRunUseCases } = await import('./tasks/shared-runs.ts');
      const runs = shared.get(url) ?? inOurWords(sharedRunUseCases(app, url));
      shared.set(url, runs);
      return runs;
    },
    settings: once(async () => {
      const { checkSettings } = await import('./clients/check-settings.ts');
      const { settingsUseCases } = await import('./settings/io/show-settings.ts');
      return { ...settingsUseCases(app), checkSettings: () => checkSettings(app) };
    }),
    mcpHttp: once(async () => (await import('./clients/io/mcp-listener.ts')).mcpHttpUseCases(app)),
    page: once(async () => (await import('./clients/page.ts')).pageUseCases(app)),
    demo: once(async () => (await import('./clients/demo.ts')).demoUseCases(app)),
  };
}

// What may change which notes are confirmed: the blocks that are kept in clients' files follow.
const CHANGING = [
  ...(['decide', 'goBack', 'saveText', 'erase', 'finishErasure', 'editDueBlock', 'settleFault'] as const),
  ...(['adoptBlock', 'adoptAll', 'takeOutBlock', 'retireBlock', 'tidyFile', 'trustKey', 'untrustKey'] as const),
];

function followed<T extends object>(useCases: T, names: readonly (keyof T)[], then: () => Promise<void>): T {
  return mapped(useCases, (name, call) =>
    names.includes(name)
      ? async (...given) => {
          const answer = await call(...given);
          await then();
          return answer;
        }
      : call,
  );
}

type Call = (...given: unknown[]) => unknown;

function mapped<T extends object>(useCases: T, change: (name: keyof T, call: Call) => Call): T {
  const changed = Object.entries(useCases).map(([name, call]) => [name, change(name as keyof T, call)]);
  return Object.fromEntries(changed);
}

function once<T extends object>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined;
  return () => {
    loading ??= load().then(inOurWords);
    return loading;
  };
}

// What the system refuses and no room has put into words is told in ours, on every face.
function inOurWords<T extends object>(useCases: T): T {
  const fail = (error: unknown) => {
    throw systemFault(error) ?? error;
  };
  return mapped(useCases, (_, call) => (...given) => {
    const answer = call(...given);
    return answer instanceof Promise ? answer.catch(fail) : answer;
  });
}
