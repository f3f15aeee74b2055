import type { AppContext } from './app-context.ts';
import type { Setting } from './resolve.ts';

export function settingsUseCases(doors: AppContext) {
  return {
    async showSettings(): Promise<Setting[]> {
      const house = await doors.settings();
      const effective: Record<string, string> = { workspaces: house.folders.workspaces, tastes: house.tastesFolder };
      return [
        { key: 'home', value: doors.forPerson(house.home), origin: doors.homeOrigin },
        ...house.all.map((setting) => {
          const folder = effective[setting.key];
          return folder === undefined ? setting : { ...setting, value: doors.forPerson(folder) };
        }),
      ];
    },

    // The person may keep a client from being the one that asks: then only a terminal or the page can decide.
    async elicitationFor(client: string): Promise<{ on: boolean; timeoutMs: number }> {
      const house = await doors.settings();
      const off = house
        .text('elicitation_off')
        .split(',')
        .map((name) => name.trim());
      return { on: !off.includes('*') && !off.includes(client), timeoutMs: house.number('ask_timeout_seconds') * 1000 };
    },

    // Settings that can't be read enable nothing; the first call says what is wrong with them.
    async offersRunTask(): Promise<boolean> {
      try {
        return (await doors.settings()).text('run_task') === 'on';
      } catch {
        return false;
      }
    },
  };
}
