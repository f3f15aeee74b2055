import { invalidInput, notFound } from '../../errors.ts';
import { sha256 } from '../../files/file-fingerprint.ts';
import { readExact } from '../../files/read-file.ts';
import { tasteFolder } from '../../memory/io/memory-files.ts';
import { shownName } from '../../safety/hidden-characters.ts';
import type { AppContext, Settings, TargetLike } from '../../settings/app-context.ts';
import {
  type AccountedFile,
  accountedFile,
  accountedFiles,
  goneFrom,
  ledgersOf,
  type NamedFile,
  nameOf,
  tastesLedger,
} from '../domains/accounted-files.ts';
import { type Domains, standingFor } from '../domains/domains.ts';
import { ledgerPaths } from '../io/ledger-file.ts';
import { standings } from '../io/read-standing.ts';
import { currentText } from '../io/target-text.ts';
import type { Fault } from '../ledger/chain.ts';
import { inOrder } from '../ledger/home-state.ts';
import { fileOf } from '../ledger/ledger.ts';
import { blocksOf } from '../ledger/text-blocks.ts';
import type { StandingBlock, StandingFile } from '../standing/standing.ts';
import { planTidy } from '../standing/tidy.ts';
import { cameWithClone, faultWarning } from './unaccounted.ts';

export type Blame = Awaited<ReturnType<ReturnType<typeof accountingUseCases>['blame']>>;

export interface UnaccountedBlock extends NamedFile {
  block: StandingBlock;
  /** The lines right before it. */
  before: string[];
  /** It was accepted and is no longer there. Its text is empty where only its fingerprint is known. */
  gone?: true;
}

export type MergedFile = Awaited<ReturnType<ReturnType<typeof accountingUseCases>['mergedFiles']>>[number];

const SHOWN_BEFORE = 2;

export function accountingUseCases(app: AppContext, domains: Domains) {
  const { home, of } = standings(app);
  const workspaceOf = (settings: Settings, target: TargetLike | 'all') =>
    target === 'all' ? 'all' : settings.workspace(target);
  const fileOfPlace = (place: AccountedFile): StandingFile | undefined => of(place.at).files.get(place.file);
  const mergedAt = (place: AccountedFile) => {
    // One chain: nobody merged anything, and what is there twice is the person's own doing.
    const accounts = fileOfPlace(place)?.accounts;
    if (ledgerPaths(place.at.ledgerFolder).length < 2 || !accounts) return [];
    const read = readExact(place.path, place.scope);
    const text = read.status === 'ok' ? read.value.text : '';
    const plan = planTidy(text, accounts, sha256);
    /** A decision on it holds for exactly this text. */
    const before_sha256 = sha256(text);
    return plan ? [{ ...nameOf(place), ...plan, before_sha256 }] : [];
  };

  return {
    /** Of `notes.md` or `tastes/NAME.md`: each block, and where it came from. */
    async blame(settings: Settings, file: string, target: TargetLike = {}) {
      const place = accountedFileNamed(settings, file, target);
      currentText(place);
      const { target: named, image_id } = place;
      /** What is wrong with the record that this comes from. */
      const faults = [...home().decided.faults, ...of(place.at).faults];
      const { blocks = [] } = fileOfPlace(place) ?? {};
      return { target: named, image_id, file: place.file, blocks, faults, warnings: faultWarning(faults) };
    },

    /** What is wrong with the record of decisions: of one workspace with the tastes and the home, or of all. */
    async faults(settings: Settings, target: TargetLike | null | 'all'): Promise<Fault[]> {
      const workspace = target === null ? null : workspaceOf(settings, target);
      const gone = goneFrom(settings, home().state, workspace === 'all' ? undefined : app.cwd);
      return [...home().decided.faults, ...ledgersOf(settings, workspace).flatMap((at) => of(at).faults), ...gone];
    },

    async unaccountedBlocks(settings: Settings, target: TargetLike | 'all'): Promise<UnaccountedBlock[]> {
      await domains.settleAll(settings);
      return accountedFiles(settings, workspaceOf(settings, target), of(tastesLedger(settings))).flatMap((place) => {
        const named = nameOf(place);
        const { blocks = [], gone = [], accounts } = fileOfPlace(place) ?? {};
        const lost = gone.map((fingerprint) => {
          const text = accounts?.texts.get(fingerprint) ?? '';
          return { ...named, block: { ...NOWHERE, fingerprint, text }, before: [], gone: true as const };
        });
        // What is there once too often after a merge is asked about by the merge.
        const merged = new Set(mergedAt(place).flatMap((plan) => plan.blocks));
        const isDoubled = ({ fingerprint }: StandingBlock) =>
          merged.has(fingerprint) && accounts?.origins.has(fingerprint) === true;
        const fresh = blocks.flatMap((block, index) => {
          if (block.origin !== null || isDoubled(block)) return [];
          const before = blocks[index - 1]?.text.split('\n').slice(-SHOWN_BEFORE) ?? [];
          return [{ ...named, block, before }];
        });
        return [...fresh, ...lost];
      });
    },

    /** What was there before the first decision: one question adopts it all, for exactly this text. */
    neverAccounted(settings: Settings, target: TargetLike | 'all') {
      return neverAccounted(app, settings, target).map(({ place, text }) => {
        return { target: place.target, blocks: blocksOf(text).length, text, sha256: sha256(text) };
      });
    },

    async mergedFiles(settings: Settings, target: TargetLike | 'all') {
      return accountedFiles(settings, workspaceOf(settings, target)).flatMap(mergedAt);
    },

    async lastDecision(settings: Settings) {
      const all = ledgersOf(settings, 'all').flatMap((location) => {
        const { decisions, label } = of(location);
        return decisions.map((chain) => chain.map(({ entry }) => ({ entry, ledger: label })));
      });
      const last = inOrder(all).at(-1);
      if (!last) return null;
      const { decision, at, who, image_id } = last.entry;
      return { decision, at, who, image_id, file: fileOf(last.entry), ledger: last.ledger };
    },
  };
}

const NOWHERE = { first_line: 0, last_line: 0, origin: null };

/** Files with text that nobody ever decided on. */
export function neverAccounted(app: AppContext, settings: Settings, target: TargetLike | 'all') {
  const { of } = standings(app);
  return accountedFiles(settings, target === 'all' ? 'all' : settings.workspace(target)).flatMap((place) => {
    if (cameWithClone(settings, place)) return [];
    // Of a record that was cut, deleted or broken nobody can say that nothing was decided.
    const { entries, faults } = of(place.at);
    if (entries().some(({ file, status }) => file === place.file || status === 'broken')) return [];
    if (faults.some(({ kind }) => kind === 'chain_short' || kind === 'ledger_gone')) return [];
    const read = readExact(place.path, place.scope);
    return read.status === 'ok' && blocksOf(read.value.text).length > 0 ? [{ place, text: read.value.text }] : [];
  });
}

/** As a person names it; a taste that was deleted still has its decisions. */
export function accountedFileNamed(settings: Settings, file: string, target: TargetLike): AccountedFile {
  const name = file.replace(/^tastes\//, '').replace(/\.md$/, '');
  if (/^(?:notes|brief)(?:\.md)?$/.test(file)) return accountedFile(settings, settings.workspace(target), `${name}.md`);
  if (!file.includes('/') || file.startsWith('tastes/')) {
    if (
      tasteFolder(settings).list().includes(name) ||
      standingFor({ at: tastesLedger(settings) }).files.has(`${name}.md`)
    )
      return accountedFile(settings, null, `${name}.md`);
    throw notFound(`There is no taste "${shownName(name)}".`, 'See all: bearings show tastes');
  }
  throw invalidInput('Only brief.md, notes.md and tastes have decisions.', 'For example: bearings why notes.md');
}
