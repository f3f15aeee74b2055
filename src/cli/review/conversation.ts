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
export interface Question {
  lines: Page['lines'];
  choices: Readonly<Record<string, string>>;
  /** More lines of its help. */
  notes?: readonly string[];
  /** Each gives the line that is said of it. Its key counts only once the end of the page was shown. */
  acts?: Readonly<Record<string, () => Promise<string>>>;
}

/** Shows a page and does what the key stands for. */
export async function choose(
  conversation: Conversation,
  { lines, choices, notes = [], acts = {} }: Question,
  page: Partial<Page> = {},
): Promise<string> {
  const keys = Object.keys(choices).join('  ');
  const help = Object.entries(choices).flatMap(([label, about]) =>
    about === '' ? [] : [`${/\[(.)\]/u.exec(label)?.[1]}   ${about}`],
  );
  const key = await conversation.screen.choose({
    ...{ lines, keys: `${keys}  [?] help  [q]uit`, help: [...help, ...notes], yes: Object.keys(acts).join('') },
    ...page,
  });
  const act = Object.hasOwn(acts, key) ? acts[key] : undefined;
  if (act) await attempt(conversation, act);
  return key;
}

/** One question after the other; false: the person leaves. */
export async function chooseEach<T>(
  conversation: Conversation,
  items: readonly T[],
  question: (item: T, place: { index: number; total: number }) => Question,
): Promise<boolean> {
  for (const [at, item] of items.entries())
    if ((await choose(conversation, question(item, { index: at + 1, total: items.length }))) === 'q') return false;
  return true;
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
    const edited = await screen.lend(() => editText(text, async (own) => withoutOuterBlankLines(own)));
    return edited === withoutOuterBlankLines(text) ? null : edited;
  } catch (error) {
    if (!(error instanceof BearingsError)) throw error;
    screen.say(error.message);
    return null;
  }
}

/** One thing that is shown whole, and one yes. */
interface OneYes<T> {
  command: string;
  shown: unknown;
  lines(columns: number, paint: Terminal['paint']): string[];
  keys: string;
  help: string[];
  work(proof: { via: 'page'; passkey: PasskeyAct } | { via: 'terminal'; passphrase: string | undefined }): Promise<T>;
  said(done: T): string;
}

/** On a terminal, or at `passkey` on the page; elsewhere it only shows. */
export async function askOnce<T>(call: Call, question: OneYes<T>): Promise<{ code: number; done: T | null }> {
  const { bearings, terminal, json, flag } = call;
  if (json) {
    terminal.print(JSON.stringify(question.shown, null, 2));
    return { code: EXIT.awaitsPerson, done: null };
  }
  if (!terminal.canAsk) {
    terminal.print(question.lines(terminal.columns, terminal.paint).join('\n'));
    throw needsTerminal(`${question.command} asks before it changes anything, so it needs a terminal.`);
  }
  if ((await (await bearings.gate()).confirmLevel()) === 'passkey') {
    // A browser breaks lines by itself.
    const [title = '', ...text] = question.lines(PAGE_COLUMNS, (_, line) => line);
    const done = await askOnPage(call, { title, text }, question.work);
    terminal.print(done === null ? 'nothing changed' : question.said(done));
    return { code: EXIT.done, done };
  }
  const passphrase = await askPassphrase(call);
  if (passphrase === null) return { code: EXIT.done, done: null };
  const screen = openScreen(terminal, flag('plain'));
  try {
    return await askOnScreen({ bearings, terminal, screen, passphrase }, question);
  } finally {
    screen.close();
  }
}

export async function askOnScreen<T>(
  conversation: Conversation,
  { lines, keys, help, work, said }: OneYes<T>,
): Promise<{ code: number; done: T | null }> {
  const { screen, terminal, passphrase } = conversation;
  const page = { lines: (columns: number) => lines(columns, terminal.paint), keys, help, yes: 'y' };
  let done: T | null = null;
  if ((await screen.choose(page)) !== 'y') {
    screen.say('nothing changed');
    return { code: EXIT.done, done };
  }
  const outcome = await attempt(conversation, async () => {
    done = await work({ via: 'terminal', passphrase });
    return said(done);
  });
  return { code: outcome === 'done' ? EXIT.done : EXIT.badUse, done };
}
