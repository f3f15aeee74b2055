import { join } from 'node:path';
import { type Doors, openDoors } from './house.ts';
import { createSample } from './sample.ts';
import { settingsUseCases } from './settings.ts';
import { tasteUseCases } from './tastes.ts';
import { workspaceUseCases } from './workspaces.ts';

// What a person does around memory: tastes, workspaces, settings, and the sample of the demo.
export function upkeepUseCases(doors: Doors) {
  return {
    ...tasteUseCases(doors),
    ...workspaceUseCases(doors),
    ...settingsUseCases(doors),

    // Whose files these are is known: the sample's person wrote them.
    async createSample() {
      const sample = createSample(doors.now());
      const { home } = sample;
      const inside = openDoors({ home, cwd: home, variables: { BEARINGS_CACHE: join(home, '.cache') } });
      const { gateUseCases } = await import('./gate.ts');
      await gateUseCases(inside, undefined).adoptAll('all', { via: 'demo' });
      return sample;
    },
  };
}
