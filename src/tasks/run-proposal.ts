import { BearingsError, invalidInput } from '../errors.ts';
import { gateUseCases } from '../gate/gate.ts';
import { CATEGORIES, targetOf } from '../gate/proposals/proposal.ts';
import type { AppContext } from '../settings/app-context.ts';
import type { Target } from '../settings/meant-workspace.ts';
import type { ProposalWish, RunSpec } from './engine.ts';
import type { TaskResult } from './results.ts';

export type RunProposal =
  | { status: 'pending'; proposal_id: string; target: string }
  | { status: 'already_present'; target: string }
  | { status: 'refused'; message: string; hint?: string };

export interface MadeResult {
  spec: RunSpec;
  run: string;
  result: TaskResult;
}

// Asked before the first step: a long run must not end with nowhere to go.
export async function assertProposable(app: AppContext, wish: ProposalWish, project: string): Promise<void> {
  if (wish.kind === 'taste' && !CATEGORIES.some((category) => category === wish.category))
    throw invalidInput(`A taste needs a category: ${CATEGORIES.join(', ')}.`, 'For example: --category process');
  const target = targetFor(wish, project);
  if (target) (await app.settings()).workspace(target);
}

// The result waits for the person like any other proposal: a run writes nothing that lasts.
export async function proposeResult(app: AppContext, { spec, run, result }: MadeResult): Promise<RunProposal> {
  const wish = spec.propose as ProposalWish;
  const gate = gateUseCases(app, undefined);
  try {
    const session = await gate.standingSession(targetFor(wish, spec.project), `run ${run}`);
    // A run that ended between its proposal and its last line must not propose twice.
    const waiting = (await gate.listProposals('all')).find(({ client }) => client === session.client);
    if (waiting) return { status: 'pending', proposal_id: waiting.proposal_id, target: targetOf(waiting) };
    const proposed = await gate.propose(session, {
      kind: wish.kind,
      content: result.content,
      category: wish.category ?? undefined,
      file: wish.file ?? undefined,
      reason: `Result of ${spec.file}, run ${run}.`.slice(-MAX_REASON),
    });
    const { target } = proposed;
    if (proposed.status === 'already_present') return { status: 'already_present', target };
    if (proposed.status === 'declined_before')
      return { status: 'refused', message: `The person declined this text for ${target} before.` };
    return { status: 'pending', proposal_id: proposed.proposal_id, target };
  } catch (error) {
    // The run itself is done, and its result is kept.
    if (!(error instanceof BearingsError)) throw error;
    return { status: 'refused', message: error.message, ...(error.hint ? { hint: error.hint } : {}) };
  }
}

const MAX_REASON = 500;

function targetFor({ kind, workspace }: ProposalWish, project: string): Target | null {
  if (kind === 'taste' && workspace === null) return null;
  return workspace === null ? { root: project } : { id: workspace, root: project };
}
