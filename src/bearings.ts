import { type BearingsOptions, openDoors } from './use-cases/house.ts';
import { loaderUseCases } from './use-cases/loader.ts';
import type { LoadRequest, Rendering } from './use-cases/loader-answers.ts';
import { memoryUseCases, type Overview } from './use-cases/memory.ts';
import { createSample } from './use-cases/sample.ts';
import { settingsUseCases } from './use-cases/settings.ts';
import { tasteUseCases } from './use-cases/tastes.ts';
import { workspaceUseCases } from './use-cases/workspaces.ts';

export type { LoadRequest, Overview, Rendering };
export type Bearings = ReturnType<typeof openBearings>;

// The one place where the parts meet the disk. Opening reads nothing: each call reads what is there at that moment.
export function openBearings(options: BearingsOptions = {}) {
  const doors = openDoors(options);
  return {
    ...memoryUseCases(doors),
    ...tasteUseCases(doors),
    ...workspaceUseCases(doors),
    ...settingsUseCases(doors),
    ...loaderUseCases(doors),
    createSample: () => createSample(doors.now()),
  };
}
