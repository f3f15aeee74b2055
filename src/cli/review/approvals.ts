import { BearingsError, conflict } from '../../errors.ts';
import type { WaitingRun } from '../../tasks/answer-run.ts';
import { runPlaces } from '../../tasks/run-places.ts';
import { waitingToDecide } from '../../waiting/waiting-run.ts';
import { type Call, engineUrl, runsIn } from '../command.ts';
import { type Conversation, choose, converse, type Step } from './conversation.ts';
import { questionAbout } from './others.ts';

// Runs belong to no workspace: who asks for one alone is not shown them.
export const reviewRuns: Step = async (conversation, target) => {
  const waiting = target === 'all' ? await waitingRuns(conversation) : [];
  for (const [index, run] of waiting.entries()) {
    const place = `${index + 1} of ${waiting.length}   `;
    if ((await askAboutRun(conversation, run, { place, url: engineUrl(() => undefined) })) === 'q') return false;
  }
  return true;
};

/** Of this home, and of the database that the person named. */
export function waitingRuns({ bearings, terminal }: Pick<Conversation, 'bearings' | 'terminal'>) {
  const warn = (problem: string) => terminal.warn(`warning: ${problem}`);
  return runPlaces(
    bearings,
    engineUrl(() => undefined),
    warn,
  ).waiting();
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
  const key = await converse(call, (conversation) => askAboutRun(conversation, waiting, { place: '', url }));
  return key !== null && key !== 'q' && key !== 's';
}

// The key that the person pressed last.
function askAboutRun(
  conversation: Conversation,
  waiting: WaitingRun,
  { place, url }: { place: string; url: string | null },
): Promise<string> {
  const item = waitingToDecide(waiting, async (given) => {
    const { shared } = await runPlaces(conversation.bearings, url).answer(waiting.run, given);
    const status = { accept: 'accepted', edit: 'accepted as edited', decline: 'declined' }[given.answer];
    const goesOn = !shared && given.answer !== 'decline';
    const next = goesOn ? `bearings runs resume ${waiting.run}` : undefined;
    return { status, target: `run ${waiting.run}`, ledger: null, next };
  });
  return choose(conversation, questionAbout(conversation, item, place));
}
