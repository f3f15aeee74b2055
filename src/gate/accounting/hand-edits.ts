import { type BearingsError, conflict, invalidInput, ioError } from '../../errors.ts';
import { sha256 } from '../../files/file-fingerprint.ts';
import { whyNotWritable } from '../../files/read-file.ts';
import type { AppContext, Settings, TargetLike } from '../../settings/app-context.ts';
import { assertStaysInside } from '../../settings/io/workspace-folders.ts';
import { anchoringFor, type ToStored } from '../anchors/io/project-code.ts';
import { type AccountedFile, accountedFile, accountedFiles } from '../domains/accounted-files.ts';
import { beginDecision, type Domains, NOTHING_DECIDED, newEntry, standingFile } from '../domains/domains.ts';
import { currentText, type DecisionTarget, targetIn } from '../io/target-text.ts';
import { type Change, writeDecision } from '../io/target-writer.ts';
import { type Proof, signerFor } from '../keys/confirm-level.ts';
import type { DecisionRecord, StoredText } from '../ledger/entry.ts';
import { entryFile, type Signer } from '../ledger/ledger.ts';
import { blocksOf, fingerprintOf, replaceBlock, withoutLines } from '../ledger/text-blocks.ts';
import { assertContent, assertNoSecret, lookAgainDate } from '../proposals/proposal.ts';
import type { HistoryBlock } from '../standing/history.ts';
import { movedBy, type StandingBlock } from '../standing/standing.ts';
import { type ArchiveChange, planTidy } from '../standing/tidy.ts';
import { accountedFileNamed, type MergedFile, neverAccounted, type UnaccountedBlock } from './blame.ts';
import { accountedIn, type DueBlock, dueAmong } from './unaccounted.ts';

/** How the person was asked, and what the level asks for. */
export interface HandEdit extends Proof {
  via: 'review' | 'edit' | 'init' | 'page' | 'demo' | 'terminal';
}

/** What is decided, with the file of its proposal and what goes to the archive. */
type Word = Partial<DecisionRecord> & { pending?: string; archive?: ArchiveChange | undefined };

type Named = Pick<AccountedFile, 'kind' | 'image_id' | 'file'>;

export type Hand = ReturnType<typeof handOn>;

/** One file under the lock, with what the person's word on it is written by. */
function handOn(
  app: AppContext,
  { place, target, ...by }: { place: AccountedFile; target: DecisionTarget; signer: Signer; toStored: ToStored },
  via: string,
) {
  const write = (change: Change, { archive, pending, ...record }: Word): void => {
    const about = { at: app.now().toISOString(), image_id: place.image_id, file: entryFile(place) };
    const entry = newEntry(target, { ...NOTHING_DECIDED, ...about, ...record, via }, by);
    writeDecision(target, { ...entry, pending, archive }, change);
  };
  return {
    ...{ place, target, ...by },
    record: (word: Word) => write({ kind: 'record' }, word),
    append: (content: string, word: Word) => write({ kind: 'append', content }, word),
    move: (word: Word) => write({ kind: 'move' }, word),
    /** From null: the file is made. */
    rewrite(before: string | null, after: string, word: Word): void {
      const reason = word.pending ? null : whyNotWritable(place.scope, place.path);
      if (reason !== null)
        throw invalidInput(`${place.file} can't be written: ${reason}.`, 'Edit the file it leads to yourself.');
      write(before === null ? { kind: 'append', content: after } : { kind: 'rewrite', before, after }, word);
    },
  };
}

// How every decision on a text is written: under the lock, with its entry, whole or not at all. `text` is what it may
// anchor: that is worked out before the lock.
export function ownEdits(app: AppContext, domains: Domains) {
  return async <T>(
    settings: Settings,
    { kind, image_id, file }: Named,
    edit: Proof & { via: string },
    text: string | null,
    work: (hand: Hand) => T,
  ): Promise<T> => {
    const workspace = kind === 'taste' ? null : settings.workspace({ id: image_id ?? undefined });
    const place = accountedFile(settings, workspace, file);
    const signer = signerFor(settings, edit);
    const toStored = text === null ? asText : await anchoringFor(app, settings, place, text);
    const domain = domains.of(settings, place);
    return domain.lock.run(() => {
      try {
        beginDecision(domain, { signer, at: app.now().toISOString() });
        return work(handOn(app, { place, target: targetIn(domain, place.file), signer, toStored }, edit.via));
      } catch (error) {
        throw ioError("The decision can't be written", error);
      }
    });
  };
}

export function changedSince({ target }: AccountedFile, hint = 'Look again: bearings review'): BearingsError {
  return conflict(`${target} was changed since it was shown.`, hint);
}

/** What leaves the notes goes to their archive. */
export function archived({ kind, file }: Named, add: readonly string[]): ArchiveChange | undefined {
  return kind === 'notes' && file === 'notes.md' ? { add, drop: [] } : undefined;
}

export const asText = (text: string): StoredText => ({ text });

/** Of a text that is not stored, or not known, the fingerprint is enough to know it again. */
export function storedBlock({ fingerprint, text }: HistoryBlock, toStored: ToStored = asText): StoredText {
  return text ? toStored(text) : { print: fingerprint };
}

/** The decision that one of these blocks came by: a retirement names what it ends, and so wins in any merge. */
export function decisionBehind(place: AccountedFile, blocks: readonly string[]): string | null {
  const { origins } = standingFile(place).accounts;
  const found = blocks.map((block) => origins.get(fingerprintOf(block, sha256))).find((origin) => origin !== undefined);
  return found?.decision_id ?? null;
}

// What the person does to memory with their own hands. A face may only call these after it has asked them.
export function handEditUseCases(app: AppContext, domains: Domains) {
  const byHand = ownEdits(app, domains);
  // Bound to what was shown: those very blocks, still with a decision behind them or without one.
  const shownIn = (place: AccountedFile, { block }: { block: StandingBlock }, isDecided = false) => {
    const [first, ...others] = standingFile(place).blocks.filter(
      ({ fingerprint, origin, text }) =>
        text !== '' && fingerprint === block.fingerprint && (origin !== null) === isDecided,
    );
    if (!first) throw changedSince(place);
    return [first, ...others] as const;
  };

  const stillGone = (place: AccountedFile, { block }: UnaccountedBlock): StandingBlock => {
    const { accounts, blocks } = standingFile(place);
    const there = blocks.some(({ fingerprint }) => fingerprint === block.fingerprint);
    if (there || !accounts.origins.has(block.fingerprint)) throw changedSince(place);
    return { ...block, text: accounts.texts.get(block.fingerprint) ?? '' };
  };

  return {
    async adoptBlock(settings: Settings, shown: UnaccountedBlock, edit: HandEdit): Promise<void> {
      await byHand(settings, shown, edit, shown.block.text, ({ place, toStored, record }) => {
        if (shown.gone) record({ decision: 'remove', blocks: [storedBlock(stillGone(place, shown))] });
        else record({ decision: 'adopt', blocks: [storedBlock(shownIn(place, shown)[0], toStored)] });
      });
    },

    // The file without it, by rename; the earlier version stays in the home.
    async takeOutBlock(settings: Settings, shown: UnaccountedBlock, edit: HandEdit): Promise<void> {
      await byHand(settings, shown, edit, shown.block.text, ({ place, toStored, append, rewrite }) => {
        if (shown.gone) {
          const block = stillGone(place, shown);
          if (block.text === '')
            throw invalidInput('Only the fingerprint of this block is known.', 'Restore its text from a backup.');
          append(block.text, { decision: 'restore', blocks: [storedBlock(block, toStored)] });
          return;
        }
        const { before, after, blocks } = without(place, shownIn(place, shown));
        const { fingerprint: print } = shown.block;
        const remains = standingFile(place).blocks.some(({ fingerprint, origin }) => origin && fingerprint === print);
        // One too many: the other stays what it is.
        const taken = { decision: 'remove', blocks: blocks.map(asText) } as const;
        rewrite(before, after, remains ? { decision: 'tidy', blocks: [{ print }] } : taken);
      });
    },

    /** A block that no longer holds: out of its file, and of the notes into the archive. */
    async retireBlock(settings: Settings, shown: Named & { block: StandingBlock }, edit: HandEdit): Promise<void> {
      await byHand(settings, shown, edit, null, ({ place, rewrite }) => {
        const { before, after, blocks } = without(place, shownIn(place, shown, true));
        const ended = { blocks: blocks.map(asText), subject: decisionBehind(place, blocks) };
        rewrite(before, after, { decision: 'retire', ...ended, archive: archived(place, blocks) });
      });
    },

    /** The one question: all that was there before the first decision. Answers with how many blocks. */
    async adoptAll(
      settings: Settings,
      target: TargetLike | 'all',
      edit: HandEdit,
      shown: readonly { target: string; sha256: string }[] | null = null,
    ): Promise<number> {
      // All of them before the first is written: tastes share one ledger.
      const fresh = neverAccounted(app, settings, target);
      let adopted = 0;
      for (const { place, text } of fresh)
        await byHand(settings, place, edit, text, (hand) => {
          // Only what the question showed: a file that came or changed since then is listed block by block.
          const wanted = shown === null ? sha256(text) : shown.find((each) => each.target === place.target)?.sha256;
          if (wanted !== sha256(wholeText(place))) throw changedSince(place);
          const blocks = standingFile(place).blocks.filter(({ origin }) => origin === null);
          hand.record({ decision: 'adopt', blocks: blocks.map((block) => storedBlock(block, hand.toStored)) });
          adopted += blocks.length;
        });
      return adopted;
    },

    /** Every block by itself and once, after a merge. */
    async tidyFile(settings: Settings, shown: MergedFile, edit: HandEdit): Promise<void> {
      await byHand(settings, shown, edit, null, ({ place, rewrite }) => {
        const before = wholeText(place);
        const plan = planTidy(before, standingFile(place).accounts, sha256);
        if (!plan || plan.text !== shown.text) throw changedSince(place);
        // With the texts of what goes: an undo puts them back.
        const change = { blocks: plan.blocks.map((print) => ({ print })), replaced: plan.taken_out.map(asText) };
        rewrite(before, plan.text, { decision: 'tidy', ...change });
      });
    },

    // The person edits a text in front of them, on the page or in a private copy. Accounted at once, those blocks alone.
    editableText(settings: Settings, file: string, target: TargetLike): { text: string; sha256: string | null } {
      const text = currentText(writableFile(settings, file, target));
      return { text: text ?? '', sha256: text === null ? null : sha256(text) };
    },

    // From exactly what was opened to exactly what they saved: nobody's lines in between are written over or signed.
    async saveText(
      settings: Settings,
      file: string,
      target: TargetLike,
      // The hash is that of the text that was shown; null: there was none.
      { text: after, before_sha256, ...edit }: HandEdit & { text: string; before_sha256: string | null },
    ) {
      return byHand(settings, writableFile(settings, file, target), edit, after, ({ place, toStored, rewrite }) => {
        const before = currentText(place);
        if ((before === null ? null : sha256(before)) !== before_sha256)
          throw changedSince(place, 'Copy your text, open it again, and put your change in once more.');
        const { accounts } = standingFile(place);
        const { origins } = accounts;
        const [old, next] = [printedBlocks(before ?? ''), printedBlocks(after)];
        const moved = movedBy(before ?? '', after, accounts, sha256);
        const fresh = [...next].filter(([print]) => (!old.has(print) && !origins.has(print)) || moved.has(print));
        // Also what nobody decided on: an undo puts back what was there.
        const gone = [...old].filter(([print]) => !next.has(print));
        const replaced = gone.map(([, text]) => ({ text }));
        rewrite(before, after, { decision: 'edit', blocks: fresh.map(([, text]) => toStored(text)), replaced });
        const removed = gone.filter(([print]) => origins.has(print)).length;
        return { adopted: fresh.length, removed, sha256: sha256(after) };
      });
    },

    async dueBlocks(settings: Settings, target: TargetLike | 'all'): Promise<DueBlock[]> {
      const places = accountedFiles(settings, target === 'all' ? 'all' : settings.workspace(target));
      return dueAmong(app, settings, (await accountedIn(app, settings, places)).watched);
    },

    /** It holds: anchored to the code as it is now, with a new date or span, or with none (null). */
    async keepBlock(settings: Settings, shown: DueBlock, edit: HandEdit & { until?: string | null | undefined }) {
      const next = typeof edit.until === 'string' ? lookAgainDate(edit.until, app.now()) : edit.until;
      await byHand(settings, shown, edit, shown.block.text, ({ place, toStored, record }) => {
        const [block] = shownIn(place, shown, true);
        const known = shown.until === null ? (block.watch?.until ?? null) : null;
        const until = next === undefined ? known : next;
        record({ decision: 'look_again', blocks: [toStored(block.text)], until });
      });
    },

    /** The person's own words in its place. */
    async editDueBlock(settings: Settings, shown: DueBlock, text: string, edit: HandEdit): Promise<void> {
      assertContent(text);
      assertNoSecret(text);
      await byHand(settings, shown, edit, text, ({ place, toStored, rewrite }) => {
        const said = shownIn(place, shown, true)[0].text;
        const before = wholeText(place);
        const after = replaceBlock(before, said, text);
        if (after === null) throw changedSince(place);
        const change = { blocks: blocksOf(text).map(toStored), replaced: [asText(said)] };
        rewrite(before, after, { decision: 'edit', ...change, archive: archived(place, [said]) });
      });
    },
  };
}

function writableFile(settings: Settings, file: string, target: TargetLike): AccountedFile {
  const named = accountedFileNamed(settings, file, target);
  if (named.kind === 'notes') assertStaysInside(settings.workspace(target), named.file);
  return named;
}

/** A file as it is and without these blocks, with their texts. */
function without(place: AccountedFile, blocks: readonly StandingBlock[]) {
  const before = wholeText(place);
  const ranges = blocks.map(({ first_line: firstLine, last_line: last }) => ({
    firstLine,
    count: last - firstLine + 1,
  }));
  return { before, after: withoutLines(before, ranges), blocks: blocks.map(({ text }) => text) };
}

function printedBlocks(text: string): Map<string, string> {
  return new Map(blocksOf(text).map((block) => [fingerprintOf(block, sha256), block]));
}

function wholeText(place: AccountedFile): string {
  const text = currentText(place);
  if (text === null) throw changedSince(place);
  return text;
}
