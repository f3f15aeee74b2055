import type { AppContext } from './app-context.ts';
import type { Setting } from './resolve.ts';

export function settingsUseCases(app: AppContext) {
  return {
    async showSettings(): Promise<Setting[]> {
      const settings = await app.settings();
      const effective: Record<string, string> = {
        workspaces: settings.folders.workspaces,
        tastes: settings.tastesFolder,
      };
      return [
        { key: 'home', value: app.forPerson(settings.home), origin: app.homeOrigin },
        ...settings.all.map((setting) => {
          const folder = effective[setting.key];
          return folder === undefined ? setting : { ...setting, value: app.forPerson(folder) };
        }),
      ];
    },

    // The person may keep a client from being the one that asks: then only a terminal or the page can decide.
    async elicitationFor(client: string): Promise<{ on: boolean; timeoutMs: number }> {
      const settings = await app.settings();
      const off = settings
        .text('elicitation_off')
        .split(',')
        .map((name) => name.trim());
      return {
        on: !off.includes('*') && !off.includes(client),
        timeoutMs: settings.number('ask_timeout_seconds') * 1000,
      };
    },

    // Settings that can't be read enable nothing; the first call says what is wrong with them.
    async offersRunTask(): Promise<boolean> {
      try {
        return (await app.settings()).text('run_task') === 'on';
      } catch {
        return false;
      }
    },
  };
}
