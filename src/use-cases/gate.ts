import type { FileLayer } from '../io/file-layer.ts';
import { createSecretScanner } from '../io/secret-scanner.ts';
import { accountingUseCases } from './accounting.ts';
import { decisionUseCases } from './decisions.ts';
import { openDomains } from './domains.ts';
import { handEditUseCases } from './hand-edits.ts';
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
  const scanSecrets = createSecretScanner();
  const sessions = sessionUseCases(doors);
  const proposals = proposalUseCases(doors, domains, scanSecrets);
  return {
    ...sessions,
    ...transcriptUseCases(doors),
    ...proposals,
    ...importUseCases(doors, { ...sessions, ...proposals }, scanSecrets),
    ...decisionUseCases(doors, domains, scanSecrets),
    ...accountingUseCases(doors, domains),
    ...handEditUseCases(doors, domains),
    ...lookUseCases(doors, domains),
    ...verificationUseCases(doors, domains),
  };
}
