import type { Rooms } from '../../bearings.ts';
import { BearingsError } from '../../errors.ts';
import { withoutOuterBlankLines } from '../../gate/ledger/text-blocks.ts';
import { lookAgainDate } from '../../gate/proposals/proposal.ts';
import type { Page, Screen } from '../terminal/screen.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** What every step of a review works with. */
export interface Conversation {
  bearings: Rooms;
  terminal: Terminal;
  screen: Screen;
  /** Only at `confirm: passphrase`. */
  passphrase: string | undefined;
}

export type Target = { id: string } | 'all';

/** False: the person leaves. */
export type Step = (conversation: Conversation, target: Target) => Promise<boolean>;

/** Shows a page and does what the key stands for; each act gives the line that is said of it. */
export async function choose(
  conversation: Conversation,
  page: Page,
  acts: Record<string, () => Promise<string>>,
): Promise<string> {
  const key = await conversation.screen.choose({ yes: Object.keys(acts).join(''), ...page });
  const act = Object.hasOwn(acts, key) ? acts[key] : undefined;
  if (act) await attempt(conversation, act);
  return key;
}

/** As a day, so that what is shown is what will be kept; empty: none was given, null: they changed their mind. */
export function askUntil({ screen }: Pick<Conversation, 'screen'>): Promise<string | null> {
  return screen.line('review it again (a date, or 90d, 6 months, 1y)', (typed) =>
    typed.trim() === '' ? '' : lookAgainDate(typed, new Date()),
  );
}

// A refusal is an outcome like any other, and the review goes on; only a wrong passphrase would refuse all the rest too.
export async function attempt(
  { screen, terminal }: Conversation,
  work: () => Promise<string>,
): Promise<'done' | BearingsError> {
  try {
    screen.say(await work());
    return 'done';
  } catch (error) {
    if (!(error instanceof BearingsError) || error.data.passphrase === 'wrong') throw error;
    screen.say(terminal.paint('red', `${error.message} ${error.hint ?? ''}`.trim()));
    return error;
  }
}

/** What the person made of a text in their editor; null: nothing else. */
export async function editedText({ bearings, screen }: Conversation, text: string): Promise<string | null> {
  try {
    const { editText } = await bearings.workspaces();
    const edited = withoutOuterBlankLines(await screen.lend(() => editText(text)));
    return edited === withoutOuterBlankLines(text) ? null : edited;
  } catch (error) {
    if (!(error instanceof BearingsError)) throw error;
    screen.say(error.message);
    return null;
  }
}
