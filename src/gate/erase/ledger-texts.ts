import { sha256 } from '../../files/sha256.ts';
import type { ErasedText } from '../../safety/erased-text.ts';
import type { Settings } from '../../settings/app-context.ts';
import { ledgersOf } from '../domains/accounted-files.ts';
import { type LedgerLocation, readLedger } from '../io/ledger-file.ts';
import type { LedgerEntry } from '../ledger/entry.ts';
import { hashesOf, type KnownText } from '../ledger/entry-texts.ts';
import { fingerprintOf } from '../ledger/fingerprints.ts';
import { parseEntry } from '../ledger/ledger.ts';
import { blocksOf } from '../ledger/text-blocks.ts';
import { withoutText } from '../standing/without-text.ts';
import { memoryTexts, recordedProposals } from './find-text.ts';

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
