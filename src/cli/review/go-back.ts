import { BearingsError } from '../../errors.ts';
import type { ShownEarlier } from '../../gate/accounting/go-back.ts';
import { showHidden } from '../../safety/hidden-characters.ts';
import type { Call } from '../command.ts';
import { EXIT } from '../command.ts';
import { askOnPage, askPassphrase, PAGE_COLUMNS } from '../proof.ts';
import { openScreen } from '../terminal/screen.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { counted, wrapTo } from '../views/columns.ts';
import { fileDiff } from '../views/file-diff.ts';
import { attempt, type Conversation } from './conversation.ts';

// The earlier text beside the present one, and a question: it is a decision like any other.
export async function askToGoBack(call: Call, shown: ShownEarlier): Promise<number> {
  const { bearings, terminal, json, flag } = call;
  if (json) {
    terminal.print(JSON.stringify(shown, null, 2));
    return EXIT.awaitsPerson;
  }
  if (!terminal.canAsk) {
    terminal.print(linesOf(shown, terminal, terminal.columns).join('\n'));
    throw new BearingsError('awaiting_person', `${shown.decision} asks before it writes, so it needs a terminal.`, {
      hint: 'Run it in a terminal.',
    });
  }
  if ((await (await bearings.gate()).confirmLevel()) === 'passkey') {
    const [title = '', ...text] = linesOf(shown, { paint: (_, line) => line }, PAGE_COLUMNS);
    const done = await askOnPage(call, { title, text }, async (proof) => (await bearings.gate()).goBack(shown, proof));
    terminal.print(done ? wentBack(shown, done.ledger) : 'nothing changed');
    return EXIT.done;
  }
  const passphrase = await askPassphrase(call);
  if (passphrase === null) return EXIT.done;
  const screen = openScreen(terminal, flag('plain'));
  try {
    const outcome = await decideToGoBack({ bearings, terminal, screen, passphrase }, shown);
    return outcome === 'done' ? EXIT.done : EXIT.badUse;
  } finally {
    screen.close();
  }
}

/** In the middle of a review: the last decision is shown as it would be taken back. */
export async function undoLast(conversation: Conversation): Promise<void> {
  const { bearings, screen } = conversation;
  const shown = await (await bearings.gate()).showUndo().catch((error: unknown) => {
    if (!(error instanceof BearingsError)) throw error;
    screen.say(error.message);
    return null;
  });
  if (shown) await decideToGoBack(conversation, shown);
}

async function decideToGoBack(conversation: Conversation, shown: ShownEarlier): Promise<'done' | BearingsError> {
  const { bearings, terminal, screen, passphrase } = conversation;
  const key = await screen.choose({
    lines: (columns) => linesOf(shown, terminal, columns),
    keys: '[y]es, write it  [n]o  [?] help  [q]uit',
    yes: 'y',
    help: ['y   writes exactly this text, as a decision of yours: undo takes it back', 'n   changes nothing'],
  });
  if (key !== 'y') {
    screen.say('nothing changed');
    return 'done';
  }
  return attempt(conversation, async () => {
    const { ledger } = await (await bearings.gate()).goBack(shown, { via: 'terminal', passphrase });
    return wentBack(shown, ledger);
  });
}

function wentBack({ decision, target }: ShownEarlier, ledger: number): string {
  return `${decision === 'undo' ? 'undone' : 'restored'} · ${showHidden(target)} · ledger ${ledger}`;
}

function linesOf(shown: ShownEarlier, terminal: Pick<Terminal, 'paint'>, columns: number): string[] {
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
    return wrapTo(line, columns).map((row) => (style ? terminal.paint(style, row) : row));
  });
  return [...wrapTo(showHidden(what), columns).map((row) => terminal.paint('bold', row)), '', ...rows, ...lost];
}

const STYLES: Readonly<Record<string, 'red' | 'green'>> = { '-': 'red', '+': 'green' };
