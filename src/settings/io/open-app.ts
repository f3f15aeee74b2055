import { join, resolve } from 'node:path';
import type { FileLayer } from '../../files/file-layer.ts';
import { type FileMemo, fileMemo } from '../../files/file-memo.ts';
import type { LineFacts } from '../../files/line-counts.ts';
import type { Variables } from '../../files/run-program.ts';
import { type TasteFolder, tasteFolder } from '../../memory/io/taste-folder.ts';
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
import { listWorkspaces, nearestWorkspace, type Workspace, type WorkspacePlaces } from './workspace-folders.ts';
import { workspaceHere } from './workspace-links.ts';

export interface BearingsOptions {
  /** Default: `BEARINGS_HOME`, else `~/.bearings`. */
  home?: string;
  /** Default: `BEARINGS_WORKSPACES`, the configuration, `<home>/workspaces`. */
  workspaces?: string;
  /** Default: `BEARINGS_TASTES_DIR`, `CHEMIGRAM_TASTES_DIR`, the configuration, `<home>/tastes`. */
  tastes?: string;
  /** The workspace meant where a call names none. */
  workspace?: string;
  /** Where to look upwards for a repository's own `.bearings/`. Default: the working directory. */
  cwd?: string;
  variables?: Variables;
  now?: () => Date;
  /** Told of what is passed over, once each. */
  onWarning?: (warning: string) => void;
  /** Another way to the disk for the writes of a decision: tests record it, or end it at any step. */
  files?: FileLayer;
}

/** Which workspace a call means: its id, or more than that. */
export type TargetLike = string | Target;

/** What every use case starts from: the settings in force and the folders they lead to. */
export interface House {
  home: string;
  settings: Setting[];
  /** What of the settings was passed over. */
  warnings: string[];
  tastes: TasteFolder;
  facts: FileMemo<LineFacts>;
  places: WorkspacePlaces;
  number(key: string): number;
  text(key: string): string;
  /** The models that the home names. */
  models: readonly ModelConfig[];
  workspace(target: TargetLike): Workspace;
  workspaces(): Workspace[];
}

export interface Doors {
  /** Reads the settings anew: a hand edit is in the next call. */
  house(): Promise<House>;
  configFiles(): Promise<ConfigFile[]>;
  /** Where the file with such a label lies. */
  configPath(label: string): string;
  forPerson(path: string): string;
  /** A path with `~` for the person's own folder, in full. */
  inFull(path: string): string;
  /** How many blocks of a file have no decision behind them. */
  unaccounted: FileMemo<number>;
  now(): Date;
  cwd: string;
  home: string;
  variables: Variables;
  /** For what is derived: lost, it is simply found again. */
  cacheFolder: string;
  /** For runs and their journals: of the home, never of a project. */
  runsFolder: string;
  /** What named the home: `option`, `BEARINGS_HOME` or `default`. */
  homeOrigin: string;
}

export function openDoors(options: BearingsOptions): Doors {
  // A copy: like the home, read once.
  const variables = { ...(options.variables ?? process.env) };
  const cwd = resolve(options.cwd ?? process.cwd());
  const home = homeFolder(options.home, variables, cwd);
  const homes = [home, homeFolder(undefined, { ...variables, BEARINGS_HOME: undefined }, cwd)];
  const homeOrigin = options.home ? 'option' : variables.BEARINGS_HOME ? 'BEARINGS_HOME' : 'default';
  const now = options.now ?? (() => new Date());
  const cache = cacheFolder(variables);
  const facts = fileMemo<LineFacts>(now);

  const told = new Set<string>();

  // Only the place matters here: a project's own folder is found before any setting is known.
  const projectHere = (): Workspace | null => nearestWorkspace({ home, homes, workspaces: home }, cwd);

  const configFiles = async (): Promise<ConfigFile[]> => {
    const project = projectHere();
    const files = [
      project &&
        (await readConfigFile(join(project.folder, 'config.yaml'), {
          label: '.bearings/config.yaml',
          owner: 'project',
          scope: project.scope,
        })),
      await readConfigFile(join(home, 'config.yaml'), { label: 'config.yaml', owner: 'home', scope: null }),
    ];
    return files.filter((file) => file !== null);
  };

  const configPath = (label: string): string => {
    const project = projectHere();
    return join(label.startsWith('.bearings/') && project ? project.folder : home, 'config.yaml');
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
    assertNoProblems(own ? problemsOf(own) : []);
    // A repository's broken file must not stand in the person's way: all of it is passed over, aloud.
    const [broken] = project ? problemsOf(project) : [];
    const warnings = broken ? [passedOver(broken)] : [];
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

  const build = (files: ConfigFile[]): House => {
    const { settings, warnings } = settingsOf(files);
    const values = new Map(settings.map(({ key, value }) => [key, value]));
    const places = { home, homes, workspaces: folderOf(settings, 'workspaces', 'workspaces') };
    return {
      home,
      settings,
      warnings,
      places,
      facts,
      tastes: tasteFolder(folderOf(settings, 'tastes', 'tastes'), home),
      number: (key) => Number(values.get(key)),
      text: (key) => String(values.get(key)),
      models: modelsIn(files),
      workspaces: () => listWorkspaces(places, workspaceHere(places, cwd)),
      workspace: (target) =>
        meantWorkspace(places, typeof target === 'string' ? { id: target } : target, {
          standing: options.workspace,
          cwd,
        }),
    };
  };

  return {
    house: async () => build(await configFiles()),
    configFiles,
    configPath,
    forPerson: (path) => withTilde(path, variables),
    inFull: (path) => resolve(cwd, expandTilde(path, variables)),
    unaccounted: fileMemo<number>(now),
    now,
    cwd,
    home,
    variables,
    homeOrigin,
    cacheFolder: cache,
    runsFolder: join(home, 'runs'),
  };
}

function passedOver({ file, line, column, message }: ConfigProblem): string {
  return `${file}:${line}:${column}: ${message}. The whole file is ignored; see: bearings config check`;
}

function modelsIn(files: readonly ConfigFile[]): ModelConfig[] {
  const home = files.find(({ owner }) => owner === 'home');
  const entry = home?.entries.find(({ key }) => key === 'models');
  return entry ? readModels(entry).models : [];
}
