import { BearingsError, conflict } from '../../errors.ts';
import { showHidden } from '../../safety/hidden-characters.ts';
import type { WaitingRun } from '../../tasks/answer-run.ts';
import { type Call, engineUrl, runsIn } from '../command.ts';
import { ageOf, indented, wrapTo } from '../views/columns.ts';
import { askReason, type Conversation, choose, converse, editedText, type Step } from './conversation.ts';

/** A run that waits, and the database that it is in; null: it is a run of this home. */
interface Asking {
  waiting: WaitingRun;
  url: string | null;
}

// Runs belong to no workspace: who asks for one alone is not shown them.
export const reviewRuns: Step = async (conversation, target) => {
  const asking = target === 'all' ? await waitingRuns(conversation) : [];
  for (const [index, each] of asking.entries())
    if ((await askAboutRun(conversation, each, `${index + 1} of ${asking.length}   `)) === 'q') return false;
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
  const key = await converse(call, (conversation) => askAboutRun(conversation, { waiting, url }, ''));
  return key !== null && key !== 'q' && key !== 's';
}

const CHOICES = {
  '[a]ccept': 'the run goes on with exactly what is shown',
  '[e]dit': 'opens it in your editor; you see the result before you accept it',
  '[d]ecline': 'ends the run, with a reason if you like',
  '[s]kip': 'leaves it for later',
};

// The key that the person pressed last.
async function askAboutRun(conversation: Conversation, { waiting, url }: Asking, place: string): Promise<string> {
  const { bearings, terminal, passphrase } = conversation;
  let edited: string | undefined;
  const say = async (answer: keyof typeof SAID, more: { text?: string | undefined; reason?: string | undefined }) => {
    const given = { answer, shownSha256: waiting.sha256, passphrase, ...more };
    await (await runsIn(bearings, url)).answerRun(waiting.run, given);
    const next = url === null && answer !== 'decline' ? ` · bearings runs resume ${waiting.run}` : '';
    return `${SAID[answer]} · run ${waiting.run}${next}`;
  };
  return choose(conversation, () => ({
    lines: (columns) => [
      terminal.paint('bold', `${place}${showHidden(waiting.name || waiting.file)}`),
      `run ${waiting.run} · ${ageOf(waiting.at, new Date())}`,
      '',
      ...wrapTo(showHidden(waiting.question), columns).map((row) => terminal.paint('bold', row)),
      '',
      ...indented(edited ?? waiting.shown, columns),
      ...(edited === undefined ? [] : ['', terminal.paint('yellow', '  as you edited it')]),
    ],
    choices: CHOICES,
    yes: 'a',
    acts: {
      a: () => say(edited === undefined ? 'accept' : 'edit', { text: edited }),
      async e() {
        edited = (await editedText(conversation, edited ?? waiting.shown)) ?? edited;
        return null;
      },
      async d() {
        const reason = await askReason(conversation);
        return reason === null ? null : say('decline', { reason: reason || undefined });
      },
    },
  }));
}

const SAID = { accept: 'accepted', edit: 'accepted as edited', decline: 'declined' } as const;
