import type { AppContext } from '../settings/app-context.ts';
import type { ConfigProblem, Setting } from '../settings/resolve.ts';
import type { settingsUseCases } from '../settings/show-settings.ts';

export type SettingsUseCases = ReturnType<typeof settingsUseCases>;

// The settings in force. They are changed in the person's own files.
export function settingsNamespace(app: AppContext, settings: () => Promise<SettingsUseCases>) {
  return {
    /** Every setting with its value and where that comes from. */
    async list(): Promise<Setting[]> {
      return (await settings()).showSettings();
    },

    /** The problems of the settings files, each with line and column. */
    async check(): Promise<ConfigProblem[]> {
      return (await import('../clients/check-settings.ts')).checkSettings(app);
    },
  };
}
