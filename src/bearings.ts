import { createSecretScanner } from './io/secret-scanner.ts';
import { decisionUseCases } from './use-cases/decisions.ts';
import { openDomains } from './use-cases/domains.ts';
import { type BearingsOptions, openDoors } from './use-cases/house.ts';
import { memoryUseCases, type Overview } from './use-cases/memory.ts';
import { proposalUseCases, type ShownProposal } from './use-cases/proposals.ts';
import { createSample } from './use-cases/sample.ts';
import { sessionUseCases } from './use-cases/sessions.ts';
import { settingsUseCases } from './use-cases/settings.ts';
import { tasteUseCases } from './use-cases/tastes.ts';
import { workspaceUseCases } from './use-cases/workspaces.ts';

export type { Overview, ShownProposal };
export type Bearings = ReturnType<typeof openBearings>;

// The one place where the parts meet the disk. Opening reads nothing: each call reads what is there at that moment.
export function openBearings(options: BearingsOptions = {}) {
  const doors = openDoors(options);
  const domains = openDomains(doors, options.files);
  const scanSecrets = createSecretScanner();
  return {
    ...memoryUseCases(doors),
    ...tasteUseCases(doors),
    ...workspaceUseCases(doors),
    ...settingsUseCases(doors),
    ...sessionUseCases(doors),
    ...proposalUseCases(doors, domains, scanSecrets),
    ...decisionUseCases(doors, domains, scanSecrets),
    createSample: () => createSample(doors.now()),
  };
}
