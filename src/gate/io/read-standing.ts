import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { conflict } from '../../errors.ts';
import { sha256, statsOf } from '../../files/file-fingerprint.ts';
import { readRange, withFile } from '../../files/read-file.ts';
import { hasTooManyBlocks, MAX_SCANNED_BYTES } from '../../memory/brief-and-notes.ts';
import type { AppContext } from '../../settings/app-context.ts';
import { type CheckedChain, checkChain } from '../ledger/chain.ts';
import { homeStanding, type Standing, standing } from '../standing/standing.ts';
import { type LedgerLocation, ledgerPaths, readLedger, textsPath } from './ledger-file.ts';
import { marksFolder, saveMarks } from './marks.ts';
import { fingerprintOf, isSigned, knownKey } from './person-key.ts';

// Where bytes become what the person decided: read here, judged in `standing`, kept in memory for as long as no file changes.

/** A ledger with the files that it covers. */
export interface StandingLocation extends LedgerLocation {
  /** Files that are there, by name. */
  names: readonly string[];
  /** Where one is, and what a link in its place may not lead out of. */
  locate(file: string): { path: string; scope: string | null };
}

/** What the home's own chains say. */
export type HomeReading = ReturnType<typeof homeStanding>;

const TOOLS = { sha256, isSigned, fingerprintOf };

export function homeLedger(home: string): LedgerLocation {
  const name = 'home';
  return {
    ...{ name, label: name, place: sha256(name), isWorkspace: false, mayBeBranch: false },
    ...{ home, ledgerFolder: join(home, 'ledger'), scope: null },
  };
}

/** Each chain up to its last good entry, whoever signed it. */
export function checkedChains(location: LedgerLocation): CheckedChain[] {
  return readLedger(location).chains.map((chain) => checkChain(chain, TOOLS));
}

export function readHome(home: string): HomeReading {
  const wasUsed = ['heads', 'intents'].some((name) => existsSync(join(home, name)));
  return homeStanding({ ...readLedger(homeLedger(home)), wasUsed }, (inForce) => knownKey(home, inForce), TOOLS);
}

/** For a word that lets something run: it would not count. */
export function assertSound({ decided }: HomeReading): void {
  if (decided.faults.length === 0) return;
  throw conflict(
    'The record of your decisions does not add up: nothing may run until it is settled.',
    'See what is wrong: bearings verify. Settle it: bearings review',
  );
}

export function readStanding(location: StandingLocation, { state }: Pick<HomeReading, 'state'>): Standing {
  const textOf = (file: string): string | null => {
    const { path, scope } = location.locate(file);
    const read = withFile(path, scope, ({ fd, size }) =>
      size > MAX_SCANNED_BYTES ? null : readRange(fd, 0, size).toString('utf8'),
    );
    if (read.status !== 'ok') return '';
    return read.value === null || hasTooManyBlocks(read.value) ? null : read.value;
  };
  return standing(readLedger(location), state, { names: location.names, textOf }, TOOLS);
}

/** The same for a process that is asked again and again: nothing is read twice while no file has changed. */
export function standings(app: AppContext) {
  const remembered = <T>(of: string, name: string, files: readonly string[], read: () => T): T => {
    const stats = statsOf([join(app.home, 'key.json'), ...ledgerFiles(homeLedger(app.home)), ...files]);
    const memo = app.memo<T>(of);
    const known = memo.get(stats, name);
    if (known) return known;
    const reading = read();
    memo.put(stats, reading, name);
    return reading;
  };
  const home = (): HomeReading => remembered('home standing', 'home', [], () => readHome(app.home));
  // Of one ledger that covers many files it is asked once.
  const asked = new WeakMap<StandingLocation, Standing>();
  return {
    home,
    of(location: StandingLocation): Standing {
      const files = () => [...ledgerFiles(location), ...location.names.map((name) => location.locate(name).path)];
      const found =
        asked.get(location) ??
        remembered('standing', location.name, files(), () => {
          const reading = readStanding(location, home());
          // Whoever cuts one off later is told of.
          saveMarks(location.home, location.place, reading.ends);
          return reading;
        });
      asked.set(location, found);
      return found;
    },
  };
}

/** All files that decide what counts: a new mark or chain changes the times of its folder. */
function ledgerFiles({ home, place, ledgerFolder }: LedgerLocation): string[] {
  const chains = ledgerPaths(ledgerFolder);
  return [ledgerFolder, ...chains, ...chains.map(textsPath), marksFolder(home, place)];
}
