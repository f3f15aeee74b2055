import { type ConfigProblem, problemsOf, type Setting } from '../config/resolve.ts';
import type { Doors } from './house.ts';

export function settingsUseCases(doors: Doors) {
  return {
    async showSettings(): Promise<Setting[]> {
      const house = await doors.house();
      const effective: Record<string, string> = { workspaces: house.places.workspaces, tastes: house.tastes.folder };
      return [
        { key: 'home', value: doors.forPerson(house.home), origin: doors.homeOrigin },
        ...house.settings.map((setting) => {
          const folder = effective[setting.key];
          return folder === undefined ? setting : { ...setting, value: doors.forPerson(folder) };
        }),
      ];
    },

    async checkSettings(): Promise<ConfigProblem[]> {
      return (await doors.configFiles()).flatMap(problemsOf);
    },
  };
}
