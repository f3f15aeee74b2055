import type { FileLayer } from '../files/file-layer.ts';
import type { AppContext } from '../settings/app-context.ts';
import { accountingUseCases } from './accounting/blame.ts';
import { handEditUseCases } from './accounting/hand-edits.ts';
import { handSaveUseCases } from './accounting/hand-saves.ts';
import { decisionUseCases } from './decide.ts';
import { openDomains } from './domains.ts';
import { lastReviewUseCases } from './last-review.ts';
import { verificationUseCases } from './ledger/verify.ts';
import { proposalUseCases } from './propose.ts';
import { transcriptUseCases } from './sessions/read-transcripts.ts';
import { sessionUseCases } from './sessions/sessions.ts';

// All that can change memory: sessions, proposals and the person's decisions.
export function gateUseCases(doors: AppContext, files: FileLayer | undefined) {
  const domains = openDomains(doors, files);
  const handEdits = handEditUseCases(doors, domains);
  return {
    ...sessionUseCases(doors),
    ...transcriptUseCases(doors),
    ...proposalUseCases(doors, domains),
    ...decisionUseCases(doors, domains),
    ...accountingUseCases(doors, domains),
    ...handEdits,
    ...handSaveUseCases(doors, domains, handEdits),
    ...lastReviewUseCases(doors, domains),
    ...verificationUseCases(doors, domains),
  };
}
