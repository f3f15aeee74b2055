import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { BearingsError, invalidInput, notFound, reasonOf } from '../../errors.ts';
import { type FileMemo, fileMemo } from '../../files/file-fingerprint.ts';
import { neededPersonFolder, OWN_FOLDER, personFolder } from '../../files/paths.ts';
import { readText } from '../../files/read-file.ts';
import type { Variables } from '../../files/run-program.ts';
import { checkOptions } from '../../options.ts';
import { BEARINGS_OPTIONS, type BearingsOptions } from '../bearings-options.ts';
import { isNowhere, meantWorkspace, type Target } from '../meant-workspace.ts';
import { type ModelConfig, readModels } from '../models.ts';
import {
  assertNoProblems,
  type ConfigFile,
  placed,
  problemsOf,
  resolveConfig,
  type Setting,
  soundPart,
} from '../resolve.ts';
import { listWorkspaces, nearestRoot } from './workspace-folders.ts';
import { workspaceHere } from './workspace-links.ts';

export function openApp(options: BearingsOptions, method = 'openBearings') {
  checkOptions(options, BEARINGS_OPTIONS, method);
  // A copy: like the home, read once.
  const variables = { ...(options.variables ?? process.env) };
  const cwd = resolve(options.cwd ?? workingFolder());
  const home = homeFolder(options.home, variables, cwd);
  // Every place that may be a home: the one in use, and the one where nothing names another.
  const usual = personFolder(variables) && homeFolder(undefined, { ...variables, BEARINGS_HOME: undefined }, cwd);
  const homes = usual === null ? [home] : [home, usual];
  const now = options.now ?? (() => new Date());
  const only = options.only ? options.workspace : undefined;
  const told = new Set<string>();
  /** Told to whoever opened this, once each. */
  const warn = (warning: string): void => {
    if (!told.has(warning)) options.onWarning?.(warning);
    told.add(warning);
  };
  const memos = new Map<string, FileMemo<unknown>>();
  /** What a room worked out of files, by a name of its own: the same one at each call. */
  const memo = <T>(name: string, mostEntries?: number): FileMemo<T> => {
    const known = memos.get(name) ?? fileMemo<unknown>(now, mostEntries);
    memos.set(name, known);
    return known as FileMemo<T>;
  };

  // Only the place matters here: a project's own folder is found before any setting is known.
  const projectHere = (): string | null => nearestRoot({ home, homes }, cwd);

  const configFiles = async () => {
    const folder = projectHere();
    const file = { label: '.bearings/config.yaml', owner: 'project', scope: folder } as const;
    return {
      project: folder === null ? null : await readConfigFile(join(folder, OWN_FOLDER, 'config.yaml'), file),
      own: await readConfigFile(join(home, 'config.yaml'), { label: 'config.yaml', owner: 'home', scope: null }),
    };
  };

  const folderOf = (name: string, setting: Setting | undefined): string => {
    if (!setting || setting.value === null) return join(home, name);
    // A relative folder in a file is relative to that file; on the command line, to the person's current folder.
    const base = setting.origin.includes(':') ? home : cwd;
    return resolve(base, expandTilde(String(setting.value), variables));
  };

  /** Reads the settings again: a hand edit is in the next call. A hook goes on without what is wrong, which is in `warnings`. */
  const settings = async (isForHook = false) => {
    const { project, own: written } = await configFiles();
    const faults = written ? problemsOf(written) : [];
    if (!isForHook) assertNoProblems(faults);
    const own = written && faults.length > 0 ? soundPart(written) : written;
    // A repository's broken file must not get in the person's way: all of it is ignored, with a warning.
    const [broken] = project ? problemsOf(project) : [];
    const warnings = broken ? [`${placed(broken)}. The whole file is ignored; see: bearings config check`] : [];
    for (const warning of warnings) warn(warning);
    const [fault] = faults.map((each) => `${placed(each)}. It is ignored; see: bearings config check`);
    if (fault !== undefined) warnings.push(fault);
    const isFolder = ({ key }: { key: string }) => key === 'tastes' || key === 'workspaces';
    const isUnsure =
      written?.problems.length || written?.entries.some((each) => isFolder(each) && !own?.entries.includes(each));
    const { workspaces, tastes } = options;
    const sources = { options: { workspaces, tastes }, variables, project: broken ? null : project, home: own };
    const all = resolveConfig(sources);
    const named = new Map(all.map((setting) => [setting.key, setting]));
    const folders = { home, homes, workspaces: folderOf('workspaces', named.get('workspaces')) };
    const start = { standing: options.workspace, only, cwd };
    return {
      /** `warnings`: of what was ignored. `only`: the one workspace that is known here; undefined: all are. */
      ...{ home, only, all, warnings, folders },
      /** A hook goes on though it can't be told where tastes and workspaces are: why. */
      unsure: isUnsure ? fault : undefined,
      lineCounts: memo<number>('line counts'),
      tastesFolder: folderOf('tastes', named.get('tastes')),
      number: (key: string) => Number(named.get(key)?.value),
      text: (key: string) => String(named.get(key)?.value),
      get models(): readonly ModelConfig[] {
        const entry = own?.entries.find(({ key }) => key === 'models');
        return entry ? readModels(entry.value).models : [];
      },
      workspaces: () =>
        listWorkspaces(folders, workspaceHere(folders, cwd)).filter(({ id }) => only === undefined || id === only),
      workspace: (target: string | Target) => {
        try {
          return meantWorkspace(folders, typeof target === 'string' ? { id: target } : target, start);
        } catch (error) {
          if (!isForHook || !(error instanceof BearingsError) || isNowhere(error)) throw error;
          warnings.push(`${error.message} Its notes and rules are left out. ${error.hint ?? ''}`.trim());
          throw notFound(error.message, error.hint, { nowhere: true });
        }
      },
    };
  };

  return {
    ...{ warn, settings, memo, now, cwd, home, variables },
    configFiles: async () => Object.values(await configFiles()).filter((file) => file !== null),
    /** Where the file with such a label lies. */
    configPath(label: string) {
      const project = projectHere();
      return join(label.startsWith('.bearings/') && project ? join(project, OWN_FOLDER) : home, 'config.yaml');
    },
    forPerson: (path: string) => withTilde(path, variables),
    inFull: (path: string) => resolve(cwd, expandTilde(path, variables)),
    homeOrigin: options.home ? 'option' : variables.BEARINGS_HOME ? 'BEARINGS_HOME' : 'default',
    /** For what is derived: lost, it is simply found again. */
    cacheFolder: cacheFolder(home, variables),
    /** For runs and their journals: of the home, never of a project. */
    runsFolder: join(home, 'runs'),
  };
}

const MAX_CONFIG_CHARS = 64 * 1024;

// Null when there is no such file. The YAML parser is loaded only when there is one: start-up time is a feature.
export async function readConfigFile(
  path: string,
  options: { label: string; owner: ConfigFile['owner']; scope: string | null },
): Promise<ConfigFile | null> {
  const { label, owner } = options;
  const file = readText(path, options.scope);
  if (file.status === 'missing') return null;
  const broken = (message: string): ConfigFile => ({
    label,
    owner,
    entries: [],
    problems: [{ file: label, line: 1, column: 1, message }],
  });
  if (owner === 'home' && file.status === 'unreadable' && file.reason === reasonOf({ code: 'ENOTDIR' }))
    throw invalidInput(
      'The home of bearings is not a folder: a file is in its place, or on the way to it.',
      'Name a folder with --home or BEARINGS_HOME, or move that file away.',
    );
  if (file.status === 'unreadable') return broken(`the file can't be read: ${file.reason}`);
  if (!file.value.valid) return broken('the file is not UTF-8 text');
  if (file.value.text.length > MAX_CONFIG_CHARS) return broken('the file is larger than 64 KiB');
  const { parseYamlTree } = await import('./yaml-tree.ts');
  const { tree, problems } = await parseYamlTree(file.value.text);
  if (tree === null) return { label, owner, entries: [], problems: problems.map((each) => ({ file: label, ...each })) };
  if (tree.kind === 'scalar' && tree.value === null) return { label, owner, entries: [], problems: [] };
  if (tree.kind !== 'map') return broken('expected lines of the form `key: value`');
  const entries = tree.entries.map((entry) => (entry.key === '' ? { ...entry, key: '(not a name)' } : entry));
  return { label, owner, entries, problems: [] };
}

function workingFolder(): string {
  try {
    return process.cwd();
  } catch {
    throw notFound('The folder that this was started in is gone.', 'Change to a folder that is there: cd ~');
  }
}

export function homeFolder(option: string | undefined, variables: Variables, cwd: string): string {
  return resolve(cwd, expandTilde(option || variables.BEARINGS_HOME || '~/.bearings', variables));
}

export function cacheFolder(home: string, variables: Variables): string {
  if (variables.BEARINGS_CACHE) return resolve(expandTilde(variables.BEARINGS_CACHE, variables));
  // Some containers have a user without a folder.
  if (!variables.XDG_CACHE_HOME && personFolder(variables) === null) return join(home, 'cache');
  const base = variables.XDG_CACHE_HOME || (process.platform === 'darwin' ? '~/Library/Caches' : '~/.cache');
  return join(expandTilde(base, variables), 'bearings');
}

export function expandTilde(path: string, variables: Variables): string {
  if (path !== '~' && !path.startsWith('~/')) return path;
  return join(neededPersonFolder(variables), path.slice(1));
}

// The other way round, for a person's eyes.
export function withTilde(path: string, variables: Variables): string {
  const home = personFolder(variables);
  return home !== null && (path === home || path.startsWith(`${home}/`)) ? `~${path.slice(home.length)}` : path;
}

// Apart from the rest: every call asks this, and must load nothing for it.

export function journalPath(home: string): string {
  return join(home, 'import.json');
}

export function isImporting(home: string): boolean {
  return existsSync(journalPath(home));
}
