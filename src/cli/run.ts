import { openRooms, type Rooms } from '../bearings.ts';
import type { PageTask } from '../clients/page-task.ts';
import { BearingsError, invalidInput, orNull } from '../errors.ts';
import { VERSION } from '../version.ts';
import { type Call, COMMON_OPTIONS, type Command, EXIT, optionsOf } from './command.ts';
import { COMMANDS } from './commands.ts';
import { processTerminal, type Terminal, type Write } from './terminal/terminal.ts';

export interface Surroundings {
  variables: Readonly<Record<string, string | undefined>>;
  write: Write;
  isDevice(fd: 1): boolean;
  /** The page is a face of its own: what starts the program brings both. */
  servePage(
    bearings: Rooms,
    options: { port: number; open: boolean; write: Write; engine: string | null; task: PageTask | null },
  ): Promise<boolean>;
}

// The whole way of a command line: name, options, the command itself, an exit code.
export async function runCli(args: readonly string[], surroundings: Surroundings): Promise<number> {
  const { variables, isDevice, write } = surroundings;
  const terminal = processTerminal({
    variables,
    color: !args.includes('--no-color'),
    write,
    isDevice,
    progress: !args.includes('--json'),
  });
  const json = args.includes('--json');
  try {
    const [name = 'overview', ...rest] = args;
    if (['help', '--help', '-h', '--all'].includes(name)) {
      const topic = name === 'help' ? rest.find((word) => word !== '--all') : undefined;
      const { commandHelp, generalHelp } = await import('./help.ts');
      const all = args.includes('--all');
      terminal.print(topic ? commandHelp(topic, await load(topic), all) : generalHelp(VERSION, all));
      return EXIT.done;
    }
    if (name === '--version' || name === '-v' || name === '-V' || name === 'version') {
      terminal.print(VERSION);
      return EXIT.done;
    }
    const command = args.length === 0 ? (await import('./overview.ts')).command : await load(name);
    // After the mark that ends options comes a name, whatever it looks like.
    const options = rest.includes('--') ? rest.slice(0, rest.indexOf('--')) : rest;
    if (options.includes('--help') || options.includes('-h')) {
      terminal.print((await import('./help.ts')).commandHelp(name, command, options.includes('--all')));
      return EXIT.done;
    }
    const { words, values } = await parseLine(name, command, rest);
    const text = (option: string) => (typeof values[option] === 'string' ? (values[option] as string) : undefined);
    const bearings = openRooms({
      ...{ home: text('home'), workspaces: text('workspaces'), tastes: text('tastes') },
      variables,
      cwd: name === 'hook' ? folderEvenIfGone(variables) : undefined,
      onWarning: (warning) => terminal.warn(`bearings: ${warning}`),
    });
    const call: Call = {
      words,
      flag: (option) => values[option] === true,
      text,
      number: (option, min = 1, max = Number.MAX_SAFE_INTEGER) => {
        const written = text(option);
        if (written === undefined) return undefined;
        if (/^\d{1,15}$/.test(written) && Number(written) >= min && Number(written) <= max) return Number(written);
        const range = max === Number.MAX_SAFE_INTEGER ? '' : ` to ${max}`;
        const example = `For example: --${option} ${Math.min(max, 20)}`;
        throw invalidInput(`--${option} takes a whole number from ${min}${range}.`, example);
      },
      answer(data, lines, holds = true) {
        const shown = json ? JSON.stringify(data, null, 2) : lines();
        for (const line of [shown].flat()) terminal.print(json ? line : terminal.fold(line));
        return holds ? EXIT.done : EXIT.checkFailed;
      },
      list: (option) => (Array.isArray(values[option]) ? values[option] : []),
      json,
      terminal,
      bearings,
      commands: COMMANDS,
      openPage: (task, { port = 0, open = true, engine = null } = {}) =>
        surroundings.servePage(bearings, { port, open, write, engine, task }),
      runOther(others, changed) {
        terminal.release();
        return runCli(others, { ...surroundings, variables: { ...variables, ...changed } });
      },
    };
    return await command.run(call);
  } catch (error) {
    const code = await showError(error, { json, terminal, debug: variables.BEARINGS_DEBUG === '1' });
    // Any other code makes some client refuse the tool.
    return args[0] === 'hook' && !terminal.canAsk ? EXIT.done : code;
  } finally {
    terminal.release();
  }
}

// A client is answered in a folder that is gone too.
const folderEvenIfGone = ({ PWD }: Surroundings['variables']): string =>
  orNull(() => process.cwd()) ?? (PWD?.startsWith('/') ? PWD : '/');

async function load(name: string): Promise<Command> {
  const entry = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (entry) return (await entry.load()).command;
  const [option = ''] = name.replace(/^--/, '').split('=');
  if (name.startsWith('--') && Object.hasOwn(COMMON_OPTIONS, option))
    throw invalidInput(`--${option} comes after a command.`, 'For example: bearings read --json');
  if (name.startsWith('-')) throw invalidInput(`There is no option ${name}.`, 'See all commands: bearings --help');
  const { closest } = await import('../closest.ts');
  const near = closest(name, Object.keys(COMMANDS));
  throw invalidInput(
    `There is no command "${name}".`,
    near ? `Did you mean: bearings ${near}` : 'See all commands: bearings --help',
  );
}

// One sentence and what to do. Anything that is not ours is a defect: it says so, and shows no stack unless asked.
async function showError(error: unknown, to: { json: boolean; terminal: Terminal; debug: boolean }): Promise<number> {
  const { warn } = to.terminal;
  if (to.debug && error instanceof Error) warn(error.stack ?? '');
  const { code, message, hint, data } =
    error instanceof BearingsError
      ? error
      : {
          ...{ code: 'internal_error', message: 'Something went wrong inside bearings.', data: {} },
          hint: 'Run it again with BEARINGS_DEBUG=1 and report what you see.',
        };
  const { replaceHidden, showHidden } = await import('../safety/hidden-characters.ts');
  if (to.json)
    warn(replaceHidden(JSON.stringify({ error: { code, message, ...(hint ? { hint } : {}), ...data } }), asJsonEscape));
  else {
    // On a screen no word is cut at its edge: a path can be copied.
    const { wrap } = await import('./views/columns.ts');
    const room = (process.stderr.isTTY ? Math.min(to.terminal.columns, 100) : Number.POSITIVE_INFINITY) - INDENT.length;
    const rows = [message, hint ?? ''].filter(Boolean).flatMap((text) => wrap(showHidden(text), room));
    warn(rows.map((row, at) => `${at === 0 ? 'bearings: ' : INDENT}${row}`).join('\n'));
  }
  if (code === 'awaiting_person') return EXIT.awaitsPerson;
  return code === 'internal_error' || code === 'io_error' ? EXIT.checkFailed : EXIT.badUse;
}

const INDENT = ' '.repeat('bearings: '.length);

const asJsonEscape = (character: string) =>
  character.replace(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

type Values = Record<string, string | boolean | string[] | undefined>;

// The words and options of one command line; what the command does not know is bad use. Ours, because node's own parser
// takes longer to load than to read the line.
export async function parseLine(
  name: string,
  command: Command,
  args: readonly string[],
): Promise<{ words: string[]; values: Values }> {
  const options = optionsOf(command);
  const help = `See: bearings ${name} --help`;
  const words: string[] = [];
  const values: Values = {};
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] as string;
    if (arg === '--') {
      words.push(...args.slice(at + 1));
      break;
    }
    if (!isOptionLike(arg)) {
      words.push(arg);
      continue;
    }
    const [written = '', ...given] = arg.split('=');
    const key = written.startsWith('--') ? written.slice(2) : '';
    const option = Object.hasOwn(options, key) ? options[key] : undefined;
    if (!option) throw await unknownOption(written, Object.keys(options), help);
    if (option.type === 'boolean') {
      if (given.length > 0) throw invalidInput(`${written} takes no value.`, help);
      values[key] = true;
      continue;
    }
    const next = args[at + 1];
    const value = given.length > 0 ? given.join('=') : next;
    // A text with blanks in it is never an option, although it may begin like one: `--content "- a list item"`.
    if (value === undefined || (given.length === 0 && isOptionLike(value) && !/\s/.test(value))) {
      const meant = value === undefined ? '' : `, or ${written}=${value} if that is the value`;
      throw invalidInput(`${written} needs a value after it.`, `Write: ${written} ${option.value}${meant}. ${help}`);
    }
    if (given.length === 0) at += 1;
    const before = values[key];
    values[key] = option.multiple ? [...(Array.isArray(before) ? before : []), value] : value;
  }
  if (words.length > command.maxWords)
    throw invalidInput(`"${words[command.maxWords]}" is one argument too many.`, help);
  return { words, values };
}

function isOptionLike(arg: string): boolean {
  return arg.length > 1 && arg.startsWith('-');
}

async function unknownOption(written: string, known: readonly string[], help: string): Promise<Error> {
  const { closest } = await import('../closest.ts');
  const near = closest(written.replace(/^-+/, ''), known);
  return invalidInput(`There is no option ${written}.`, near ? `Did you mean: --${near}` : help);
}
