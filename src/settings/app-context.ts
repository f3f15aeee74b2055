import type { FileMemo } from '../files/file-fingerprint.ts';
import type { Variables } from '../files/run-program.ts';
import type { FileLayer } from '../files/write-file.ts';
import { callback, flag, type OptionsOf, objectOf, text } from '../options.ts';
import type { Workspace, WorkspaceFolders } from './io/workspace-folders.ts';
import type { Target } from './meant-workspace.ts';
import type { ModelConfig } from './models.ts';
import type { ConfigFile, Setting } from './resolve.ts';

export const BEARINGS_OPTIONS = {
  /** Default: `BEARINGS_HOME`, else `~/.bearings`. */
  home: text,
  /** Default: `BEARINGS_WORKSPACES`, the configuration, `<home>/workspaces`. */
  workspaces: text,
  /** Default: `BEARINGS_TASTES_DIR`, `CHEMIGRAM_TASTES_DIR`, the configuration, `<home>/tastes`. */
  tastes: text,
  /** The workspace meant where a call names none. */
  workspace: text,
  /** With `workspace`: no other is known here, by id, in lists or to be written to. */
  only: flag,
  /** Where to look upwards for a repository's own `.bearings/`. Default: the working directory. */
  cwd: text,
  variables: objectOf<Variables>(),
  now: callback<() => Date>(),
  /** Told of what is ignored, once each. */
  onWarning: callback<(warning: string) => void>(),
  /** Another way to the disk for the writes of a decision: tests record it, or end it at any step. */
  files: objectOf<FileLayer>(),
};
export interface BearingsOptions extends OptionsOf<typeof BEARINGS_OPTIONS> {}

/** Which workspace a call means: its id, or more than that. */
export type TargetLike = string | Target;

/** What every use case starts from: the settings in force and the folders they lead to. */
export interface Settings {
  home: string;
  all: Setting[];
  /** What of the settings was ignored. */
  warnings: string[];
  /** A hook goes on though it can't be told where tastes and workspaces are: why. */
  unsure?: string | undefined;
  tastesFolder: string;
  lineCounts: FileMemo<number>;
  folders: WorkspaceFolders;
  number(key: string): number;
  text(key: string): string;
  /** The models that the home names. */
  models: readonly ModelConfig[];
  /** The one workspace that is known here; undefined: all are. */
  only: string | undefined;
  workspace(target: TargetLike): Workspace;
  workspaces(): Workspace[];
}

export interface AppContext {
  /** Told to whoever opened this, once each. */
  warn(warning: string): void;
  /** Reads the settings again: a hand edit is in the next call. A hook goes on without what is wrong, which is in `warnings`. */
  settings(isForHook?: boolean): Promise<Settings>;
  configFiles(): Promise<ConfigFile[]>;
  /** Where the file with such a label lies. */
  configPath(label: string): string;
  forPerson(path: string): string;
  /** A path with `~` for the person's own folder, in full. */
  inFull(path: string): string;
  /** What a room worked out of files, by a name of its own: the same one at each call. */
  memo<T>(name: string, mostEntries?: number): FileMemo<T>;
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
