import { invalidInput, notFound } from '../../errors.ts';
import { join } from '../../files/paths.ts';
import { readExact } from '../../files/read-text.ts';
import { sha256 } from '../../files/sha256.ts';
import type { ErasedText } from '../../safety/erased-text.ts';
import type { Settings, TargetLike } from '../../settings/app-context.ts';
import { type AccountedFile, accountedFiles, accountedNotes, ledgersOf } from '../domains/accounted-files.ts';
import { type LedgerLocation, readLedger, readTexts } from '../io/ledger-file.ts';
import type { LedgerEntry } from '../ledger/entry.ts';
import { hashesOf, type KnownText } from '../ledger/entry-texts.ts';
import { parseEntry } from '../ledger/ledger.ts';
import { blocksOf, collapsed, fileBlocks, fingerprintOf } from '../ledger/text-blocks.ts';
import { recordedProposals } from '../sessions/sessions.ts';
import { ARCHIVE, withoutText } from '../standing/tidy.ts';

/** A text that can be erased, and where it was found. */
export interface FoundText {
  text: string;
  where: string;
}

/** A file of memory with its text. */
export interface MemoryText extends AccountedFile {
  text: string;
}

/** All that lasts: tastes, briefs, notes and archives. */
export function memoryTexts(settings: Settings): MemoryText[] {
  const archives = settings.workspaces().map((workspace) => ({
    ...accountedNotes(settings, workspace),
    file: ARCHIVE,
    target: `${ARCHIVE} of ${workspace.id}`,
    path: join(workspace.folder, ARCHIVE),
  }));
  return [...accountedFiles(settings, 'all'), ...archives].flatMap((place) => {
    const read = readExact(place.path, place.scope);
    return read.status === 'ok' ? [{ ...place, text: read.value.text }] : [];
  });
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

/** What the ledgers know of a text: its other wordings, and every hash of it. */
export interface KnownOfText {
  wordings: string[];
  prints: string[];
}

interface ReadChain {
  entries: LedgerEntry[];
  texts: ReadonlyMap<string, KnownText>;
}

// Every line, also one that does not count: a text is erased wherever it is.
function chainsIn(location: LedgerLocation): ReadChain {
  const { chains, texts } = readLedger(location);
  return { entries: chains.flatMap(({ lines }) => lines.flatMap((line) => parseEntry(line) ?? [])), texts };
}

// Back from what is in the file to what was proposed and to what it replaced, one for one.
export function knownOf(settings: Settings, text: string): KnownOfText {
  const prints = new Set(blocksOf(text).map((block) => fingerprintOf(block, sha256)));
  const wordings = new Set<string>();
  const hashes = new Set<string>([text, `${text}\n`].map(sha256));
  const proposals = new Map(recordedProposals(settings).map((each) => [each.proposal_id, each]));
  const add = (wording: string): void => {
    if (wording.trim() === text.trim() || wordings.has(wording.trim())) return;
    wordings.add(wording.trim());
    for (const block of blocksOf(wording)) prints.add(fingerprintOf(block, sha256));
  };
  for (const location of ledgersOf(settings, 'all')) {
    const { entries, texts } = chainsIn(location);
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
    if (blocksOf(content).some((block) => prints.has(fingerprintOf(block, sha256)))) hashes.add(content_sha256);
  return { wordings: [...wordings], prints: [...prints, ...hashes] };
}

/** Salted hashes of the records of a ledger that hold the text, a wording or a hash of it. Blocks that stay keep theirs. */
export function recordsOf(
  settings: Settings,
  location: LedgerLocation,
  { text, known, sought }: { text: string; known: KnownOfText; sought: ErasedText },
): string[] {
  const { entries, texts } = chainsIn(location);
  const staying = new Set(
    memoryTexts(settings).flatMap((file) =>
      blocksOf(withoutText(file.text, text)).map((block) => fingerprintOf(block, sha256)),
    ),
  );
  const prints = new Set(known.prints);
  const isIt = ({ print, text: said }: KnownText): boolean =>
    !staying.has(print) && (prints.has(print) || (said !== null && sought.isIn(said)));
  const gone = new Set([...texts].flatMap(([hash, record]) => (isIt(record) ? [hash] : [])));
  for (const entry of entries)
    if (entry.content_hash && texts.has(entry.content_hash) && hashesOf(entry).some((hash) => gone.has(hash)))
      gone.add(entry.content_hash);
  return [...gone];
}
