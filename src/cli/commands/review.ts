import { BearingsError } from '../../errors.ts';
import type { OlderTaste } from '../../gate/older-taste.ts';
import { minutesFor } from '../../gate/proposal-groups.ts';
import { showHidden } from '../../safety/hidden-characters.ts';
import { type Call, defineCommand, EXIT } from '../command.ts';
import { askOnPage, askPassphrase, PAGE_COLUMNS } from '../proof.ts';
import {
  OLDER_TASTE_QUESTION,
  olderTasteLines,
  reviewFaults,
  reviewFirst,
  reviewKeys,
  reviewMerged,
  reviewOlderTaste,
  reviewUnaccounted,
} from '../review/accounts.ts';
import { reviewRuns, waitingRuns } from '../review/approvals.ts';
import { reviewClients } from '../review/client-decisions.ts';
import type { Conversation, Step } from '../review/conversation.ts';
import { reviewDue } from '../review/due.ts';
import { reviewProposals } from '../review/proposals.ts';
import { reviewSetAside } from '../review/set-aside.ts';
import { openScreen } from '../terminal/screen.ts';
import { ageOf } from '../views/age.ts';
import { counted, widthOf } from '../views/columns.ts';

// What clients decided by their own questions, what was there before, what was set aside, runs that wait, proposals; then what nobody decided on, what a merge left, and what is due for review.
const STEPS: Step[] = [
  reviewClients,
  reviewFirst,
  reviewSetAside,
  reviewRuns,
  reviewProposals,
  reviewOlderTaste,
  reviewKeys,
  reviewFaults,
  reviewMerged,
  reviewUnaccounted,
  reviewDue,
];

const NOT_ALL = 'nothing else waits for you';

export const command = defineCommand({
  help: `
    bearings review [ID] [--plain]
    bearings review [ID] --summary
    bearings review [ID] --list [--discarded]
    bearings review --show PROPOSAL
    bearings review --revive PROPOSAL

    Shows what a run waits for, then each proposal in its surroundings, and asks; then what is in your files without a
    decision behind it, what a git merge ran together, and notes to review again: the code they
    cite has changed, or their date has come. It offers to move an older taste.md. Only here, on the page or in a client
    that asks you can a proposal become memory. Needs a terminal: there is no flag that says yes.
    At confirm: passkey it opens the page, where your authenticator signs.

    --list  list what waits, and decide nothing
    --discarded  with --list: those that were set aside at the end of a session
    --show PROPOSAL  one proposal in its surroundings; looking changes nothing
    --revive PROPOSAL  bring back one that was set aside
    --summary  one line for a prompt or a status line; nothing where nothing waits
    --plain  line by line instead of the full screen (also: TERM=dumb)

    bearings review  everything that waits
    bearings review manta_001  one workspace
    bearings review --list  what waits
    bearings review --list --discarded  what was set aside
  `,
  maxWords: 1,
  async run(call) {
    const { words, flag, text, bearings, terminal } = call;
    const [id] = words;
    const target = id === undefined ? 'all' : { id };
    if (flag('summary')) return summarise(call, target);
    if (flag('list') || text('show') !== undefined || text('revive') !== undefined)
      return (await import('../review/list.ts')).listProposals(call, target);
    const warnings = await (await bearings.gate()).sessionWarnings(target);
    for (const warning of warnings) terminal.warn(`warning: ${warning}`);
    if (!terminal.canAsk) return refuseToAsk(call, target, warnings.length > 0);
    const older = await (await bearings.gate()).olderTaste();
    const isOnThePage = await isAnythingThere(call, target);
    if (!isOnThePage && older.length === 0) {
      terminal.print(warnings.length > 0 ? NOT_ALL : await nothingWaits(call));
      return EXIT.done;
    }
    if ((await (await bearings.gate()).confirmLevel()) === 'passkey')
      return isOnThePage ? reviewOnPage(call) : moveOnPage(call, older);
    const passphrase = await askPassphrase(call);
    if (passphrase === null) return EXIT.done;
    const screen = openScreen(terminal, flag('plain'));
    const conversation: Conversation = { bearings, terminal, screen, passphrase };
    try {
      for (const step of STEPS) if (!(await step(conversation, target))) break;
    } finally {
      screen.close();
    }
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

// The page has no list of this kind: it opens for this one thing, once nothing else waits.
async function moveOnPage(call: Call, [older]: readonly OlderTaste[]): Promise<number> {
  if (!older) return EXIT.done;
  const asked = { title: OLDER_TASTE_QUESTION, text: olderTasteLines(older.text, PAGE_COLUMNS) };
  const isMoved = await askOnPage(call, asked, async (proof) => {
    await (await call.bearings.gate()).moveOlderTaste(older, proof);
    return true;
  });
  call.terminal.print(isMoved ? 'moved · tastes/_default.md' : 'nothing changed');
  return EXIT.done;
}

async function isAnythingThere({ bearings, terminal }: Call, target: { id: string } | 'all'): Promise<boolean> {
  const looks = [
    async () => (target === 'all' ? waitingRuns({ bearings, terminal }) : []),
    async () => (await bearings.gate()).listProposals(target),
    async () => (await bearings.gate()).neverAccounted(target),
    async () => (await bearings.gate()).decidedByClients(),
    async () => (await bearings.gate()).discardedSinceReview(),
    async () => (await bearings.gate()).faults(target),
    async () => (await bearings.gate()).mergedFiles(target),
    async () => (await bearings.gate()).unaccountedBlocks(target),
    async () => (await bearings.gate()).dueBlocks(target),
  ];
  for (const look of looks) if ((await look()).length > 0) return true;
  return false;
}

async function nothingWaits({ bearings, terminal }: Call): Promise<string> {
  const last = await (await bearings.gate()).lastDecision();
  if (!last) return 'nothing waits for you · no decision was made yet';
  const words = {
    ...{ accept: 'accepted', decline: 'declined', adopt: 'adopted', remove: 'took out', tidy: 'tidied' },
    ...{ retire: 'retired a block of', look_again: 'reviewed a block of' },
    ...{ undo: 'undid a decision on', restore: 'restored', edit: 'edited' },
  };
  const what = last.ledger === 'tastes' ? `tastes/${last.file}` : `${last.file} of ${last.ledger}`;
  const age = ageOf(last.at, new Date());
  const decision = words[last.decision as keyof typeof words] ?? last.decision;
  const line = `nothing waits for you · last: ${decision} ${showHidden(what)}${age ? `, ${age}` : ''}`;
  const next = ' · bearings verify';
  return widthOf(line + next) <= terminal.columns ? line + next : line;
}

// A pipe can't be asked, so nothing can be decided there.
async function refuseToAsk(
  { bearings, terminal }: Call,
  target: { id: string } | 'all',
  isPartial: boolean,
): Promise<number> {
  const waiting = await (await bearings.gate()).listProposals(target);
  const runs = target === 'all' ? (await (await bearings.runs()).waitingRuns()).length : 0;
  if (runs > 0)
    throw new BearingsError(
      'awaiting_person',
      `${counted(runs, 'run')} ${runs === 1 ? 'waits' : 'wait'}${waiting.length > 0 ? ` beside ${counted(waiting.length, 'proposal')}` : ''}, and an answer needs a terminal.`,
      { hint: 'Run it in a terminal. Just to look: bearings runs' },
    );
  if (waiting.length === 0) {
    const blocks = (await (await bearings.gate()).unaccountedBlocks(target)).length;
    const rest = blocks === 0 ? '' : ` · ${counted(blocks, 'block')} unaccounted: run it in a terminal`;
    terminal.print(`${isPartial ? NOT_ALL : 'nothing waits for you'}${rest}`);
    return EXIT.done;
  }
  throw new BearingsError(
    'awaiting_person',
    `${counted(waiting.length, 'proposal')} ${waiting.length === 1 ? 'waits' : 'wait'}, and a decision needs a terminal.`,
    { hint: 'Run it in a terminal. Just to look: bearings review --list' },
  );
}

// Cheap enough for every prompt: what waits, and how long it will take to read and decide.
async function summarise({ bearings, terminal, json }: Call, target: { id: string } | 'all'): Promise<number> {
  const runs = target === 'all' ? await (await bearings.runs()).waitingRuns() : [];
  const waiting = [
    ...(await (await bearings.gate()).listProposals(target)).map(({ content }) => content),
    ...runs.map(({ shown }) => shown),
  ];
  const minutes = minutesFor(waiting);
  if (json) terminal.print(JSON.stringify({ waiting: waiting.length, minutes }));
  else if (waiting.length > 0)
    terminal.print(
      `${waiting.length} ${waiting.length === 1 ? 'waits' : 'wait'}, about ${minutes} min: bearings review`,
    );
  return EXIT.done;
}
