import type { AppContext } from './app-context.ts';
import { setSetting, type WrittenSetting } from './io/set-setting.ts';
import { keyNamed, type Setting } from './resolve.ts';

export function settingsUseCases(app: AppContext) {
  const showSettings = async (): Promise<Setting[]> => {
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
  };
  return {
    showSettings,

    async getSetting(name: string): Promise<Setting> {
      const found = (await showSettings()).find(({ key }) => key === name);
      return found ?? { key: keyNamed(name).name, value: null, origin: 'default' };
    },

    /** Null takes the line away: the default holds again. */
    setSetting: (key: string, value: string | null, options: { project?: boolean } = {}): Promise<WrittenSetting> =>
      setSetting(app, { key, value, project: options.project ?? false }),

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
