import type { Scope } from '../clients/client-table.ts';
import type { clientUseCases } from '../clients/client-use-cases.ts';
import type { Finding } from '../clients/doctor/finding.ts';
import type { ImportOptions, ImportPlan, PlannedImport } from '../clients/import.ts';
import type { ClientState, InstallPlan } from '../clients/install.ts';
import type { InstallRequest } from '../clients/install-request.ts';
import type { ExportedFile } from '../clients/memory-formats.ts';
import { type ArgumentsOf, checkedMethods, type KeysOf, type SomeKeysOf } from '../known-keys.ts';

export type UndoRequest = Pick<InstallRequest, 'client' | 'scope' | 'name'>;

/** The programs that agents run in: installing, importing, checking. */
export interface Clients {
  /** The clients that can be set up, and where each one is. */
  list(): Promise<ClientState[]>;

  /** What setting up a client would change in its own files; nothing is written. */
  planInstall(request: InstallRequest): Promise<InstallPlan>;

  /** Writes a plan that a person has seen. */
  applyInstall(plan: InstallPlan, entry?: string): Promise<void>;

  /** What taking our entry out of a client's files would change; nothing is written. */
  planUndo(request: UndoRequest): Promise<InstallPlan>;

  /** Writes the plan of an undo that a person has seen. */
  applyUndo(plan: InstallPlan, entry?: string): Promise<void>;

  /** What of other programs' memory files could become proposals. */
  planImport(sources: readonly string[], options?: ImportOptions): Promise<ImportPlan>;

  /** Makes proposals of planned items; each waits for the person. */
  proposeImport(
    items: readonly PlannedImport[],
    options?: ImportOptions,
  ): Promise<{ proposed: number; present: number }>;

  /** Memory in the form of another program: tastes, and of a workspace the rest. Nothing is written. */
  exportMemory(format: string, workspace?: string): Promise<ExportedFile[]>;

  /** Writes such files into a folder that is new or empty: all of them, or none. */
  writeExport(files: readonly ExportedFile[], folder: string): Promise<void>;

  /** Checks the home, the workspaces and the clients; changes nothing. */
  doctor(): Promise<Finding[]>;
}

const SCOPES: readonly Scope[] = ['project', 'user'];
const UNDO: KeysOf<UndoRequest> = { client: 'text', 'scope?': SCOPES, 'name?': 'text' };
const INSTALL: KeysOf<InstallRequest> = {
  ...UNDO,
  'workspace?': 'text',
  'hook?': 'flag',
  'rules?': 'flag',
  'guard?': 'flag',
};
const IMPORT: KeysOf<ImportOptions> = {
  'to?': 'text',
  'id?': 'text',
  'category?': 'text',
  'images?': 'text',
  'from?': 'text',
  'withTastes?': 'flag',
};
const PLAN: SomeKeysOf<InstallPlan> = { client: 'text', scope: SCOPES, changes: 'objects', '...': 'object' };
const ARGUMENTS: ArgumentsOf<Clients> = {
  list: {},
  planInstall: { request: INSTALL },
  applyInstall: { plan: PLAN, 'entry?': 'text' },
  planUndo: { request: UNDO },
  applyUndo: { plan: PLAN, 'entry?': 'text' },
  planImport: { sources: 'texts', 'options?': IMPORT },
  proposeImport: { items: 'objects', 'options?': IMPORT },
  exportMemory: { format: 'text', 'workspace?': 'text' },
  writeExport: { files: 'objects', folder: 'text' },
  doctor: {},
};

export type ClientUseCases = ReturnType<typeof clientUseCases>;

export function clientsNamespace(clients: () => Promise<ClientUseCases>): Clients {
  return checkedMethods('clients', ARGUMENTS, {
    list: async () => (await clients()).clientStates(),
    planInstall: async (request) => (await clients()).planInstall(request),
    applyInstall: async (plan, entry) => (await clients()).applyInstall(plan, entry),
    planUndo: async (request) => (await clients()).planUndo(request),
    applyUndo: async (plan, entry) => (await clients()).applyUndo(plan, entry),
    planImport: async (sources, options = {}) => (await clients()).planImport(sources, options),
    proposeImport: async (items, options = {}) => (await clients()).proposeImport(items, options),
    exportMemory: async (format, workspace) => (await clients()).exportMemory(format, workspace),
    writeExport: async (files, folder) => (await clients()).writeExport(files, folder),
    doctor: async () => (await clients()).examine(),
  });
}
