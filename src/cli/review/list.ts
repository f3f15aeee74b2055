import { isUntrustedKey } from '../../gate/ledger/chain.ts';
import { saidBy, targetOf } from '../../gate/proposals/proposal.ts';
import { showHidden } from '../../safety/hidden-characters.ts';
import type { Call } from '../command.ts';
import { ageOf, counted, table } from '../views/columns.ts';
import { proposalView } from '../views/proposal-view.ts';
import { waitingRuns } from './approvals.ts';
import { otherKinds } from './others.ts';

/** Without a decision: `review --list`, `--show` and `--revive`. */
export async function listProposals(call: Call, target: { id: string } | 'all'): Promise<number> {
  const { flag, text, terminal, answer } = call;
  const gate = await call.bearings.gate();
  const [show, revive] = [text('show'), text('revive')];
  if (revive !== undefined) {
    const revived = await gate.reviveProposal(revive);
    return answer(revived, () => `${revived.proposal_id} waits again · decide: bearings review`);
  }
  const now = new Date();
  if (show !== undefined) {
    const shown = await gate.showProposal(show);
    return answer(shown, () => proposalView(shown, { columns: terminal.columns, now, paint: terminal.paint }));
  }
  const isDiscarded = flag('discarded');
  const list = isDiscarded ? await gate.discardedProposals() : await gate.listProposals(target);
  const warnings = await gate.sessionWarnings(target);
  for (const warning of warnings) terminal.warn(`warning: ${warning}`);
  const faults = isDiscarded ? [] : await gate.faults(target);
  const told = faults.every(isUntrustedKey)
    ? faults.map(({ message }) => `${showHidden(message)}, not trusted yet: bearings review`)
    : [`${counted(faults.length, 'fault')} in the record of decisions: bearings verify`];
  const runs = isDiscarded || list.length > 0 ? [] : await waitingRuns(call);
  // Before the first decision everything was written by hand: that is not news.
  const kinds = isDiscarded || list.length > 0 || !(await gate.lastDecision()) ? [] : await otherKinds(call, target);
  const others = [{ count: runs.length, title: 'runs that wait for you' }, ...kinds].filter(({ count }) => count > 0);
  return answer(list, () => {
    if (list.length === 0 && warnings.length > 0) return 'nothing can be listed';
    if (list.length === 0 && told.length > 0) return told;
    if (list.length === 0 && others.length > 0)
      return [
        'no proposal waits; bearings review also has',
        ...others.map(({ count, title }) => `  ${count} ${title}`),
      ];
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
