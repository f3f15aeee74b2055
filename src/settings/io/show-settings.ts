import { invalidInput, ioError } from '../../errors.ts';
import { assertWritable } from '../../files/lock.ts';
import { dirname, OWN_FOLDER } from '../../files/paths.ts';
import { textOf } from '../../files/read-file.ts';
import { atomicWrite } from '../../files/write-file.ts';
import type { AppContext } from '../app-context.ts';
import { assertNoProblems, keyNamed, problemsOf, type Setting, whyNotValue } from '../resolve.ts';

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

    // One line of the person's own file; comments and all other lines stay as they are. Null takes it away: the default holds again.
    async setSetting(key: string, value: string | null, { project = false }: { project?: boolean } = {}) {
      await assertWritable();
      const known = keyNamed(key);
      if (project && !known.allowedInProject)
        throw invalidInput(
          `"${known.name}" may only be set in the home's config.yaml, not by a project.`,
          `Leave out --project.`,
        );
      if (known.kind === 'models')
        throw invalidInput(
          'models has lines of its own for each model.',
          `Edit ${app.forPerson(app.configPath('config.yaml'))}`,
        );
      const label = project ? `${OWN_FOLDER}/config.yaml` : 'config.yaml';
      const path = app.configPath(label);
      if (project && dirname(path) === app.home)
        throw invalidInput('There is no project with a workspace here.', 'Make one: bearings init');
      const scope = project ? dirname(dirname(path)) : null;
      const typed =
        known.kind === 'whole_number' && value !== null && /^[\d_]+$/.test(value)
          ? Number(value.replaceAll('_', ''))
          : value;
      const reason = typed === null ? null : whyNotValue(known, typed);
      if (reason)
        throw invalidInput(
          `"${known.name}" ${reason}.`,
          `For example: bearings config set ${known.name} ${example(known)}`,
        );
      const before = (await app.configFiles()).find((file) => file.label === label);
      if (before) assertNoProblems(problemsOf(before));
      const text = await withSetting(textOf(path, scope) ?? '', known.name, typed);
      try {
        atomicWrite(path, text, project ? 0o644 : 0o600, scope);
      } catch (error) {
        throw ioError(`${label} can't be written`, error);
      }
      return { key: known.name, value: typed, file: label };
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
    offersRunTask: (): Promise<boolean> =>
      app.settings().then(
        (settings) => settings.text('run_task') === 'on',
        () => false,
      ),
  };
}

async function withSetting(text: string, key: string, value: string | number | null): Promise<string> {
  const { Document, isMap, parseDocument } = await import('yaml');
  const parsed = parseDocument(text, { schema: 'core' });
  const document = isMap(parsed.contents) ? parsed : new Document({});
  if (!isMap(parsed.contents)) document.commentBefore = parsed.commentBefore ?? parsed.comment ?? null;
  if (value === null) document.delete(key);
  else document.set(key, value);
  return isMap(document.contents) && document.contents.items.length === 0
    ? document.commentBefore
      ? `#${document.commentBefore.replaceAll('\n', '\n#')}\n`
      : ''
    : String(document);
}

function example({ kind, choices, min = 1, fallback }: ReturnType<typeof keyNamed>): string | number {
  if (kind === 'choice') return choices?.[0] ?? '';
  return kind === 'whole_number' ? (fallback ?? min) : '"…"';
}
