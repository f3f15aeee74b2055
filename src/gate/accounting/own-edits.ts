import { BearingsError, invalidInput } from '../../errors.ts';
import { sha256 } from '../../files/sha256.ts';
import { ioError } from '../../files/system-error.ts';
import { whyNotWritable } from '../../files/writable-place.ts';
import type { AppContext, Settings } from '../../settings/app-context.ts';
import { anchoringFor, type ToStored } from '../anchors/make-anchors.ts';
import { type AccountedFile, accountedPlace } from '../domains/accounted-files.ts';
import { type Domains, decisionsOn } from '../domains/domains.ts';
import { beginDecision, NOTHING_DECIDED, newEntry } from '../io/new-entry.ts';
import { type DecisionTarget, targetIn } from '../io/target-text.ts';
import { writeAppend, writeMove, writeRecord, writeRewrite } from '../io/target-writer.ts';
import { type Proof, signerFor } from '../keys/signer.ts';
import type { DecisionRecord, StoredText } from '../ledger/entry.ts';
import { entryFile } from '../ledger/ledger.ts';
import { fingerprintOf } from '../ledger/text-blocks.ts';
import type { ArchiveChange } from '../standing/tidy.ts';

/** How the person was asked, and what the level asks for. */
export interface HandEdit extends Proof {
  via: 'review' | 'edit' | 'init' | 'page' | 'demo' | 'terminal';
}

/** One file under the lock, with what the person's word on it is written by. */
export interface Hand {
  settings: Settings;
  place: AccountedFile;
  target: DecisionTarget;
  /** With what a text cites of the project. */
  toStored: ToStored;
  record(record: Partial<DecisionRecord>): void;
  append(text: string, record: Partial<DecisionRecord>): void;
  /** From null: the file is made. */
  rewrite(before: string | null, after: string, record: Partial<DecisionRecord>, archive?: ArchiveChange): void;
  move(record: Partial<DecisionRecord>): void;
}

type Named = Pick<AccountedFile, 'kind' | 'image_id' | 'file'>;

// How every edit of the person's own is written: under the lock, with its entry, whole or not at all. `text` is what it may
// anchor: that is worked out before the lock.
export function ownEdits(app: AppContext, domains: Domains) {
  return async <T>(
    named: Named | ((settings: Settings) => AccountedFile),
    edit: HandEdit,
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
        const target = targetIn(domain.decisions, place.file);
        const settled = (record: Partial<DecisionRecord>) => {
          const about = { at: app.now().toISOString(), image_id: place.image_id, file: entryFile(place) };
          const whole = { ...NOTHING_DECIDED, ...about, ...record, via: edit.via };
          return { ...newEntry(target, whole, { signer }), proposal_id: '', pending: null };
        };
        return work({
          ...{ settings, place, target, toStored },
          record: (record) => writeRecord(target, settled(record)),
          append: (added, record) => writeAppend(target, added, settled(record)),
          move: (record) => writeMove(target, settled(record)),
          rewrite(before, after, record, archive) {
            const reason = whyNotWritable(place.scope, place.path);
            if (reason !== null)
              throw invalidInput(`${place.file} can't be written: ${reason}.`, 'Edit the file it leads to yourself.');
            const entry = { ...settled(record), ...(archive && { archive }) };
            if (before === null) writeAppend(target, after, entry);
            else writeRewrite(target, { ...entry, before, after });
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

export const asText = (text: string): StoredText => ({ text });

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
