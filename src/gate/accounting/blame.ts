import { closest } from '../../closest.ts';
import { BearingsError, invalidInput, notFound } from '../../errors.ts';
import { fileMemo, statsOf } from '../../files/file-memo.ts';
import { withFile } from '../../files/open-file.ts';
import { readExact } from '../../files/read-text.ts';
import { sha256 } from '../../files/sha256.ts';
import { tasteFolder } from '../../memory/io/taste-folder.ts';
import { showHidden } from '../../safety/hidden-characters.ts';
import type { AppContext, Settings, TargetLike } from '../../settings/app-context.ts';
import type { Domains } from '../domains.ts';
import { blockPass } from '../io/block-pass.ts';
import { goneBlocks, readAccounts } from '../io/ledger-accounts.ts';
import { readLastEntry } from '../io/ledger-file.ts';
import { accountingFiles, ledgerPaths } from '../io/ledger-paths.ts';
import type { LedgerEntry } from '../ledger/entry.ts';
import { blocksOf } from '../text-blocks.ts';
import { accountBlock } from './account-block.ts';
import {
  type AccountedFile,
  accountedBrief,
  accountedFiles,
  accountedNotes,
  accountedTaste,
} from './accounted-files.ts';
import type { Accounts, Origin } from './accounts.ts';
import { planTidy, type TidyPlan } from './tidy.ts';

/** A run of lines and the decision behind it; null: unaccounted. */
export interface BlamedBlock {
  first_line: number;
  last_line: number;
  fingerprint: string;
  origin: Origin | null;
  /** Lines of several known blocks that a merge mixed. */
  mixed: boolean;
  /** Fingerprints of those blocks. */
  made_of?: string[];
  /** Empty where the block is too long to be shown. */
  text: string;
}

export interface Blame extends Pick<AccountedFile, 'target' | 'image_id' | 'file'> {
  blocks: BlamedBlock[];
}

export interface UnaccountedBlock extends Pick<AccountedFile, 'kind' | 'target' | 'image_id' | 'file'> {
  block: BlamedBlock;
  /** The lines right before it. */
  before: string[];
  /** It was accepted and is no longer there. Its text is empty where only its fingerprint is known. */
  gone?: true;
}

/** A file without any decision yet, as it stands: one question adopts it, for exactly this text. */
export interface FirstAccount {
  target: string;
  blocks: number;
  text: string;
  sha256: string;
}

export interface MergedFile
  extends Pick<AccountedFile, 'kind' | 'target' | 'image_id' | 'file'>,
    Omit<TidyPlan, 'text'> {
  /** A decision on it holds for exactly this text. */
  before_sha256: string;
  text: string;
}

export interface LastDecision extends Pick<LedgerEntry, 'decision' | 'at' | 'who' | 'image_id' | 'file'> {
  ledger: string;
}

const SHOWN_BEFORE = 2;

export function accountingUseCases(app: AppContext, domains: Domains) {
  // A server is asked again and again: ledgers that have not changed are not read again.
  const memo = fileMemo<Accounts>(app.now);
  const accountsIn = (settings: Settings, place: AccountedFile): Accounts => {
    const { ledgerFolder } = place;
    const stats = statsOf([ledgerFolder, ...accountingFiles(ledgerFolder, settings.home)]);
    const known = memo.get(stats, place.file);
    if (known) return known;
    const accounts = readAccounts(place, settings.home);
    memo.put(stats, accounts, place.file);
    return accounts;
  };
  const settled = async (settings: Settings): Promise<void> => {
    await domains.settle(await domains.tastes(settings));
    for (const workspace of settings.workspaces()) await domains.settle(await domains.notes(settings, workspace));
  };
  const placesOf = (settings: Settings, target: TargetLike | 'all') =>
    accountedFiles(settings, target === 'all' ? 'all' : settings.workspace(target));
  const accountsFor = (settings: Settings) => {
    const known = new Map<string, Accounts>();
    return (place: AccountedFile): Accounts => {
      const accounts = known.get(place.target) ?? accountsIn(settings, place);
      known.set(place.target, accounts);
      return accounts;
    };
  };

  return {
    /** Of `notes.md` or `tastes/NAME.md`: each block, and where it came from. */
    async blame(file: string, target: TargetLike = {}): Promise<Blame> {
      const settings = await app.settings();
      const place = await accountedFileNamed(settings, file, target);
      const blocks = blamedBlocks(place, accountsIn(settings, place));
      return { target: place.target, image_id: place.image_id, file: place.file, blocks };
    },

    async unaccountedBlocks(target: TargetLike | 'all'): Promise<UnaccountedBlock[]> {
      const settings = await app.settings();
      await settled(settings);
      const accounts = accountsFor(settings);
      return placesOf(settings, target).flatMap((place) => {
        const known = accounts(place);
        if (!known.hasDecisions) return [];
        const blocks = blamedBlocks(place, known);
        const lost = goneBlocks(
          new Set(blocks.flatMap(({ fingerprint, made_of }) => [fingerprint, ...(made_of ?? [])])),
          known,
          place.path,
          place.scope,
        ).map((fingerprint) => ({
          ...placeName(place),
          block: { ...NOWHERE, fingerprint, text: known.texts.get(fingerprint) ?? '' },
          before: [],
          gone: true as const,
        }));
        const fresh = blocks.flatMap((block, index) => {
          if (block.origin !== null) return [];
          const lines = blocks[index - 1]?.text.split('\n') ?? [];
          return [{ ...placeName(place), block, before: lines.slice(-SHOWN_BEFORE) }];
        });
        return [...fresh, ...lost];
      });
    },

    /** What was there before the first decision: one question adopts it all. */
    async neverAccounted(target: TargetLike | 'all'): Promise<FirstAccount[]> {
      const settings = await app.settings();
      const accounts = accountsFor(settings);
      return placesOf(settings, target).flatMap((place) => {
        if (accounts(place).hasDecisions) return [];
        const read = readExact(place.path, place.scope);
        const text = read.status === 'ok' ? read.value.text : '';
        const blocks = blocksOf(text).length;
        return blocks === 0 ? [] : [{ target: place.target, blocks, text, sha256: sha256(text) }];
      });
    },

    async mergedFiles(target: TargetLike | 'all'): Promise<MergedFile[]> {
      const settings = await app.settings();
      const accounts = accountsFor(settings);
      return placesOf(settings, target).flatMap((place) => {
        // One chain: nobody merged anything, and what is there twice is the person's own doing.
        if (ledgerPaths(place.ledgerFolder).length < 2) return [];
        const read = readExact(place.path, place.scope);
        const plan = read.status === 'ok' ? planTidy(read.value.text, accounts(place), sha256) : null;
        if (!plan || read.status !== 'ok') return [];
        const { kind, target: label, image_id, file } = place;
        return [{ kind, target: label, image_id, file, ...plan, before_sha256: sha256(read.value.text) }];
      });
    },

    async lastDecision(): Promise<LastDecision | null> {
      const settings = await app.settings();
      let last: LastDecision | null = null;
      for (const { ledgerFolder, ledger, scope } of placesOf(settings, 'all')) {
        for (const path of ledgerPaths(ledgerFolder)) {
          const entry = readLastEntry(path, scope);
          if (!entry || entry.file === null || (last && last.at >= entry.at)) continue;
          const { decision, at, who, image_id, file } = entry;
          last = { decision, at, who, image_id, file, ledger };
        }
      }
      return last;
    },
  };
}

const NOWHERE = { first_line: 0, last_line: 0, origin: null, mixed: false };

function placeName({ kind, target, image_id, file }: AccountedFile) {
  return { kind, target, image_id, file };
}

export function blamedBlocks(
  place: Pick<AccountedFile, 'path' | 'scope' | 'target'>,
  accounts: Accounts,
): BlamedBlock[] {
  const read = withFile(place.path, place.scope, (file) => {
    const found: BlamedBlock[] = [];
    for (const block of blockPass(file)) {
      const { parts, mixed } = accountBlock(block, accounts, sha256);
      for (const { fingerprint, from, to, origin } of parts)
        found.push({
          first_line: block.firstLine + from,
          last_line: block.firstLine + to - 1,
          fingerprint,
          origin,
          mixed: mixed !== null,
          ...(mixed && { made_of: mixed.map((shape) => shape.fingerprint) }),
          text: block.lines.slice(from, to).join('\n'),
        });
    }
    return found;
  });
  if (read.status === 'unreadable')
    throw new BearingsError('io_error', `${place.target} can't be read: ${read.reason}.`, {
      hint: 'Fix the file, then try again.',
    });
  return read.status === 'ok' ? read.value : [];
}

export async function accountedFileNamed(settings: Settings, file: string, target: TargetLike): Promise<AccountedFile> {
  const name = file.replace(/^tastes\//, '').replace(/\.md$/, '');
  if (file === 'notes' || file === 'notes.md') return accountedNotes(settings.workspace(target));
  if (file === 'brief' || file === 'brief.md') return accountedBrief(settings.workspace(target));
  if (file.includes('/') ? file.startsWith('tastes/') : true) {
    const tastes = tasteFolder(settings).list();
    if (tastes.includes(name)) return accountedTaste(settings, name);
    const near = closest(name, tastes);
    throw notFound(
      `There is no taste "${showHidden([...name].slice(0, 60).join(''))}".${near === null ? '' : ` Did you mean ${near}?`}`,
      `See all: bearings tastes list${file === name ? '. Workspaces: bearings workspaces list' : ''}`,
    );
  }
  throw invalidInput(
    'Only brief.md, notes.md and tastes have decisions behind them.',
    'For example: bearings blame notes.md',
  );
}
