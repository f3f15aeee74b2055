import { join, resolve } from 'node:path';
import { CONFIG_KEYS } from '../config/keys.ts';
import {
  assertNoProblems,
  type ConfigFile,
  type ConfigProblem,
  problemsOf,
  resolveConfig,
  type Setting,
} from '../config/resolve.ts';
import { invalidInput, notFound } from '../errors.ts';
import { readConfigFile } from '../io/config-file.ts';
import { factsStore } from '../io/facts-store.ts';
import type { FileLayer } from '../io/file-layer.ts';
import type { FactsStore } from '../io/line-facts.ts';
import { cacheFolder, expandTilde, homeFolder, type Variables, withTilde } from '../io/places.ts';
import { type TasteFolder, tasteFolder } from '../io/taste-folder.ts';
import { type VerdictStore, verdictStore } from '../io/verdict-store.ts';
import {
  findWorkspace,
  listWorkspaces,
  nearestWorkspace,
  type Workspace,
  type WorkspacePlaces,
} from '../io/workspace-folders.ts';
import { whyNotId } from '../safety/names.ts';

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

export interface Target {
  id?: string | undefined;
  /** The client's root folder, where a client tells one. */
  root?: string | undefined;
}

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
  verdicts: VerdictStore;
  now(): Date;
  cwd: string;
  home: string;
  variables: Variables;
  /** For what is derived: lost, it is simply found again. */
  cacheFolder: string;
  /** What named the home: `option`, `BEARINGS_HOME` or `default`. */
  homeOrigin: string;
}

const KNOWN_IDS_SHOWN = 10;
const SETTING_VARIABLES = CONFIG_KEYS.flatMap((key) => key.variables);

export function openDoors(options: BearingsOptions): Doors {
  const variables = options.variables ?? process.env;
  const cwd = resolve(options.cwd ?? process.cwd());
  const home = homeFolder(options.home, variables, cwd);
  const homes = [home, homeFolder(undefined, { ...variables, BEARINGS_HOME: undefined }, cwd)];
  const homeOrigin = options.home ? 'option' : variables.BEARINGS_HOME ? 'BEARINGS_HOME' : 'default';
  const now = options.now ?? (() => new Date());
  const cache = cacheFolder(variables);
  const nowNs = () => BigInt(now().getTime()) * 1_000_000n;
  const facts = factsStore(cache, nowNs);

  const told = new Set<string>();

  const configFiles = async (): Promise<ConfigFile[]> => {
    // Only the place matters here: a project's own folder is found before any setting is known.
    const project = nearestWorkspace({ home, homes, workspaces: home }, cwd);
    const files = await Promise.all([
      project &&
        readConfigFile(join(project.folder, 'config.yaml'), {
          label: '.bearings/config.yaml',
          owner: 'project',
          scope: project.scope,
        }),
      readConfigFile(join(home, 'config.yaml'), { label: 'config.yaml', owner: 'home', scope: null }),
    ]);
    return files.filter((file) => file !== null);
  };

  const configPath = (label: string): string => {
    const project = nearestWorkspace({ home, homes, workspaces: home }, cwd);
    return join(label.startsWith('.bearings/') && project ? project.folder : home, 'config.yaml');
  };

  const folderOf = (settings: Setting[], key: string, name: string): string => {
    const setting = settings.find((candidate) => candidate.key === key);
    if (!setting || setting.value === null) return join(home, name);
    // A relative folder in a file is relative to that file; on the command line, to where the person stands.
    const base = setting.origin.includes(':') ? home : cwd;
    return resolve(base, expandTilde(String(setting.value), variables));
  };

  // Most people have no configuration file: then nothing but the variables can change a setting.
  let plain: { variables: string; settings: Setting[] } | null = null;
  const settingsOf = (files: ConfigFile[]): { settings: Setting[]; warnings: string[] } => {
    const said = files.length > 0 ? null : SETTING_VARIABLES.map((name) => variables[name] ?? '').join('\0');
    if (said !== null && plain?.variables === said) return { settings: plain.settings, warnings: [] };
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
    if (said !== null) plain = { variables: said, settings };
    return { settings, warnings };
  };

  const house = async (): Promise<House> => {
    const { settings, warnings } = settingsOf(await configFiles());
    const places = { home, homes, workspaces: folderOf(settings, 'workspaces', 'workspaces') };
    const settled = (key: string) => settings.find((setting) => setting.key === key)?.value;
    return {
      home,
      settings,
      warnings,
      places,
      facts,
      tastes: tasteFolder(folderOf(settings, 'tastes', 'tastes'), home),
      number: (key) => Number(settled(key)),
      text: (key) => String(settled(key)),
      workspaces: () => listWorkspaces(places, cwd),
      workspace: (target) =>
        meantWorkspace(places, typeof target === 'string' ? { id: target } : target, {
          standing: options.workspace,
          cwd,
        }),
    };
  };

  return {
    house,
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
  };
}

function passedOver({ file, line, column, message }: ConfigProblem): string {
  return `${file}:${line}:${column}: ${message}. The whole file is ignored; see: bearings config check`;
}

// The id of the call, else the one the server was started with, else the client's root, else the nearest upwards.
function meantWorkspace(
  places: WorkspacePlaces,
  target: Target,
  start: { standing: string | undefined; cwd: string },
): Workspace {
  const id = target.id ?? start.standing;
  if (id !== undefined) {
    assertId(id);
    const found = findWorkspace(places, id, target.root ?? start.cwd);
    if (found) return found;
    const known = listWorkspaces(places, start.cwd).map((workspace) => workspace.id);
    throw notFound(`There is no workspace "${id}".`, `${knownIds(known)}Make it with: bearings init ${id}`, {
      image_id: id,
      known_ids: known.slice(0, KNOWN_IDS_SHOWN),
    });
  }
  const nearest = (target.root && nearestWorkspace(places, target.root)) || nearestWorkspace(places, start.cwd);
  if (nearest) return nearest;
  const known = listWorkspaces(places, null).map((workspace) => workspace.id);
  throw notFound('No workspace is named, and there is none here.', `${knownIds(known)}Make one with: bearings init`, {
    known_ids: known.slice(0, KNOWN_IDS_SHOWN),
  });
}

export function assertId(id: string): void {
  const reason = whyNotId(id);
  if (!reason) return;
  const shown = [...id.replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '�')].slice(0, 60).join('');
  throw invalidInput(`The workspace id "${shown}" ${reason}.`, 'Use a plain name, for example: manta_001');
}

function knownIds(ids: string[]): string {
  if (ids.length === 0) return '';
  const more = ids.length > KNOWN_IDS_SHOWN ? `, and ${ids.length - KNOWN_IDS_SHOWN} more` : '';
  return `Known: ${ids.slice(0, KNOWN_IDS_SHOWN).join(', ')}${more}. `;
}
