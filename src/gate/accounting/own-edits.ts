import { BearingsError, invalidInput } from '../../errors.ts';
import { sha256 } from '../../files/sha256.ts';
import { ioError } from '../../files/system-error.ts';
import { whyNotWritable } from '../../files/writable-place.ts';
import type { AppContext, Settings } from '../../settings/app-context.ts';
import type { AccountedFile } from '../domains/accounted-files.ts';
import { type Domains, decisionsOn } from '../domains/domains.ts';
import { beginDecision, NOTHING_DECIDED, newEntry } from '../io/new-entry.ts';
import { type DecisionTarget, targetIn } from '../io/target-text.ts';
import { writeAppend, writeRewrite } from '../io/target-writer.ts';
import type { Proof } from '../keys/signer.ts';
import type { DecisionRecord, StoredText } from '../ledger/entry.ts';
import { entryFile, type Signer } from '../ledger/ledger.ts';
import { fingerprintOf } from '../ledger/text-blocks.ts';
import type { ArchiveChange } from '../standing/tidy.ts';

/** How the person was asked, and what the level asks for. */
export interface HandEdit extends Proof {
  via: 'review' | 'edit' | 'init' | 'page' | 'demo' | 'terminal';
}

// How every edit of the person's own is written: under the lock, with its entry, whole or not at all.
export function ownEdits(app: AppContext, domains: Domains) {
  const locked = async <T>(
    settings: Settings,
    place: AccountedFile,
    signer: Signer,
    work: (target: DecisionTarget) => T,
  ): Promise<T> => {
    const domain = domains.of(settings, place);
    return domain.lock.run(() => {
      try {
        beginDecision(domain, { signer, at: app.now().toISOString() });
        return work(targetIn(domain.decisions, place.file));
      } catch (error) {
        throw ioError("The decision can't be written", error);
      }
    });
  };

  const entryFor = (
    target: DecisionTarget,
    place: AccountedFile,
    change: { record: Partial<DecisionRecord>; edit: HandEdit; signer: Signer },
  ) =>
    newEntry(
      target,
      {
        ...NOTHING_DECIDED,
        at: app.now().toISOString(),
        image_id: place.image_id,
        file: entryFile(place),
        ...change.record,
        via: change.edit.via,
      },
      { signer: change.signer },
    );

  const rewrite = (
    target: DecisionTarget,
    place: AccountedFile,
    change: {
      before: string | null;
      after: string;
      record: Partial<DecisionRecord>;
      archive?: ArchiveChange;
      edit: HandEdit;
      signer: Signer;
    },
  ): void => {
    const reason = whyNotWritable(place.scope, place.path);
    if (reason !== null)
      throw invalidInput(`${place.file} can't be written: ${reason}.`, 'Edit the file it leads to yourself.');
    const { before, after, archive } = change;
    const settled = { ...entryFor(target, place, change), proposal_id: '', pending: null, ...(archive && { archive }) };
    if (before === null) writeAppend(target, after, settled);
    else writeRewrite(target, { ...settled, before, after });
  };

  return { locked, entryFor, rewrite };
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
