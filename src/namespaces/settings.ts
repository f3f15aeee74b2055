import type { AppContext } from '../settings/app-context.ts';
import type { ConfigProblem, Setting } from '../settings/resolve.ts';
import type { settingsUseCases } from '../settings/show-settings.ts';

/** The settings in force; they are changed in the person's own files. */
export interface SettingsInForce {
  /** Every setting with its value and where that comes from. */
  list(): Promise<Setting[]>;

  /** The problems of the settings files, each with line and column. */
  check(): Promise<ConfigProblem[]>;
}

export type SettingsUseCases = ReturnType<typeof settingsUseCases>;

export function settingsNamespace(app: AppContext, settings: () => Promise<SettingsUseCases>): SettingsInForce {
  return {
    list: async () => (await settings()).showSettings(),
    check: async () => (await import('../clients/check-settings.ts')).checkSettings(app),
  };
}
