import type { FileLayer } from '../files/write-file.ts';
import type { AppContext } from '../settings/app-context.ts';
import { memoryFacts, textFacts, traced } from '../settings/io/tracing.ts';
import { withSettings } from '../settings/resolve.ts';
import { accountingUseCases } from './accounting/blame.ts';
import { goBackUseCases } from './accounting/go-back.ts';
import { handEditUseCases } from './accounting/hand-edits.ts';
import { approvalUseCases } from './approvals.ts';
import { decisionUseCases } from './decide.ts';
import { openDomains } from './domains/domains.ts';
import { type CopiesElsewhere, eraseUseCases } from './erase/erase.ts';
import { gapUseCases } from './gap-list.ts';
import { confirmLevelUseCases } from './keys/confirm-level.ts';
import { lastReviewUseCases } from './last-review.ts';
import { proposalUseCases } from './propose.ts';
import { searchUseCases, whyUseCases } from './search-and-why.ts';
import { sessionUseCases, transcriptUseCases } from './sessions/sessions.ts';
import { verificationUseCases } from './verify.ts';

// All that can change memory: sessions, proposals and the person's decisions.
export function gateUseCases(
  app: AppContext,
  files: FileLayer | undefined,
  copiesElsewhere: CopiesElsewhere = async () => [],
) {
  const domains = openDomains(app, files);
  const proposals = proposalUseCases(app, domains);
  const { decide } = decisionUseCases(app, domains);
  const useCases = withSettings(app, {
    ...transcriptUseCases(app),
    ...searchUseCases(app),
    ...proposals,
    propose: (...[settings, session, proposal]: Parameters<typeof proposals.propose>) => {
      const facts = () => memoryFacts('create_memory', session.image_id ?? undefined);
      return traced({ name: 'create_memory', facts }, async (span) => {
        const answer = await proposals.propose(settings, session, proposal);
        const id = 'proposal_id' in answer ? answer.proposal_id : undefined;
        span?.setAttributes({
          ...{ 'bearings.proposal.kind': proposal.kind, 'gen_ai.memory.record.id': id },
          ...textFacts('bearings.proposal', proposal.content ?? proposal.retires ?? ''),
        });
        return answer;
      });
    },
    decide: (...[settings, shown, kind, decision]: Parameters<typeof decide>) => {
      const about = { 'gen_ai.memory.record.id': shown.proposal_id, 'bearings.decision': decision.decision };
      const facts = () => ({ ...memoryFacts('update_memory', undefined), ...about });
      return traced({ name: 'update_memory', facts }, () => decide(settings, shown, kind, decision));
    },
    ...confirmLevelUseCases(app, domains),
    ...accountingUseCases(app, domains),
    ...handEditUseCases(app, domains),
    ...goBackUseCases(app, domains),
    ...eraseUseCases(app, domains, { copiesElsewhere, files }),
    ...lastReviewUseCases(app, domains),
    ...verificationUseCases(app, domains),
    ...gapUseCases(app, proposals),
    ...whyUseCases(app),
  });
  return { ...sessionUseCases(app), ...approvalUseCases(app, domains), ...useCases };
}
