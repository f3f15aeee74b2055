import { BearingsError } from '../../errors.ts';
import type { Call } from '../command.ts';
import { engineUrl } from '../engine-option.ts';
import { forReader } from '../views/for-reader.ts';

// Shows what a run waits for, then asks. There is no flag that says yes. False: nothing was said.
export async function answerRun({ bearings, terminal, text }: Call, run: string): Promise<boolean> {
  const url = engineUrl(text);
  const waiting = await (url === null ? bearings.internal.waitingRun(run) : bearings.internal.waitingShared(url, run));
  if (!waiting)
    throw new BearingsError('conflict', 'The run waits for no answer.', { hint: `See it: bearings runs show ${run}` });
  if (!terminal.canAsk)
    throw new BearingsError('awaiting_person', 'Only a person may answer it.', {
      hint: `In a terminal: bearings runs answer ${waiting.run}   or on your page: bearings ui`,
    });
  terminal.print(forReader(`${waiting.name}   ${waiting.run}\n\n${waiting.shown}\n\n${waiting.question}`, terminal));
  const said = (await terminal.ask('accept, edit or decline? [a/e/d, or nothing for later] '))?.trim().toLowerCase();
  const answer = said === 'a' ? 'accept' : said === 'e' ? 'edit' : said === 'd' ? 'decline' : null;
  if (answer === null) {
    terminal.print('it waits on');
    return false;
  }
  const edited = answer === 'edit' ? ((await terminal.ask('instead: ')) ?? '') : undefined;
  const reason = answer === 'decline' ? ((await terminal.ask('why? ')) ?? '') : '';
  const locked = (await bearings.gate.confirmLevel()) === 'passphrase';
  const passphrase = locked ? ((await terminal.askSecret('passphrase: ')) ?? '') : undefined;
  const given = {
    answer,
    shownSha256: waiting.sha256,
    ...(edited === undefined ? {} : { text: edited }),
    ...(reason === '' ? {} : { reason }),
    ...(passphrase === undefined ? {} : { passphrase }),
  } as const;
  await (url === null
    ? bearings.internal.answerRun(waiting.run, given)
    : bearings.internal.answerShared(url, waiting.run, given));
  return true;
}
