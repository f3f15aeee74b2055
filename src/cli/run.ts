import { parseArgs } from 'node:util';
import { openBearings } from '../bearings.ts';
import { BearingsError, invalidInput } from '../errors.ts';
import { VERSION } from '../version.ts';
import { type Call, COMMON_OPTIONS, type Command, EXIT } from './command.ts';
import { COMMANDS } from './commands.ts';
import { processTerminal, type Terminal, type Write } from './terminal.ts';

export interface Surroundings {
  variables: Readonly<Record<string, string | undefined>>;
  write: Write;
  isDevice(fd: 1): boolean;
}

// The whole way of a command line: name, options, the command itself, an exit code.
export async function runCli(args: readonly string[], { variables, write, isDevice }: Surroundings): Promise<number> {
  const terminal = processTerminal({ variables, color: !args.includes('--no-color'), write, isDevice });
  const json = args.includes('--json');
  try {
    const [name, ...rest] = args;
    if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
      const topic = name === 'help' ? rest[0] : undefined;
      const { commandHelp, generalHelp } = await import('./help.ts');
      terminal.print(topic ? commandHelp(topic, await load(topic)) : generalHelp(VERSION));
      return EXIT.done;
    }
    if (name === '--version' || name === '-v') {
      terminal.print(VERSION);
      return EXIT.done;
    }
    const command = await load(name);
    if (rest.includes('--help') || rest.includes('-h')) {
      terminal.print((await import('./help.ts')).commandHelp(name, command));
      return EXIT.done;
    }
    const { words, values } = await parse(name, command, rest);
    const text = (option: string) => (typeof values[option] === 'string' ? (values[option] as string) : undefined);
    const call: Call = {
      words,
      flag: (option) => values[option] === true,
      text,
      list: (option) => (Array.isArray(values[option]) ? values[option] : []),
      json,
      terminal,
      bearings: openBearings({
        ...given({ home: text('home'), workspaces: text('workspaces'), tastes: text('tastes') }),
        variables,
        onWarning: (warning) => terminal.warn(`bearings: ${warning}`),
      }),
      allCommands: () =>
        Promise.all(
          Object.entries(COMMANDS).map(async ([name, entry]) => {
            const { options } = (await entry.load()).command;
            return { name, summary: entry.summary, options: Object.keys({ ...options, ...COMMON_OPTIONS }) };
          }),
        ),
      runOther: (others, changed) => runCli(others, { variables: { ...variables, ...changed }, write, isDevice }),
    };
    return await command.run(call);
  } catch (error) {
    return showError(error, { json, terminal, debug: variables.BEARINGS_DEBUG === '1' });
  }
}

async function load(name: string): Promise<Command> {
  const entry = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (entry) return (await entry.load()).command;
  const { closest } = await import('./closest.ts');
  const near = closest(name, Object.keys(COMMANDS));
  throw invalidInput(
    `There is no command "${name}".`,
    near ? `Did you mean: bearings ${near}` : 'See all commands: bearings --help',
  );
}

async function parse(name: string, command: Command, args: string[]) {
  const options = { ...command.options, ...COMMON_OPTIONS };
  try {
    const { values, positionals } = parseArgs({
      args: withTexts(args, options),
      allowPositionals: true,
      strict: true,
      options: Object.fromEntries(
        Object.entries(options).map(([key, { type, multiple = false }]) => [key, { type, multiple }]),
      ),
    });
    if (positionals.length > command.maxWords) {
      throw invalidInput(`"${positionals[command.maxWords]}" is one word too many.`, `See: bearings ${name} --help`);
    }
    return { words: positionals, values: values as Record<string, string | boolean | string[] | undefined> };
  } catch (error) {
    if (error instanceof BearingsError) throw error;
    const said = String((error as Error).message);
    const bare = /Option '(?:-\w, )?(--[a-z-]+) <value>' argument (?:missing|is ambiguous)/.exec(said)?.[1];
    if (bare) {
      const value = options[bare.slice(2)]?.value ?? 'VALUE';
      throw invalidInput(`${bare} needs a value behind it.`, `Write: ${bare} ${value}. See: bearings ${name} --help`);
    }
    const unknown = /Unknown option '(-[^']*)'/.exec(said)?.[1];
    if (!unknown) throw invalidInput(`${firstSentence((error as Error).message)}.`, `See: bearings ${name} --help`);
    const { closest } = await import('./closest.ts');
    const near = closest(unknown.replace(/^-+/, ''), Object.keys(options));
    throw invalidInput(
      `There is no option ${unknown}.`,
      near ? `Did you mean: --${near}` : `See: bearings ${name} --help`,
    );
  }
}

// `--content "- a list item"`: a text with blanks in it is never an option, although it begins like one.
function withTexts(args: readonly string[], options: Command['options']): string[] {
  const joined: string[] = [];
  for (const [index, arg] of args.entries()) {
    const before = args[index - 1] ?? '';
    const takesText = before.startsWith('--') && options[before.slice(2)]?.type === 'string';
    if (takesText && arg.startsWith('-') && /\s/.test(arg)) joined[joined.length - 1] = `${before}=${arg}`;
    else joined.push(arg);
  }
  return joined;
}

// One sentence and what to do. Anything that is not ours is a defect: it says so, and shows no stack unless asked.
async function showError(error: unknown, to: { json: boolean; terminal: Terminal; debug: boolean }): Promise<number> {
  const known = error instanceof BearingsError ? error : null;
  const { warn } = to.terminal;
  if (to.debug && error instanceof Error) warn(error.stack ?? '');
  const code = known?.code ?? 'internal_error';
  const message = known?.message ?? 'Something went wrong inside bearings.';
  const hint = known ? known.hint : 'Run it again with BEARINGS_DEBUG=1 and report what you see.';
  if (to.json) warn(JSON.stringify({ error: { code, message, ...(hint ? { hint } : {}), ...known?.data } }));
  else {
    const { showHidden } = await import('../safety/hidden-characters.ts');
    warn(await forPerson(`bearings: ${showHidden(message)}`, hint ? showHidden(hint) : null, to.terminal));
  }
  if (known?.code === 'awaiting_person') return EXIT.awaitsPerson;
  return known && known.code !== 'io_error' ? EXIT.badUse : EXIT.checkFailed;
}

// On a screen no word is cut at its edge; a program gets each in one line.
async function forPerson(message: string, hint: string | null, { interactive, columns }: Terminal): Promise<string> {
  const { wrap } = await import('./columns.ts');
  const indent = ' '.repeat('bearings: '.length);
  const rows = (text: string): string[] => (interactive ? wrap(text, Math.min(columns, 100) - indent.length) : [text]);
  const told = interactive ? wrap(message, Math.min(columns, 100)) : [message];
  const [first = '', ...rest] = told;
  return [first, ...rest.map((line) => indent + line), ...(hint ? rows(hint).map((line) => indent + line) : [])].join(
    '\n',
  );
}

function firstSentence(message: string): string {
  return (message.split(/[.\n]/)[0] ?? message).trim();
}

function given<T extends object>(options: T): { [K in keyof T]?: NonNullable<T[K]> } {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: NonNullable<T[K]>;
  };
}
