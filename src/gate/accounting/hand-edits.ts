import { BearingsError, invalidInput } from '../../errors.ts';
import { readExact } from '../../files/read-text.ts';
import { sha256 } from '../../files/sha256.ts';
import type { AppContext, Settings, TargetLike } from '../../settings/app-context.ts';
import { assertStaysInside } from '../../settings/io/workspace-folders.ts';
import { anchoringFor, type ToStored, toStoredWith } from '../anchors/make-anchors.ts';
import { type AccountedFile, accountedFiles, accountedPlace } from '../domains/accounted-files.ts';
import { accountsFor, type Domains, standingFile, standingFor } from '../domains/domains.ts';
import type { DecisionTarget } from '../io/target-text.ts';
import { writeAppend, writeRecord } from '../io/target-writer.ts';
import { signerFor } from '../keys/signer.ts';
import type { StoredText } from '../ledger/entry.ts';
import type { Signer } from '../ledger/ledger.ts';
import { blocksOf, fingerprintOf } from '../ledger/text-blocks.ts';
import type { StandingBlock } from '../standing/standing.ts';
import { planTidy, withoutLines } from '../standing/tidy.ts';
import { accountedFileNamed, type FirstAccount, type MergedFile, type UnaccountedBlock } from './blame.ts';
import { changedSince, decisionBehind, type HandEdit, ownEdits } from './own-edits.ts';
import { cameWithClone } from './unaccounted.ts';

// One entry must stay small: it is read whole to find the end of its chain.
const MOST_BLOCKS = 500;

// What the person does to memory with their own hands. A face may only call these after it has asked them.
export function handEditUseCases(app: AppContext, domains: Domains) {
  const { locked, entryFor, rewrite } = ownEdits(app, domains);
  const record = (
    target: DecisionTarget,
    place: AccountedFile,
    change: {
      decision: 'adopt' | 'remove';
      blocks: readonly Pick<StandingBlock, 'fingerprint' | 'text'>[];
      edit: HandEdit;
      signer: Signer;
      toStored?: ToStored;
    },
  ): void => {
    const { toStored = asText } = change;
    for (let at = 0; at < change.blocks.length; at += MOST_BLOCKS) {
      const part = change.blocks.slice(at, at + MOST_BLOCKS);
      const record = { decision: change.decision, blocks: part.map((block) => storedBlock(block, toStored)) };
      writeRecord(target, { ...entryFor(target, place, { ...change, record }), proposal_id: '', pending: null });
    }
  };

  const toStoredFor = async (settings: Settings, place: AccountedFile, text: string): Promise<ToStored> =>
    toStoredWith(await anchoringFor(app, settings, place, text));

  const unaccountedOf = (place: AccountedFile): StandingBlock[] =>
    standingFile(place).blocks.filter(({ origin }) => origin === null);

  const stillGone = (place: AccountedFile, { block }: UnaccountedBlock): StandingBlock => {
    const { accounts, blocks } = standingFile(place);
    const there = blocks.some(({ fingerprint }) => fingerprint === block.fingerprint);
    if (there || !accounts.origins.has(block.fingerprint)) throw changedSince(place);
    return { ...block, text: accounts.texts.get(block.fingerprint) ?? '' };
  };

  const putBack = (
    target: DecisionTarget,
    place: AccountedFile,
    change: { block: StandingBlock; edit: HandEdit; signer: Signer; toStored: ToStored },
  ): void => {
    const { text } = change.block;
    if (text === '')
      throw invalidInput('Only the fingerprint of this block is known, not its text.', 'Restore it from a backup.');
    const record = { decision: 'restore' as const, blocks: [storedBlock(change.block, change.toStored)] };
    writeAppend(target, text, { ...entryFor(target, place, { ...change, record }), proposal_id: '', pending: null });
  };

  return {
    async adoptBlock(shown: UnaccountedBlock, edit: HandEdit): Promise<void> {
      const settings = await app.settings();
      const place = accountedPlace(settings, shown);
      const toStored = await toStoredFor(settings, place, shown.block.text);
      const signer = signerFor(settings, edit);
      await locked(settings, place, signer, (target) => {
        if (shown.gone) {
          record(target, place, { decision: 'remove', blocks: [stillGone(place, shown)], edit, signer });
          return;
        }
        const blocks = unaccountedOf(place).filter(({ fingerprint }) => fingerprint === shown.block.fingerprint);
        if (blocks.length === 0) throw changedSince(place);
        record(target, place, { decision: 'adopt', blocks: blocks.slice(0, 1), edit, signer, toStored });
      });
    },

    // The file without it, by rename; the earlier version stays in the home.
    async takeOutBlock(shown: UnaccountedBlock, edit: HandEdit): Promise<void> {
      const settings = await app.settings();
      const place = accountedPlace(settings, shown);
      const toStored = await toStoredFor(settings, place, shown.block.text);
      const signer = signerFor(settings, edit);
      await locked(settings, place, signer, (target) => {
        if (shown.gone) {
          putBack(target, place, { block: stillGone(place, shown), edit, signer, toStored });
          return;
        }
        const blocks = unaccountedOf(place).filter(({ fingerprint }) => fingerprint === shown.block.fingerprint);
        if (blocks.length === 0) throw changedSince(place);
        const before = wholeText(place);
        const ranges = blocks.map((block) => ({
          firstLine: block.first_line,
          count: block.last_line - block.first_line + 1,
        }));
        rewrite(target, place, {
          before,
          after: withoutLines(before, ranges),
          // Whole, however long: what was taken out can be put back.
          record: { decision: 'remove', blocks: ranges.map((range) => ({ text: linesOf(before, range) })) },
          edit,
          signer,
        });
      });
    },

    /** A block that no longer holds: out of its file, and of the notes into the archive. */
    async retireBlock(
      shown: Pick<UnaccountedBlock, 'kind' | 'image_id' | 'file' | 'block'>,
      edit: HandEdit,
    ): Promise<void> {
      const settings = await app.settings();
      const place = accountedPlace(settings, shown);
      const signer = signerFor(settings, edit);
      await locked(settings, place, signer, (target) => {
        const before = wholeText(place);
        const blocks = standingFile(place).blocks.filter(
          ({ fingerprint, text }) => fingerprint === shown.block.fingerprint && text !== '',
        );
        if (blocks.length === 0) throw changedSince(place);
        const texts = blocks.map(({ text }) => text);
        rewrite(target, place, {
          before,
          after: withoutLines(
            before,
            blocks.map(({ first_line, last_line }) => ({ firstLine: first_line, count: last_line - first_line + 1 })),
          ),
          record: {
            decision: 'retire',
            blocks: texts.map((text) => ({ text })),
            subject: decisionBehind(place, texts),
          },
          ...(place.file === 'notes.md' && { archive: { add: texts, drop: [] } }),
          edit,
          signer,
        });
      });
    },

    /** The one question: all that was there before the first decision. Answers with how many blocks. */
    async adoptAll(
      target: TargetLike | 'all',
      edit: HandEdit,
      shown: readonly Pick<FirstAccount, 'target' | 'sha256'>[] | null = null,
    ): Promise<number> {
      const settings = await app.settings();
      const signer = signerFor(settings, edit);
      const places = accountedFiles(settings, target === 'all' ? 'all' : settings.workspace(target));
      // Decided before the first is written: tastes share one ledger.
      const fresh = places.filter(
        (place) =>
          !cameWithClone(settings, place) && !standingFor(place).entries.some(({ file }) => file === place.file),
      );
      let adopted = 0;
      for (const place of fresh) {
        const read = readExact(place.path, place.scope);
        const toStored = await toStoredFor(settings, place, read.status === 'ok' ? read.value.text : '');
        await locked(settings, place, signer, (to) => {
          const blocks = unaccountedOf(place);
          if (blocks.length === 0) return;
          // Only what the question showed: a file that came or changed since then is listed block by block.
          const wanted = shown?.find((each) => each.target === place.target);
          if (shown !== null && wanted?.sha256 !== sha256(wholeText(place))) throw changedSince(place);
          record(to, place, { decision: 'adopt', blocks, edit, signer, toStored });
          adopted += blocks.length;
        });
      }
      return adopted;
    },

    /** Every block by itself and once, after a merge. */
    async tidyFile(shown: MergedFile, edit: HandEdit): Promise<void> {
      const settings = await app.settings();
      const place = accountedPlace(settings, shown);
      const signer = signerFor(settings, edit);
      await locked(settings, place, signer, (target) => {
        const before = wholeText(place);
        const plan = planTidy(before, accountsFor(place), sha256);
        if (!plan || plan.text !== shown.text) throw changedSince(place);
        rewrite(target, place, {
          before,
          after: plan.text,
          record: {
            decision: 'tidy',
            blocks: plan.blocks.map((print) => ({ print })),
            // With their texts: an undo puts them back.
            replaced: plan.taken_out.map((text) => ({ text })),
          },
          edit,
          signer,
        });
      });
    },

    /** The merged form is as the person wants it: what ran together is one block from now on. */
    async keepMerged(shown: MergedFile, edit: HandEdit): Promise<void> {
      const settings = await app.settings();
      const place = accountedPlace(settings, shown);
      const toStored = await toStoredFor(settings, place, wholeText(place));
      const signer = signerFor(settings, edit);
      await locked(settings, place, signer, (target) => {
        if (sha256(wholeText(place)) !== shown.before_sha256) throw changedSince(place);
        const blocks = [...printedBlocks(wholeText(place))].map(([fingerprint, text]) => ({ fingerprint, text }));
        record(target, place, { decision: 'adopt', blocks, edit, signer, toStored });
      });
    },

    // From exactly what was opened to exactly what she saved: nobody's lines in between are written over or signed.
    async saveEdit(
      file: string,
      target: TargetLike,
      change: HandEdit & { before: string | null; after: string },
    ): Promise<{ adopted: number; removed: number }> {
      const settings = await app.settings();
      const place = accountedFileNamed(settings, file, target);
      const signer = signerFor(settings, change);
      const toStored = await toStoredFor(settings, place, change.after);
      return locked(settings, place, signer, (to) => {
        const read = readExact(place.path, place.scope);
        const now = read.status === 'ok' ? read.value.text : read.status === 'missing' ? null : undefined;
        if (now !== change.before) throw changedSince(place);
        const { before, after } = change;
        const { origins } = accountsFor(place);
        const [old, next] = [printedBlocks(before ?? ''), printedBlocks(after)];
        const fresh = [...next].filter(([print]) => !old.has(print) && !origins.has(print));
        // Also what nobody decided on: an undo puts back what was there.
        const gone = [...old].filter(([print]) => !next.has(print));
        const record = {
          decision: 'edit' as const,
          blocks: fresh.map(([, text]) => toStored(text)),
          replaced: gone.map(([, text]) => ({ text })),
        };
        rewrite(to, place, { before, after, record, edit: change, signer });
        return { adopted: fresh.length, removed: gone.filter(([print]) => origins.has(print)).length };
      });
    },
  };
}

function printedBlocks(text: string): Map<string, string> {
  return new Map(blocksOf(text).map((block) => [fingerprintOf(block, sha256), block]));
}

const asText: ToStored = (text) => ({ text });

// What is too long to be shown is not stored: its fingerprint is enough to know it again.
function storedBlock(
  { fingerprint, text }: Pick<StandingBlock, 'fingerprint' | 'text'>,
  toStored: ToStored,
): StoredText {
  return text === '' ? { print: fingerprint } : toStored(text);
}

function linesOf(text: string, { firstLine, count }: { firstLine: number; count: number }): string {
  return text
    .split(/\r\n|\n|\r/)
    .slice(firstLine - 1, firstLine - 1 + count)
    .join('\n');
}

function wholeText(place: AccountedFile): string {
  const read = readExact(place.path, place.scope);
  if (read.status !== 'ok') throw changedSince(place);
  if (!read.value.valid)
    throw invalidInput(`${place.file} is not valid UTF-8.`, 'Save it as UTF-8 first: nothing may be lost by an edit.');
  return read.value.text;
}

/** A file of memory as the person may edit it; null: it is not there yet. */
export interface EditableText {
  text: string;
  sha256: string | null;
}

export interface HandSave extends HandEdit {
  text: string;
  /** Of the text that was shown; null: there was none. */
  before_sha256: string | null;
}

type HandEdits = Pick<ReturnType<typeof handEditUseCases>, 'saveEdit'>;

// The person edits a text in front of her, on the page or in a private copy. Accounted at once, those blocks alone.
export function handSaveUseCases(app: AppContext, edits: HandEdits) {
  const textOf = async (file: string, target: TargetLike): Promise<EditableText & { named: string }> => {
    const place = accountedFileNamed(await app.settings(), file, target);
    const read = readExact(place.path, place.scope);
    if (read.status === 'missing') return { text: '', sha256: null, named: place.target };
    if (read.status === 'unreadable')
      throw new BearingsError('conflict', `${place.target} can't be read: ${read.reason}.`, {
        hint: 'Fix the file, then try again.',
      });
    if (!read.value.valid) throw invalidInput(`${place.target} is not valid UTF-8.`, 'Save it as UTF-8 first.');
    return { text: read.value.text, sha256: sha256(read.value.text), named: place.target };
  };

  return {
    async editableText(file: string, target: TargetLike): Promise<EditableText> {
      const { text, sha256: hash } = await textOf(file, target);
      return { text, sha256: hash };
    },

    async saveText(
      file: string,
      target: TargetLike,
      save: HandSave,
    ): Promise<{ adopted: number; removed: number; sha256: string }> {
      const now = await textOf(file, target);
      if (now.sha256 !== save.before_sha256)
        throw new BearingsError('conflict', `${now.named} was changed since it was shown.`, {
          hint: 'Copy your text, open it again, and put your change in once more.',
        });
      if (file === 'brief.md' || file === 'notes.md') assertStaysInside((await app.settings()).workspace(target), file);
      const { via, passphrase, passkey, text: after } = save;
      const before = now.sha256 === null ? null : now.text;
      return {
        ...(await edits.saveEdit(file, target, { via, passphrase, passkey, before, after })),
        sha256: sha256(after),
      };
    },
  };
}
