import { ELEMENTS, type ElementShape } from '../../src/tasks/template/shape.ts';
import type { FileForm } from './form.ts';
import { GATE_FORMS } from './gate-forms.ts';
import { LOADER_FORMS } from './loader-forms.ts';
import { escaped, NOTE, table } from './markdown.ts';
import { MEMORY_FORMS } from './memory-forms.ts';
import { policyKeys } from './policy-keys.ts';
import { POLICY_WORDS } from './policy-words.ts';
import { TASK_FORMS } from './task-forms.ts';
import { type TypeField, type TypeShape, typeReader } from './type-fields.ts';

const PARTS: readonly [string, readonly FileForm[]][] = [
  ['Memory', MEMORY_FORMS],
  ['The gate and the home', GATE_FORMS],
  ['The loader', LOADER_FORMS],
  ['Tasks', TASK_FORMS],
];
export const FORMS: readonly FileForm[] = PARTS.flatMap(([, forms]) => forms);

/** A page, and what it should tell but can't: keys without words, words without a key. */
export interface Page {
  text: string;
  missing: string[];
  needless: string[];
}

export function filesPage(): Page {
  const read = typeReader(FORMS.flatMap(({ type }) => type ?? []));
  const told = FORMS.map((form) => ({ form, ...toldFields(form, form.type ? read(form.type) : []) }));
  const part = ([title, forms]: (typeof PARTS)[number]): string[] => [
    `## ${title}`,
    ...told.filter(({ form }) => forms.includes(form)).map(({ form, rows, tagged }) => formPart(form, rows, tagged)),
  ];
  const overview = FORMS.map(({ title, places }) => [
    `[${title}](#${title.toLowerCase().replaceAll(' ', '-')})`,
    places.map((place) => (place.includes(' ') ? place : `\`${place}\``)).join(', '),
  ]);
  const text = [
    '# Files',
    NOTE,
    [
      'Everything is a plain file. `<home>` is `BEARINGS_HOME`, else `~/.bearings`; `<workspace>` is `<home>/workspaces/ID`, or',
      '`<repository>/.bearings`; `<cache>` is derived and may be deleted. JSON is UTF-8; `.jsonl` is one object a line, and a line',
      'that a crash cut short is ignored. Times are ISO 8601 in UTC. A `version` tells a later form from this one.',
    ].join('\n'),
    table(['form', 'where it lies'], overview),
    ...PARTS.flatMap(part),
  ].join('\n\n');
  return {
    text: `${text}\n`,
    missing: told.flatMap((one) => one.missing),
    needless: told.flatMap((one) => one.needless),
  };
}

function toldFields(form: FileForm, shapes: readonly TypeShape[]) {
  const words = form.words ?? {};
  const about = ({ path, about }: TypeField): string => words[path] ?? about;
  const all = shapes.map(({ tag, fields }) => ({ tag, fields: folded(form, fields) }));
  const tagged = all.some(({ tag }) => tag !== null);
  const rows = all.flatMap(({ tag, fields }) =>
    fields
      .filter(({ path }) => !tagged || path !== form.type?.tag)
      .map((field) => [
        ...(tagged ? [`\`${tag}\``] : []),
        `\`${field.path}\``,
        field.kind,
        field.optional ? 'optional' : 'always',
        escaped(about(field)),
      ]),
  );
  const extra = Object.entries(form.extra ?? {}).map(([name, meaning]) => [
    ...(tagged ? ['all'] : []),
    `\`${name}\``,
    'text',
    'always',
    escaped(meaning),
  ]);
  const known = new Set(all.flatMap(({ fields }) => fields.map(({ path }) => path)));
  return {
    rows: [...extra, ...rows],
    tagged,
    missing: all.flatMap(({ fields }) =>
      fields.filter((field) => about(field) === '').map(({ path }) => `${form.title}: ${path}`),
    ),
    needless: Object.keys(words)
      .filter((path) => !known.has(path))
      .map((path) => `${form.title}: ${path}`),
  };
}

function folded({ fold = [] }: FileForm, fields: readonly TypeField[]): TypeField[] {
  const renamed = fields.map((field) => ({
    ...field,
    path: fold.reduce((path, [pattern, to]) => path.replace(pattern, to), field.path),
  }));
  const first = new Map<string, TypeField>();
  for (const field of renamed) if (field.path !== '' && !first.has(field.path)) first.set(field.path, field);
  return [...first.values()];
}

function formPart(form: FileForm, rows: string[][], tagged: boolean): string {
  const facts = [
    `- **Lies at** ${form.places.map((place) => (place.includes(' ') ? place : `\`${place}\``)).join(', ')}`,
    `- **Written by** ${lower(form.writes)}`,
    `- **By hand** ${lower(form.byHand)}`,
    `- **Version** ${lower(form.version)}`,
  ];
  const heads = [...(tagged ? [`\`${form.type?.tag}\``] : []), 'field', 'kind', 'given', 'what it is'];
  return [
    `### ${form.title}`,
    form.what,
    facts.join('\n'),
    ...(rows.length > 0 ? [table(heads, rows)] : []),
    ...(form.more ?? []),
    ...(form.example ? [['```' + form.example.language, ...form.example.lines, '```'].join('\n')] : []),
  ].join('\n\n');
}

const lower = (text: string): string =>
  `${/^(?:Bearings|[A-Z]{2})/.test(text) ? text[0] : text.slice(0, 1).toLowerCase()}${text.slice(1)}`;

export function policyPage(): Page {
  const keys = policyKeys();
  const tops = keys.filter(({ path }) => !/[.[]/.test(path));
  const row = ({ path, kind }: (typeof keys)[number]): string[] => [
    `\`${path}\``,
    escaped(kind),
    escaped(POLICY_WORDS[path] ?? ''),
  ];
  const parts = tops.flatMap((top) => {
    const inner = keys.filter(({ path }) => path.startsWith(`${top.path}.`) || path.startsWith(`${top.path}[]`));
    return inner.length === 0
      ? []
      : [`## ${top.path}`, `${POLICY_WORDS[top.path] ?? ''}.`, table(['key', 'may be', 'what it is'], inner.map(row))];
  });
  const text = [
    '# Policy keys',
    NOTE,
    [
      'Every key of `.bearings/policy.yaml`, from its reader. [The loader](../loader.md#policies) tells how they work together.',
      '`bearings policy check` names an unknown key or a wrong value with line and column; `bearings policy show` prints what is in force.',
    ].join('\n'),
    table(['key', 'may be', 'what it is'], tops.map(row)),
    ...parts,
  ].join('\n\n');
  return {
    text: `${text}\n`,
    missing: keys.filter(({ path }) => !POLICY_WORDS[path]).map(({ path }) => path),
    needless: Object.keys(POLICY_WORDS).filter((path) => !keys.some((key) => key.path === path)),
  };
}

// Of a task template: from the one table that parser and schemas follow.
export function templatePage(): string {
  const part = ([name, shape]: [string, ElementShape]): string[] => {
    const attributes = Object.entries(shape.attributes).map(([key, { about, required, choices, range, only }]) => [
      `\`${key}\``,
      choices
        ? choices.map((choice) => `\`${choice}\``).join(', ')
        : range
          ? `whole number, ${range[0]} to ${range[1]}`
          : 'text',
      required ? 'always' : 'optional',
      `${escaped(about)}${only ? `; only of a ${only}` : ''}`,
    ]);
    const { only } = shape;
    const holds = shape.children.map((child) => `[\`${child}\`](#${child})`).join(', ');
    const text =
      shape.text === 'free'
        ? 'Its text is its meaning.'
        : shape.text
          ? `One of ${shape.text.map((word) => `\`${word}\``).join(', ')}.`
          : '';
    return [
      `## ${name}`,
      [
        `${escaped(shape.about).replace(/^./, (first) => first.toUpperCase())}.`,
        only ? `Only of a task of type ${only.map((type) => `\`${type}\``).join(' or ')}.` : '',
        text,
        holds ? `Holds ${shape.many ? 'any number of ' : ''}${holds}.` : '',
      ]
        .filter((one) => one !== '')
        .join(' '),
      ...(attributes.length > 0 ? [table(['attribute', 'may be', 'given', 'what it is'], attributes)] : []),
    ];
  };
  const text = [
    '# Task template',
    NOTE,
    [
      'Every element and attribute of a template. In XML they are written as such; in JSON each is a key of the task’s object,',
      '`inputs` and `steps` are lists, an input is `{"name": …, "default": …}`, and an extra `$schema` is allowed. [Tasks](../tasks.md)',
      'tells what they do and which settings hold where nothing is written.',
    ].join('\n'),
    ...Object.entries(ELEMENTS).flatMap(part),
  ].join('\n\n');
  return `${text}\n`;
}
