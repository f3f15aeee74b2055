import { invalidInput } from '../../errors.ts';
import { saidBy, targetOf } from '../../gate/proposals/proposal.ts';
import { showHidden } from '../../safety/hidden-characters.ts';
import type { Command } from '../command.ts';
import { EXIT } from '../command.ts';
import { ageOf } from '../views/age.ts';
import { fitTo, padTo } from '../views/columns.ts';
import { proposalView } from '../views/proposal-view.ts';

export const command: Command = {
  summary: 'list, show or revive proposals',
  usage: ['bearings proposals [list] [--discarded]', 'bearings proposals show ID', 'bearings proposals revive ID'],
  details: ['Looking changes nothing. revive brings back one that was set aside at the end of a session.'],
  options: { discarded: { type: 'boolean', about: 'list those that were set aside' } },
  waitingFor: 'looking for what waits',
  maxWords: 2,
  examples: [
    { line: 'bearings proposals', about: 'what waits' },
    { line: 'bearings proposals list --discarded', about: 'what was set aside' },
  ],
  async run({ words: [verb = 'list', id], flag, bearings, terminal, json }) {
    const gate = await bearings.gate();
    if (verb === 'list') {
      const list = flag('discarded') ? await gate.discardedProposals() : await gate.listProposals('all');
      const warnings = await gate.sessionWarnings('all');
      for (const warning of warnings) terminal.warn(`warning: ${warning}`);
      if (json) terminal.print(JSON.stringify(list, null, 2));
      else if (list.length === 0 && warnings.length > 0) terminal.print('nothing can be listed');
      else if (list.length === 0) terminal.print(flag('discarded') ? 'nothing was set aside' : 'nothing waits for you');
      else {
        for (const proposal of list) {
          const [first = ''] = saidBy(proposal).trim().split('\n');
          const left = `${proposal.proposal_id}  ${padTo(showHidden(targetOf(proposal)), 24)}  ${padTo(ageOf(proposal.created_at, new Date()), 10)}`;
          terminal.print(fitTo(`${left}  ${showHidden(first)}`, terminal.columns));
        }
        terminal.print(flag('discarded') ? 'bring one back: bearings proposals revive ID' : 'decide: bearings review');
      }
      return EXIT.done;
    }
    if (verb !== 'show' && verb !== 'revive')
      throw invalidInput(`proposals takes list, show or revive, not "${verb}".`, 'See: bearings proposals --help');
    if (id === undefined) throw invalidInput(`Which proposal? "${verb}" needs an id.`, 'See them: bearings proposals');
    if (verb === 'revive') {
      const revived = await gate.reviveProposal(id);
      terminal.print(
        json ? JSON.stringify(revived, null, 2) : `${revived.proposal_id} waits again · decide: bearings review`,
      );
      return EXIT.done;
    }
    const shown = await gate.showProposal(id);
    terminal.print(
      json
        ? JSON.stringify(shown, null, 2)
        : proposalView(shown, { columns: terminal.columns, now: new Date(), paint: terminal.paint }),
    );
    return EXIT.done;
  },
};
