import { join } from 'node:path';
import type { Blame, MergedFile, UnaccountedBlock } from './use-cases/accounting.ts';
import type { gateUseCases } from './use-cases/gate.ts';
import { type BearingsOptions, openDoors } from './use-cases/house.ts';
import { memoryUseCases, type Overview } from './use-cases/memory.ts';
import type { ShownProposal } from './use-cases/proposals.ts';
import { createSample } from './use-cases/sample.ts';
import { settingsUseCases } from './use-cases/settings.ts';
import { tasteUseCases } from './use-cases/tastes.ts';
import { workspaceUseCases } from './use-cases/workspaces.ts';

export type { Blame, MergedFile, Overview, ShownProposal, UnaccountedBlock };
export type Bearings = ReturnType<typeof openBearings>;

type Gate = ReturnType<typeof gateUseCases>;

// The one place where the parts meet the disk. Opening reads nothing: each call reads what is there at that moment.
export function openBearings(options: BearingsOptions = {}) {
  const doors = openDoors(options);
  return {
    ...memoryUseCases(doors),
    ...tasteUseCases(doors),
    ...workspaceUseCases(doors),
    ...settingsUseCases(doors),
    ...later<Gate>(GATE, async () => (await import('./use-cases/gate.ts')).gateUseCases(doors, options.files)),
    // Whose files these are is known: the sample's person wrote them.
    async createSample() {
      const sample = createSample(doors.now());
      const { home } = sample;
      await openBearings({ home, cwd: home, variables: { BEARINGS_CACHE: join(home, '.cache') } }).adoptAll('all', {
        via: 'demo',
      });
      return sample;
    },
  };
}

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
  planImport: true,
  proposeImport: true,
  discardedSinceLook: true,
  rememberLook: true,
};

// The same methods, loaded at the first call: keys, ciphers and scanners are not for those who only read.
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
