import type { AppContext, Settings } from '../../settings/app-context.ts';
import { isMadeHere, type Workspace } from '../../settings/io/workspace-folders.ts';
import { type AccountedFile, accountedBrief, accountedNotes, accountedTaste } from '../domains/accounted-files.ts';
import type { Fault } from '../ledger/chain.ts';
import type { StandingBlock } from '../standing/standing.ts';

/** Blocks of a served file without a decision behind them. */
export interface Unaccounted {
  file: string;
  count: number;
  /** They are the repository's, not the person's own hand. */
  ofRepository?: true;
  /** Blocks that were decided on and are no longer there. */
  gone?: number;
}

/** What the ledgers say of some files. */
export interface Accounted {
  unaccounted: Unaccounted[];
  faults: Fault[];
  /** Blocks that were decided on and that cite code or have a date. */
  watched: { place: AccountedFile; blocks: readonly StandingBlock[] }[];
}

// Of the files that an agent gets.
export function accountedOf(
  app: AppContext,
  settings: Settings,
  workspace: Workspace | null,
  genres: readonly string[],
): Promise<Accounted> {
  return accountedIn(app, settings, [
    ...['_default', ...genres].map((name) => accountedTaste(settings, name)),
    ...(workspace ? [accountedNotes(settings, workspace), accountedBrief(settings, workspace)] : []),
  ]);
}

export async function accountedIn(
  app: AppContext,
  settings: Settings,
  places: readonly AccountedFile[],
): Promise<Accounted> {
  const { standings } = await import('../io/read-standing.ts');
  const { home, of } = standings(app);
  const ledgers = new Map(places.map((place) => [place.at.name, of(place.at)]));
  const found: Accounted = {
    unaccounted: [],
    faults: [...home().decided.faults, ...[...ledgers.values()].flatMap(({ faults }) => faults)],
    watched: [],
  };
  const decidedOn = ({ at, file }: AccountedFile) =>
    ledgers.get(at.name)?.files.get(file)?.accounts.hasDecisions ?? false;
  for (const place of places) {
    const { blocks, gone } = ledgers.get(place.at.name)?.files.get(place.file) ?? { blocks: [], gone: [] };
    const watched = blocks.filter(({ watch }) => watch !== undefined);
    if (watched.length > 0) found.watched.push({ place, blocks: watched });
    const count = blocks.filter(({ origin }) => origin === null).length;
    if (count + gone.length === 0) continue;
    const isOwn =
      place.kind === 'taste' || place.scope === null || !(decidedOn(place) || cameWithClone(settings, place));
    found.unaccounted.push({
      ...{ file: named(place), count },
      ...(!isOwn && count > 0 && { ofRepository: true as const }),
      ...(gone.length > 0 && { gone: gone.length }),
    });
  }
  return found;
}

/** What is in the memory of a repository that was not begun here: the repository's words, not the person's. */
export function cameWithClone({ folders }: Settings, { kind, scope }: AccountedFile): boolean {
  return kind !== 'taste' && scope !== null && !isMadeHere(folders, scope);
}

function named({ kind, file }: AccountedFile): string {
  return kind === 'taste' ? `tastes/${file}` : file;
}

/** Files of which something is the repository's own word, and nobody's here. */
export function unconfirmedFiles(found: readonly Unaccounted[]): string[] {
  return found.flatMap(({ file, ofRepository }) => (ofRepository ? [file] : []));
}

/** One line about text that nobody decided on, and one about a record that does not add up. */
export function unaccountedWarning({ unaccounted, faults }: Pick<Accounted, 'unaccounted' | 'faults'>): string[] {
  const filled = unaccounted.filter(({ count }) => count > 0);
  const total = filled.reduce((sum, { count }) => sum + count, 0);
  const files = filled.slice(0, 5).map(({ file, count }) => `${count} in ${file}`);
  const more = filled.length > 5 ? `, and ${filled.length - 5} more files` : '';
  const isCloned = filled.some(({ ofRepository }) => ofRepository);
  const what = isCloned ? 'came with the repository or was written by hand' : 'was written by hand';
  return [
    ...(total === 0
      ? []
      : [
          `${total === 1 ? '1 block' : `${total} blocks`} unaccounted (${files.join(', ')}${more}): it ${what}, and the person has not confirmed it. The person decides: bearings review`,
        ]),
    ...faultWarning(faults),
  ];
}

const FAULTS_TOLD = 3;

/** Always one line, however many there are. */
function faultWarning(faults: readonly Fault[]): string[] {
  if (faults.length === 0) return [];
  // Text that is gone first: of a record that is broken in many places the rest is for whoever looks.
  const sorted = [...faults].sort((a, b) => Number(b.kind === 'block_gone') - Number(a.kind === 'block_gone'));
  const all = [...new Set(sorted.map(({ ledger, message }) => `${ledger}: ${message}`))];
  const told = all.slice(0, FAULTS_TOLD);
  const more = all.length > FAULTS_TOLD ? `; and ${all.length - FAULTS_TOLD} more` : '';
  const what = faults.every(({ calm }) => calm) ? 'The record of decisions' : 'The record of decisions does not add up';
  return [`${what}: ${told.join('; ')}${more}. The person looks: bearings verify`];
}
