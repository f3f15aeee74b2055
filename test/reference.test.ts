import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { COMMON_OPTIONS, type Option } from '../src/cli/command.ts';
import { COMMANDS } from '../src/cli/commands.ts';
import { TOOLS } from '../src/mcp/server.ts';
import type { Tool } from '../src/mcp/tool.ts';
import { readModels } from '../src/settings/models.ts';
import { CONFIG_KEYS, type ConfigKey } from '../src/settings/resolve.ts';
import type { LocatedNode } from '../src/settings/tree-reader.ts';
import { escaped, fenced, NOTE, sentence, table } from './reference/markdown.ts';
import { filesPage, policyPage, templatePage } from './reference/pages.ts';

// The reference is written from the source (`npm run reference`), so it can't say what is no longer true.
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

  it('tells every setting, its default and where it may be set', async () => {
    const page = [
      '# Settings',
      NOTE,
      [
        'Order: option, variable, project (`.bearings/config.yaml`), home (`<home>/config.yaml`), default.',
        '`bearings config list` prints each value and where it came from; `bearings config check` checks both files.',
        'A project may set only what is marked: nothing that runs a program, names an address or touches the gate.',
      ].join('\n'),
      table(
        ['setting', 'what it is', 'kind', 'default', 'variables', 'in a project file'],
        CONFIG_KEYS.map(settingRow),
      ),
      '## Models',
      'Under `models` in the home’s file, one name each: `extract` and `command` are taken. The key itself is never in a file.',
      table(['field', 'what it is'], modelRows()),
    ];
    await expect(`${page.join('\n\n')}\n`).toMatchFileSnapshot('../docs/reference/settings.md');
  });

  it('L2 tells every key that the reader of policies knows', async () => {
    const { text, missing, needless } = policyPage();
    expect({ missing, needless }).toEqual({ missing: [], needless: [] });
    await expect(text).toMatchFileSnapshot('../docs/reference/policy.md');
  });

  it('T1 tells every element and attribute of a template', async () => {
    await expect(templatePage()).toMatchFileSnapshot('../docs/reference/template.md');
  });

  it('M2 tells every form of file and every field that its type has', async () => {
    const { text, missing, needless } = filesPage();
    expect({ missing, needless }).toEqual({ missing: [], needless: [] });
    await expect(text).toMatchFileSnapshot('../docs/reference/files.md');
  });
});

async function commandPart(name: string): Promise<string> {
  const { load, summary } = COMMANDS[name] as (typeof COMMANDS)[string];
  const { command } = await load();
  const examples = command.examples.map(({ line, about }) => `${line.padEnd(46)}  # ${about}`);
  return [
    `## bearings ${name}`,
    `${[sentence(summary), ...command.details.map(escaped)].join('\n\n')}`,
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

const MODEL_WORDS: Readonly<Record<string, string>> = {
  provider: 'always: `anthropic`, `openai` or `openai-compatible` (Ollama, vLLM, LM Studio and the like)',
  model: 'always: the name that the provider knows it by',
  base_url: 'where it is; `openai-compatible` needs it. With a key it must be https, or this machine',
  key_variable: 'variable that holds the key; default `ANTHROPIC_API_KEY` or `OPENAI_API_KEY`, none with a `base_url`',
  timeout_seconds: 'for one answer, 1 to 3,600; default 300',
  max_turns: 'questions to it in one step of a run, at most',
  max_context_tokens: 'tokens of a question with its context, at most',
  max_output_tokens: 'tokens of an answer, at most',
};

// The reader names the fields it knows when it meets one that it does not.
function modelRows(): string[][] {
  const at = { line: 1, column: 1 };
  const under = (key: string, value: LocatedNode): LocatedNode => ({
    kind: 'map',
    entries: [{ key, value, ...at }],
    ...at,
  });
  const { problems } = readModels(under('m', under('no-such-field', { kind: 'scalar', value: 1, ...at })));
  const known = /known: (.*)$/.exec(problems[0]?.message ?? '')?.[1]?.split(', ') ?? [];
  expect(Object.keys(MODEL_WORDS)).toEqual(known);
  return known.map((name) => [`\`${name}\``, MODEL_WORDS[name] ?? '']);
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
