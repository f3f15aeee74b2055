import { BearingsError, conflict } from '../../errors.ts';
import { showHidden } from '../../safety/hidden-characters.ts';
import type { WaitingRun } from '../../tasks/answer-run.ts';
import { type Call, engineUrl, runsIn } from '../command.ts';
import { askPassphrase } from '../proof.ts';
import { openScreen } from '../terminal/screen.ts';
import { ageOf, indented, wrapTo } from '../views/columns.ts';
import { attempt, type Conversation, choose, editedText, type Step } from './conversation.ts';

/** A run that waits, and the database that it is in; null: it is a run of this home. */
interface Asking {
  waiting: WaitingRun;
  url: string | null;
}

type Outcome = 'answered' | 'skipped' | 'left';

// Runs belong to no workspace: who asks for one alone is not shown them.
export const reviewRuns: Step = async (conversation, target) => {
  const asking = target === 'all' ? await waitingRuns(conversation) : [];
  for (const [index, each] of asking.entries())
    if ((await askAboutRun(conversation, each, `${index + 1} of ${asking.length}   `)) === 'left') return false;
  return true;
};

/** Of this home, and of the database that the person named. */
export async function waitingRuns({
  bearings,
  terminal,
}: Pick<Conversation, 'bearings' | 'terminal'>): Promise<Asking[]> {
  const own = (await (await bearings.runs()).waitingRuns()).map((waiting) => ({ waiting, url: null }));
  const url = engineUrl(() => undefined);
  if (url === null) return own;
  try {
    return [...own, ...(await (await bearings.sharedRuns(url)).waitingRuns()).map((waiting) => ({ waiting, url }))];
  } catch (error) {
    if (!(error instanceof BearingsError)) throw error;
    terminal.warn(`warning: ${error.message}`);
    return own;
  }
}

// Shows what a run waits for, then asks. There is no flag that says yes. False: nothing was said.
export async function answerRun(call: Call, run: string): Promise<boolean> {
  const { bearings, terminal, text } = call;
  const url = engineUrl(text);
  const waiting = await (await runsIn(bearings, url)).waitingRun(run);
  if (!waiting) throw conflict('The run is not waiting for an answer.', `See it: bearings runs show ${run}`);
  if (!terminal.canAsk)
    throw new BearingsError('awaiting_person', 'Only a person may answer it.', {
      hint: `In a terminal: bearings runs answer ${waiting.run}   or on your page: bearings ui`,
    });
  const passphrase = await askPassphrase(call);
  if (passphrase === null) return false;
  const screen = openScreen(terminal, false);
  try {
    return (await askAboutRun({ bearings, terminal, screen, passphrase }, { waiting, url }, '')) === 'answered';
  } finally {
    screen.close();
  }
}

const CHOICES = {
  '[a]ccept': 'the run goes on with exactly what is shown',
  '[e]dit': 'opens it in your editor; you see the result before you accept it',
  '[d]ecline': 'ends the run, with a reason if you like',
  '[s]kip': 'leaves it for later',
};

async function askAboutRun(conversation: Conversation, { waiting, url }: Asking, place: string): Promise<Outcome> {
  const { bearings, terminal, screen, passphrase } = conversation;
  let edited: string | undefined;
  for (;;) {
    const question = {
      lines: (columns: number) => [
        terminal.paint('bold', `${place}${showHidden(waiting.name || waiting.file)}`),
        `run ${waiting.run} · ${ageOf(waiting.at, new Date())}`,
        '',
        ...wrapTo(showHidden(waiting.question), columns).map((row) => terminal.paint('bold', row)),
        '',
        ...indented(edited ?? waiting.shown, columns),
        ...(edited === undefined ? [] : ['', terminal.paint('yellow', '  as you edited it')]),
      ],
      choices: CHOICES,
    };
    const key = await choose(conversation, question, { yes: 'a' });
    if (key === 'q') return 'left';
    if (key === 's') return 'skipped';
    if (key === 'e') {
      edited = (await editedText(conversation, edited ?? waiting.shown)) ?? edited;
      continue;
    }
    const reason = key === 'd' ? await screen.line('why (optional)', (typed) => typed.trim()) : undefined;
    if (reason === null) continue;
    const answer = key === 'd' ? 'decline' : edited === undefined ? 'accept' : 'edit';
    const given = {
      answer,
      shownSha256: waiting.sha256,
      ...(answer === 'edit' && edited !== undefined ? { text: edited } : {}),
      ...(reason ? { reason } : {}),
      ...(passphrase === undefined ? {} : { passphrase }),
    } as const;
    const outcome = await attempt(conversation, async () => {
      await (await runsIn(bearings, url)).answerRun(waiting.run, given);
      const next = url === null && answer !== 'decline' ? ` · bearings runs resume ${waiting.run}` : '';
      return `${SAID[answer]} · run ${waiting.run}${next}`;
    });
    // An edit that was refused can be corrected.
    if (outcome === 'done') return 'answered';
    if (outcome.code !== 'invalid_input' && outcome.code !== 'io_error') return 'skipped';
  }
}

const SAID = { accept: 'accepted', edit: 'accepted as edited', decline: 'declined' } as const;
