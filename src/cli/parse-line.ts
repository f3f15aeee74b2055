import { parseArgs } from 'node:util';
import { BearingsError, invalidInput } from '../errors.ts';
import { COMMON_OPTIONS, type Command } from './command.ts';

// The words and options of one command line; what the command does not know is bad use.
export async function parseLine(name: string, command: Command, args: string[]) {
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
    if (!unknown) throw invalidInput(`${firstSentence(said)}.`, `See: bearings ${name} --help`);
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

function firstSentence(message: string): string {
  return (message.split(/[.\n]/)[0] ?? message).trim();
}
