import { BearingsError, invalidInput } from '../../errors.ts';
import { readExact } from '../../files/read-text.ts';
import { sha256 } from '../../files/sha256.ts';
import type { AppContext, TargetLike } from '../../settings/app-context.ts';
import { assertStaysInside } from '../../settings/io/workspace-folders.ts';
import type { ToStored } from '../anchors/make-anchors.ts';
import { type AccountedFile, accountedFiles, accountedPlace } from '../domains/accounted-files.ts';
import { type Domains, standingFile, standingFor } from '../domains/domains.ts';
import type { StoredText } from '../ledger/entry.ts';
import { blocksOf, fingerprintOf, withoutLines } from '../ledger/text-blocks.ts';
import type { StandingBlock } from '../standing/standing.ts';
import { planTidy } from '../standing/tidy.ts';
import { accountedFileNamed, type FirstAccount, type MergedFile, type UnaccountedBlock } from './blame.ts';
import { asText, changedSince, decisionBehind, type Hand, type HandEdit, ownEdits } from './own-edits.ts';
import { cameWithClone } from './unaccounted.ts';

// One entry must stay small: it is read whole to find the end of its chain.
const MOST_BLOCKS = 500;

// What the person does to memory with their own hands. A face may only call these after it has asked them.
export function handEditUseCases(app: AppContext, domains: Domains) {
  const byHand = ownEdits(app, domains);
  const recordAll = (
    { record }: Hand,
    decision: 'adopt' | 'remove',
    blocks: readonly Pick<StandingBlock, 'fingerprint' | 'text'>[],
    toStored: ToStored = asText,
  ): void => {
    for (let at = 0; at < blocks.length; at += MOST_BLOCKS)
      record({ decision, blocks: blocks.slice(at, at + MOST_BLOCKS).map((block) => storedBlock(block, toStored)) });
  };

  const unaccountedOf = (place: AccountedFile): StandingBlock[] =>
    standingFile(place).blocks.filter(({ origin }) => origin === null);

  // Bound to what was shown: those very blocks, still without a decision.
  const shownIn = (place: AccountedFile, { block }: UnaccountedBlock): StandingBlock[] => {
    const blocks = unaccountedOf(place).filter(({ fingerprint }) => fingerprint === block.fingerprint);
    if (blocks.length === 0) throw changedSince(place);
    return blocks;
  };

  const stillGone = (place: AccountedFile, { block }: UnaccountedBlock): StandingBlock => {
    const { accounts, blocks } = standingFile(place);
    const there = blocks.some(({ fingerprint }) => fingerprint === block.fingerprint);
    if (there || !accounts.origins.has(block.fingerprint)) throw changedSince(place);
    return { ...block, text: accounts.texts.get(block.fingerprint) ?? '' };
  };

  const saveEdit = (file: string, target: TargetLike, change: HandEdit & { before: string | null; after: string }) =>
    byHand(
      (settings) => accountedFileNamed(settings, file, target),
      change,
      change.after,
      ({ place, toStored, rewrite }) => {
        const { before, after } = change;
        if (textOrNull(place) !== before) throw changedSince(place);
        const { origins } = standingFile(place).accounts;
        const [old, next] = [printedBlocks(before ?? ''), printedBlocks(after)];
        const fresh = [...next].filter(([print]) => !old.has(print) && !origins.has(print));
        // Also what nobody decided on: an undo puts back what was there.
        const gone = [...old].filter(([print]) => !next.has(print));
        rewrite(before, after, {
          decision: 'edit',
          blocks: fresh.map(([, text]) => toStored(text)),
          replaced: gone.map(([, text]) => ({ text })),
        });
        return { adopted: fresh.length, removed: gone.filter(([print]) => origins.has(print)).length };
      },
    );

  return {
    async adoptBlock(shown: UnaccountedBlock, edit: HandEdit): Promise<void> {
      await byHand(shown, edit, shown.block.text, (hand) => {
        if (shown.gone) recordAll(hand, 'remove', [stillGone(hand.place, shown)]);
        else recordAll(hand, 'adopt', shownIn(hand.place, shown).slice(0, 1), hand.toStored);
      });
    },

    // The file without it, by rename; the earlier version stays in the home.
    async takeOutBlock(shown: UnaccountedBlock, edit: HandEdit): Promise<void> {
      await byHand(shown, edit, shown.block.text, ({ place, toStored, append, rewrite }) => {
        if (shown.gone) {
          const block = stillGone(place, shown);
          if (block.text === '')
            throw invalidInput(
              'Only the fingerprint of this block is known, not its text.',
              'Restore it from a backup.',
            );
          append(block.text, { decision: 'restore', blocks: [storedBlock(block, toStored)] });
          return;
        }
        const ranges = shownIn(place, shown).map(rangeOf);
        const before = wholeText(place);
        // Whole, however long: what was taken out can be put back.
        const blocks = ranges.map((range) => ({ text: linesOf(before, range) }));
        rewrite(before, withoutLines(before, ranges), { decision: 'remove', blocks });
      });
    },

    /** A block that no longer holds: out of its file, and of the notes into the archive. */
    async retireBlock(
      shown: Pick<UnaccountedBlock, 'kind' | 'image_id' | 'file' | 'block'>,
      edit: HandEdit,
    ): Promise<void> {
      await byHand(shown, edit, null, ({ place, rewrite }) => {
        const before = wholeText(place);
        const blocks = standingFile(place).blocks.filter(
          ({ fingerprint, text }) => fingerprint === shown.block.fingerprint && text !== '',
        );
        if (blocks.length === 0) throw changedSince(place);
        const texts = blocks.map(({ text }) => text);
        rewrite(
          before,
          withoutLines(before, blocks.map(rangeOf)),
          { decision: 'retire', blocks: texts.map(asText), subject: decisionBehind(place, texts) },
          place.file === 'notes.md' ? { add: texts, drop: [] } : undefined,
        );
      });
    },

    /** The one question: all that was there before the first decision. Answers with how many blocks. */
    async adoptAll(
      target: TargetLike | 'all',
      edit: HandEdit,
      shown: readonly Pick<FirstAccount, 'target' | 'sha256'>[] | null = null,
    ): Promise<number> {
      const settings = await app.settings();
      const places = accountedFiles(settings, target === 'all' ? 'all' : settings.workspace(target));
      // Decided before the first is written: tastes share one ledger.
      const fresh = places.filter(
        (place) =>
          !cameWithClone(settings, place) && !standingFor(place).entries.some(({ file }) => file === place.file),
      );
      let adopted = 0;
      for (const each of fresh)
        await byHand(each, edit, textOrNull(each) ?? '', (hand) => {
          const blocks = unaccountedOf(each);
          if (blocks.length === 0) return;
          // Only what the question showed: a file that came or changed since then is listed block by block.
          const wanted = shown?.find((place) => place.target === each.target);
          if (shown !== null && wanted?.sha256 !== sha256(wholeText(each))) throw changedSince(each);
          recordAll(hand, 'adopt', blocks, hand.toStored);
          adopted += blocks.length;
        });
      return adopted;
    },

    /** Every block by itself and once, after a merge. */
    async tidyFile(shown: MergedFile, edit: HandEdit): Promise<void> {
      await byHand(shown, edit, null, ({ place, rewrite }) => {
        const before = wholeText(place);
        const plan = planTidy(before, standingFile(place).accounts, sha256);
        if (!plan || plan.text !== shown.text) throw changedSince(place);
        // With the texts of what goes: an undo puts them back.
        const change = { blocks: plan.blocks.map((print) => ({ print })), replaced: plan.taken_out.map(asText) };
        rewrite(before, plan.text, { decision: 'tidy', ...change });
      });
    },

    /** The merged form is as the person wants it: what ran together is one block from now on. */
    async keepMerged(shown: MergedFile, edit: HandEdit): Promise<void> {
      const now = wholeText(accountedPlace(await app.settings(), shown));
      await byHand(shown, edit, now, (hand) => {
        const text = wholeText(hand.place);
        if (sha256(text) !== shown.before_sha256) throw changedSince(hand.place);
        const blocks = [...printedBlocks(text)].map(([fingerprint, said]) => ({ fingerprint, text: said }));
        recordAll(hand, 'adopt', blocks, hand.toStored);
      });
    },

    // From exactly what was opened to exactly what they saved: nobody's lines in between are written over or signed.
    saveEdit,

    // The person edits a text in front of them, on the page or in a private copy. Accounted at once, those blocks alone.
    async editableText(file: string, target: TargetLike): Promise<EditableText> {
      const { text, sha256: hash } = editable(accountedFileNamed(await app.settings(), file, target));
      return { text, sha256: hash };
    },

    async saveText(
      file: string,
      target: TargetLike,
      save: HandSave,
    ): Promise<{ adopted: number; removed: number; sha256: string }> {
      const settings = await app.settings();
      const place = accountedFileNamed(settings, file, target);
      const now = editable(place);
      if (now.sha256 !== save.before_sha256)
        throw new BearingsError('conflict', `${place.target} was changed since it was shown.`, {
          hint: 'Copy your text, open it again, and put your change in once more.',
        });
      if (file === 'brief.md' || file === 'notes.md') assertStaysInside(settings.workspace(target), file);
      const { via, passphrase, passkey, text: after } = save;
      const before = now.sha256 === null ? null : now.text;
      const saved = await saveEdit(file, target, { via, passphrase, passkey, before, after });
      return { ...saved, sha256: sha256(after) };
    },
  };
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

function editable(place: AccountedFile): EditableText {
  const read = readExact(place.path, place.scope);
  if (read.status === 'missing') return { text: '', sha256: null };
  if (read.status === 'unreadable')
    throw new BearingsError('conflict', `${place.target} can't be read: ${read.reason}.`, {
      hint: 'Fix the file, then try again.',
    });
  if (!read.value.valid) throw invalidInput(`${place.target} is not valid UTF-8.`, 'Save it as UTF-8 first.');
  return { text: read.value.text, sha256: sha256(read.value.text) };
}

// Undefined: it can't be read.
function textOrNull({ path, scope }: AccountedFile): string | null | undefined {
  const read = readExact(path, scope);
  return read.status === 'ok' ? read.value.text : read.status === 'missing' ? null : undefined;
}

function rangeOf({ first_line, last_line }: StandingBlock): { firstLine: number; count: number } {
  return { firstLine: first_line, count: last_line - first_line + 1 };
}

function printedBlocks(text: string): Map<string, string> {
  return new Map(blocksOf(text).map((block) => [fingerprintOf(block, sha256), block]));
}

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

/** Bytes that are not text would be lost by an edit. */
export function wholeText(place: AccountedFile): string {
  const read = readExact(place.path, place.scope);
  if (read.status !== 'ok') throw changedSince(place);
  if (!read.value.valid)
    throw invalidInput(`${place.file} is not valid UTF-8.`, 'Save it as UTF-8 first: nothing may be lost by an edit.');
  return read.value.text;
}
