import { invalidInput, notFound } from '../../errors.ts';
import { namesIn } from '../../files/path-scope.ts';
import { basename, dirname, join } from '../../files/paths.ts';
import { sha256 } from '../../files/sha256.ts';
import { filesBelow, linesOf, type TextCopy, wholeFile } from '../../files/text-copies.ts';
import { type ErasedText, erasedText } from '../../safety/erased-text.ts';
import type { Settings, TargetLike } from '../../settings/app-context.ts';
import { everyWorkspaceFolder } from '../../settings/io/workspace-folders.ts';
import { ledgersOf, memoryTexts } from '../domains/accounted-files.ts';
import { UNSAVED_FOLDER } from '../io/editor.ts';
import { type LedgerLocation, readLedger, readTexts } from '../io/ledger-file.ts';
import { homeLedger } from '../io/read-standing.ts';
import { hashesOf, type KnownText, parseEntry } from '../ledger/ledger.ts';
import { blocksOf, collapsed, fileBlocks, fingerprintOf } from '../ledger/text-blocks.ts';
import { recordedProposals } from '../sessions/sessions.ts';
import { placesOfText, withoutText } from '../standing/tidy.ts';

/** A text that can be erased, and where it was found. */
export interface FoundText {
  text: string;
  where: string;
}

const AT_LINE = /^(.+\.md):(\d+)$/;

/** By words of it, or by its line: `notes.md:12`. What is in memory comes first, then what only the records know. */
export function findTexts(settings: Settings, words: string, target: TargetLike): FoundText[] {
  if (words.trim() === '')
    throw invalidInput('What should be erased?', 'Words of it, or its line: bearings erase notes.md:12');
  const [, file, line] = AT_LINE.exec(words.trim()) ?? [];
  if (file !== undefined) return [blockAt(settings, { file, line: Number(line) }, target)];
  const wanted = collapsed(words).toLowerCase();
  const found = new Map<string, FoundText>();
  const meet = (text: string, where: string): void => {
    const print = fingerprintOf(text, sha256);
    if (!found.has(print) && collapsed(text).toLowerCase().includes(wanted))
      found.set(print, { text: text.trim(), where });
  };
  for (const each of memoryTexts(settings))
    for (const { lines, firstLine } of fileBlocks(each.text))
      meet(lines.join('\n'), `${each.target}, line ${firstLine}`);
  for (const ledger of ledgersOf(settings, 'all'))
    for (const { text } of readTexts(ledger).values()) if (text !== null) meet(text, `the ledger of ${ledger.label}`);
  for (const proposal of recordedProposals(settings))
    meet(proposal.content, `a proposal of session ${proposal.session_id}`);
  return [...found.values()];
}

function blockAt(settings: Settings, { file, line }: { file: string; line: number }, target: TargetLike): FoundText {
  const isTaste = file.startsWith('tastes/');
  const id = isTaste ? null : settings.workspace(target).id;
  const name = isTaste ? file.slice('tastes/'.length) : file;
  const place = memoryTexts(settings).find(
    (each) => (each.kind === 'taste') === isTaste && each.image_id === id && each.file === name,
  );
  const block = fileBlocks(place?.text ?? '').find(
    ({ firstLine, lines }) => firstLine <= line && line < firstLine + lines.length,
  );
  if (place && block) return { text: block.lines.join('\n').trim(), where: `${place.target}, line ${block.firstLine}` };
  throw notFound(`There is no text at line ${line} of ${file}.`, 'See the lines: bearings why notes.md');
}

export type Search = ReturnType<typeof searchFor>;

/** A text with its other wordings and every hash of it, where it is in memory, and what of each ledger is about it. */
export function searchFor(settings: Settings, text: string) {
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
export function gateCopies(settings: Settings, sought: ErasedText): TextCopy[] {
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
