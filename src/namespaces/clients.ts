import type { clientUseCases } from '../clients/client-use-cases.ts';
import type { Finding } from '../clients/doctor/finding.ts';
import type { ImportOptions, ImportPlan, PlannedImport } from '../clients/import.ts';
import type { ClientState, InstallPlan, InstallRequest } from '../clients/install.ts';
import { type KeysOf, knownKeys } from '../known-keys.ts';

type UndoRequest = Pick<InstallRequest, 'client' | 'scope' | 'name'>;

const UNDO: KeysOf<UndoRequest> = { client: true, scope: true, name: true };
const INSTALL: KeysOf<InstallRequest> = { ...UNDO, workspace: true, portable: true, hook: true };
const IMPORT: KeysOf<ImportOptions> = { to: true, id: true, category: true, images: true };

export type ClientUseCases = ReturnType<typeof clientUseCases>;

// The programs that agents run in: their own files, what can be imported from them, and whether all is well.
export function clientsNamespace(clients: () => Promise<ClientUseCases>) {
  return {
    /** The clients that can be set up, and where each one is. */
    async list(): Promise<ClientState[]> {
      return (await clients()).clientStates();
    },

    /** What setting up a client would change in its own files; nothing is written. */
    async planInstall(request: InstallRequest): Promise<InstallPlan> {
      return (await clients()).planInstall(knownKeys(request, INSTALL, 'clients.planInstall'));
    },

    /** Writes a plan that a person has seen. */
    async applyInstall(plan: InstallPlan, entry?: string): Promise<void> {
      return (await clients()).applyInstall(plan, entry);
    },

    /** What taking our entry out of a client's files would change; nothing is written. */
    async planUndo(request: UndoRequest): Promise<InstallPlan> {
      return (await clients()).planUndo(knownKeys(request, UNDO, 'clients.planUndo'));
    },

    /** Writes the plan of an undo that a person has seen. */
    async applyUndo(plan: InstallPlan, entry?: string): Promise<void> {
      return (await clients()).applyUndo(plan, entry);
    },

    /** What of other programs' memory files could become proposals. */
    async planImport(sources: readonly string[], options: ImportOptions = {}): Promise<ImportPlan> {
      return (await clients()).planImport(sources, knownKeys(options, IMPORT, 'clients.planImport'));
    },

    /** Makes proposals of planned items; each waits for the person. */
    async proposeImport(
      items: readonly PlannedImport[],
      options: ImportOptions = {},
    ): Promise<{ proposed: number; present: number }> {
      return (await clients()).proposeImport(items, knownKeys(options, IMPORT, 'clients.proposeImport'));
    },

    /** Checks the home, the workspaces and the clients; changes nothing. */
    async doctor(): Promise<Finding[]> {
      return (await clients()).examine();
    },
  };
}
