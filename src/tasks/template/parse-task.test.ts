import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BROKEN, WHOLE_JSON } from '../../../test/samples/task-templates.ts';
import { effort } from '../../../test/support/effort.ts';
import { BearingsError } from '../../errors.ts';
import { defineTask, parseTask } from './parse-task.ts';

const root = resolve(import.meta.dirname, '../../..');
const example = (name: string) => readFileSync(resolve(root, 'examples/tasks', `${name}.xml`));
const FOUR = ['release-notes', 'second-opinion', 'summarise-files', 'rewrite-line'];

describe('T5 broken templates', () => {
  it('T5 there are at least sixty', () => expect(BROKEN.length).toBeGreaterThanOrEqual(60));

  it.each(BROKEN)('T5 $title', ({ xml, line, column, says, severity }) => {
    const { task, problems } = parseTask(xml, { file: 'x.xml' });
    const found = problems.find(({ message }) => says.test(message));
    expect(found, JSON.stringify(problems)).toMatchObject({ file: 'x.xml', line, column, severity });
    for (const { hint, message } of problems) expect([hint.length > 5, message.length > 5]).toEqual([true, true]);
    const errors = problems.filter((problem) => problem.severity === 'error');
    expect(task === null).toBe(errors.length > 0);
    if (severity === 'warning') expect(errors.filter(({ message }) => says.test(message))).toEqual([]);
  });

  it('T5 all problems of a template come at once, in the order of the text', () => {
    const { problems } = parseTask(`<task type="sequential" inherit_context="full">
  <description></description>
  <context_management>
    <inherit_context>most</inherit_context>
    <accumulate_data>TRUE</accumulate_data>
    <accumulation_format>minimal</accumulation_format>
    <colour>red</colour>
  </context_management>
  <steps>
    <task type="atomic"><description>a &copy; b</description><context_management><fresh_context>no</fresh_context></context_management></task>
    <task type="loop"><prompt>{{x}}</prompt></task>
  </steps>
</task>`);
    expect(problems.map(({ line, severity }) => `${line} ${severity}`)).toEqual([
      '1 error',
      '2 error',
      '3 warning',
      '4 error',
      '5 error',
      '6 warning',
      '7 error',
      '10 error',
      '10 error',
      '10 error',
      '11 error',
      '11 error',
      '11 error',
    ]);
  });

  it('T5 a broken tag does not hide what comes before it, and nothing is called missing after it', () => {
    const { problems } = parseTask(
      '<task type="sequential">\n<description/>\n<context_management>\n<inherit_context>all</inherit_context>\n<oops',
    );
    expect(problems.map(({ line }) => line)).toEqual([2, 3, 4]);
  });

  it('T5 strict: every omission is an error', () => {
    const text = `<task type="sequential"><description>x</description><context_management><inherit_context>full</inherit_context>
<accumulate_data>false</accumulate_data></context_management><steps><task type="atomic"><description>y</description></task></steps></task>`;
    expect(parseTask(text).problems.map(({ severity }) => severity)).toEqual(['warning']);
    expect(parseTask(text, { strict: true }).problems.map(({ severity }) => severity)).toEqual(['error', 'error']);
    const draft = '<task type="sequential"><description>x</description><steps><!-- later --></steps></task>';
    expect(parseTask(draft).problems).toEqual([]);
    expect(parseTask(draft, { strict: true }).task).toBeNull();
  });
});

describe('T3 T4 settings', () => {
  it('T3 the four examples have the settings of the seed; the last has exactly one warning', () => {
    const read = FOUR.map((name) => parseTask(example(name)));
    expect(read.map(({ problems }) => problems.map(({ severity }) => severity))).toEqual([[], [], [], ['warning']]);
    expect(read.map(({ task }) => task?.settings)).toMatchObject([
      { inheritContext: 'full', accumulateData: true, accumulationFormat: 'notes_only', freshContext: 'enabled' },
      { inheritContext: 'none', accumulateData: true, accumulationFormat: 'full_output', freshContext: 'enabled' },
      { inheritContext: 'subset', accumulateData: false, accumulationFormat: null, freshContext: 'enabled' },
      { inheritContext: 'none', accumulateData: false, accumulationFormat: null, freshContext: 'disabled' },
    ]);
  });

  it('T4 defaults by operator and role, and where each value came from', () => {
    const { task } = parseTask(
      `<task type="sequential"><description>x</description><steps>
<task type="atomic"><description>y</description></task>
<task type="reduce"><description>z</description>
<inner_task><description>a</description></inner_task>
<reduction_task><description>b</description><context_management>
<inherit_context> none </inherit_context><fresh_context>disabled</fresh_context></context_management></reduction_task></task>
<task type="reduce"><description>z</description>
<inner_task type="sequential"><description>a</description><steps><task type="atomic"><description>y</description></task></steps></inner_task>
<reduction_task><description>b</description></reduction_task></task>
</steps></task>`,
      { file: 'x.xml' },
    );
    const row = (at: typeof task | undefined) => [
      at?.settings.inheritContext,
      at?.settings.accumulateData,
      at?.settings.accumulationFormat,
      at?.settings.freshContext,
      at?.settings.origins.fresh_context,
    ];
    if (task?.type !== 'sequential') throw new Error('not read');
    const [atomic, reduce, second] = task.steps;
    if (reduce?.type !== 'reduce' || second?.type !== 'reduce') throw new Error('not read');
    expect(row(task)).toEqual(['full', true, 'notes_only', 'enabled', 'default of sequential']);
    expect(row(atomic)).toEqual(['full', false, null, 'enabled', 'default of atomic']);
    expect(row(reduce)).toEqual(['full', false, null, 'enabled', 'default of reduce']);
    expect(row(reduce.inner)).toEqual(['full', false, null, 'disabled', 'default of inner_task']);
    expect(row(reduce.reduction)).toEqual(['none', false, null, 'disabled', 'x.xml:6']);
    expect(row(second.inner)).toEqual(['full', true, 'notes_only', 'disabled', 'default of inner_task']);
    expect(row(second.reduction)).toEqual(['full', false, null, 'enabled', 'default of reduction_task']);
  });

  it('T5 speaks of keys where the template is JSON', () => {
    const { problems } = parseTask('{"type": "atomic", "prompt": "x"}');
    expect(problems.map(({ message, hint }) => [message, hint])).toEqual([
      ['"task" has no description.', 'Add "description": "what it is about".'],
    ]);
  });

  it('T1 XML, JSON and an object say the same', () => {
    const [, , value] = ['', '', WHOLE_JSON[2]?.[1]];
    const fromObject = defineTask(value as Parameters<typeof defineTask>[0]);
    const fromJson = parseTask(JSON.stringify(value)).task;
    const fromXml = parseTask(`<task type="sequential"><description>x</description><context_management>
      <inherit_context>none</inherit_context><accumulate_data>true</accumulate_data>
      <accumulation_format>full_output</accumulation_format><fresh_context>enabled</fresh_context></context_management>
      <steps><task type="atomic"><description>y</description></task></steps></task>`).task;
    const bare = (task: unknown) =>
      JSON.stringify(task, (key, part) => (['line', 'column', 'origins'].includes(key) ? undefined : part));
    expect(bare(fromObject)).toBe(bare(fromXml));
    expect(bare(fromJson)).toBe(bare(fromXml));
  });

  it('T6 a loaded template cannot be changed, nor does the object it came from matter any more', () => {
    const definition = {
      type: 'atomic' as const,
      description: 'x',
      context_management: { inherit_context: 'none' as const },
    };
    const task = defineTask(definition);
    (definition.context_management as { inherit_context: string }).inherit_context = 'full';
    expect(task.settings.inheritContext).toBe('none');
    expect(() => Object.assign(task.settings, { inheritContext: 'full' })).toThrow(TypeError);
    expect(() => Object.assign(task, { settings: {} })).toThrow(TypeError);
  });

  it('T1 a wrong object is refused with all its problems', () => {
    const wrong = { type: 'sequential', description: '', steps: [] } as unknown as Parameters<typeof defineTask>[0];
    expect(() => defineTask(wrong)).toThrow(BearingsError);
    const refused = (definition: object): BearingsError => {
      try {
        defineTask(definition as Parameters<typeof defineTask>[0]);
      } catch (error) {
        if (error instanceof BearingsError) return error;
      }
      throw new Error('it was not refused');
    };
    const one = refused({ type: 'atomic', prompt: 'x' });
    expect(one.message).toBe(`The task can't be used: "task" has no description.`);
    expect(one.hint).toBe('Add "description": "what it is about".');
    expect(one.data?.problems).toEqual([
      expect.objectContaining({ file: 'defineTask', severity: 'error', message: '"task" has no description.' }),
    ]);
    for (const named of [
      { prompt: '{{y}}' },
      { type: 'reduce', over: 'y', inner_task: { description: 'x' }, reduction_task: { description: 'x' } },
    ])
      expect(refused({ type: 'atomic', description: 'x', ...named }).hint).toBe('Declare it in "inputs".');
    const several = refused({ type: 'atomic', prompt: 'x', colour: 'red', shape: 'round' });
    expect(several.data?.problems).toHaveLength(3);
    expect(several.message).toMatch(/\(and 2 more\)$/);
    const loop: Record<string, unknown> = { type: 'atomic', description: 'x' };
    loop.self = loop;
    expect(() => defineTask(loop as never)).toThrow(/holds itself/);
  });
});

describe('T7 hostile templates', () => {
  const task = (inside: string) => `<task type="atomic"><description>${inside}</description></task>`;
  const laughs = `<!DOCTYPE lolz [<!ENTITY a "ha">${Array.from({ length: 9 }, (_, i) => `<!ENTITY a${i} "${`&a${i - 1};`.repeat(10)}">`).join('')}]>`;
  it.each<[string, string | Uint8Array, RegExp, number, number]>([
    ['a DTD', `<!DOCTYPE task>\n${task('x')}`, /document type/, 1, 1],
    [
      'a DTD after a comment',
      `<!-- <!DOCTYPE -->\n  <!DOCTYPE task SYSTEM "http://x/y.dtd">${task('x')}`,
      /document type/,
      2,
      3,
    ],
    ['a DTD in small letters', `<!doctype task>\n${task('x')}`, /document type/, 1, 1],
    ['a DTD inside', `<task type="atomic">\n<!DOCTYPE x></task>`, /document type/, 2, 1],
    ['half a character', task('\ud800'), /not UTF-8/, 1, 34],
    ['billion laughs', `${laughs}\n${task('&a9;')}`, /document type/, 1, 1],
    [
      'an external entity',
      `<!DOCTYPE t [<!ENTITY x SYSTEM "file:///etc/passwd">]>${task('&x;')}`,
      /document type/,
      1,
      1,
    ],
    ['a DTD that never ends', `<!DOCTYPE t [ ${'<!ENTITY a "b">'.repeat(20_000)}`, /document type/, 1, 1],
    ['an entity of its own', task('&xxe;'), /undefined entity/, 1, 34],
    ['an include', '<task type="atomic">\n<xi:include href="file:///etc/passwd"/></task>', /another vocabulary/, 2, 1],
    ['a processing instruction', `<?xml-stylesheet href="http://x"?>${task('x')}`, /processing instruction/, 1, 1],
    ['10,000 levels', '<task type="atomic">'.repeat(10_000), /deeper than 64/, 1, 1281],
    ['30,000 elements', `<task type="atomic">${'<a/>'.repeat(30_000)}`, /more than 20000 elements/, 1, 80_017],
    [
      '1,000 attributes',
      `<task ${Array.from({ length: 1000 }, (_, i) => `a${i}="1"`).join(' ')}/>`,
      /32 attributes/,
      1,
      253,
    ],
    ['100 MB', new Uint8Array(100 * 1024 * 1024).fill(60), /larger than 1 MiB/, 1, 1],
    ['an encoding that is none', Buffer.from([...Buffer.from('<task\n t="'), 0xff, 0xfe]), /not UTF-8/, 2, 5],
    ['UTF-16', Buffer.from('\ufeff<task/>', 'utf16le'), /not UTF-8/, 1, 1],
    ['a cut character', Buffer.from('<task/>é').subarray(0, 8), /not UTF-8/, 1, 8],
    [
      'another encoding by its word',
      `<?xml version="1.0" encoding="latin1"?>${task('x')}`,
      /encoding is "latin1"/,
      1,
      1,
    ],
    ['deep JSON', '{"steps":['.repeat(10_000), /deeper than 64/, 1, 322],
    ['much JSON', `{"steps":[${'1,'.repeat(30_000)}1]}`, /more than 20000 values/, 1, 40_007],
  ])('T7 %s is refused with line and column', (_, source, says, line, column) => {
    const { task, problems } = parseTask(source);
    expect(task).toBeNull();
    expect(
      problems.find(({ message }) => says.test(message)),
      JSON.stringify(problems.slice(0, 3)),
    ).toMatchObject({ line, column });
    expect(problems.length).toBeLessThanOrEqual(1_001);
  });

  it('T7 the five entities, character references and CDATA are read', () => {
    const { task } = parseTask(task_('&amp;&lt;&gt;&quot;&apos;&#65;<![CDATA[<b>]]>'));
    expect(task?.description).toBe('&<>"\'A<b>');
  });
  const task_ = task;

  const samples = [
    ...FOUR.map((name) => example(name).toString()),
    ...WHOLE_JSON.map(([, value]) => JSON.stringify(value)),
  ];
  const pieces = [
    '<',
    '>',
    '</',
    '/>',
    '&',
    '{{',
    '}}',
    '"',
    "'",
    '<!--',
    '-->',
    ']]>',
    '<![CDATA[',
    '<!DOCTYPE',
    '\0',
    '\ud800',
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '\\',
    'type=',
    '<task type="reduce">',
    '</task>',
    '<steps>',
    '\ufeff',
    '\u2028',
    '1e999',
  ];

  it('T7 no mutated template makes the parser throw, and every refusal has a place', () => {
    const edit = fc.record({
      at: fc.double({ min: 0, max: 1, noNaN: true }),
      cut: fc.nat(40),
      put: fc.oneof(fc.constantFrom(...pieces), fc.string()),
    });
    fc.assert(
      fc.property(fc.constantFrom(...samples), fc.array(edit, { minLength: 1, maxLength: 6 }), (sample, edits) => {
        let text = sample;
        for (const { at, cut, put } of edits) {
          const from = Math.floor(at * text.length);
          text = text.slice(0, from) + put + text.slice(from + cut);
        }
        const { task, problems } = parseTask(text);
        expect(task === null).toBe(problems.some(({ severity }) => severity === 'error'));
        const lines = text.split(/\r\n|\n|\r/).length;
        for (const { line, column, hint } of problems) {
          expect(line >= 1 && line <= lines && column >= 1 && hint !== '').toBe(true);
        }
      }),
      { numRuns: effort(3_000) },
    );
  });

  it('T7 no bytes make the parser throw', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => void parseTask(bytes)),
      { numRuns: effort(1_000) },
    );
  });
});
