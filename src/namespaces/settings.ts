import { type ArgumentsOf, checkedMethods, type KeysOf } from '../known-keys.ts';
import type { WrittenSetting } from '../settings/io/set-setting.ts';
import type { ConfigProblem, Setting } from '../settings/resolve.ts';
import type { settingsUseCases } from '../settings/show-settings.ts';

/** The settings in force; they are in the person's own files. */
export interface SettingsInForce {
  /** Every setting with its value and where that comes from. */
  list(): Promise<Setting[]>;

  /** One setting with its value and where that comes from. */
  get(key: string): Promise<Setting>;

  /** Writes one line of the home's `config.yaml`, or of the project's; null takes it away. */
  set(key: string, value: string | null, options?: { project?: boolean }): Promise<WrittenSetting>;

  /** The problems of the settings files, each with line and column. */
  check(): Promise<ConfigProblem[]>;
}

const SET: KeysOf<{ project?: boolean }> = { 'project?': 'flag' };
const ARGUMENTS: ArgumentsOf<SettingsInForce> = {
  list: {},
  get: { key: 'text' },
  set: { key: 'text', value: 'text|null', 'options?': SET },
  check: {},
};

type SettingsUseCases = ReturnType<typeof settingsUseCases> & { checkSettings(): Promise<ConfigProblem[]> };

export function settingsNamespace(settings: () => Promise<SettingsUseCases>): SettingsInForce {
  return checkedMethods('settings', ARGUMENTS, {
    list: async () => (await settings()).showSettings(),
    get: async (key) => (await settings()).getSetting(key),
    set: async (key, value, options = {}) => (await settings()).setSetting(key, value, options),
    check: async () => (await settings()).checkSettings(),
  });
}
