import { parseArgs } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { effort } from '../../test/support/effort.ts';
import { COMMON_OPTIONS, type Command } from './command.ts';
import { parseLine } from './run.ts';

const command: Command = {
  usage: 'load',
  about: '',
  examples: [],
  maxWords: 3,
  options: {
    task: { type: 'string', value: 'TEXT', about: '' },
    adapter: { type: 'string', value: 'NAME', about: '', multiple: true },
    redact: { type: 'boolean', about: '' },
  },
  run: async () => 0,
} as unknown as Command;

const line = fc.array(
  fc.constantFrom(
    ...['--task', '--adapter', '--redact', '--json', '--task=', '--task=a=b', '--adapter=x', '--redact=no', '--', '-'],
    ...['--unknown', '-x', '--task=-y', 'word', '', 'a=b', '--=x', '--__proto__', '--toString'],
  ),
  { maxLength: 7 },
);

// What the platform's own parser makes of the same line.
function expected(args: string[]) {
  const options = Object.fromEntries(
    Object.entries({ ...command.options, ...COMMON_OPTIONS }).map(([key, { type, multiple = false }]) => [
      key,
      { type, multiple },
    ]),
  );
  try {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true, strict: true });
    return positionals.length > command.maxWords ? 'bad use' : { words: positionals, values: { ...values } };
  } catch {
    return 'bad use';
  }
}

describe('the command line', () => {
  it('M31 is read as the platform reads it', async () => {
    await fc.assert(
      fc.asyncProperty(line, async (args) => {
        const read = await parseLine('load', command, args).catch(({ code }) => code);
        expect(read === 'invalid_input' ? 'bad use' : read).toEqual(expected(args));
      }),
      { numRuns: effort(3000) },
    );
  });

  it('M31 a text with blanks is never an option', async () => {
    const { values } = await parseLine('load', command, [
      '--task',
      '- a list item',
      '--adapter',
      'a',
      '--adapter',
      'b',
    ]);
    expect(values).toEqual({ task: '- a list item', adapter: ['a', 'b'] });
  });

  it.each([
    [['--tsk', 'x'], 'There is no option --tsk.', 'Did you mean: --task'],
    [['--task'], '--task needs a value after it.', 'Write: --task TEXT. See: bearings load --help'],
    [
      ['--task', '-foo'],
      '--task needs a value after it.',
      'Write: --task TEXT, or --task=-foo if that is the value. See: bearings load --help',
    ],
    [['--json=1'], '--json takes no value.', 'See: bearings load --help'],
    [['a', 'b', 'c', 'd'], '"d" is one argument too many.', 'See: bearings load --help'],
  ])('M31 %j: one sentence and what to do', async (args, message, hint) => {
    await expect(parseLine('load', command, args)).rejects.toMatchObject({ code: 'invalid_input', message, hint });
  });
});
