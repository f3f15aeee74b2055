import { BearingsError, invalidInput, notFound } from '../../errors.ts';
import { type FileLayer, realFiles } from '../../files/file-layer.ts';
import { type Lock, lockAt } from '../../files/lock.ts';
import { realPath } from '../../files/path-scope.ts';
import { dirname, join } from '../../files/paths.ts';
import { sha256 } from '../../files/sha256.ts';
import { ioError, reasonOf } from '../../files/system-error.ts';
import { filesBelow, holdsBytes, type TextCopy, takeAway } from '../../files/text-copies.ts';
import { type ErasedText, erasedText } from '../../safety/erased-text.ts';
import type { AppContext, Settings, TargetLike } from '../../settings/app-context.ts';
import { everyWorkspaceFolder } from '../../settings/io/workspace-folders.ts';
import type { HandEdit } from '../accounting/own-edits.ts';
import { memoryTexts } from '../domains/accounted-files.ts';
import type { Domain, Domains } from '../domains/domains.ts';
import { erasurePath, isErasing } from '../io/is-erasing.ts';
import { beginDecision, NOTHING_DECIDED, newEntry } from '../io/new-entry.ts';
import {
  clearErasure,
  type Erasure,
  type ErasureStep,
  eraseInDomain,
  readErasure,
  saveErasure,
} from '../io/target-writer.ts';
import { signerFor } from '../keys/signer.ts';
import { DraftEnds, entryFile, isDraft, type Signer } from '../ledger/ledger.ts';
import { placesOfText, withoutText } from '../standing/tidy.ts';
import { type FoundText, findTexts, gateCopies, type Search, searchFor } from './find-text.ts';

/** A text with every place and copy of it. Nothing goes before the person has seen it and said yes. */
export interface ShownErasure {
  text: string;
  /** Other wordings of it that go along: what was proposed, what it took the place of. */
  wordings: string[];
  /** Where it is in memory. */
  places: { target: string; line: number }[];
  /** What else holds it, by kind. */
  copies: { what: string; count: number }[];
  /** What can't be reached, in sentences. */
  unreachable: string[];
  /** A decision on it holds for exactly this. */
  sha256: string;
}

export interface Erased {
  /** How many places in memory, and how many files beside. */
  places: number;
  copies: number;
  /** Files that still hold a piece of it, and why where that is known. */
  left: { file: string; reason: string | null }[];
  unreachable: string[];
}

/** Copies of a text in the rooms above: their caches, journals and indexes. `roots`: projects that it was in. */
export type CopiesElsewhere = (settings: Settings, sought: ErasedText, roots: readonly string[]) => Promise<TextCopy[]>;

const ROUNDS = 3;

// Forgetting: a text and every copy of it that is ours. The chain stays, and says that a text was erased.
export function eraseUseCases(
  app: AppContext,
  domains: Domains,
  { copiesElsewhere, files = realFiles }: { copiesElsewhere: CopiesElsewhere; files?: FileLayer | undefined },
) {
  const allCopies = async (settings: Settings, sought: ErasedText, folders: readonly string[]): Promise<TextCopy[]> => [
    ...gateCopies(settings, sought),
    ...(await copiesElsewhere(settings, sought, rootsOf(settings, folders))),
  ];

  const shown = async (settings: Settings, search: Search): Promise<ShownErasure> => {
    const { text, wordings, sought, holding, parts } = search;
    const places = holding.flatMap((file) =>
      placesOfText(file.text, text).map(({ firstLine }) => ({ target: file.target, line: firstLine })),
    );
    const copies = new Map<string, number>();
    const folders = holding.map(({ path }) => dirname(path));
    for (const { what } of await allCopies(settings, sought, folders)) copies.set(what, (copies.get(what) ?? 0) + 1);
    const records = parts.flatMap(({ hashes }) => hashes).length;
    if (records > 0) copies.set('ledger text', records);
    return {
      ...{ text, wordings, places, unreachable: unreachable(settings) },
      copies: [...copies].map(([what, count]) => ({ what, count })),
      sha256: sha256(JSON.stringify([text, wordings, places])),
    };
  };

  // Carried to the end, however often it was broken off. Answers with what could not be taken away.
  const carryOn = async (settings: Settings, erasure: Erasure): Promise<Pick<Erased, 'copies' | 'left'>> => {
    const stood = erasure.steps.filter(({ files: names }) => names.length > 0).map(({ folder }) => folder);
    for (const domain of domainsOf(settings))
      if (erasure.steps.some(({ folder }) => folder === domain.folder))
        await domain.lock.run(() => eraseInDomain(domain));
    const { text, wordings, prints } = erasure;
    const kept = memoryTexts(settings).map((file) => withoutText(file.text, text));
    const sought = erasedText([text, ...wordings], { kept, prints });
    const failed = new Map<string, string>();
    let count = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const copies = (await allCopies(settings, sought, stood)).filter(({ path }) => !failed.has(path));
      if (copies.length === 0) break;
      for (const copy of copies)
        try {
          takeAway(copy, files);
          count += 1;
        } catch (error) {
          if (ioError('', error) === error) throw error;
          failed.set(copy.path, reasonOf(error));
        }
    }
    const left = everyFile(settings)
      .filter((path) => path !== erasurePath(settings.home) && holdsBytes(path, sought))
      .map((path) => ({ file: app.forPerson(path), reason: failed.get(path) ?? null }));
    clearErasure(settings.home, files);
    return { copies: count, left };
  };

  const domainsOf = (settings: Settings): Domain[] => [
    domains.home(settings),
    domains.tastes(settings),
    ...settings.workspaces().map((workspace) => domains.notes(settings, workspace)),
  ];

  const everyFile = (settings: Settings): string[] => {
    const folders = [settings.home, settings.tastesFolder, app.cacheFolder];
    const all = [...folders, ...everyWorkspaceFolder(settings).map(({ folder }) => folder)];
    return [...new Set(all.flatMap((folder) => [...filesBelow(folder)]))];
  };

  // The home's own: no workspace is made or renamed meanwhile.
  const erasureLock = (home: string): Lock => lockAt(join(home, '.lock'));

  return {
    /** Texts that hold these words, or the one at a line; of a text that only records hold, the words themselves. */
    async findErasable(words: string, target: TargetLike = {}): Promise<FoundText[]> {
      const settings = await app.settings();
      const found = findTexts(settings, words, target);
      if (found.length > 0) return found;
      const sought = erasedText([words], { kept: memoryTexts(settings).map(({ text }) => text) });
      if ((await allCopies(settings, sought, [])).some(({ what }) => what !== 'index file'))
        return [{ text: words.trim(), where: 'records' }];
      throw notFound(
        'Nothing here says this.',
        'Give words of it as they are there, or its line: bearings erase notes.md:12',
      );
    },

    async showErasure(text: string): Promise<ShownErasure> {
      if (text.trim() === '') throw invalidInput('What should be erased?', 'For example: bearings erase notes.md:12');
      const settings = await app.settings();
      return shown(settings, searchFor(settings, text.trim()));
    },

    // Only after the person has seen it. One yes, one record that it was begun; from then on it comes to its end.
    async erase(what: ShownErasure, edit: HandEdit): Promise<Erased> {
      const settings = await app.settings();
      const signer = signerFor(settings, edit);
      const at = signer.act?.at ?? app.now().toISOString();
      return erasureLock(settings.home).run(async () => {
        const concerned = concernedBy(domainsOf(settings), searchFor(settings, what.text));
        const erasure = await locked([...concerned, domains.home(settings)], async () => {
          for (const domain of concerned) beginDecision(domain, { signer, at });
          const search = searchFor(settings, what.text);
          if ((await shown(settings, search)).sha256 !== what.sha256)
            throw new BearingsError('conflict', 'The text is no longer what was shown.', {
              hint: 'Look at it again, then decide.',
            });
          const steps = concerned.map((domain) => stepOf(domain, search, { edit, signer, at }));
          const { text, wordings, prints } = search;
          const begun: Erasure = { version: 1, text, wordings, prints, steps };
          if (isDraft(signer.act)) throw new DraftEnds();
          saveErasure(settings.home, begun, files);
          return begun;
        });
        const places = what.places.length;
        return { places, ...(await carryOn(settings, erasure)), unreachable: what.unreachable };
      });
    },

    /** What a dead process left of one. */
    async finishErasure(): Promise<void> {
      const settings = await app.settings();
      if (!isErasing(settings.home)) return;
      await erasureLock(settings.home).run(async () => {
        const erasure = readErasure(settings.home);
        // Torn: it was never begun.
        if (erasure) await carryOn(settings, erasure);
        else clearErasure(settings.home, files);
      });
    },
  };
}

// In one order, the home last, so that two erasures never wait for each other.
function locked<T>(domains: readonly Domain[], work: () => Promise<T>): Promise<T> {
  const rank = ({ at, folder }: Domain) => (at.name === 'home' ? '\uffff' : folder);
  const [first, ...rest] = domains.toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1));
  return first ? first.ownLock.run(() => locked(rest, work)) : work();
}

/** What of it is a folder of decisions' own: files that it is in, and records next to the chain. */
function partOf({ at }: Domain, { parts }: Search): Pick<ErasureStep, 'files' | 'hashes'> {
  return parts.find(({ ledger }) => ledger === at.name) ?? { files: [], hashes: [] };
}

// It has to be written somewhere that a text was erased: in the home's chain where no other knows of it.
function concernedBy(domains: readonly Domain[], search: Search): Domain[] {
  const concerned = domains.filter((domain) => {
    const { files, hashes } = partOf(domain, search);
    return files.length + hashes.length > 0;
  });
  return concerned.length > 0 ? concerned : domains.slice(0, 1);
}

function stepOf(
  domain: Domain,
  search: Search,
  { edit, signer, at }: { edit: HandEdit; signer: Signer; at: string },
): ErasureStep {
  const { folder, image_id, at: ledger } = domain;
  const { files, hashes } = partOf(domain, search);
  const [name = image_id === null ? '_default.md' : 'notes.md'] = files;
  const file = ledger.name === 'home' ? null : entryFile({ kind: image_id === null ? 'taste' : 'notes', file: name });
  const record = { ...NOTHING_DECIDED, at, image_id, file, decision: 'erase' as const, hashes, via: edit.via };
  return { folder, files, hashes, ...newEntry(domain, record, { signer }) };
}

// Projects that hold one of these folders.
function rootsOf(settings: Settings, folders: readonly string[]): string[] {
  return settings
    .workspaces()
    .flatMap(({ scope, folder }) => (scope !== null && folders.includes(folder) ? [realPath(scope) ?? scope] : []));
}

function unreachable(settings: Settings): string[] {
  const isShared = settings.workspaces().some(({ scope }) => scope !== null && realPath(join(scope, '.git')) !== null);
  return [
    ...(isShared ? ['git history: every commit that held it still does, and so does every clone'] : []),
    'backups, and copies on other machines',
    'files that you saved or exported yourself, and runs in a shared database',
    'what a client keeps of its own conversations',
  ];
}
