import type { Variables } from '../files/run-program.ts';
import type { FileLayer } from '../files/write-file.ts';
import { callback, flag, type OptionsOf, objectOf, text } from '../options.ts';

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
