import type { FileLayer } from '../io/file-layer.ts';
import { accountingUseCases } from './accounting.ts';
import { decisionUseCases } from './decisions.ts';
import { openDomains } from './domains.ts';
import { handEditUseCases } from './hand-edits.ts';
import { handSaveUseCases } from './hand-saves.ts';
import type { Doors } from './house.ts';
import { importUseCases } from './imports.ts';
import { lookUseCases } from './looks.ts';
import { proposalUseCases } from './proposals.ts';
import { sessionUseCases } from './sessions.ts';
import { transcriptUseCases } from './transcripts.ts';
import { verificationUseCases } from './verification.ts';

// All that can change memory: sessions, proposals and the person's decisions.
export function gateUseCases(doors: Doors, files: FileLayer | undefined) {
  const domains = openDomains(doors, files);
  const sessions = sessionUseCases(doors);
  const proposals = proposalUseCases(doors, domains);
  const handEdits = handEditUseCases(doors, domains);
  return {
    ...sessions,
    ...transcriptUseCases(doors),
    ...proposals,
    ...importUseCases(doors, { ...sessions, ...proposals }),
    ...decisionUseCases(doors, domains),
    ...accountingUseCases(doors, domains),
    ...handEdits,
    ...handSaveUseCases(doors, domains, handEdits),
    ...lookUseCases(doors, domains),
    ...verificationUseCases(doors, domains),
  };
}
