import { BearingsError, conflict } from '../../errors.ts';
import type { WaitingRun } from '../../tasks/answer-run.ts';
import { waitingToDecide } from '../../tasks/waiting-run.ts';
import { type Call, engineUrl, runsIn } from '../command.ts';
import { type Conversation, choose, converse, type Step } from './conversation.ts';
import { questionAbout } from './others.ts';

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

// The key that the person pressed last.
function askAboutRun(conversation: Conversation, { waiting, url }: Asking, place: string): Promise<string> {
  const item = waitingToDecide(waiting, async (given) => {
    await (await runsIn(conversation.bearings, url)).answerRun(waiting.run, given);
    const status = { accept: 'accepted', edit: 'accepted as edited', decline: 'declined' }[given.answer];
    const goesOn = url === null && given.answer !== 'decline';
    const next = goesOn ? { next: `bearings runs resume ${waiting.run}` } : {};
    return { status, target: `run ${waiting.run}`, ledger: null, ...next };
  });
  return choose(conversation, questionAbout(conversation, item, place));
}
