import { saidBy, targetOf } from '../../gate/proposals/proposal.ts';
import { showHidden } from '../../safety/hidden-characters.ts';
import type { Call } from '../command.ts';
import { ageOf, counted, table } from '../views/columns.ts';
import { proposalView } from '../views/proposal-view.ts';

/** Without a decision: `review --list`, `--show` and `--revive`. */
export async function listProposals(call: Call, target: { id: string } | 'all'): Promise<number> {
  const { flag, text, bearings, terminal, answer } = call;
  const [show, revive] = [text('show'), text('revive')];
  if (revive !== undefined) {
    const revived = await (await bearings.gate()).reviveProposal(revive);
    return answer(revived, () => `${revived.proposal_id} waits again · decide: bearings review`);
  }
  const now = new Date();
  if (show !== undefined) {
    const shown = await (await bearings.gate()).showProposal(show);
    return answer(shown, () => proposalView(shown, { columns: terminal.columns, now, paint: terminal.paint }));
  }
  const isDiscarded = flag('discarded');
  const list = isDiscarded
    ? await (await bearings.gate()).discardedProposals()
    : await (await bearings.gate()).listProposals(target);
  const warnings = await (await bearings.gate()).sessionWarnings(target);
  for (const warning of [...warnings, ...(await (await bearings.gate()).contradictingTastes(target))])
    terminal.warn(`warning: ${warning}`);
  const faults = isDiscarded ? 0 : (await (await bearings.gate()).faults(target)).length;
  const told = faults === 0 ? [] : [`${counted(faults, 'fault')} in the record of decisions: bearings verify`];
  return answer(list, () => {
    if (list.length === 0 && warnings.length > 0) return 'nothing can be listed';
    if (list.length === 0 && faults > 0) return told;
    if (list.length === 0) return isDiscarded ? 'nothing was set aside' : 'nothing waits for you';
    const rows = list.map((proposal) => {
      const [first = ''] = saidBy(proposal).trim().split('\n');
      return [
        ...[proposal.proposal_id, showHidden(targetOf(proposal)), ageOf(proposal.created_at, now)],
        showHidden(first),
      ];
    });
    return [
      ...table(rows, terminal.columns),
      ...told,
      isDiscarded ? 'bring one back: bearings review --revive PROPOSAL' : 'decide: bearings review',
    ];
  });
}
