import { invalidInput } from '../errors.ts';
import { type Command, optionsOf } from './command.ts';

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
    if (value === undefined || (given.length === 0 && isOptionLike(value) && !/\s/.test(value)))
      throw missingValue(written, option.value, { next: value, help });
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

function missingValue(
  written: string,
  placeholder = 'VALUE',
  { next, help }: { next: string | undefined; help: string },
): Error {
  const meant = next === undefined ? '' : `, or ${written}=${next} if that is the value`;
  return invalidInput(`${written} needs a value after it.`, `Write: ${written} ${placeholder}${meant}. ${help}`);
}

async function unknownOption(written: string, known: readonly string[], help: string): Promise<Error> {
  const { closest } = await import('../closest.ts');
  const near = closest(written.replace(/^-+/, ''), known);
  return invalidInput(`There is no option ${written}.`, near ? `Did you mean: --${near}` : help);
}
