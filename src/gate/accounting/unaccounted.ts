import { statsOf } from '../../files/file-memo.ts';
import { withFile } from '../../files/open-file.ts';
import { realPath } from '../../files/path-scope.ts';
import { dirname } from '../../files/paths.ts';
import type { AppContext, Settings } from '../../settings/app-context.ts';
import { isMadeHere, type Workspace } from '../../settings/io/workspace-folders.ts';
import { decidedPath } from '../io/decision-paths.ts';
import type { LedgerLocation, UnaccountedCount, WatchedBlock } from '../io/ledger-accounts.ts';
import { accountingFiles, ledgerPaths } from '../io/ledger-paths.ts';
import { type AccountedFile, accountedBrief, accountedNotes, accountedTaste, tastesLedger } from './accounted-files.ts';

/** Blocks of a served file without a decision behind them; null: there was never a decision. */
export interface Unaccounted {
  file: string;
  count: number | null;
  /** Blocks that a decision stands behind and that are no longer there. */
  gone?: number;
  /** Decisions were made here, and the ledger that says which is gone. */
  ledgerGone?: boolean;
  /** Blocks of a repository on which nobody here ever said a word: they came with it. */
  came?: number;
  /** What of it nobody confirmed is the repository's, not the person's own hand. */
  ofRepository?: true;
  /** The key in the home took the place of another that had not named it. */
  keyTaken?: boolean;
}

/** What the ledgers say of some files. */
export interface Accounted {
  unaccounted: Unaccounted[];
  /** Blocks that a decision stands behind and that cite code or have a date. */
  watched: { place: AccountedFile; blocks: readonly WatchedBlock[] }[];
}

// Of the files that an agent gets. Never from the disk but by the ledgers: what another program writes hides no block.
export function accountedOf(
  app: AppContext,
  settings: Settings,
  workspace: Workspace | null,
  genres: readonly string[],
): Promise<Accounted> {
  return accountedIn(app, settings, [
    ...['_default', ...genres].map((name) => accountedTaste(settings, name)),
    ...(workspace ? [accountedNotes(workspace), accountedBrief(workspace)] : []),
  ]);
}

export async function accountedIn(
  app: AppContext,
  settings: Settings,
  places: readonly AccountedFile[],
): Promise<Accounted> {
  const accounts = new Map<string, Promise<Counter>>();
  const countIn = async (place: AccountedFile) => {
    const counter = accounts.get(place.ledgerFolder) ?? loadCounter(place, settings.home);
    accounts.set(place.ledgerFolder, counter);
    return (await counter)(place);
  };
  const found: Unaccounted[] = [];
  const watched: Accounted['watched'] = [];
  for (const place of places) {
    const { ledgerFolder, path } = place;
    const file = place.kind === 'taste' ? `tastes/${place.file}` : place.file;
    const ledgerGone = ledgerPaths(ledgerFolder).length === 0 && wasUsed(settings.home, place);
    const isNew = !ledgerGone && realPath(ledgerFolder) === null;
    // Tastes are the home's, also where links out of their folder are not followed.
    const isOfRepository = place.kind !== 'taste' && place.scope !== null;
    const isOwn = !isOfRepository || isMadeHere(settings.folders, place.scope ?? '');
    if (isNew && isOwn) {
      found.push({ file, count: null });
      continue;
    }
    // Before counting: what changes meanwhile has other times at the next call.
    const stats = statsOf([path, ledgerFolder, ...accountingFiles(ledgerFolder, settings.home)]);
    const memo = app.memo<Counted>('unaccounted');
    let counted = memo.get(stats, file);
    if (counted === null) {
      counted = isNew ? null : await countIn(place);
      counted ??= { fresh: 0, gone: 0, watched: [], came: isOfRepository ? await blocksIn(place) : 0 };
      memo.put(stats, counted, file);
    }
    const { fresh, gone, watched: blocks } = counted;
    if (blocks.length > 0) watched.push({ place, blocks });
    const came = isOwn ? 0 : counted.came;
    if (isNew || came > 0) found.push({ file, count: null, ...(came > 0 && { came, ofRepository: true }) });
    else if (fresh > 0 || gone > 0 || ledgerGone)
      found.push({
        file,
        count: fresh,
        ...(gone > 0 && { gone }),
        ...(ledgerGone && { ledgerGone }),
        ...(isOfRepository && fresh > 0 && { ofRepository: true }),
      });
  }
  if (await isKeyTaken(app, settings)) found.push({ file: KEY, count: 0, keyTaken: true });
  return { unaccounted: found, watched };
}

/** Files of which something is the repository's own word, and nobody's here. */
export function unconfirmedFiles(found: readonly Unaccounted[]): string[] {
  return found.flatMap(({ file, ofRepository }) => (ofRepository ? [file] : []));
}

const KEY = 'key.json';

// As with the blocks: counted again only where a ledger of the tastes or a key has changed.
async function isKeyTaken(app: AppContext, settings: Settings): Promise<boolean> {
  const ledgerFolder = tastesLedger(settings);
  const stats = statsOf([ledgerFolder, ...accountingFiles(ledgerFolder, settings.home)]);
  if (stats.every((stat) => stat === undefined)) return false;
  const memo = app.memo<{ isTaken: boolean }>('key taken');
  let known = memo.get(stats);
  if (known === null) {
    const { takenOver } = await import('../keys/io/taken-over.ts');
    const takeover = takenOver(settings.home, [accountedTaste(settings, '_default')]);
    known = { isTaken: takeover !== null && !takeover.isTrusted };
    memo.put(stats, known);
  }
  return known.isTaken;
}

// The home brought a decision for this folder to its end.
export function wasUsed(home: string, { ledgerFolder }: Pick<AccountedFile, 'ledgerFolder'>): boolean {
  return realPath(decidedPath(home, dirname(ledgerFolder))) !== null;
}

const TAKEN = 'the key in the home is not the one that the ledger of the tastes names (bearings verify)';

/** Always one line, however many files it is about. */
export function unaccountedWarning(found: readonly Unaccounted[]): string[] {
  const told = [
    counted(found, 'count', (total, files) =>
      total === 1
        ? `1 block is unaccounted (${files}): no decision stands behind it`
        : `${total} blocks are unaccounted (${files}): no decision stands behind them`,
    ),
    counted(
      found,
      'gone',
      (total, files) =>
        `${total === 1 ? '1 accepted block is' : `${total} accepted blocks are`} no longer there (${files})`,
    ),
    counted(
      found,
      'came',
      (total, files) =>
        `${total === 1 ? '1 block' : `${total} blocks`} came with the repository (${files}): the person has not confirmed ${total === 1 ? 'it' : 'them'}`,
    ),
    ...[...new Set(found.flatMap(({ file, ledgerGone }) => (ledgerGone ? [ledgerOf(file)] : [])))].map(
      (ledger) => `the ledger of ${ledger} is gone, and decisions were made there`,
    ),
    found.some(({ keyTaken }) => keyTaken) ? TAKEN : '',
  ].filter((part) => part !== '');
  return told.length === 0 ? [] : [`${told.join('; ')}. The person decides: bearings review`];
}

function counted(
  found: readonly Unaccounted[],
  of: 'count' | 'gone' | 'came',
  words: (total: number, files: string) => string,
): string {
  const filled = found.flatMap(({ file, ...each }) => (each[of] ? [{ file, count: each[of] }] : []));
  const total = filled.reduce((sum, { count }) => sum + count, 0);
  if (total === 0) return '';
  const files = filled.slice(0, 5).map(({ file, count }) => `${count} in ${file}`);
  const more = filled.length > 5 ? `, and ${filled.length - 5} more files` : '';
  return words(total, `${files.join(', ')}${more}`);
}

function ledgerOf(file: string): string {
  return file.startsWith('tastes/') ? 'the tastes' : 'this workspace';
}

/** Null: no decision was ever made on this file. */
type Counted = UnaccountedCount & { came: number };
type Counter = (place: AccountedFile) => Counted | null;

async function loadCounter(location: LedgerLocation, home: string): Promise<Counter> {
  const { accountsIn, countUnaccounted } = await import('../io/ledger-accounts.ts');
  const accounts = accountsIn(location, home);
  return ({ file, path, scope }) => {
    const known = accounts(file);
    return known.hasDecisions ? { ...countUnaccounted(path, scope, known), came: 0 } : null;
  };
}

async function blocksIn({ path, scope }: AccountedFile): Promise<number> {
  const { blockPass } = await import('../io/block-pass.ts');
  const counted = withFile(path, scope, (file) => [...blockPass(file)].length);
  return counted.status === 'ok' ? counted.value : 0;
}
