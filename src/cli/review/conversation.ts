import type { Rooms } from '../../bearings.ts';
import { BearingsError } from '../../errors.ts';
import type { PasskeyAct } from '../../gate/ledger/ledger.ts';
import { withoutOuterBlankLines } from '../../gate/ledger/text-blocks.ts';
import { lookAgainDate } from '../../gate/proposals/proposal.ts';
import { type Call, EXIT, needsTerminal } from '../command.ts';
import { askOnPage, askPassphrase, PAGE_COLUMNS } from '../proof.ts';
import { openScreen, type Page, type Screen } from '../terminal/screen.ts';
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

/** A page about one thing: each choice as it is shown at the foot, with what help says of it. */
export interface Question extends Partial<Pick<Page, 'yes' | 'onEnd'>> {
  lines: Page['lines'];
  choices: Readonly<Record<string, string>>;
  /** More lines of its help. */
  notes?: readonly string[];
  /** Each gives the line that is said of it; null: it is asked again. Those of `yes`, else all, count only at the end. */
  acts?: Readonly<Record<string, () => Promise<string | null>>>;
}

/** Shows a page and does what the key stands for; asks again where that can be put right. */
export async function choose(conversation: Conversation, question: () => Question): Promise<string> {
  for (;;) {
    const { lines, choices, notes = [], acts = {}, yes = Object.keys(acts).join(''), onEnd } = question();
    const keys = `${Object.keys(choices).join('  ')}  [?] help  [q]uit`;
    const help = Object.entries(choices).map(([label, about]) => `${/\[(.)\]/u.exec(label)?.[1]}   ${about}`);
    const key = await conversation.screen.choose({
      ...{ lines, keys, help: [...help, ...notes], yes },
      ...(onEnd && { onEnd }),
    });
    const act = Object.hasOwn(acts, key) ? acts[key] : undefined;
    if (!act) return key;
    const outcome = await attempt(conversation, act);
    // An edit that was refused can be corrected; a disk that was full may be free again.
    if (outcome && (outcome === 'done' || !['io_error', 'invalid_input'].includes(outcome.code))) return key;
  }
}

/** Why, in the person's own words: none is an answer, null: they changed their mind. */
export function askReason({ screen }: Pick<Conversation, 'screen'>): Promise<string | null> {
  return screen.line('why (optional)', (typed) => typed.trim());
}

/** As a day, so that what is shown is what will be kept; empty: none was given, null: they changed their mind. */
export function askUntil({ screen }: Pick<Conversation, 'screen'>): Promise<string | null> {
  return screen.line('review it again (a date, or 90d, 6 months, 1y)', (typed) =>
    typed.trim() === '' ? '' : lookAgainDate(typed, new Date()),
  );
}

// A refusal is an outcome like any other, and the review goes on; only a wrong passphrase would refuse all the rest too.
async function attempt(
  { screen, terminal }: Conversation,
  work: () => Promise<string | null>,
): Promise<'done' | BearingsError | null> {
  try {
    const said = await work();
    if (said !== null) screen.say(said);
    return said === null ? null : 'done';
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
    const edited = await screen.lend(() => editText(text, async (own) => withoutOuterBlankLines(own)));
    return edited === withoutOuterBlankLines(text) ? null : edited;
  } catch (error) {
    if (!(error instanceof BearingsError)) throw error;
    screen.say(error.message);
    return null;
  }
}

/** One thing that is shown whole, and one yes. */
export interface OneYes<T> {
  command: string;
  shown: unknown;
  lines(columns: number, paint: Terminal['paint']): string[];
  /** The choice that says it, and what it does. */
  yes: [label: string, about: string];
  work(proof: { via: 'page'; passkey: PasskeyAct } | { via: 'terminal'; passphrase: string | undefined }): Promise<T>;
  said(done: T): string;
}

/** On a terminal, or at `passkey` on the page; elsewhere it only shows. */
export async function askOnce<T>(call: Call, question: OneYes<T>): Promise<{ code: number; done: T | null }> {
  const { bearings, terminal, json } = call;
  if (json) {
    terminal.print(JSON.stringify(question.shown, null, 2));
    return { code: EXIT.awaitsPerson, done: null };
  }
  if (!terminal.canAsk) {
    terminal.print(question.lines(terminal.columns, terminal.paint).join('\n'));
    throw needsTerminal(`${question.command} asks before it changes anything, so it needs a terminal.`);
  }
  if ((await (await bearings.gate()).confirmLevel()) === 'passkey') {
    const [title = '', ...text] = question.lines(PAGE_COLUMNS, (_, line) => line);
    const done = await askOnPage(call, { title, text }, question.work);
    terminal.print(done === null ? 'nothing changed' : question.said(done));
    return { code: EXIT.done, done };
  }
  const answer = await converse(call, (conversation) => askOnScreen(conversation, question));
  return answer ?? { code: EXIT.done, done: null };
}

/** What is asked on a screen, after the passphrase; null: the person left that. */
export async function converse<T>(call: Call, talk: (conversation: Conversation) => Promise<T>): Promise<T | null> {
  const { bearings, terminal, flag } = call;
  const passphrase = await askPassphrase(call);
  if (passphrase === null) return null;
  const screen = openScreen(terminal, flag('plain'));
  try {
    return await talk({ bearings, terminal, screen, passphrase });
  } finally {
    screen.close();
  }
}

export async function askOnScreen<T>(
  conversation: Conversation,
  { lines, yes: [label, about], work, said }: OneYes<T>,
): Promise<{ code: number; done: T | null }> {
  const { screen, terminal, passphrase } = conversation;
  let done: T | null = null;
  const yes = async () => {
    done = await work({ via: 'terminal', passphrase });
    return said(done);
  };
  const key = await choose(conversation, () => ({
    lines: (columns) => lines(columns, terminal.paint),
    choices: { [label]: about, '[n]o': 'changes nothing' },
    acts: { y: yes },
  }));
  if (key !== 'y') screen.say('nothing changed');
  return { code: key === 'y' && done === null ? EXIT.badUse : EXIT.done, done };
}
