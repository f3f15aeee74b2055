import { BearingsError } from '../../errors.ts';
import { shownOf } from '../../proposals/proposal.ts';
import { counted } from '../columns.ts';
import type { Call, Command } from '../command.ts';
import { EXIT } from '../command.ts';
import { proposalView } from '../proposal-view.ts';

const KEYS = '[a]ccept  [d]ecline  [s]kip  [?] help  [q]uit  ';

export const command: Command = {
  summary: 'decide on what agents propose',
  usage: ['bearings review [ID]'],
  details: [
    'Shows each proposal in its surroundings and asks. Only here, on the page or in a client',
    'that asks you can a proposal become memory. Needs a terminal: there is no flag that says yes.',
  ],
  options: {},
  maxWords: 1,
  examples: [
    { line: 'bearings review', about: 'everything that waits' },
    { line: 'bearings review manta_001', about: 'one workspace' },
  ],
  async run(call) {
    const { words, bearings, terminal } = call;
    const [id] = words;
    const waiting = await bearings.listProposals(id === undefined ? 'all' : { id });
    if (!terminal.canAsk) {
      if (waiting.length === 0) {
        terminal.print('nothing waits for you');
        return EXIT.done;
      }
      throw new BearingsError(
        'awaiting_person',
        `${counted(waiting.length, 'proposal')} ${waiting.length === 1 ? 'waits' : 'wait'}, and a decision needs a terminal.`,
        {
          hint: 'Run it in a terminal. To look only: bearings proposals',
        },
      );
    }
    const discarded = (await bearings.discardedProposals()).length;
    if (discarded > 0)
      terminal.print(`${discarded} were set aside at the end of a session: bearings proposals list --discarded`);
    if (waiting.length === 0) {
      terminal.print('nothing waits for you · check what was decided: bearings verify');
      return EXIT.done;
    }
    const passphrase =
      (await bearings.confirmLevel()) === 'passphrase' ? await terminal.askSecret('passphrase: ') : undefined;
    if (passphrase === null) return EXIT.done;
    for (const [index, { proposal_id }] of waiting.entries()) {
      const more = await reviewOne(call, proposal_id, { index: index + 1, total: waiting.length }, passphrase);
      if (!more) break;
    }
    return EXIT.done;
  },
};

// False: the person leaves.
async function reviewOne(
  { bearings, terminal }: Call,
  proposalId: string,
  place: { index: number; total: number },
  passphrase: string | undefined,
): Promise<boolean> {
  const shown = await bearings.showProposal(proposalId).catch((error: unknown) => {
    if (error instanceof BearingsError && error.code === 'not_found') return null;
    throw error;
  });
  if (!shown) return true;
  const { print, paint, columns } = terminal;
  print('');
  print(proposalView(shown, { columns, now: new Date(), paint, place }));
  print('');
  for (;;) {
    const key = (await terminal.ask(KEYS))?.trim() ?? 'q';
    if (key === 'q') return false;
    if (key === 's') return true;
    if (key !== 'a' && key !== 'd') {
      print('a writes exactly what is shown · d declines it for good · s leaves it for later · q leaves the rest');
      continue;
    }
    const decision = key === 'a' ? 'accept' : 'decline';
    const reason = decision === 'decline' ? (await terminal.ask('why (optional): '))?.trim() || undefined : undefined;
    try {
      const decided = await bearings.decide(shownOf(shown.proposal), null, {
        decision,
        reason,
        via: 'review',
        client: null,
        passphrase,
      });
      await bearings.recordDecision(shown.proposal, decision, 'review');
      print(`${decided.status.replace('_', ' ')} · ${decided.target} · ledger ${decided.ledger} · bearings verify`);
      return true;
    } catch (error) {
      if (!(error instanceof BearingsError)) throw error;
      print(paint('red', `${error.message} ${error.hint ?? ''}`.trim()));
      if (error.code !== 'io_error') return error.code !== 'invalid_input';
    }
  }
}
