import { type FileLayer, realFiles } from '../../files/file-layer.ts';
import { type Lock, lockAt, nestedLock } from '../../files/lock.ts';
import { realPath } from '../../files/path-scope.ts';
import { join } from '../../files/paths.ts';
import { tasteFolder } from '../../memory/io/taste-folder.ts';
import type { AppContext, Settings } from '../../settings/app-context.ts';
import { assertStaysInside, type Workspace } from '../../settings/io/workspace-folders.ts';
import { earlierFolder, intentPath } from '../io/decision-paths.ts';
import { hasIntent } from '../io/intent-file.ts';
import { isErasing } from '../io/is-erasing.ts';
import { type LedgerLocation, ledgerFile } from '../io/ledger-file.ts';
import { type PendingFolder, pendingFolder } from '../io/pending-folder.ts';
import { homeLedger, readHome } from '../io/read-standing.ts';
import { recover } from '../io/target-recovery.ts';
import type { DecisionDomain } from '../io/target-text.ts';
import type { Proposal } from '../proposals/proposal.ts';
import { tastesLedger, workspaceLedger } from './accounted-files.ts';
import { sessionsFolder } from './sessions-folder.ts';

/** A folder that decisions write to, with its lock and its ledger. */
export interface Domain {
  decisions: DecisionDomain;
  lock: Lock;
  /** Without the home's, for whoever takes several and then that one. */
  ownLock: Lock;
  at: LedgerLocation;
  scope: string | null;
  /** The workspace; null: the tastes, or the home. */
  image_id: string | null;
}

export interface Domains {
  notes(settings: Settings, workspace: Workspace): Domain;
  tastes(settings: Settings): Domain;
  /** What belongs to no text: keys, allowances, answers to runs. */
  home(settings: Settings): Domain;
  of(settings: Settings, proposal: Pick<Proposal, 'kind' | 'image_id'>): Domain;
  /** Pending proposals of a workspace, or of the home where there is none. */
  pendingOf(settings: Settings, workspace: Workspace | null): PendingFolder;
  /** Brings to an end what a dead process left; cheap where there is nothing. */
  settle(domain: Domain): Promise<void>;
}

// Locks and warm listings live as long as what was opened: callers in one process queue instead of polling.
export function openDomains(app: AppContext, files: FileLayer = realFiles): Domains {
  const locks = new Map<string, Lock>();
  const folders = new Map<string, PendingFolder>();
  const remembered = <T>(known: Map<string, T>, key: string, make: () => T): T => {
    const value = known.get(key) ?? make();
    known.set(key, value);
    return value;
  };
  const lockOf = (path: string) => remembered(locks, path, () => lockAt(path));
  // Always the last that is taken. Erasing holds it for several folders at once.
  const homeLock = nestedLock(lockOf(join(app.home, 'ledger', '.lock')));
  const domain = (
    { home }: Settings,
    at: LedgerLocation,
    options: {
      folder: string;
      ownLock: Lock;
      workspace?: Workspace | null;
      locate?: DecisionDomain['locate'];
    },
  ): Domain => {
    const { folder, ownLock, workspace = null, locate } = options;
    const isHome = at.name === 'home';
    const isKnown = () =>
      readHome(home).state.registrations.some(({ about, place }) => about === at.name && place === at.place);
    return {
      ...{ at, scope: at.scope, image_id: workspace?.id ?? null, ownLock },
      // The first decision in a folder is written to the home's chain too.
      lock: isHome ? homeLock : { run: (work) => ownLock.run(() => (isKnown() ? work() : homeLock.run(work))) },
      decisions: {
        ...{ folder, scope: at.scope, at, files },
        intentPath: intentPath(home, folder),
        earlier: earlierFolder(home, folder),
        ledger: ledgerFile(at, files),
        homeLedger: isHome ? null : ledgerFile(homeLedger(home), files),
        ...(locate && { locate }),
      },
    };
  };
  const notes = (settings: Settings, workspace: Workspace) =>
    domain(settings, workspaceLedger(settings, workspace), {
      folder: workspace.folder,
      ownLock: lockInside(workspace, lockOf(join(workspace.folder, 'sessions', '.lock'))),
      workspace,
    });
  const tastes = (settings: Settings) => {
    const folder = settings.tastesFolder;
    const locate = (file: string) => tasteFolder(settings).locate(file.replace(/\.md$/, ''));
    const ownLock = lockOf(join(folder, 'ledger', '.lock'));
    return domain(settings, tastesLedger(settings), { folder, ownLock, locate });
  };
  return {
    notes,
    tastes,
    home: (settings) => domain(settings, homeLedger(settings.home), { folder: settings.home, ownLock: homeLock }),
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
function lockInside(workspace: Workspace, lock: Lock): Lock {
  return {
    async run(work) {
      for (const name of ['sessions', 'ledger']) assertStaysInside(workspace, name);
      if (realPath(join(workspace.folder, 'sessions')) !== null) assertStaysInside(workspace, 'sessions/.lock');
      return lock.run(work);
    },
  };
}
