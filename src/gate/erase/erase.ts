import { conflict, invalidInput, ioError, notFound, reasonOf } from '../../errors.ts';
import { sha256 } from '../../files/file-fingerprint.ts';
import { type Lock, lockAt } from '../../files/lock.ts';
import { basename, dirname, join, namesIn, realPath } from '../../files/paths.ts';
import { filesBelow, holdsBytes, linesOf, type TextCopy, takeAway, wholeFile } from '../../files/text-copies.ts';
import { type FileLayer, realFiles } from '../../files/write-file.ts';
import { type ErasedText, erasedText } from '../../safety/erased-text.ts';
import type { AppContext, Settings, TargetLike } from '../../settings/app-context.ts';
import { everyWorkspaceFolder } from '../../settings/io/workspace-folders.ts';
import type { HandEdit } from '../accounting/hand-edits.ts';
import { ledgersOf, memoryTexts } from '../domains/accounted-files.ts';
import { beginDecision, type Domain, type Domains, NOTHING_DECIDED, newEntry } from '../domains/domains.ts';
import { UNSAVED_FOLDER } from '../io/editor.ts';
import { type LedgerLocation, readLedger, readTexts } from '../io/ledger-file.ts';
import { erasurePath, isErasing } from '../io/marks.ts';
import { homeLedger } from '../io/read-standing.ts';
import { clearErasure, type Erasure, eraseInDomain, readErasure, saveErasure } from '../io/target-writer.ts';
import { signerFor } from '../keys/confirm-level.ts';
import type { KnownText } from '../ledger/entry.ts';
import { DraftEnds, entryFile, hashesOf, isDraft, parseEntry, type Signer } from '../ledger/ledger.ts';
import { blocksOf, collapsed, fileBlocks, fingerprintOf } from '../ledger/text-blocks.ts';
import { recordedProposals } from '../sessions/sessions.ts';
import { placesOfText, withoutText } from '../standing/tidy.ts';

/** A text with every place and copy of it. Nothing goes before the person has seen it and said yes. */
export type ShownErasure = ReturnType<typeof shownErasure>;

export type Erased = Awaited<ReturnType<ReturnType<typeof eraseUseCases>['erase']>>;

/** Copies of a text in the rooms above: their caches, journals and indexes. `roots`: projects with memory of their own. */
export type CopiesElsewhere = (settings: Settings, sought: ErasedText, roots: readonly string[]) => Promise<TextCopy[]>;

const ROUNDS = 3;
const BEFORE_INSTALL =
  'a client’s file from before install, which --undo brings back: bearings install CLIENT --undo, or delete it yourself';

// Forgetting: a text and every copy of it that is ours. The chain stays, and says that a text was erased.
export function eraseUseCases(
  app: AppContext,
  domains: Domains,
  { copiesElsewhere, files = realFiles }: { copiesElsewhere: CopiesElsewhere; files?: FileLayer | undefined },
) {
  const allCopies = async (settings: Settings, sought: ErasedText): Promise<TextCopy[]> => {
    const roots = settings.workspaces().flatMap(({ scope }) => (scope === null ? [] : (realPath(scope) ?? scope)));
    return [...gateCopies(settings, sought), ...(await copiesElsewhere(settings, sought, roots))];
  };

  const shown = async (settings: Settings, search: Search) =>
    shownErasure(settings, search, await allCopies(settings, search.sought));

  // Carried to the end, however often it was broken off. Answers with what could not be taken away.
  const carryOn = async (settings: Settings, erasure: Erasure) => {
    for (const domain of domains.all(settings))
      if (erasure.steps.some(({ folder }) => folder === domain.folder))
        await domain.lock.run(() => eraseInDomain(domain));
    const { text, wordings, prints } = erasure;
    const kept = memoryTexts(settings).map((file) => withoutText(file.text, text));
    const sought = erasedText([text, ...wordings], { kept, prints });
    const failed = new Map<string, string>();
    let count = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const copies = (await allCopies(settings, sought)).filter(({ path }) => !failed.has(path));
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
    const installs = join(settings.home, 'installs/');
    const left = everyFile(settings)
      .filter((path) => path !== erasurePath(settings.home) && holdsBytes(path, sought))
      .map((path) => ({
        file: app.forPerson(path),
        reason: failed.get(path) ?? (path.startsWith(installs) ? BEFORE_INSTALL : null),
      }));
    clearErasure(settings.home, files);
    /** How many files beside memory; those that still hold a piece of it, and why where that is known. */
    return { copies: count, left };
  };

  const everyFile = (settings: Settings): string[] => {
    const folders = [settings.home, settings.tastesFolder, app.cacheFolder];
    const all = [...folders, ...everyWorkspaceFolder(settings).map(({ folder }) => folder)];
    return [...new Set(all.flatMap((folder) => [...filesBelow(folder)]))];
  };

  // The home's own: no workspace is made or renamed meanwhile.
  const erasureLock = (home: string): Lock => lockAt(join(home, '.lock'));

  return {
    /** Texts that hold these words, or the one at a line; of a text that only records hold, the words themselves. */
    async findErasable(settings: Settings, words: string, target: TargetLike = {}): Promise<FoundText[]> {
      const found = findTexts(settings, words, target);
      if (found.length > 0) return found;
      const sought = erasedText([words], { kept: memoryTexts(settings).map(({ text }) => text) });
      if ((await allCopies(settings, sought)).some(({ what }) => what !== 'index file'))
        return [{ text: words.trim(), where: 'records' }];
      throw notFound('Nothing here says this.', 'Give words of it as they are there, or its line: notes.md:12');
    },

    async showErasure(settings: Settings, text: string) {
      if (text.trim() === '') throw invalidInput('What should be erased?', 'For example: bearings erase notes.md:12');
      return shown(settings, searchFor(settings, text.trim()));
    },

    // Only after the person has seen it. One yes, one record that it was begun; from then on it comes to its end.
    async erase(settings: Settings, what: ShownErasure, edit: HandEdit) {
      const signer = signerFor(settings, edit);
      const at = signer.act?.at ?? app.now().toISOString();
      return erasureLock(settings.home).run(async () => {
        const concerned = concernedBy(domains.all(settings), searchFor(settings, what.text));
        const erasure = await locked([...concerned, domains.home(settings)], async () => {
          for (const domain of concerned) beginDecision(domain, { signer, at });
          const search = searchFor(settings, what.text);
          if ((await shown(settings, search)).sha256 !== what.sha256)
            throw conflict('The text is no longer what was shown.', 'Look at it again, then decide.');
          const steps = concerned.map((domain) => stepOf(domain, search, { via: edit.via, signer, at }));
          const { text, wordings, prints } = search;
          const begun: Erasure = { version: 1, text, wordings, prints, steps };
          if (isDraft(signer.act)) throw new DraftEnds();
          saveErasure(settings.home, begun, files);
          return begun;
        });
        return { places: what.places.length, ...(await carryOn(settings, erasure)) };
      });
    },

    /** What a dead process left of one. */
    async finishErasure(settings: Settings): Promise<void> {
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

// It has to be written somewhere that a text was erased: in the home's chain where no other knows of it.
function concernedBy(domains: readonly Domain[], { parts }: Search): Domain[] {
  const concerned = domains.filter(({ at }) =>
    parts.some(({ ledger, files, hashes }) => ledger === at.name && files.length + hashes.length > 0),
  );
  return concerned.length > 0 ? concerned : domains.slice(0, 1);
}

function stepOf(domain: Domain, { parts }: Search, { via, signer, at }: { via: string; signer: Signer; at: string }) {
  const { folder, image_id, at: ledger } = domain;
  const { files, hashes } = parts.find((part) => part.ledger === ledger.name) ?? { files: [], hashes: [] };
  const [name = image_id === null ? '_default.md' : 'notes.md'] = files;
  const file = ledger.name === 'home' ? null : entryFile({ kind: image_id === null ? 'taste' : 'notes', file: name });
  const record = { ...NOTHING_DECIDED, at, image_id, file, decision: 'erase' as const, hashes, via };
  return { folder, files, hashes, ...newEntry(domain, record, { signer }) };
}

function shownErasure(settings: Settings, { text, wordings, holding, parts }: Search, found: readonly TextCopy[]) {
  const places = holding.flatMap((file) =>
    placesOfText(file.text, text).map(({ firstLine }) => ({ target: file.target, line: firstLine })),
  );
  const copies = new Map<string, number>();
  for (const { what } of found) copies.set(what, (copies.get(what) ?? 0) + 1);
  const records = parts.flatMap(({ hashes }) => hashes).length;
  if (records > 0) copies.set('ledger text', records);
  return {
    /** `wordings`: others of it that go along: what was proposed, what it took the place of. `places`: where it is in memory. */
    ...{ text, wordings, places },
    /** What can't be reached, in sentences. */
    unreachable: unreachable(settings),
    /** What else holds it, by kind. */
    copies: [...copies].map(([what, count]) => ({ what, count })),
    /** A decision on it holds for exactly this. */
    sha256: sha256(JSON.stringify([text, wordings, places])),
  };
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

/** A text that can be erased, and where it was found. */
export type FoundText = ReturnType<typeof findTexts>[number];

const AT_LINE = /^(.+\.md):(\d+)$/;

/** By words of it, or by its line: `notes.md:12`. What is in memory comes first, then what only the records know. */
function findTexts(settings: Settings, words: string, target: TargetLike): { text: string; where: string }[] {
  if (words.trim() === '')
    throw invalidInput('What should be erased?', 'Words of it, or its line: bearings erase notes.md:12');
  const blocks = memoryTexts(settings).flatMap((file) =>
    fileBlocks(file.text).map(({ lines, firstLine }) => ({
      ...{ target: file.target, first: firstLine, last: firstLine + lines.length - 1 },
      ...{ text: lines.join('\n'), where: `${file.target}, line ${firstLine}` },
    })),
  );
  const [, file, line] = AT_LINE.exec(words.trim()) ?? [];
  if (file !== undefined) {
    const name = file.startsWith('tastes/') ? file : `${file} of ${settings.workspace(target).id}`;
    const at = Number(line);
    const block = blocks.find(({ target, first, last }) => target === name && first <= at && at <= last);
    if (block) return [{ text: block.text.trim(), where: block.where }];
    throw notFound(`There is no text at line ${line} of ${file}.`, 'See the lines: bearings why notes.md');
  }
  const wanted = collapsed(words).toLowerCase();
  const found = new Map<string, FoundText>();
  const meet = (text: string, where: string): void => {
    const print = fingerprintOf(text, sha256);
    if (!found.has(print) && collapsed(text).toLowerCase().includes(wanted))
      found.set(print, { text: text.trim(), where });
  };
  for (const { text, where } of blocks) meet(text, where);
  for (const ledger of ledgersOf(settings, 'all'))
    for (const { text } of readTexts(ledger).values()) if (text !== null) meet(text, `the ledger of ${ledger.label}`);
  for (const proposal of recordedProposals(settings))
    meet(proposal.content, `a proposal of session ${proposal.session_id}`);
  return [...found.values()];
}

type Search = ReturnType<typeof searchFor>;

/** A text with its other wordings and every hash of it, where it is in memory, and what of each ledger is about it. */
function searchFor(settings: Settings, text: string) {
  const memory = memoryTexts(settings);
  const holding = memory.filter((file) => placesOfText(file.text, text).length > 0);
  const ledgers = [homeLedger(settings.home), ...ledgersOf(settings, 'all')].map(chainsIn);
  const { wordings, prints } = knownOf(settings, text, ledgers);
  // What stays in memory shares words with it: these are no copy, and blocks that stay keep their records.
  const remaining = memory.map((file) => withoutText(file.text, text));
  const staying = new Set(remaining.flatMap(blocksOf).map((block) => fingerprintOf(block, sha256)));
  const sought = erasedText([text, ...wordings], { kept: remaining, prints });
  const isIt = ({ print, text: said }: KnownText): boolean =>
    !staying.has(print) && (prints.includes(print) || (said !== null && sought.isIn(said)));
  const parts = ledgers.map(({ location, entries, texts }) => {
    const gone = new Set([...texts].flatMap(([hash, record]) => (isIt(record) ? [hash] : [])));
    for (const entry of entries)
      if (entry.content_hash && texts.has(entry.content_hash) && hashesOf(entry).some((hash) => gone.has(hash)))
        gone.add(entry.content_hash);
    const files = holding.filter(({ at }) => at.name === location.name).map(({ file }) => file);
    return { ledger: location.name, files, hashes: [...gone] };
  });
  return { text, wordings, prints, holding, sought, parts };
}

// Every line, also one that does not count: a text is erased wherever it is.
function chainsIn(location: LedgerLocation) {
  const { chains, texts } = readLedger(location);
  return { location, texts, entries: chains.flatMap(({ lines }) => lines.flatMap((line) => parseEntry(line) ?? [])) };
}

// Back from what is in the file to what was proposed and to what it replaced, one for one.
function knownOf(settings: Settings, text: string, ledgers: readonly ReturnType<typeof chainsIn>[]) {
  const printsOf = (said: string) => blocksOf(said).map((block) => fingerprintOf(block, sha256));
  const prints = new Set(printsOf(text));
  const wordings = new Set<string>();
  const hashes = new Set<string>([text, `${text}\n`].map(sha256));
  const proposals = new Map(recordedProposals(settings).map((each) => [each.proposal_id, each]));
  const add = (wording: string): void => {
    if (wording.trim() === text.trim()) return;
    wordings.add(wording.trim());
    for (const print of printsOf(wording)) prints.add(print);
  };
  for (const { entries, texts, location } of ledgers) {
    if (location.name === 'home') continue;
    const known = (list: readonly string[] = []) => list.flatMap((hash) => texts.get(hash) ?? []);
    for (const entry of entries.toReversed()) {
      const [blocks, replaced] = [known(entry.blocks), known(entry.replaced)];
      if (!blocks.some(({ print }) => prints.has(print))) continue;
      if (blocks.length === 1 && replaced.length === 1 && replaced[0]?.text) add(replaced[0].text);
      const proposal = proposals.get(entry.proposal_id ?? '');
      if (entry.edited && proposal) add(proposal.content);
      const content = texts.get(entry.content_hash ?? '');
      if (content) hashes.add(content.print);
      if (proposal) hashes.add(proposal.content_sha256);
    }
  }
  for (const { content, content_sha256 } of proposals.values())
    if (printsOf(content).some((print) => prints.has(print))) hashes.add(content_sha256);
  return { wordings: [...wordings], prints: [...prints, ...hashes] };
}

/** Copies of a text in transcripts, in proposals that wait or were set aside, in earlier versions, in texts that an editor left and in drafts that a crash left. */
function gateCopies(settings: Settings, sought: ErasedText): TextCopy[] {
  const folders = everyWorkspaceFolder(settings);
  const own = [{ folder: settings.home, scope: null }, ...folders];
  const below = (what: string, folder: string) =>
    [...filesBelow(join(settings.home, folder))].flatMap((path) => wholeFile(what, path, sought));
  return [
    ...own.flatMap((place) => sessionCopies(place, sought)),
    ...[...own, { folder: settings.tastesFolder, scope: settings.tastesFolder }].flatMap(({ folder, scope }) =>
      namesIn(folder)
        .filter((name) => /^\..+\.(?:draft|erase|\d+-[0-9a-z]+)$/.test(name))
        .flatMap((name) => wholeFile('draft', join(folder, name), sought, scope)),
    ),
    ...below('earlier version', 'earlier'),
    ...below('unsaved text', UNSAVED_FOLDER),
    // Of a client's own memory: what else is in such a file goes back to it.
    ...below('guarded memory', 'guarded').flatMap(({ what, path, ...copy }) =>
      path.endsWith('.jsonl') ? linesOf(what, path, sought) : { ...copy, what, path, rewrite: sought.without },
    ),
    // By hashes: who guesses the text could tell from them that it was here.
    ...[...filesBelow(join(settings.home, 'hooks'))].flatMap((path) => linesOf('hook record', path, sought)),
    ...folders
      .filter(({ folder }) => basename(dirname(folder)) === '.removed')
      .flatMap(({ folder }) => removedCopies(folder, sought)),
  ];
}

function sessionCopies({ folder, scope }: { folder: string; scope: string | null }, sought: ErasedText): TextCopy[] {
  return [...filesBelow(join(folder, 'sessions'))].flatMap((path) => {
    if (path.endsWith('.jsonl')) return linesOf('transcript', path, sought, { scope });
    if (!path.endsWith('.json')) return [];
    const what = basename(dirname(path)) === 'discarded' ? 'discarded proposal' : 'waiting proposal';
    return wholeFile(what, path, sought, scope);
  });
}

// A workspace that was moved aside has nobody who decides on it: its files are written without an entry.
function removedCopies(folder: string, sought: ErasedText): TextCopy[] {
  const texts = [...filesBelow(join(folder, 'ledger/texts'))];
  const files = namesIn(folder).filter((name) => name.endsWith('.md'));
  return [
    ...texts.flatMap((path) => linesOf('ledger text', path, sought, { drop: () => true })),
    ...files.flatMap((name) => linesOf('removed workspace', join(folder, name), sought)),
  ];
}
