import { COMMON_OPTIONS, type Command, type Option } from './command.ts';
import { COMMANDS } from './commands.ts';
import { wrap } from './views/columns.ts';

const WIDTH = 80;
// Of a terminal's 24, one is for the next prompt.
const MOST_ROWS = 23;

/** What a person meets first, in the order in which they meet it. */
export const FIRST = ['demo', 'init', 'install', 'learn', 'read', 'review', 'edit', 'load', 'ui', 'doctor'];

/** The others by what they are for, not by letter. */
export const GROUPS: readonly [string, readonly string[]][] = [
  ['The first ten', FIRST],
  [
    'Memory: what an agent knows from the start, and what you say yes to',
    ['show', 'propose', 'search', 'history', 'undo', 'erase', 'why', 'sessions', 'export', 'workspaces', 'verify'],
  ],
  ['A project: which files an agent should see for a task', ['match', 'explain', 'eval', 'drift', 'policy']],
  ['Tasks of several steps', ['check', 'run', 'runs']],
  ['Set up', ['mcp', 'hook', 'config']],
];

export function generalHelp(version: string, all: boolean): string {
  const width = Math.max(...Object.keys(COMMANDS).map((name) => name.length));
  const lines = (names: readonly string[]) =>
    names.map((name) => `  ${name.padEnd(width)}  ${COMMANDS[name]?.summary}`);
  return [
    `bearings ${version}: gives an AI agent its bearings in one call, and lets nothing`,
    "into lasting memory without a person's yes.",
    '',
    'Usage: bearings COMMAND [options]',
    ...(all
      ? [...GROUPS.flatMap(([title, names]) => ['', title, ...lines(names)]), '', 'Options of every command']
      : ['', ...lines(FIRST), '']),
    ...(all
      ? [...optionLines(COMMON_OPTIONS).flat(), '']
      : [
          `The other ${Object.keys(COMMANDS).length - FIRST.length} commands, and common options: bearings --help --all`,
        ]),
    'Help on one command: bearings COMMAND --help',
  ].join('\n');
}

/** One screen: what is longer ends with how to see all of it. */
export function commandHelp(name: string, { usage, details, options, examples }: Command, all: boolean): string {
  const about = [
    ...wrap(`bearings ${name}: ${COMMANDS[name]?.summary}`, WIDTH),
    '',
    'Usage',
    ...usage.flatMap((line) => hanging(line, 2, 6)),
  ];
  const optionRows = optionLines(options);
  const exampleRows = examples.map(({ line, about }) => {
    const beside = `  ${line.padEnd(38)}  ${about}`;
    return beside.length <= WIDTH ? [beside] : [`  ${line}`, ...hanging(about, 6, 6)];
  });
  const page = (texts: string[], someOptions: string[][], someExamples: string[][], end: string) => [
    ...about,
    ...[...texts.flatMap((text) => ['', ...wrap(text, WIDTH)]), ''],
    ...(someOptions.length > 0 ? ['Options', ...someOptions.flat(), ''] : []),
    ...['Examples', ...someExamples.flat(), '', end],
  ];
  const whole = page(details, optionRows, exampleRows, 'Options of every command: bearings --help --all');
  if (all || whole.length <= MOST_ROWS) return whole.join('\n');
  const brief = (count: number) =>
    page(
      details.slice(0, 1).map((text) => text.split(/(?<=\.) /)[0] ?? text),
      optionRows.slice(0, count),
      exampleRows.slice(0, 2),
      `The rest: bearings ${name} --help --all`,
    );
  let count = optionRows.length;
  while (count > 0 && brief(count).length > MOST_ROWS) count -= 1;
  return brief(count).join('\n');
}

function hanging(text: string, first: number, rest: number): string[] {
  return wrap(text, WIDTH - rest).map((line, at) => `${' '.repeat(at === 0 ? first : rest)}${line}`);
}

/** The rows of each. */
function optionLines(options: Record<string, Option>): string[][] {
  const rows = Object.entries(options).map(
    ([name, { value, about }]) => [value ? `--${name} ${value}` : `--${name}`, about] as const,
  );
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, about]) =>
    wrap(about, WIDTH - width - 4).map((line, at) => `  ${(at === 0 ? left : '').padEnd(width)}  ${line}`),
  );
}
