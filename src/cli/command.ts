import type { Rooms } from '../bearings.ts';
import type { PageTask } from '../clients/page-task.ts';
import { BearingsError, invalidInput } from '../errors.ts';
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
  /** A whole number within these bounds; anything else is bad use. */
  number(name: string, min?: number, max?: number): number | undefined;
  /** All values of an option that may be given more than once. */
  list(name: string): string[];
  bearings: Rooms;
  terminal: Terminal;
  json: boolean;
  /** Prints the data with --json, else the lines for a person; the exit code says whether what was checked holds. */
  answer(data: unknown, lines: () => string | readonly string[], holds?: boolean): number;
  /** Every command, for what completes their names and options. */
  commands: Readonly<Record<string, { load(): Promise<{ command: Command }> }>>;
  /** Opens the page until the person ends it, or until the task is confirmed there. False: it was not. */
  openPage(
    task: PageTask | null,
    options?: { port?: number; open?: boolean; engine?: string | null },
  ): Promise<boolean>;
  /** Runs another command line, with other variables in force: the demo's playground. */
  runOther(args: string[], variables: Record<string, string>): Promise<number>;
}

export const EXIT = { done: 0, checkFailed: 1, badUse: 2, awaitsPerson: 3 } as const;

/** It waits for a person, whatever else is right about the line. */
export function needsTerminal(message: string, hint = 'Run it in a terminal.'): BearingsError {
  return new BearingsError('awaiting_person', message, { hint });
}

/** Bad use where it was not given. */
export function needed<T>(value: T | undefined, message: string, hint: string): T {
  if (value !== undefined) return value;
  throw invalidInput(message, hint);
}

interface Declaration {
  /** At most this many words; more are bad use. */
  maxWords: number;
  /** It has nothing to print for programs. */
  noJson?: true;
  run(call: Call): Promise<number>;
}

export interface Command extends Declaration {
  usage: string[];
  /** Paragraphs. */
  details: string[];
  options: Record<string, Option>;
  examples: { line: string; about: string }[];
}

/**
 * A command from its help: usage, what it does, options, examples, with an empty line between them. An option is
 * `--name VALUE  about`, with ` …` after a value that may be given more than once; an example is a line, then what it is about.
 */
export function defineCommand({ help, ...rest }: Declaration & { help: string }): Command {
  const [usage = [], ...sections] = help
    .trim()
    .split(/\n\s*\n/)
    .map((section) => section.split('\n').map((line) => line.trim()));
  const starting = (start: string) => sections.filter(([first = '']) => first.startsWith(start)).flat();
  return {
    usage,
    details: sections.filter(([first = '']) => !/^(?:--|bearings )/.test(first)).map((lines) => lines.join(' ')),
    options: Object.fromEntries(starting('--').map(optionFrom)),
    examples: starting('bearings ').map((text) => {
      const [line = '', about = ''] = text.split(/ {2,}/);
      return { line, about };
    }),
    ...rest,
  };
}

function optionFrom(line: string): [string, Option] {
  const [, name = '', value, multiple, about = ''] = /^--(\S+)(?: (\S+))?( …)? {2,}(.*)$/.exec(line) ?? [];
  if (value === undefined) return [name, { type: 'boolean', about }];
  return [name, { type: 'string', value, about, ...(multiple ? { multiple: true } : {}) }];
}

/** What was typed, where it is one of these; else bad use, with the nearest of them. */
export async function oneOf<T extends string>(what: string, typed: string, values: readonly T[]): Promise<T> {
  const value = values.find((each) => each === typed);
  if (value !== undefined) return value;
  const { closest } = await import('../closest.ts');
  const near = closest(typed, values);
  const list = values.length === 1 ? values[0] : `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`;
  const line = `${what.startsWith('--') ? what : `bearings ${what}`} ${near ?? values[0]}`;
  throw invalidInput(`${what} takes ${list}, not "${typed}".`, `${near ? 'Did you mean' : 'For example'}: ${line}`);
}

/** The sub-command that the first word names, with the words after it; the first of them without a word. */
export async function subCommand<V extends string>(
  call: Call,
  name: string,
  verbs: Readonly<Record<V, (call: Call, verb: V) => Promise<number> | number>>,
): Promise<number> {
  const names = Object.keys(verbs) as V[];
  const [typed = names[0] ?? '', ...words] = call.words;
  const verb = await oneOf(name, typed, names);
  return verbs[verb]({ ...call, words }, verb);
}

export const ENGINE_OPTION =
  '--engine URL  postgres://… shared with workers (also: BEARINGS_ENGINE; default: this process)';

// From the person alone: a command line or a variable, never a file of a project. It may hold a password, so it is not printed.
export function engineUrl(text: (name: string) => string | undefined): string | null {
  return text('engine') || process.env.BEARINGS_ENGINE || null;
}

/** Those of the database that the person named, or of this home. */
export function runsIn(bearings: Rooms, url: string | null) {
  return url === null ? bearings.runs() : bearings.sharedRuns(url);
}

export function optionsOf({ options, noJson }: Command): Record<string, Option> {
  const { json, ...others } = COMMON_OPTIONS as { json: Option };
  return { ...options, ...(noJson ? {} : { json }), ...others };
}

/** Of every command: told in one place, `bearings --help --all`. */
export const COMMON_OPTIONS: Record<string, Option> = {
  json: { type: 'boolean', about: 'print JSON for programs' },
  home: { type: 'string', value: 'DIR', about: 'home folder (default: BEARINGS_HOME or ~/.bearings)' },
  workspaces: { type: 'string', value: 'DIR', about: 'folder of all workspaces' },
  tastes: { type: 'string', value: 'DIR', about: 'folder of the tastes' },
  'no-color': { type: 'boolean', about: 'plain text without colour (also: NO_COLOR=1)' },
  help: { type: 'boolean', about: 'show this help' },
};
