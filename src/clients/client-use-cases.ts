import type { AppContext } from '../settings/app-context.ts';
import { doctorUseCases } from './doctor/doctor.ts';
import { exportUseCases } from './export.ts';
import { importUseCases } from './import.ts';
import { installUseCases } from './install.ts';
import { resourceUseCases } from './resources.ts';

// Around the agents' own programs: setting them up, and what they ask for at their start.
export function clientUseCases(app: AppContext, openGate: Parameters<typeof importUseCases>[1]) {
  const installs = installUseCases(app);
  return {
    ...installs,
    ...importUseCases(app, openGate),
    ...exportUseCases(app),
    ...resourceUseCases(app),
    ...doctorUseCases(app, async () => (await import('../gate/domains/domains.ts')).openDomains(app), installs),
  };
}
