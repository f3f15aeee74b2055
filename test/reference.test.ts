import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { COMMON_OPTIONS, type Option } from '../src/cli/command.ts';
import { COMMANDS } from '../src/cli/commands.ts';
import { CONFIG_KEYS, type ConfigKey } from '../src/config/keys.ts';
import { TOOLS } from '../src/mcp/server.ts';
import type { Tool } from '../src/mcp/tool.ts';

// The reference is written from the source (`npm run reference`), so it can't say what is no longer true.
const NOTE = '<!-- Written by `npm run reference` from the source; edit there. -->';

describe('the reference', () => {
  it('tells every command, its options and examples', async () => {
    const parts = await Promise.all(Object.keys(COMMANDS).map(commandPart));
    const page = [
      '# Commands',
      NOTE,
      [
        'Every command takes the common options. Exit codes: 0 done, 1 the check failed, 2 bad use, 3 waits for a person.',
        'Data for programs comes with `--json`; `bearings COMMAND --help` says the same as this page.',
      ].join('\n'),
      Object.keys(COMMANDS)
        .map((name) => `[${name}](#bearings-${name})`)
        .join(' · '),
      ...parts,
      '## Common options',
      optionTable(COMMON_OPTIONS),
    ];
    await expect(`${page.join('\n\n')}\n`).toMatchFileSnapshot('../docs/reference/commands.md');
  });

  it('tells every tool and its fields', async () => {
    const page = ['# Tools of the MCP server', NOTE, ...TOOLS.map(toolPart)];
    await expect(`${page.join('\n\n')}\n`).toMatchFileSnapshot('../docs/reference/tools.md');
  });

  it('tells every setting, its default and where it may stand', async () => {
    const page = [
      '# Settings',
      NOTE,
      [
        'Order: option, variable, project (`.bearings/config.yaml`), home (`<home>/config.yaml`), default.',
        '`bearings config show` prints each value and where it came from; `bearings config check` checks both files.',
        'A project may set only what is marked: nothing that runs a program, names an address or touches the gate.',
      ].join('\n'),
      table(
        ['setting', 'what it is', 'kind', 'default', 'variables', 'in a project file'],
        CONFIG_KEYS.map(settingRow),
      ),
    ];
    await expect(`${page.join('\n\n')}\n`).toMatchFileSnapshot('../docs/reference/settings.md');
  });
});

async function commandPart(name: string): Promise<string> {
  const { command } = await (COMMANDS[name] as (typeof COMMANDS)[string]).load();
  const examples = command.examples.map(({ line, about }) => `${line.padEnd(46)}  # ${about}`);
  return [
    `## bearings ${name}`,
    `${sentence(command.summary)}${command.details ? `\n\n${command.details.map(escaped).join('\n')}` : ''}`,
    fenced(command.usage),
    ...(Object.keys(command.options).length > 0 ? [optionTable(command.options)] : []),
    'For example:',
    fenced(examples),
  ].join('\n\n');
}

function optionTable(options: Record<string, Option>): string {
  const rows = Object.entries(options).map(([name, { value, about, multiple }]) => [
    `\`--${name}${value ? ` ${value}` : ''}\``,
    `${escaped(about)}${multiple ? '; may be given more than once' : ''}`,
  ]);
  return table(['option', 'what it does'], rows);
}

function toolPart(tool: Tool): string {
  const fields = (schema: z.ZodObject): string[][] =>
    fieldRows(z.toJSONSchema(schema, { unrepresentable: 'any' }) as Shape, '');
  const heads = ['field', 'kind', 'given', 'what it is'];
  const asked = fields(tool.input);
  return [
    `## ${tool.name}`,
    `${escaped(tool.description)} ${tool.readOnly ? 'It only reads.' : 'It writes.'}`,
    asked.length > 0 ? `Takes:\n\n${table(heads, asked)}` : 'Takes nothing.',
    `Answers:\n\n${table(heads, fields(tool.output))}`,
  ].join('\n\n');
}

// Fields inside fields by their full name: `tastes.default`, `recent_log[].op`.
function fieldRows({ properties = {}, required = [] }: Shape, before: string): string[][] {
  return Object.entries(properties).flatMap(([name, shape]) => {
    const whole = `${before}${name}`;
    const given = required.includes(name) ? 'always' : 'optional';
    const row = [`\`${whole}\``, shapeOf(shape), given, escaped(shape.description ?? '')];
    const inner = shape.properties ? fieldRows(shape, `${whole}.`) : [];
    const listed = shape.items?.properties ? fieldRows(shape.items, `${whole}[].`) : [];
    return [row, ...inner, ...listed];
  });
}

interface Shape {
  properties?: Record<string, Shape>;
  required?: string[];
  type?: string | string[];
  description?: string;
  enum?: unknown[];
  const?: unknown;
  items?: Shape;
  anyOf?: Shape[];
  maxLength?: number;
  minimum?: number;
  maximum?: number;
}

function shapeOf(shape: Shape): string {
  if (shape.const !== undefined) return `\`${JSON.stringify(shape.const)}\``;
  if (shape.enum) return shape.enum.map((value) => `\`${JSON.stringify(value)}\``).join(', ');
  if (shape.anyOf) return shape.anyOf.map(shapeOf).join(' or ');
  if (shape.type === 'array') return `list of ${shape.items ? shapeOf(shape.items) : 'anything'}`;
  const kind = [shape.type ?? 'anything'].flat().join(' or ');
  return shape.maxLength === undefined ? kind : `${kind}, at most ${shape.maxLength.toLocaleString('en')}`;
}

function settingRow(key: ConfigKey): string[] {
  const range = key.min === undefined ? '' : `, ${key.min} to ${key.max}`;
  return [
    `\`${key.name}\``,
    escaped(key.about),
    key.choices
      ? key.choices.map((choice) => `\`${choice}\``).join(' or ')
      : `${key.kind.replaceAll('_', ' ')}${range}`,
    key.fallback === null ? 'in the home folder' : key.fallback === '' ? 'none' : `\`${key.fallback}\``,
    key.variables.map((name) => `\`${name}\``).join(', ') || 'none',
    key.allowedInProject ? 'yes' : 'no',
  ];
}

const table = (heads: string[], rows: string[][]): string =>
  [heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

const fenced = (lines: readonly string[]): string => ['```text', ...lines, '```'].join('\n');

const escaped = (text: string): string => text.replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('\n', ' ');

const sentence = (text: string): string => {
  const whole = escaped(text);
  const mark = /[.?!]$/.test(whole) ? '' : '.';
  return `${whole.slice(0, 1).toUpperCase()}${whole.slice(1)}${mark}`;
};
