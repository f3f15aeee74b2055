import { DECISION_WORDS } from '../../gate/standing/history.ts';
import { showHidden } from '../../safety/hidden-characters.ts';
import { type Call, defineCommand, EXIT, needsTerminal } from '../command.ts';
import { reviewRuns, waitingRuns } from '../review/approvals.ts';
import { converse, type Target } from '../review/conversation.ts';
import { otherKinds, reviewOthers } from '../review/others.ts';
import { reviewProposals } from '../review/proposals.ts';
import { ageOf, counted, widthOf } from '../views/columns.ts';

// Runs that wait, proposals, then one list of everything else.
const STEPS = [reviewRuns, reviewProposals, reviewOthers];

const NOT_ALL = 'nothing else waits for you';

export const command = defineCommand({
  help: `
    bearings review [ID] [--plain]
    bearings review [ID] --list [--discarded]
    bearings review --show PROPOSAL
    bearings review --revive PROPOSAL

    Shows what a run waits for, then each proposal in its surroundings, those of the workspace you are in first, and
    asks. Everything else is one list behind the key o: what was written by hand, set aside, merged, due, or wrong.

    Only here, on the page or in a client that asks you can a proposal become memory. Needs a terminal: there is no
    flag that says yes. At confirm: passkey it opens the page, where your authenticator signs.

    --list  list what waits, and decide nothing
    --discarded  with --list: those that were set aside at the end of a session
    --show PROPOSAL  one proposal in its surroundings; looking changes nothing
    --revive PROPOSAL  bring back one that was set aside
    --plain  line by line instead of the full screen (also: TERM=dumb)

    bearings review  everything that waits
    bearings review --list --discarded  what was set aside
  `,
  maxWords: 1,
  async run(call) {
    const { words, flag, text, bearings, terminal } = call;
    const [id] = words;
    const target = id === undefined ? 'all' : { id };
    if (flag('list') || text('show') !== undefined || text('revive') !== undefined)
      return (await import('../review/list.ts')).listProposals(call, target);
    const gate = await bearings.gate();
    const warnings = await gate.sessionWarnings(target);
    for (const warning of warnings) terminal.warn(`warning: ${warning}`);
    if (!terminal.canAsk) return refuseToAsk(call, target, warnings.length > 0);
    if (!(await isAnythingThere(call, target))) {
      terminal.print(warnings.length > 0 ? NOT_ALL : await nothingWaits(call));
      return EXIT.done;
    }
    if ((await gate.confirmLevel()) === 'passkey') return reviewOnPage(call);
    const isOver = await converse(call, async (conversation) => {
      for (const step of STEPS) if (!(await step(conversation, target))) break;
      return true;
    });
    if (isOver === null) return EXIT.done;
    // Said during a decision it went with the full screen.
    for (const { file, problem } of flag('plain') ? [] : await (await bearings.clients()).notesBlocks())
      if (problem !== null) terminal.warn(showHidden(`bearings: ${file} ${problem}`));
    return EXIT.done;
  },
});

// The yes is the authenticator's, and a browser asks it.
async function reviewOnPage({ bearings, terminal, openPage }: Call): Promise<number> {
  const running = await (await bearings.page()).runningPage();
  terminal.print('Decisions here are signed by your authenticator, so the page asks for the yes.');
  if (running) {
    terminal.print(`It is open: http://${running.host}:${running.port}/`);
    return EXIT.awaitsPerson;
  }
  await openPage(null);
  return EXIT.done;
}

async function isAnythingThere(call: Call, target: Target): Promise<boolean> {
  if (target === 'all' && (await waitingRuns(call)).length > 0) return true;
  if ((await (await call.bearings.gate()).listProposals(target)).length > 0) return true;
  return (await otherKinds(call, target)).length > 0;
}

async function nothingWaits({ bearings, terminal }: Call): Promise<string> {
  const last = await (await bearings.gate()).lastDecision();
  if (!last) return 'nothing waits for you · no decision was made yet';
  const what = last.ledger === 'tastes' ? `tastes/${last.file}` : `${last.file} of ${last.ledger}`;
  const decision = DECISION_WORDS[last.decision] ?? last.decision;
  const line = `nothing waits for you · last: ${showHidden(what)} ${decision}, ${ageOf(last.at, new Date())}`;
  const next = ' · bearings verify';
  return widthOf(line + next) <= terminal.columns ? line + next : line;
}

// A pipe can't be asked, so nothing can be decided there.
async function refuseToAsk({ bearings, terminal }: Call, target: Target, isPartial: boolean): Promise<number> {
  const gate = await bearings.gate();
  const waiting = (await gate.listProposals(target)).length;
  const runs = target === 'all' ? (await (await bearings.runs()).waitingRuns()).length : 0;
  const what = [runs > 0 && counted(runs, 'run'), waiting > 0 && counted(waiting, 'proposal')].filter(Boolean);
  if (what.length > 0)
    throw needsTerminal(
      `${what.join(' and ')} ${runs + waiting === 1 ? 'waits' : 'wait'}, and a decision needs a terminal.`,
      `Run it in a terminal. Just to look: bearings ${runs > 0 ? 'runs' : 'review --list'}`,
    );
  const blocks = (await gate.unaccountedBlocks(target)).length;
  const rest = blocks === 0 ? '' : ` · ${counted(blocks, 'block')} unaccounted: run it in a terminal`;
  const faults = (await gate.faults(target)).length;
  const told = `${counted(faults, 'fault')} in the record of decisions: bearings verify`;
  terminal.print(`${faults > 0 ? told : isPartial ? NOT_ALL : 'nothing waits for you'}${rest}`);
  return EXIT.done;
}
