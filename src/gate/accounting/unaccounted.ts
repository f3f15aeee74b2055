import type { AppContext, Settings } from '../../settings/app-context.ts';
import { isMadeHere } from '../../settings/io/workspace-folders.ts';
import { type AccountedFile, goneFrom, type NamedFile, nameOf, tastesLedger } from '../domains/accounted-files.ts';
import { type Fault, isUntrustedKey } from '../ledger/chain.ts';
import { type CodeChange, changeWords } from '../ledger/entry.ts';
import type { StandingBlock } from '../standing/standing.ts';

/** What the ledgers say of some files. */
export type Accounted = Awaited<ReturnType<typeof accountedIn>>;

/** `from`: where the work is. */
export async function accountedIn(app: AppContext, settings: Settings, places: AccountedFile[], from = app.cwd) {
  const { standings } = await import('../io/read-standing.ts');
  const { home, of } = standings(app);
  // What is wrong with the record of the tastes is told beside any part of memory.
  const all = [tastesLedger(settings), ...places.map(({ at }) => at)];
  const ledgers = new Map(all.map((at) => [at.name, of(at)]));
  const { decided, state } = home();
  const inLedgers: Fault[] = [...ledgers.values()].flatMap((each) => each.faults);
  const unaccounted: { file: string; count: number; ofRepository?: true }[] = [];
  const watched: { place: AccountedFile; blocks: readonly StandingBlock[] }[] = [];
  for (const place of places) {
    const { blocks = [], accounts } = ledgers.get(place.at.name)?.files.get(place.file) ?? {};
    const seen = blocks.filter(({ watch }) => watch !== undefined);
    if (seen.length > 0) watched.push({ place, blocks: seen });
    const count = blocks.filter(({ origin }) => origin === null).length;
    if (count === 0) continue;
    const isShared = place.kind !== 'taste' && place.scope !== null;
    const isOwn = !isShared || !(accounts?.hasDecisions || cameWithClone(settings, place));
    unaccounted.push({ file: named(place), count, ...(!isOwn && { ofRepository: true as const }) });
  }
  return {
    /** Blocks of served files without a decision behind them; `ofRepository`: not the person's own hand. */
    unaccounted,
    faults: [...decided.faults, ...inLedgers, ...goneFrom(settings, state, from)],
    /** Blocks that were decided on and that cite code or have a date. */
    watched,
  };
}

/** What is in the memory of a repository that was not begun here: the repository's words, not the person's. */
export function cameWithClone({ folders }: Settings, { kind, scope }: AccountedFile): boolean {
  return kind !== 'taste' && scope !== null && !isMadeHere(folders, scope);
}

function named({ kind, file }: NamedFile): string {
  return kind === 'taste' ? `tastes/${file}` : file;
}

/** One line about text that nobody decided on, and one about a record that does not add up. */
export function unaccountedWarning({ unaccounted, faults }: Pick<Accounted, 'unaccounted' | 'faults'>): string[] {
  if (unaccounted.length === 0) return faultWarning(faults);
  const total = unaccounted.reduce((sum, { count }) => sum + count, 0);
  const isCloned = unaccounted.some(({ ofRepository }) => ofRepository);
  const what = isCloned ? 'came with the repository or was written by hand' : 'was written by hand';
  const files = firstOf(
    unaccounted.map(({ file, count }) => `${count} in ${file}`),
    ', ',
  );
  return [
    `${total === 1 ? '1 block' : `${total} blocks`} unaccounted (${files}): it ${what}, and the person has not confirmed it. The person decides: bearings review`,
    ...faultWarning(faults),
  ];
}

function firstOf(items: readonly string[], separator = '; ', most = 5): string {
  const more = items.length > most ? [`and ${items.length - most} more`] : [];
  return [...items.slice(0, most), ...more].join(separator);
}

/** Always one line, however many there are. */
export function faultWarning(faults: readonly Fault[]): string[] {
  if (faults.length === 0) return [];
  // Text that is gone first: of a record that is broken in many places the rest is for whoever looks.
  const sorted = [...faults].sort((a, b) => Number(b.kind === 'block_gone') - Number(a.kind === 'block_gone'));
  const told = firstOf([...new Set(sorted.map(({ ledger, message }) => `${ledger}: ${message}`))], '; ', 3);
  if (faults.every(isUntrustedKey))
    return [
      `The record of decisions has a key that is not trusted yet: ${told}. Where it is a colleague's, the person decides: bearings review`,
    ];
  const what = faults.every(({ calm }) => calm) ? 'The record of decisions' : 'The record of decisions does not add up';
  return [`${what}: ${told}. The person looks: bearings verify`];
}

/** A block to review again: the code it cites is no longer what it was, or its date has come. */
export interface DueBlock extends NamedFile {
  block: StandingBlock;
  /** What became of the code it cites. */
  code: CodeChange[];
  /** The date to review it again, where that has come. */
  until: string | null;
}

export async function dueAmong(app: AppContext, settings: Settings, watched: Accounted['watched']) {
  // Only where a note cites code: a read loads no more than it needs.
  if (watched.length === 0) return [];
  const { citedProject, openCode } = await import('../anchors/io/project-code.ts');
  const today = app.now().toISOString().slice(0, 10);
  const due: DueBlock[] = [];
  for (const { place, blocks } of watched) {
    const { image_id: id, scope } = place;
    const root = id === null ? null : citedProject(app, settings, { id, scope });
    const project = root && openCode(app, root);
    for (const block of blocks) {
      const { until: date = null, anchors = [] } = block.watch ?? {};
      const until = date !== null && date <= today ? date : null;
      const code = project && anchors.length > 0 ? await project.changesOf(anchors) : [];
      if (until !== null || code.length > 0) due.push({ ...nameOf(place), block, code, until });
    }
  }
  return due;
}

/** A line for each reason, however many blocks it is about. */
export function dueWarnings(due: readonly DueBlock[]): string[] {
  const stale = due.filter(({ code }) => code.length > 0);
  const late = due.filter(({ until }) => until !== null);
  const changed = `${stale.length === 1 ? '1 note cites' : `${stale.length} notes cite`} code that has changed`;
  const overdue = `${late.length === 1 ? '1 block is' : `${late.length} blocks are`} due for review`;
  return [
    ...listed(changed, stale, ({ code }) => code.map(changeWords).join(', ')),
    ...listed(overdue, late, ({ until }) => `since ${until}`),
  ];
}

function listed(what: string, due: readonly DueBlock[], words: (due: DueBlock) => string): string[] {
  if (due.length === 0) return [];
  const parts = due.map((each) => `${named(each)} line ${each.block.first_line} (${words(each)})`);
  return [`${what}: ${firstOf(parts)}. The person decides: bearings review`];
}
