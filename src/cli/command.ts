import type { Rooms } from '../bearings.ts';
import type { PageTask } from '../clients/page-task.ts';
import { BearingsError } from '../errors.ts';
import type { Terminal } from './terminal/terminal.ts';

export interface Option {
  type: 'boolean' | 'string';
  /** May be given more than once. */
  multiple?: true;
  /** What stands for the value in help: `N`, `FILE`. */
  value?: string;
  about: string;
}

export interface Call {
  /** Words that are not options. */
  words: string[];
  flag(name: string): boolean;
  text(name: string): string | undefined;
  /** All values of an option that may be given more than once. */
  list(name: string): string[];
  bearings: Rooms;
  terminal: Terminal;
  json: boolean;
  /** Every command with the names of its options: what a shell can complete. */
  allCommands(): Promise<{ name: string; summary: string; options: string[] }[]>;
  /** Opens the page until the person ends it, or until the task is confirmed there. False: it was not. */
  openPage(task: PageTask | null, options?: { port?: number; open?: boolean }): Promise<boolean>;
  /** Runs another command line, with other variables in force: the demo's playground. */
  runOther(args: string[], variables: Record<string, string>): Promise<number>;
}

export const EXIT = { done: 0, checkFailed: 1, badUse: 2, awaitsPerson: 3 } as const;

/** It waits for a person, whatever else is right about the line. */
export function needsTerminal(message: string, hint = 'Run it in a terminal.'): BearingsError {
  return new BearingsError('awaiting_person', message, { hint });
}

export interface Command {
  summary: string;
  usage: string[];
  /** More than the summary says, in a few short lines. */
  details?: string[];
  options: Record<string, Option>;
  examples: { line: string; about: string }[];
  /** At most this many words; more are bad use. */
  maxWords: number;
  /** What the person is told where it takes more than a second before it says anything. */
  waitingFor?: string;
  /** It has nothing to print for programs. */
  noJson?: true;
  run(call: Call): Promise<number>;
}

export function optionsOf({ options, noJson }: Command): Record<string, Option> {
  const { json, ...others } = COMMON_OPTIONS as { json: Option };
  return { ...options, ...(noJson ? {} : { json }), ...others };
}

export const COMMON_OPTIONS: Record<string, Option> = {
  json: { type: 'boolean', about: 'print JSON for programs' },
  home: { type: 'string', value: 'DIR', about: 'home folder (default: BEARINGS_HOME or ~/.bearings)' },
  workspaces: { type: 'string', value: 'DIR', about: 'folder of all workspaces' },
  tastes: { type: 'string', value: 'DIR', about: 'folder of the tastes' },
  'no-color': { type: 'boolean', about: 'plain text without colour (also: NO_COLOR=1)' },
  help: { type: 'boolean', about: 'show this help' },
};
