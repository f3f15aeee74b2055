import { sha256 } from '../../files/sha256.ts';
import type { Settings } from '../../settings/app-context.ts';
import { readHome, readStanding } from '../io/read-standing.ts';
import type { Fault } from '../ledger/chain.ts';
import type { HomeState } from '../ledger/home-state.ts';
import { fileOf } from '../ledger/ledger.ts';
import { type Accounts, accountsOf } from '../standing/accounts.ts';
import { type Decision, goneWorkspaces, type Standing, type StandingFile } from '../standing/standing.ts';
import { type AccountedFile, ledgersOf } from './accounted-files.ts';

// For whoever is about to write: read again, under the lock.

export function standingFor({ at }: Pick<AccountedFile, 'at'>): Standing {
  return readStanding(at, readHome(at.home));
}

export function standingFile(place: AccountedFile): StandingFile {
  const { files } = standingFor(place);
  return files.get(place.file) ?? { file: place.file, blocks: [], gone: [], accounts: accountsOf([], sha256) };
}

export function accountsFor(place: AccountedFile): Accounts {
  return standingFile(place).accounts;
}

/** Every decision on a file, by chain. */
export function decisionsOn(place: AccountedFile): Decision[][] {
  return standingFor(place).decisions.map((chain) => chain.filter(({ entry }) => fileOf(entry) === place.file));
}

/** Whoever serves one workspace alone knows nothing of the others. */
export function goneFrom(settings: Settings, state: HomeState): Fault[] {
  if (settings.only !== undefined) return [];
  const names = ledgersOf(settings, 'all').map(({ name }) => name);
  return goneWorkspaces(state, names, sha256);
}
