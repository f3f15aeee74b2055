import { COMMON_OPTIONS, type Command, type Option } from './command.ts';
import { COMMANDS } from './commands.ts';

export function generalHelp(version: string): string {
  const names = Object.keys(COMMANDS);
  const width = Math.max(...names.map((name) => name.length));
  return [
    `bearings ${version}: gives an AI agent its bearings in one call, and lets nothing into`,
    "lasting memory without a person's yes.",
    '',
    'Usage',
    '  bearings COMMAND [options]',
    '',
    'Commands',
    ...names.map((name) => `  ${name.padEnd(width)}  ${COMMANDS[name]?.summary}`),
    '',
    'First steps',
    '  bearings demo            see it work on a sample',
    '  bearings init            make a workspace in this repository',
    '  bearings read            see what an agent gets',
    '',
    'Help on one command: bearings COMMAND --help',
  ].join('\n');
}

export function commandHelp(name: string, command: Command): string {
  return [
    `bearings ${name}: ${command.summary}`,
    '',
    'Usage',
    ...command.usage.map((line) => `  ${line}`),
    ...(command.details ? ['', ...command.details] : []),
    '',
    'Options',
    ...optionLines({ ...command.options, ...COMMON_OPTIONS }),
    '',
    'Examples',
    ...command.examples.map(({ line, about }) => `  ${line.padEnd(38)}  ${about}`),
  ].join('\n');
}

function optionLines(options: Record<string, Option>): string[] {
  const rows = Object.entries(options).map(
    ([name, { value, about }]) => [value ? `--${name} ${value}` : `--${name}`, about] as const,
  );
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, about]) => `  ${left.padEnd(width)}  ${about}`);
}
