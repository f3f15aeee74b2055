import type { AppContext, TargetLike } from '../../settings/app-context.ts';
import { lookAgainDate } from '../anchors/look-again-date.ts';
import { type AccountedFile, accountedFiles } from '../domains/accounted-files.ts';
import { type Domains, standingFile } from '../domains/domains.ts';
import type { CodeChange } from '../ledger/code-change.ts';
import { blocksOf, replaceBlock } from '../ledger/text-blocks.ts';
import { assertContent, assertNoSecret } from '../proposals/proposal.ts';
import type { StandingBlock } from '../standing/standing.ts';
import { dueAmong } from './due.ts';
import { wholeText } from './hand-edits.ts';
import { changedSince, type HandEdit, ownEdits } from './own-edits.ts';
import { accountedIn } from './unaccounted.ts';

/** A block to review again, as a person should see it. */
export interface DueBlock extends Pick<AccountedFile, 'kind' | 'target' | 'image_id' | 'file'> {
  block: StandingBlock;
  /** What became of the code it cites. */
  code: CodeChange[];
  /** The date to review it again, where that has come. */
  until: string | null;
}

/** The person's word: keep it as it is, from a new date on if she gives one. */
export interface KeepEdit extends HandEdit {
  /** A date or a span to review it once more; null: none. */
  until?: string | null | undefined;
}

export function lookAgainUseCases(app: AppContext, domains: Domains) {
  const byHand = ownEdits(app, domains);

  // Bound to what was shown: this very block, and a decision still stands behind it.
  const standing = (place: AccountedFile, { block }: DueBlock): StandingBlock => {
    const found = standingFile(place).blocks.find(
      ({ fingerprint, origin }) => fingerprint === block.fingerprint && origin !== null,
    );
    if (!found) throw changedSince(place);
    return found;
  };

  return {
    async dueBlocks(target: TargetLike | 'all'): Promise<DueBlock[]> {
      const settings = await app.settings();
      const places = accountedFiles(settings, target === 'all' ? 'all' : settings.workspace(target));
      const { watched } = await accountedIn(app, settings, places);
      return (await dueAmong(app, settings, watched)).map(({ place, block, code, until }) => {
        const { kind, target: label, image_id, file } = place;
        return { kind, target: label, image_id, file, block, code, until };
      });
    },

    /** It holds: anchored to the code as it is now, with a new date or none. */
    async keepBlock(shown: DueBlock, edit: KeepEdit): Promise<void> {
      const next = typeof edit.until === 'string' ? lookAgainDate(edit.until, app.now()) : edit.until;
      await byHand(shown, edit, shown.block.text, ({ place, toStored, record }) => {
        const { text, watch } = standing(place, shown);
        const known = watch?.until ?? null;
        const until = next === undefined ? (shown.until === null ? known : null) : next;
        record({ decision: 'look_again', blocks: [toStored(text)], until });
      });
    },

    /** The person's own words in its place. */
    async editDueBlock(shown: DueBlock, text: string, edit: HandEdit): Promise<void> {
      assertContent(text);
      assertNoSecret(text);
      await byHand(shown, edit, text, ({ place, toStored, rewrite }) => {
        const found = standing(place, shown);
        const before = wholeText(place);
        const after = replaceBlock(before, found.text, text);
        if (after === null) throw changedSince(place);
        const change = { blocks: blocksOf(text).map(toStored), replaced: [{ text: found.text }] };
        // What notes said before goes to their archive.
        const archive = place.file === 'notes.md' ? { add: [found.text], drop: [] } : undefined;
        rewrite(before, after, { decision: 'edit', ...change }, archive);
      });
    },
  };
}
