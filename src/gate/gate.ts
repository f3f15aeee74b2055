import type { FileLayer } from '../files/write-file.ts';
import type { AppContext } from '../settings/app-context.ts';
import { accountingUseCases } from './accounting/blame.ts';
import { goBackUseCases } from './accounting/go-back.ts';
import { handEditUseCases } from './accounting/hand-edits.ts';
import { approvalUseCases } from './approvals.ts';
import { decisionUseCases } from './decide.ts';
import { openDomains } from './domains/domains.ts';
import { type CopiesElsewhere, eraseUseCases } from './erase/erase.ts';
import { gapUseCases } from './gap-list.ts';
import { confirmLevelUseCases, passkeyUseCases } from './keys/confirm-level.ts';
import { lastReviewUseCases, olderTasteUseCases } from './last-review.ts';
import { proposalUseCases } from './propose.ts';
import { searchUseCases } from './search.ts';
import { whyUseCases } from './seen/why.ts';
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
  return {
    ...sessionUseCases(app),
    ...transcriptUseCases(app),
    ...searchUseCases(app),
    ...proposals,
    decide,
    ...confirmLevelUseCases(app, domains),
    ...passkeyUseCases(app),
    ...approvalUseCases(app, domains),
    ...accountingUseCases(app, domains),
    ...handEditUseCases(app, domains),
    ...goBackUseCases(app, domains),
    ...eraseUseCases(app, domains, { copiesElsewhere, files }),
    ...olderTasteUseCases(app, domains),
    ...lastReviewUseCases(app, domains),
    ...verificationUseCases(app, domains),
    ...gapUseCases(app, proposals.propose),
    ...whyUseCases(app),
  };
}
