import { join, resolve } from 'node:path';
import { type FileFacts, type FileMemo, fileFacts, fileMemo } from '../../files/file-memo.ts';
import type { LineCounts } from '../../files/line-counts.ts';
import { OWN_FOLDER } from '../../files/path-scope.ts';
import { type KeysOf, knownKeys } from '../../known-keys.ts';
import type { AppContext, BearingsOptions, Settings } from '../app-context.ts';
import { meantWorkspace, type Target } from '../meant-workspace.ts';
import { type ModelConfig, readModels } from '../models.ts';
import {
  assertNoProblems,
  type ConfigFile,
  type ConfigProblem,
  problemsOf,
  resolveConfig,
  type Setting,
} from '../resolve.ts';
import { readConfigFile } from './config-file.ts';
import { cacheFolder, expandTilde, homeFolder, withTilde } from './home-folder.ts';
import { listWorkspaces, nearestRoot } from './workspace-folders.ts';
import { workspaceHere } from './workspace-links.ts';

const TARGET: KeysOf<Target> = { id: true, root: true };

export function openApp(options: BearingsOptions): AppContext {
  // A copy: like the home, read once.
  const variables = { ...(options.variables ?? process.env) };
  const cwd = resolve(options.cwd ?? process.cwd());
  const home = homeFolder(options.home, variables, cwd);
  const homes = [home, homeFolder(undefined, { ...variables, BEARINGS_HOME: undefined }, cwd)];
  const homeOrigin = options.home ? 'option' : variables.BEARINGS_HOME ? 'BEARINGS_HOME' : 'default';
  const now = options.now ?? (() => new Date());
  const cache = cacheFolder(variables);
  const facts = fileMemo<LineCounts>(now);
  const memos = new Map<string, FileMemo<unknown>>();
  const known = new Map<string, FileFacts<object>>();

  const only = options.only ? options.workspace : undefined;
  const told = new Set<string>();

  // Only the place matters here: a project's own folder is found before any setting is known.
  const projectHere = (): string | null => nearestRoot({ home, homes }, cwd);

  const configFiles = async (): Promise<ConfigFile[]> => {
    const project = projectHere();
    const files = [
      project === null
        ? null
        : await readConfigFile(join(project, OWN_FOLDER, 'config.yaml'), {
            label: '.bearings/config.yaml',
            owner: 'project',
            scope: project,
          }),
      await readConfigFile(join(home, 'config.yaml'), { label: 'config.yaml', owner: 'home', scope: null }),
    ];
    return files.filter((file) => file !== null);
  };

  const configPath = (label: string): string => {
    const project = projectHere();
    return join(label.startsWith('.bearings/') && project ? join(project, OWN_FOLDER) : home, 'config.yaml');
  };

  const folderOf = (settings: Setting[], key: string, name: string): string => {
    const setting = settings.find((candidate) => candidate.key === key);
    if (!setting || setting.value === null) return join(home, name);
    // A relative folder in a file is relative to that file; on the command line, to where the person stands.
    const base = setting.origin.includes(':') ? home : cwd;
    return resolve(base, expandTilde(String(setting.value), variables));
  };

  const settingsOf = (files: ConfigFile[]) => {
    const own = files.find((file) => file.owner === 'home') ?? null;
    const project = files.find((file) => file.owner === 'project') ?? null;
    if (own) assertNoProblems(problemsOf(own));
    // A repository's broken file must not stand in the person's way: all of it is ignored, with a warning.
    const [broken] = project ? problemsOf(project) : [];
    const warnings = broken ? [ignored(broken)] : [];
    for (const warning of warnings) {
      if (!told.has(warning)) options.onWarning?.(warning);
      told.add(warning);
    }
    const settings = resolveConfig({
      options: { workspaces: options.workspaces, tastes: options.tastes },
      variables,
      project: broken ? null : project,
      home: own,
    });
    return { settings, warnings };
  };

  const build = (files: ConfigFile[]): Settings => {
    const { settings, warnings } = settingsOf(files);
    const values = new Map(settings.map(({ key, value }) => [key, value]));
    const folders = { home, homes, workspaces: folderOf(settings, 'workspaces', 'workspaces') };
    return {
      home,
      all: settings,
      warnings,
      folders,
      lineCounts: facts,
      tastesFolder: folderOf(settings, 'tastes', 'tastes'),
      number: (key) => Number(values.get(key)),
      text: (key) => String(values.get(key)),
      get models() {
        return modelsIn(files);
      },
      workspaces: () =>
        listWorkspaces(folders, workspaceHere(folders, cwd)).filter(({ id }) => only === undefined || id === only),
      workspace: (target) =>
        meantWorkspace(
          folders,
          typeof target === 'string' ? { id: target } : knownKeys(target, TARGET, 'A workspace'),
          {
            standing: options.workspace,
            only,
            cwd,
          },
        ),
    };
  };

  return {
    settings: async () => build(await configFiles()),
    configFiles,
    configPath,
    forPerson: (path) => withTilde(path, variables),
    inFull: (path) => resolve(cwd, expandTilde(path, variables)),
    memo<T>(name: string, mostEntries?: number) {
      const memo = memos.get(name) ?? fileMemo<unknown>(now, mostEntries);
      memos.set(name, memo);
      return memo as FileMemo<T>;
    },
    facts<K extends object>(name: string) {
      const facts = known.get(name) ?? fileFacts<object>(now);
      known.set(name, facts);
      return facts as FileFacts<K>;
    },
    now,
    cwd,
    home,
    variables,
    homeOrigin,
    cacheFolder: cache,
    runsFolder: join(home, 'runs'),
  };
}

function ignored({ file, line, column, message }: ConfigProblem): string {
  return `${file}:${line}:${column}: ${message}. The whole file is ignored; see: bearings config check`;
}

function modelsIn(files: readonly ConfigFile[]): ModelConfig[] {
  const home = files.find(({ owner }) => owner === 'home');
  const entry = home?.entries.find(({ key }) => key === 'models');
  return entry ? readModels(entry).models : [];
}
