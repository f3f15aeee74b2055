import { type FileLayer, realFiles } from '../files/file-layer.ts';
import { type Lock, lockAt } from '../files/lock.ts';
import { realPath } from '../files/path-scope.ts';
import { join } from '../files/paths.ts';
import { sqlite } from '../files/sqlite.ts';
import { tasteFolder } from '../memory/io/taste-folder.ts';
import type { AppContext, Settings } from '../settings/app-context.ts';
import { assertStaysInside, type Workspace } from '../settings/io/workspace-folders.ts';
import { isErasing } from './erase/io/is-erasing.ts';
import { type BlockIndex, openBlockIndex } from './io/block-index.ts';
import { earlierFolder, intentPath } from './io/decision-paths.ts';
import { hasIntent } from './io/intent-file.ts';
import { ledgerFile } from './io/ledger-file.ts';
import { type PendingFolder, pendingFolder } from './io/pending-folder.ts';
import { recover } from './io/target-recovery.ts';
import type { DecisionDomain } from './io/target-text.ts';
import type { Proposal } from './proposal.ts';
import { sessionsFolder } from './sessions/sessions-folder.ts';

/** A folder that decisions write to, with its lock and its ledger. */
export interface Domain {
  decisions: DecisionDomain;
  lock: Lock;
  ledgerFolder: string;
  scope: string | null;
  /** The workspace; null: the tastes. */
  image_id: string | null;
}

export interface Domains {
  notes(settings: Settings, workspace: Workspace): Promise<Domain>;
  tastes(settings: Settings): Promise<Domain>;
  of(settings: Settings, proposal: Pick<Proposal, 'kind' | 'image_id'>): Promise<Domain>;
  /** Pending proposals of a workspace, or of the home where there is none. */
  pendingOf(settings: Settings, workspace: Workspace | null): PendingFolder;
  /** Brings to an end what a dead process left; cheap where there is nothing. */
  settle(domain: Domain): Promise<void>;
  index(): Promise<BlockIndex>;
}

// Locks and warm listings live as long as what was opened: callers in one process queue instead of polling.
export function openDomains(app: AppContext, files: FileLayer = realFiles): Domains {
  const locks = new Map<string, Lock>();
  const folders = new Map<string, PendingFolder>();
  let blockIndex: Promise<BlockIndex> | undefined;
  const index = (): Promise<BlockIndex> => {
    blockIndex ??= sqlite().then((open) => openBlockIndex(app.cacheFolder, open));
    return blockIndex;
  };
  const remembered = <T>(known: Map<string, T>, key: string, make: () => T): T => {
    const value = known.get(key) ?? make();
    known.set(key, value);
    return value;
  };
  const domain = async (
    settings: Settings,
    options: {
      folder: string;
      scope: string | null;
      lockPath: string;
      workspace: Workspace | null;
      locate?: DecisionDomain['locate'];
    },
  ): Promise<Domain> => {
    const { workspace } = options;
    const ledgerFolder = join(options.folder, 'ledger');
    return {
      ledgerFolder,
      scope: options.scope,
      image_id: workspace?.id ?? null,
      lock: remembered(locks, options.lockPath, () => lockInside(workspace, lockAt(options.lockPath))),
      decisions: {
        folder: options.folder,
        scope: options.scope,
        intentPath: intentPath(settings.home, options.folder),
        earlier: earlierFolder(settings.home, options.folder),
        ledger: ledgerFile({ folder: ledgerFolder, scope: options.scope, home: settings.home, files }),
        index: await index(),
        files,
        ...(options.locate && { locate: options.locate }),
      },
    };
  };
  const notes = (settings: Settings, workspace: Workspace) =>
    domain(settings, {
      folder: workspace.folder,
      scope: workspace.scope,
      lockPath: join(workspace.folder, 'sessions', '.lock'),
      workspace,
    });
  const tastes = (settings: Settings) => {
    const folder = settings.tastesFolder;
    const locate = (file: string) => tasteFolder(settings).locate(file.replace(/\.md$/, ''));
    const lockPath = join(folder, 'ledger', '.lock');
    return domain(settings, { folder, scope: folder, lockPath, workspace: null, locate });
  };
  return {
    notes,
    tastes,
    index,
    of: (settings, proposal) =>
      proposal.kind === 'taste'
        ? tastes(settings)
        : notes(settings, settings.workspace({ id: proposal.image_id ?? undefined })),
    pendingOf(settings, workspace) {
      const folder = sessionsFolder(settings, workspace?.folder ?? null);
      const owner = { imageId: workspace?.id ?? null, scope: workspace?.scope ?? null, home: settings.home };
      return remembered(folders, `${folder}\0${owner.imageId}`, () => pendingFolder(folder, owner));
    },
    async settle({ decisions, lock }) {
      if (hasIntent(decisions) || isErasing(app.home)) await lock.run(() => recover(decisions));
    },
  };
}

// Whoever decides holds the lock: the one place to see that a cloned repository does not lead us out of it.
function lockInside(workspace: Workspace | null, lock: Lock): Lock {
  return {
    async run(work) {
      if (workspace) {
        for (const name of ['sessions', 'ledger']) assertStaysInside(workspace, name);
        if (realPath(join(workspace.folder, 'sessions')) !== null) assertStaysInside(workspace, 'sessions/.lock');
      }
      return lock.run(work);
    },
  };
}
