import type { Doors } from './house.ts';
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
    createSample: async () => createSample(doors.now()),
  };
}
