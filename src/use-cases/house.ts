import { join, resolve } from 'node:path';
import { type ModelConfig, readModels } from '../config/models.ts';
import {
  assertNoProblems,
  type ConfigFile,
  type ConfigProblem,
  problemsOf,
  resolveConfig,
  type Setting,
} from '../config/resolve.ts';
import { factsStore } from '../io/facts-store.ts';
import type { FileLayer } from '../io/file-layer.ts';
import { keptConfig } from '../io/kept-config.ts';
import type { FactsStore } from '../io/line-facts.ts';
import { cacheFolder, expandTilde, homeFolder, type Variables, withTilde } from '../io/places.ts';
import { type TasteFolder, tasteFolder } from '../io/taste-folder.ts';
import { type VerdictStore, verdictStore } from '../io/verdict-store.ts';
import {
  foldersUpFrom,
  listWorkspaces,
  nearestAmong,
  ownFoldersAmong,
  type Workspace,
  type WorkspacePlaces,
} from '../io/workspace-folders.ts';
import { decidingPaths, workspaceHere } from '../io/workspace-links.ts';
import { meantWorkspace, type Target } from './meant-workspace.ts';

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
  facts: FactsStore;
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
  /** All paths that this answer hangs on, down to the settings: as long as none changes, it holds. Null: not to be told. */
  hangsOn(house: House, workspace: Workspace, target: TargetLike): string[] | null;
  configFiles(): Promise<ConfigFile[]>;
  /** Where the file with such a label lies. */
  configPath(label: string): string;
  forPerson(path: string): string;
  /** A path with `~` for the person's own folder, in full. */
  inFull(path: string): string;
  verdicts: VerdictStore;
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
  // A copy: every look into the system's own costs a microsecond, and a call has dozens. Like the home, read once.
  const variables = { ...(options.variables ?? process.env) };
  const cwd = resolve(options.cwd ?? process.cwd());
  const home = homeFolder(options.home, variables, cwd);
  const homes = [home, homeFolder(undefined, { ...variables, BEARINGS_HOME: undefined }, cwd)];
  const homeOrigin = options.home ? 'option' : variables.BEARINGS_HOME ? 'BEARINGS_HOME' : 'default';
  const now = options.now ?? (() => new Date());
  const cache = cacheFolder(variables);
  const nowNs = () => BigInt(now().getTime()) * 1_000_000n;
  const facts = factsStore(cache, nowNs);

  const told = new Set<string>();
  const seen = new Map<string, string>();

  // Where one stands does not move: the way up is looked up once, unless it is yet to be made.
  let wayUp: string[] = [];
  const bare = { home, homes, workspaces: home };
  // Only the place matters here: a project's own folder is found before any setting is known.
  const projectHere = (): Workspace | null => {
    if (wayUp.length === 0) wayUp = foldersUpFrom(cwd);
    return nearestAmong(bare, wayUp);
  };

  const ownConfig = join(home, 'config.yaml');
  const readConfig = keptConfig(now);
  const configFiles = async (): Promise<ConfigFile[]> => {
    const project = projectHere();
    const files = [
      project &&
        (await readConfig(join(project.folder, 'config.yaml'), {
          label: '.bearings/config.yaml',
          owner: 'project',
          scope: project.scope,
        })),
      await readConfig(ownConfig, { label: 'config.yaml', owner: 'home', scope: null }),
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
    const places = { home, homes, workspaces: folderOf(settings, 'workspaces', 'workspaces'), seen };
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

  // As long as no file of settings has changed, it is the same house.
  let last: { files: ConfigFile[]; house: House } | null = null;
  const house = async (): Promise<House> => {
    const files = await configFiles();
    const isSame = last?.files.length === files.length && last.files.every((file, index) => file === files[index]);
    if (!last || !isSame) last = { files, house: build(files) };
    return last.house;
  };

  const hangsOn = (house: House, workspace: Workspace, target: TargetLike): string[] | null => {
    const { id = options.workspace, root } = typeof target === 'string' ? { id: target, root: undefined } : target;
    const project = projectHere();
    const deciding = decidingPaths(house.places, workspace, {
      isNamed: id !== undefined,
      from: root ? [root, cwd] : [cwd],
    });
    if (deciding === null) return null;
    const config = project ? [join(project.folder, 'config.yaml'), ownConfig] : [ownConfig];
    return [...new Set([...ownFoldersAmong(bare, wayUp), ...config, ...deciding])];
  };

  return {
    house,
    hangsOn,
    configFiles,
    configPath,
    forPerson: (path) => withTilde(path, variables),
    inFull: (path) => resolve(cwd, expandTilde(path, variables)),
    verdicts: verdictStore(cache, nowNs),
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
