import { BearingsError, invalidInput } from '../../errors.ts';
import { sha256 } from '../../files/sha256.ts';
import type { AppContext, TargetLike } from '../../settings/app-context.ts';
import { assertStaysInside } from '../../settings/io/workspace-folders.ts';
import { lookAgainDate } from '../anchors/look-again-date.ts';
import type { ToStored } from '../anchors/make-anchors.ts';
import { type AccountedFile, accountedFiles, accountedPlace, type NamedFile } from '../domains/accounted-files.ts';
import { type Domains, standingFile, standingFor } from '../domains/domains.ts';
import { blocksOf, fingerprintOf, replaceBlock, withoutLines } from '../ledger/text-blocks.ts';
import { assertContent, assertNoSecret } from '../proposals/proposal.ts';
import type { StandingBlock } from '../standing/standing.ts';
import { planTidy } from '../standing/tidy.ts';
import { accountedFileNamed, type FirstAccount, type MergedFile, type UnaccountedBlock } from './blame.ts';
import {
  archived,
  asText,
  changedSince,
  decisionBehind,
  type Hand,
  type HandEdit,
  ownEdits,
  storedBlock,
  textOf,
} from './own-edits.ts';
import { accountedIn, cameWithClone, type DueBlock, dueAmong } from './unaccounted.ts';

// One entry must stay small: it is read whole to find the end of its chain.
const MAX_BLOCKS = 500;

// What the person does to memory with their own hands. A face may only call these after it has asked them.
export function handEditUseCases(app: AppContext, domains: Domains) {
  const byHand = ownEdits(app, domains);
  const recordAll = (
    { record }: Hand,
    decision: 'adopt' | 'remove',
    blocks: readonly Pick<StandingBlock, 'fingerprint' | 'text'>[],
    toStored: ToStored = asText,
  ): void => {
    for (let at = 0; at < blocks.length; at += MAX_BLOCKS)
      record({ decision, blocks: blocks.slice(at, at + MAX_BLOCKS).map((block) => storedBlock(block, toStored)) });
  };

  const unaccountedOf = (place: AccountedFile): StandingBlock[] =>
    standingFile(place).blocks.filter(({ origin }) => origin === null);

  // Bound to what was shown: those very blocks, still with a decision behind them or without one.
  const shownIn = (place: AccountedFile, { block }: { block: StandingBlock }, isDecided = false): StandingBlock[] => {
    const blocks = standingFile(place).blocks.filter(
      ({ fingerprint, origin }) => fingerprint === block.fingerprint && (origin !== null) === isDecided,
    );
    if (blocks.length === 0) throw changedSince(place);
    return blocks;
  };

  const stillGone = (place: AccountedFile, { block }: UnaccountedBlock): StandingBlock => {
    const { accounts, blocks } = standingFile(place);
    const there = blocks.some(({ fingerprint }) => fingerprint === block.fingerprint);
    if (there || !accounts.origins.has(block.fingerprint)) throw changedSince(place);
    return { ...block, text: accounts.texts.get(block.fingerprint) ?? '' };
  };

  const placesOf = async (target: TargetLike | 'all') => {
    const settings = await app.settings();
    return { settings, places: accountedFiles(settings, target === 'all' ? 'all' : settings.workspace(target)) };
  };

  const saveEdit = (file: string, target: TargetLike, change: HandEdit & { before: string | null; after: string }) =>
    byHand(
      (settings) => accountedFileNamed(settings, file, target),
      change,
      change.after,
      ({ place, toStored, rewrite }) => {
        const { before, after } = change;
        if (textOf(place) !== before) throw changedSince(place);
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
    async retireBlock(shown: Omit<NamedFile, 'target'> & { block: StandingBlock }, edit: HandEdit): Promise<void> {
      await byHand(shown, edit, null, ({ place, rewrite }) => {
        const before = wholeText(place);
        const blocks = standingFile(place).blocks.filter(
          ({ fingerprint, text }) => fingerprint === shown.block.fingerprint && text !== '',
        );
        if (blocks.length === 0) throw changedSince(place);
        const texts = blocks.map(({ text }) => text);
        const ended = { blocks: texts.map(asText), subject: decisionBehind(place, texts) };
        const after = withoutLines(before, blocks.map(rangeOf));
        rewrite(before, after, { decision: 'retire', ...ended, archive: archived(place, texts) });
      });
    },

    /** The one question: all that was there before the first decision. Answers with how many blocks. */
    async adoptAll(
      target: TargetLike | 'all',
      edit: HandEdit,
      shown: readonly Pick<FirstAccount, 'target' | 'sha256'>[] | null = null,
    ): Promise<number> {
      const { settings, places } = await placesOf(target);
      // Decided before the first is written: tastes share one ledger.
      const fresh = places.filter(
        (place) =>
          !cameWithClone(settings, place) && !standingFor(place).entries.some(({ file }) => file === place.file),
      );
      let adopted = 0;
      for (const each of fresh)
        await byHand(
          each,
          edit,
          unaccountedOf(each)
            .map(({ text }) => text)
            .join('\n\n'),
          (hand) => {
            const blocks = unaccountedOf(each);
            if (blocks.length === 0) return;
            // Only what the question showed: a file that came or changed since then is listed block by block.
            const wanted = shown?.find((place) => place.target === each.target);
            if (shown !== null && wanted?.sha256 !== sha256(wholeText(each))) throw changedSince(each);
            recordAll(hand, 'adopt', blocks, hand.toStored);
            adopted += blocks.length;
          },
        );
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
    async editableText(file: string, target: TargetLike): Promise<{ text: string; sha256: string | null }> {
      const text = textOf(accountedFileNamed(await app.settings(), file, target));
      return { text: text ?? '', sha256: text === null ? null : sha256(text) };
    },

    async saveText(
      file: string,
      target: TargetLike,
      // The hash is that of the text that was shown; null: there was none.
      { text: after, before_sha256, ...edit }: HandEdit & { text: string; before_sha256: string | null },
    ) {
      const settings = await app.settings();
      const place = accountedFileNamed(settings, file, target);
      const before = textOf(place);
      if ((before === null ? null : sha256(before)) !== before_sha256)
        throw new BearingsError('conflict', `${place.target} was changed since it was shown.`, {
          hint: 'Copy your text, open it again, and put your change in once more.',
        });
      if (file === 'brief.md' || file === 'notes.md') assertStaysInside(settings.workspace(target), file);
      return { ...(await saveEdit(file, target, { ...edit, before, after })), sha256: sha256(after) };
    },

    async dueBlocks(target: TargetLike | 'all'): Promise<DueBlock[]> {
      const { settings, places } = await placesOf(target);
      return dueAmong(app, settings, (await accountedIn(app, settings, places)).watched);
    },

    /** It holds: anchored to the code as it is now, with a new date or span, or with none (null). */
    async keepBlock(shown: DueBlock, edit: HandEdit & { until?: string | null | undefined }): Promise<void> {
      const next = typeof edit.until === 'string' ? lookAgainDate(edit.until, app.now()) : edit.until;
      await byHand(shown, edit, shown.block.text, ({ place, toStored, record }) => {
        const [block] = shownIn(place, shown, true);
        const known = shown.until === null ? (block?.watch?.until ?? null) : null;
        const until = next === undefined ? known : next;
        record({ decision: 'look_again', blocks: [toStored(block?.text ?? '')], until });
      });
    },

    /** The person's own words in its place. */
    async editDueBlock(shown: DueBlock, text: string, edit: HandEdit): Promise<void> {
      assertContent(text);
      assertNoSecret(text);
      await byHand(shown, edit, text, ({ place, toStored, rewrite }) => {
        const said = shownIn(place, shown, true)[0]?.text ?? '';
        const before = wholeText(place);
        const after = replaceBlock(before, said, text);
        if (after === null) throw changedSince(place);
        const change = { blocks: blocksOf(text).map(toStored), replaced: [asText(said)] };
        rewrite(before, after, { decision: 'edit', ...change, archive: archived(place, [said]) });
      });
    },
  };
}

function rangeOf({ first_line, last_line }: StandingBlock): { firstLine: number; count: number } {
  return { firstLine: first_line, count: last_line - first_line + 1 };
}

function printedBlocks(text: string): Map<string, string> {
  return new Map(blocksOf(text).map((block) => [fingerprintOf(block, sha256), block]));
}

function linesOf(text: string, { firstLine, count }: { firstLine: number; count: number }): string {
  return text
    .split(/\r\n|\n|\r/)
    .slice(firstLine - 1, firstLine - 1 + count)
    .join('\n');
}

function wholeText(place: AccountedFile): string {
  const text = textOf(place);
  if (text === null) throw changedSince(place);
  return text;
}
