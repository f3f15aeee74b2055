import { BearingsError } from '../../errors.ts';
import type { ShownEarlier } from '../../gate/accounting/go-back.ts';
import { showHidden } from '../../safety/hidden-characters.ts';
import type { Call } from '../command.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { counted, wrapTo } from '../views/columns.ts';
import { fileDiff } from '../views/file-diff.ts';
import { askOnce, askOnScreen, type Conversation } from './conversation.ts';

// The earlier text beside the present one, and a question: it is a decision like any other.
const questionOf = (
  bearings: Call['bearings'],
  shown: ShownEarlier,
): Parameters<typeof askOnce<{ ledger: number }>>[1] => ({
  command: shown.decision,
  shown,
  lines: (columns, paint) => linesOf(shown, paint, columns),
  keys: '[y]es, write it  [n]o  [?] help  [q]uit',
  help: ['y   writes exactly this text, as a decision of yours: undo takes it back', 'n   changes nothing'],
  work: async (proof) => (await bearings.gate()).goBack(shown, proof),
  said: ({ ledger }) =>
    `${shown.decision === 'undo' ? 'undone' : 'restored'} · ${showHidden(shown.target)} · ledger ${ledger}`,
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
  const what =
    decision === 'undo'
      ? `${target} as it was before decision ${id}:`
      : id
        ? `${target} as it was after decision ${id}:`
        : `${target} with all that was decided and is gone:`;
  const lost =
    not_kept === 0
      ? []
      : [
          '',
          `${counted(not_kept, 'block')} can't come back: only ${not_kept === 1 ? 'its fingerprint is' : 'their fingerprints are'} stored.`,
        ];
  const rows = fileDiff(before, after, { paint: (_, text) => text }).flatMap((line) => {
    const style = STYLES[line[2] ?? ''];
    return wrapTo(line, columns).map((row) => (style ? paint(style, row) : row));
  });
  return [...wrapTo(showHidden(what), columns).map((row) => paint('bold', row)), '', ...rows, ...lost];
}

const STYLES: Readonly<Record<string, 'red' | 'green'>> = { '-': 'red', '+': 'green' };
