import { BearingsError, invalidInput } from '../../errors.ts';
import { whyNotWritable } from '../../files/open-file.ts';
import { readExact } from '../../files/read-text.ts';
import { sha256 } from '../../files/sha256.ts';
import { ioError } from '../../files/system-error.ts';
import type { AppContext, Settings } from '../../settings/app-context.ts';
import { anchoringFor, type ToStored } from '../anchors/make-anchors.ts';
import { type AccountedFile, accountedPlace } from '../domains/accounted-files.ts';
import { type Domains, decisionsOn } from '../domains/domains.ts';
import { beginDecision, NOTHING_DECIDED, newEntry } from '../io/new-entry.ts';
import { type DecisionTarget, targetIn } from '../io/target-text.ts';
import { type Settled, writeAppend, writeMove, writeRecord, writeRewrite } from '../io/target-writer.ts';
import { type Proof, signerFor } from '../keys/signer.ts';
import type { DecisionRecord, StoredText } from '../ledger/entry.ts';
import { entryFile, type Signer } from '../ledger/ledger.ts';
import { fingerprintOf } from '../ledger/text-blocks.ts';
import type { ArchiveChange } from '../standing/tidy.ts';

/** How the person was asked, and what the level asks for. */
export interface HandEdit extends Proof {
  via: 'review' | 'edit' | 'init' | 'page' | 'demo' | 'terminal';
}

/** What is decided, with the file of its proposal and what goes to the archive. */
type Word = Partial<DecisionRecord> & { pending?: string; archive?: ArchiveChange | undefined };

/** One file under the lock, with what the person's word on it is written by. */
export interface Hand {
  settings: Settings;
  place: AccountedFile;
  target: DecisionTarget;
  signer: Signer;
  /** With what a text cites of the project. */
  toStored: ToStored;
  record(word: Word): void;
  append(text: string, word: Word): void;
  /** From null: the file is made. */
  rewrite(before: string | null, after: string, word: Word): void;
  move(word: Word): void;
}

type Named = Pick<AccountedFile, 'kind' | 'image_id' | 'file'>;

// How every decision on a text is written: under the lock, with its entry, whole or not at all. `text` is what it may
// anchor: that is worked out before the lock.
export function ownEdits(app: AppContext, domains: Domains) {
  return async <T>(
    named: Named | ((settings: Settings) => AccountedFile),
    edit: Proof & { via: string },
    text: string | null,
    work: (hand: Hand) => T,
  ): Promise<T> => {
    const settings = await app.settings();
    const place = typeof named === 'function' ? named(settings) : accountedPlace(settings, named);
    const signer = signerFor(settings, edit);
    const toStored = text === null ? asText : await anchoringFor(app, settings, place, text);
    const domain = domains.of(settings, place);
    return domain.lock.run(() => {
      try {
        beginDecision(domain, { signer, at: app.now().toISOString() });
        const target = targetIn(domain, place.file);
        const settled = ({ archive, pending, ...record }: Word): Settled => {
          const about = { at: app.now().toISOString(), image_id: place.image_id, file: entryFile(place) };
          const entry = newEntry(target, { ...NOTHING_DECIDED, ...about, ...record, via: edit.via }, { signer });
          return {
            ...entry,
            proposal_id: record.proposal_id ?? '',
            pending: pending ?? null,
            ...(archive && { archive }),
          };
        };
        return work({
          ...{ settings, place, target, signer, toStored },
          record: (word) => writeRecord(target, settled(word)),
          append: (added, word) => writeAppend(target, added, settled(word)),
          move: (word) => writeMove(target, settled(word)),
          rewrite(before, after, word) {
            const reason = word.pending ? null : whyNotWritable(place.scope, place.path);
            if (reason !== null)
              throw invalidInput(`${place.file} can't be written: ${reason}.`, 'Edit the file it leads to yourself.');
            if (before === null) writeAppend(target, after, settled(word));
            else writeRewrite(target, { ...settled(word), before, after });
          },
        });
      } catch (error) {
        throw ioError("The decision can't be written", error);
      }
    });
  };
}

export function changedSince(place: AccountedFile): BearingsError {
  return new BearingsError('conflict', `${place.target} was changed since it was shown.`, {
    hint: 'Look again: bearings review',
  });
}

/** Null: it is not there. Bytes that are not text would be lost by an edit. */
export function textOf({ path, scope, target }: AccountedFile): string | null {
  const read = readExact(path, scope);
  if (read.status === 'missing') return null;
  if (read.status === 'ok' && read.value.valid) return read.value.text;
  if (read.status === 'ok') throw invalidInput(`${target} is not valid UTF-8.`, 'Save it as UTF-8 first.');
  throw new BearingsError('conflict', `${target} can't be read: ${read.reason}.`, {
    hint: 'Fix the file, then try again.',
  });
}

/** What leaves the notes goes to their archive. */
export function archived({ kind, file }: Named, add: readonly string[]): ArchiveChange | undefined {
  return kind === 'notes' && file === 'notes.md' ? { add, drop: [] } : undefined;
}

export const asText = (text: string): StoredText => ({ text });

/** Of a text that is not stored, or not known, the fingerprint is enough to know it again. */
export function storedBlock(
  { fingerprint, text }: { fingerprint: string; text: string | null },
  toStored: ToStored = asText,
): StoredText {
  return text ? toStored(text) : { print: fingerprint };
}

/** They say something of a block, and it came by another. */
const NO_ORIGIN: ReadonlySet<string> = new Set(['retire', 'remove', 'look_again']);

/** The last decision that one of these blocks came by: a retirement names what it ends, and so wins in any merge. */
export function decisionBehind(place: AccountedFile, blocks: readonly string[]): string | null {
  const prints = new Set(blocks.map((block) => fingerprintOf(block, sha256)));
  const found = decisionsOn(place)
    .flat()
    .filter(({ entry }) => !NO_ORIGIN.has(entry.decision))
    .findLast(({ entry }) => entry.blocks?.some((print) => prints.has(print)));
  return found?.hash ?? null;
}
