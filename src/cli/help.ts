import { type Command, type Option, optionsOf } from './command.ts';
import { COMMANDS } from './commands.ts';
import { wrap } from './views/columns.ts';

const WIDTH = 80;

/** What someone who sees them for the first time looks for: by what they are for, not by letter. */
export const GROUPS: readonly [string, readonly string[]][] = [
  ['See it first', ['demo']],
  [
    'Memory: what an agent knows from the start, and what you say yes to',
    ['init', 'read', 'review', 'ui', 'brief', 'notes', 'tastes', 'edit', 'propose', 'proposals', 'blame', 'search'],
  ],
  [
    '',
    [
      'history',
      'undo',
      'restore',
      'erase',
      'sessions',
      'replay',
      'why',
      'gaps',
      'verify',
      'import',
      'export',
      'workspaces',
    ],
  ],
  [
    'A project: which files an agent should see for a task',
    ['load', 'explain', 'match', 'eval', 'drift', 'diff', 'receipt', 'policy', 'index'],
  ],
  ['Tasks of several steps', ['check', 'run', 'runs', 'worker']],
  ['Set up', ['install', 'mcp', 'config', 'key', 'doctor', 'completion']],
];

export function generalHelp(version: string): string {
  const width = Math.max(...Object.keys(COMMANDS).map((name) => name.length));
  const group = ([title, names]: (typeof GROUPS)[number]): string[] => [
    ...(title === '' ? [] : ['', title]),
    ...names.map((name) => `  ${name.padEnd(width)}  ${COMMANDS[name]?.summary}`),
  ];
  return [
    `bearings ${version}: gives an AI agent its bearings in one call, and lets nothing`,
    "into lasting memory without a person's yes.",
    '',
    'Usage: bearings COMMAND [options]',
    ...GROUPS.flatMap(group),
    '',
    'First steps',
    '  bearings demo            see it work on a sample; nothing of yours is touched',
    '  bearings init NAME       make a workspace (in a repository: without NAME)',
    '  bearings read NAME       see what an agent gets',
    '  bearings install         set up Claude Code, Cursor, VS Code and others',
    '',
    'Help on one command: bearings COMMAND --help',
  ].join('\n');
}

export function commandHelp(name: string, command: Command): string {
  return [
    ...wrap(`bearings ${name}: ${command.summary}`, WIDTH),
    '',
    'Usage',
    ...command.usage.flatMap((line) => hanging(line, 2, 6)),
    ...(command.details ? ['', ...paragraphs(command.details).flatMap((text) => wrap(text, WIDTH))] : []),
    '',
    'Options',
    ...optionLines(optionsOf(command)),
    '',
    'Examples',
    ...command.examples.flatMap(exampleLines),
  ].join('\n');
}

// A line that does not end a sentence goes on in the next one.
function paragraphs(lines: readonly string[]): string[] {
  const out: string[] = [];
  for (const line of lines) {
    const before = out.at(-1);
    if (before === undefined || /[.?!]$/.test(before)) out.push(line);
    else out[out.length - 1] = `${before} ${line}`;
  }
  return out;
}

function hanging(text: string, first: number, rest: number): string[] {
  return wrap(text, WIDTH - rest).map((line, at) => `${' '.repeat(at === 0 ? first : rest)}${line}`);
}

function optionLines(options: Record<string, Option>): string[] {
  const rows = Object.entries(options).map(
    ([name, { value, about }]) => [value ? `--${name} ${value}` : `--${name}`, about] as const,
  );
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.flatMap(([left, about]) =>
    wrap(about, WIDTH - width - 4).map((line, at) => `  ${(at === 0 ? left : '').padEnd(width)}  ${line}`),
  );
}

function exampleLines({ line, about }: Command['examples'][number]): string[] {
  const beside = `  ${line.padEnd(38)}  ${about}`;
  return beside.length <= WIDTH ? [beside] : [`  ${line}`, ...hanging(about, 6, 6)];
}
