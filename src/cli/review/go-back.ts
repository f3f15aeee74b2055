import { BearingsError } from '../../errors.ts';
import type { ShownEarlier } from '../../gate/accounting/go-back.ts';
import { textDiff } from '../../gate/proposals/proposal-diff.ts';
import { showHidden } from '../../safety/hidden-characters.ts';
import type { Call } from '../command.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { counted, wrapTo } from '../views/columns.ts';
import { DIFF_STYLES } from '../views/file-diff.ts';
import { askOnce, askOnScreen, type Conversation, type OneYes } from './conversation.ts';

// The earlier text beside the present one, and a question: it is a decision like any other.
const questionOf = (bearings: Call['bearings'], shown: ShownEarlier): OneYes<{ ledger: number }> => ({
  command: shown.decision,
  shown,
  lines: (columns, paint) => linesOf(shown, paint, columns),
  yes: ['[y]es, write it', 'writes exactly this text, as a decision of yours: undo takes it back'],
  work: async (proof) => (await bearings.gate()).goBack(shown, proof),
  said: ({ ledger }) =>
    `${shown.decision === 'undo' ? 'undone' : 'restored'} · ${showHidden(shown.target)} · ledger ${ledger} · back again: bearings undo ${ledger}`,
});

export async function askToGoBack(call: Call, shown: ShownEarlier): Promise<number> {
  return (await askOnce(call, questionOf(call.bearings, shown))).code;
}

/** In the middle of a review: the last decision is shown as it would be taken back. */
export async function undoLast(conversation: Conversation): Promise<void> {
  const { bearings, screen } = conversation;
  const shown = await (await bearings.gate()).showUndo().catch((error: unknown) => {
    if (!(error instanceof BearingsError)) throw error;
    screen.say(error.message);
    return null;
  });
  if (shown) await askOnScreen(conversation, questionOf(bearings, shown));
}

function linesOf(shown: ShownEarlier, paint: Terminal['paint'], columns: number): string[] {
  const { decision, decision_id, target, before, after, not_kept } = shown;
  const id = decision_id?.slice(0, 8);
  const when = id
    ? `as it was ${decision === 'undo' ? 'before' : 'after'} decision ${id}`
    : 'with all that was decided and is gone';
  const rows = textDiff(before, after).flatMap(({ mark, text }) => {
    const lines = wrapTo(`  ${mark} ${showHidden(text)}`.trimEnd(), columns);
    return mark === ' ' ? lines : lines.map((row) => paint(DIFF_STYLES[mark], row));
  });
  const lost =
    not_kept === 0 ? [] : ['', `${counted(not_kept, 'block')} can't come back: only fingerprints are stored.`];
  const head = wrapTo(showHidden(`${target} ${when}:`), columns).map((row) => paint('bold', row));
  return [...head, '', ...rows, ...lost];
}
