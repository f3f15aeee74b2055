import { splitLines } from '../../../src/code-points.ts';
import { parseGlob } from '../../../src/project/pattern.ts';
import { splitNotes } from '../../../src/tasks/operators/atomic.ts';
import { readSchema, whyNotFitting } from '../../../src/tasks/template/output-format.ts';
import { defineTask, parseTask } from '../../../src/tasks/template/parse-task.ts';
import { fillPlaceholders, placeholdersIn } from '../../../src/tasks/template/template.ts';
import { type FuzzTarget, hold, holdPlain, onlyOurErrors, same } from '../target.ts';

const XML = `<task type="sequential"><description>d</description>
  <context_management><inherit_context>none</inherit_context><accumulate_data>true</accumulate_data></context_management>
  <steps><task type="atomic"><description>a {{x}}</description><inputs><input name="x">1</input></inputs></task></steps></task>`;
const JSON_TASK = JSON.stringify({
  type: 'reduce',
  description: 'd',
  inputs: [{ name: 'list' }],
  inner_task: { description: 'i', prompt: '{{item}}' },
  reduction_task: { description: 'r', output_format: { type: 'json', schema: 'object' } },
  fan_in: 3,
});

function holdParsed(bytes: Buffer): void {
  for (const strict of [false, true]) {
    const { task, problems } = parseTask(bytes, { strict });
    const errors = problems.filter(({ severity }) => severity === 'error');
    hold((task === null) === errors.length > 0, 'a task, or errors that say why not');
    const lines = splitLines(bytes.toString('utf8')).length + 1;
    for (const { line, column, message, hint } of problems) {
      hold(line >= 1 && line <= lines && column >= 1, 'a problem has a place of the text');
      holdPlain(`${message} ${hint}`);
      hold(message.length <= 500, 'a problem is told shortly');
    }
    hold(problems.length <= 1_001, 'problems are bounded');
    same(parseTask(bytes, { strict }), { task, problems }, 'the same text gives the same task');
  }
}

const xml: FuzzTarget = {
  name: 'task-xml',
  words: [
    ...[
      '<task type="atomic">',
      '</task>',
      '<description>',
      '<steps>',
      '<inputs><input name="x"/></inputs>',
      '<inner_task>',
      '<reduction_task>',
      '<context_management>',
    ],
    ...[
      '<!DOCTYPE t [<!ENTITY a "b">]>',
      '&a;',
      '&amp;',
      '&#0;',
      '&#x1f;',
      '<![CDATA[',
      ']]>',
      '<!--',
      '-->',
      '<?xml version="1.0"?>',
      'xmlns="u"',
      '<output_format type="json"',
      'over="list"',
      '{{x}}',
    ],
  ],
  seeds: [
    XML,
    '<task type="reduce"><description>d</description><inputs><input name="l"/></inputs><inner_task type="atomic"><description>i</description></inner_task><reduction_task type="atomic"><description>r</description></reduction_task></task>',
  ],
  run: holdParsed,
};

const json: FuzzTarget = {
  name: 'task-json',
  words: [
    '"type":"atomic"',
    '"steps":[',
    '"description":"',
    '"inner_task":{',
    '"output_format":{"type":"json"',
    '"schema":',
    '"inputs":[{"name":"x"}]',
    '"context_management":{',
    '"inherit_context":"subset"',
    '__proto__',
    '{',
    '[',
    '\\u',
    '1e999',
  ],
  seeds: [JSON_TASK, '{"type":"atomic","description":"d"}', '{"type":"atomic","description":"d","type":"atomic"}'],
  async run(bytes) {
    holdParsed(bytes);
    let value: unknown;
    try {
      value = JSON.parse(bytes.toString('utf8'));
    } catch {
      return;
    }
    await onlyOurErrors(() => defineTask(value as never));
  },
};

const answers: FuzzTarget = {
  name: 'answers',
  words: [
    '<notes>',
    '</notes>',
    '{{',
    '}}',
    '{{item.a}}',
    '"type":"object"',
    '"required":["a"]',
    '"properties":{',
    '"items":{"type":"string"}',
    '"enum":[',
    '{"',
    'null',
  ],
  seeds: [
    'text <notes>short</notes>',
    '{"type":"object","properties":{"a":{"type":"array","items":{"type":"number"}}},"required":["a"]}',
    '{{a}} {{b.c}}',
  ],
  run(bytes) {
    const text = bytes.toString('utf8');
    const { content, notes } = splitNotes(text, 'm');
    hold(content.length <= text.length, 'the answer is part of the text');
    hold(JSON.stringify(notes).length <= text.length * 7 + 2_000, 'notes stay in proportion');
    for (const name of placeholdersIn(text)) hold(text.includes(name), 'a placeholder is in the text');
    same(fillPlaceholders(text, (name) => `{{${name}}}`).length >= 0, true, 'filling ends');
    const read = readSchema(text);
    if ('fault' in read) return holdPlain(read.fault);
    for (const value of [null, 1, 'a', [], {}, { a: [1, 'x', null] }]) whyNotFitting(value, read.schema);
  },
};

const globs: FuzzTarget = {
  name: 'globs',
  words: ['**/', '*', '?', '/', '..', '.', 'a', '*.md', '\n', '**'],
  seeds: ['docs/**/*.md\ndocs/a/b.md', '*a*a*a*a*b\naaaaaaaaaaaaaaaaaaaaaa', './a/*\na/b'],
  async run(bytes) {
    const [pattern = '', path = ''] = bytes.toString('utf8').split('\n');
    const glob = await onlyOurErrors(() => parseGlob(pattern));
    if (!glob || path === '') return;
    if (!glob.matches(path)) return;
    hold(!path.split('/').includes('..') || pattern.includes('*') || pattern.includes('?'), 'no way up');
    const steps = path.split('/');
    for (let depth = 1; depth < steps.length; depth += 1)
      hold(glob.mayHold(steps.slice(0, depth).join('/')), 'the folders of a match are walked into');
  },
};

export const TASK_TARGETS = [xml, json, answers, globs];
