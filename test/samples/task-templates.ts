// Templates for the tests of the parser. `‸` marks the place where the problem must be reported.
export interface BrokenTemplate {
  title: string;
  xml: string;
  line: number;
  column: number;
  says: RegExp;
  severity: 'error' | 'warning';
  seenBySchema: boolean;
}

const MARK = '‸';

function broken(title: string, marked: string, says: RegExp, more: Partial<BrokenTemplate> = {}): BrokenTemplate {
  const at = marked.indexOf(MARK);
  const before = marked.slice(0, at).split('\n');
  return {
    title,
    xml: marked.replace(MARK, ''),
    line: before.length,
    column: [...(before.at(-1) ?? '')].length + 1,
    says,
    severity: 'error',
    seenBySchema: false,
    ...more,
  };
}

const seen = { seenBySchema: true };
const warns = { severity: 'warning' } as const;
const block = (inside: string, open = '') =>
  `<task type="atomic">\n  <description>x</description>\n  ${open}<context_management>${inside}</context_management>\n</task>`;
const sequence = (inside: string, open = '') =>
  `<task type="sequential">\n  <description>x</description>\n  ${open}<context_management>${inside}</context_management>\n  <steps><task type="atomic"><description>y</description></task></steps>\n</task>`;
const atomic = (inside: string) => `<task type="atomic">\n  <description>x</description>\n  ${inside}\n</task>`;
const reduce = (inside: string, attributes = '') =>
  `<task type="reduce"${attributes}>\n  <description>x</description>\n  ${inside}\n</task>`;
const parts =
  '<inner_task><description>a</description></inner_task><reduction_task><description>b</description></reduction_task>';
const inherit = '<inherit_context>full</inherit_context>';
const fresh = '<fresh_context>enabled</fresh_context>';

export const BROKEN: BrokenTemplate[] = [
  // settings
  broken('no inherit_context', block(fresh, MARK), /inherit_context is missing/, seen),
  broken(
    'inherit_context in capitals',
    block(`${MARK}<inherit_context>FULL</inherit_context>${fresh}`),
    /"FULL" is not a value/,
    seen,
  ),
  broken(
    'inherit_context some',
    block(`${MARK}<inherit_context>some</inherit_context>${fresh}`),
    /"some" is not a value/,
    seen,
  ),
  broken(
    'inherit_context empty',
    block(`${MARK}<inherit_context></inherit_context>${fresh}`),
    /<inherit_context> is empty/,
    seen,
  ),
  broken(
    'inherit_context blank',
    block(`${MARK}<inherit_context>  </inherit_context>${fresh}`),
    /<inherit_context> is empty/,
    seen,
  ),
  broken('inherit_context twice', block(`${inherit}${MARK}${inherit}${fresh}`), /appears twice/, seen),
  broken(
    'inherit_context with an element',
    block(`<inherit_context>${MARK}<b>full</b></inherit_context>${fresh}`),
    /<b> is not known/,
  ),
  broken(
    'fresh_context yes',
    block(`${inherit}${MARK}<fresh_context>yes</fresh_context>`),
    /"yes" is not a value/,
    seen,
  ),
  broken(
    'fresh_context true',
    block(`${inherit}${MARK}<fresh_context>true</fresh_context>`),
    /"true" is not a value/,
    seen,
  ),
  broken('fresh_context empty', block(`${inherit}${MARK}<fresh_context/>`), /<fresh_context> is empty/, seen),
  broken('fresh_context twice', block(`${inherit}${fresh}\n    ${MARK}${fresh}`), /appears twice/, seen),
  broken('fresh_context left out', block(inherit, MARK), /fresh_context is left out; enabled/, warns),
  broken('empty block', block('', MARK), /<context_management> is empty/, seen),
  broken('text in a block', block(`full ${inherit}${fresh}`, MARK), /Text is not allowed/, seen),
  broken(
    'two blocks',
    atomic(
      `<context_management>${inherit}${fresh}</context_management>\n  ${MARK}<context_management>${inherit}${fresh}</context_management>`,
    ),
    /<context_management> appears twice/,
    seen,
  ),
  broken('unknown setting', block(`${inherit}${fresh}${MARK}<depth>3</depth>`), /<depth> is not known/, seen),
  broken(
    'setting as attribute of the task',
    `<task type="atomic" ${MARK}inherit_context="full"><description>x</description></task>`,
    /is a setting, not an attribute/,
    seen,
  ),
  broken(
    'setting as attribute of the block',
    `<task type="atomic"><description>x</description><context_management\n ${MARK}fresh_context="enabled">${inherit}</context_management></task>`,
    /is a setting, not an attribute/,
    seen,
  ),
  broken(
    'setting outside of the block',
    atomic(`${MARK}${inherit}`),
    /<inherit_context> does not belong in <task>/,
    seen,
  ),
  broken(
    'nothing at all in context',
    block('<inherit_context>none</inherit_context><fresh_context>disabled</fresh_context>', MARK),
    /no context at all/,
    warns,
  ),
  // accumulation
  broken('sequence without accumulate_data', sequence(`${inherit}${fresh}`, MARK), /accumulate_data is missing/),
  broken(
    'true without a format',
    sequence(`${inherit}<accumulate_data>true</accumulate_data>${fresh}`, MARK),
    /accumulation_format is missing/,
  ),
  broken(
    'accumulate_data TRUE',
    sequence(`${inherit}${MARK}<accumulate_data>TRUE</accumulate_data>${fresh}`),
    /"TRUE" is not a value/,
    seen,
  ),
  broken(
    'accumulate_data 1',
    sequence(`${inherit}${MARK}<accumulate_data>1</accumulate_data>${fresh}`),
    /"1" is not a value/,
    seen,
  ),
  broken(
    'accumulate_data empty',
    sequence(`${inherit}${MARK}<accumulate_data/>${fresh}`),
    /<accumulate_data> is empty/,
    seen,
  ),
  broken(
    'format unknown',
    sequence(
      `${inherit}<accumulate_data>true</accumulate_data>${MARK}<accumulation_format>all</accumulation_format>${fresh}`,
    ),
    /"all" is not a value/,
    seen,
  ),
  broken(
    'format empty',
    sequence(
      `${inherit}<accumulate_data>true</accumulate_data>${MARK}<accumulation_format> </accumulation_format>${fresh}`,
    ),
    /<accumulation_format> is empty/,
    seen,
  ),
  broken(
    'format by its later name',
    sequence(
      `${inherit}<accumulate_data>true</accumulate_data>${MARK}<accumulation_format>minimal</accumulation_format>${fresh}`,
    ),
    /another name for "notes_only"/,
    { ...warns, ...seen },
  ),
  broken(
    'format without accumulation',
    sequence(
      `${inherit}<accumulate_data>false</accumulate_data>${MARK}<accumulation_format>notes_only</accumulation_format>${fresh}`,
    ),
    /no effect while/,
    warns,
  ),
  broken(
    'accumulation in an atomic task',
    block(`${inherit}${MARK}<accumulate_data>false</accumulate_data>${fresh}`),
    /no effect in a task of type atomic/,
    warns,
  ),
  broken(
    'accumulation in a reduce',
    reduce(
      `<context_management>${inherit}${MARK}<accumulate_data>false</accumulate_data>${fresh}</context_management>${parts}`,
    ),
    /no effect in a task of type reduce/,
    warns,
  ),
  broken(
    'sequence that sees nothing',
    sequence(
      '<inherit_context>none</inherit_context><accumulate_data>false</accumulate_data><fresh_context>disabled</fresh_context>',
      MARK,
    ),
    /no context at all/,
    warns,
  ),
  // structure
  broken('no type', `${MARK}<task><description>x</description></task>`, /<task> has no type/, seen),
  broken(
    'unknown type',
    `<task ${MARK}type="loop"><description>x</description></task>`,
    /type="loop" is not known/,
    seen,
  ),
  broken('type in capitals', `<task ${MARK}type="ATOMIC"><description>x</description></task>`, /is not known/, seen),
  broken('no description', `${MARK}<task type="atomic"><prompt>x</prompt></task>`, /no description/, seen),
  broken('empty description', `<task type="atomic">${MARK}<description/></task>`, /<description> is empty/, seen),
  broken('description twice', atomic(`${MARK}<description>y</description>`), /appears twice/, seen),
  broken('empty task', `${MARK}<task type="atomic"></task>`, /<task> is empty/, seen),
  broken('another root', `${MARK}<job type="atomic"><description>x</description></job>`, /starts with <job>/, seen),
  broken('unknown element', atomic(`${MARK}<color>red</color>`), /<color> is not known/, seen),
  broken(
    'unknown attribute',
    `<task type="atomic" ${MARK}speed="9"><description>x</description></task>`,
    /no attribute "speed"/,
    seen,
  ),
  broken(
    'text in a task',
    `${MARK}<task type="atomic">hello<description>x</description></task>`,
    /Text is not allowed/,
    seen,
  ),
  broken('sequence without steps', `${MARK}<task type="sequential"><description>x</description></task>`, /no <steps>/),
  broken(
    'empty steps',
    `<task type="sequential"><description>x</description>${MARK}<steps/></task>`,
    /steps are still to be written/,
    warns,
  ),
  broken(
    'steps without a task',
    `<task type="sequential"><description>x</description><steps>${MARK}<step/></steps></task>`,
    /<step> is not known/,
    seen,
  ),
  broken(
    'a step without type',
    `<task type="sequential"><description>x</description><steps>\n${MARK}<task><description>y</description></task></steps></task>`,
    /<task> has no type/,
    seen,
  ),
  broken(
    'a step without description',
    `<task type="sequential"><description>x</description><steps>\n  ${MARK}<task type="atomic"><prompt>p</prompt></task></steps></task>`,
    /no description/,
    seen,
  ),
  broken(
    'steps twice',
    `<task type="sequential"><description>x</description><steps><task type="atomic"><description>y</description></task></steps>${MARK}<steps><task type="atomic"><description>y</description></task></steps></task>`,
    /<steps> appears twice/,
    seen,
  ),
  broken(
    'steps in an atomic task',
    atomic(`${MARK}<steps><task type="atomic"><description>y</description></task></steps>`),
    /does not belong in a task of type atomic/,
  ),
  broken(
    'inner_task in a sequence',
    `<task type="sequential"><description>x</description>${MARK}<inner_task><description>a</description></inner_task><steps><task type="atomic"><description>y</description></task></steps></task>`,
    /does not belong/,
  ),
  broken(
    'prompt in a sequence',
    `<task type="sequential"><description>x</description>${MARK}<prompt>p</prompt><steps><task type="atomic"><description>y</description></task></steps></task>`,
    /has no effect/,
    warns,
  ),
  // reduce
  broken(
    'reduce without inner_task',
    `${MARK}${reduce('<reduction_task><description>b</description></reduction_task>')}`,
    /no <inner_task>/,
  ),
  broken(
    'reduce without reduction_task',
    `${MARK}${reduce('<inner_task><description>b</description></inner_task>')}`,
    /no <reduction_task>/,
  ),
  broken(
    'inner_task twice',
    reduce(`<inner_task><description>a</description></inner_task>${MARK}${parts}`),
    /<inner_task> appears twice/,
    seen,
  ),
  broken(
    'empty inner_task',
    reduce(`${MARK}<inner_task/><reduction_task><description>b</description></reduction_task>`),
    /<inner_task> is empty/,
  ),
  broken(
    'inner_task without description',
    reduce(
      `${MARK}<inner_task><prompt>p</prompt></inner_task><reduction_task><description>b</description></reduction_task>`,
    ),
    /<inner_task> has no description/,
  ),
  broken(
    'context of inner_task set twice',
    reduce(
      `<inner_task><context_management>${inherit}${fresh}</context_management><task type="atomic"><description>a</description>${MARK}<context_management>${inherit}${fresh}</context_management></task></inner_task><reduction_task><description>b</description></reduction_task>`,
    ),
    /set twice/,
  ),
  broken('concurrency of zero', reduce(parts, ` ${MARK}concurrency="0"`), /does not fit/, seen),
  broken('concurrency in words', reduce(parts, ` ${MARK}concurrency="many"`), /does not fit/, seen),
  broken('fan_in of one', reduce(parts, ` ${MARK}fan_in="1"`), /does not fit/, seen),
  broken(
    'fan_in on an atomic task',
    `<task type="atomic" ${MARK}fan_in="3"><description>x</description></task>`,
    /no effect here/,
    warns,
  ),
  broken('over names nothing', reduce(parts, ` ${MARK}over="files"`), /names no input/),
  broken(
    'several inputs, no over',
    `${MARK}${reduce(`<inputs><input name="a"/><input name="b"/></inputs>${parts}`)}`,
    /does not say which one/,
  ),
  // inputs, prompt, output
  broken('empty inputs', atomic(`${MARK}<inputs/>`), /<inputs> is empty/, seen),
  broken('input without a name', atomic(`<inputs>${MARK}<input/></inputs>`), /<input> has no name/, seen),
  broken('input with a bad name', atomic(`<inputs>${MARK}<input name="a b"/></inputs>`), /can't be the name/),
  broken('input twice', atomic(`<inputs><input name="a"/>${MARK}<input name="a"/></inputs>`), /appears twice/),
  broken('prompt names no input', atomic(`${MARK}<prompt>about {{topic}}</prompt>`), /\{\{topic\}\} names no input/),
  broken('empty prompt', atomic(`${MARK}<prompt> </prompt>`), /<prompt> is empty/, seen),
  broken(
    'empty model',
    `<task type="atomic" ${MARK}model=""><description>x</description></task>`,
    /model is empty/,
    seen,
  ),
  broken('output_format without type', atomic(`${MARK}<output_format/>`), /<output_format> has no type/, seen),
  broken('output_format yaml', atomic(`<output_format ${MARK}type="yaml"/>`), /type="yaml" is not known/, seen),
  broken('schema that is none', atomic(`<output_format type="json" ${MARK}schema="thing[]"/>`), /schema can't be used/),
  broken(
    'schema that is broken JSON',
    atomic(`<output_format type="json" ${MARK}schema="{type:"/>`),
    /schema can't be used/,
  ),
  broken(
    'schema for text',
    atomic(`<output_format type="text" ${MARK}schema="object"/>`),
    /no effect on plain text/,
    warns,
  ),
  // markup
  broken('unclosed element', `<task type="atomic"><description>x${MARK}</task>`, /close tag|not closed/, seen),
  broken(
    'file ends early',
    `${MARK}<task type="atomic"><description>x</description>\n`,
    /not closed|ends too early/,
    seen,
  ),
  broken(
    'unknown entity',
    `<task type="atomic"><description>a ${MARK}&nbsp; b</description></task>`,
    /undefined entity/,
    seen,
  ),
  broken('plain ampersand', `<task type="atomic"><description>R ${MARK}& D</description></task>`, /bare &/, seen),
  broken(
    'attribute twice',
    `<task type="atomic" ${MARK}type="atomic"><description>x</description></task>`,
    /appears twice/,
    seen,
  ),
  broken(
    'attribute without quotes',
    `<task type=${MARK}atomic><description>x</description></task>`,
    /well-formed|does not allow/,
    seen,
  ),
  broken(
    'two roots',
    `<task type="atomic"><description>x</description></task>\n${MARK}<task type="atomic"/>`,
    /outside of <task>|well-formed/,
    seen,
  ),
  broken('empty file', MARK, /empty|JSON value|ends too early/, seen),
  broken(
    'control character',
    `<task type="atomic"><description>a${MARK}\u0001b</description></task>`,
    /disallowed character/,
    seen,
  ),
  // JSON
  broken('JSON: trailing comma', `{"type": "atomic", "description": "x",${MARK}}`, /property name expected/),
  broken('JSON: comment', `{${MARK}/* x */ "type": "atomic"}`, /invalid comment token/),
  broken('JSON: key twice', `{"type": "atomic", "description": "x",\n ${MARK}"description": "y"}`, /appears twice/),
  broken('JSON: type twice', `{"type": "atomic", "description": "x",\n ${MARK}"type": "atomic"}`, /appears twice/),
  broken(
    'JSON: setting outside',
    `{"type": "atomic", "description": "x",\n  ${MARK}"inherit_context": "full"}`,
    /"inherit_context" does not belong in "task"/,
  ),
  broken(
    'JSON: number for true',
    `{"type": "sequential", "description": "x", "steps": [{"type": "atomic", "description": "y"}],\n "context_management": {"inherit_context": "full", ${MARK}"accumulate_data": 1, "fresh_context": "enabled"}}`,
    /"1" is not a value/,
  ),
  broken(
    'JSON: steps that are no list',
    `{"type": "sequential", "description": "x", ${MARK}"steps": {}}`,
    /must be a list/,
  ),
  broken('JSON: null', `{"type": "atomic", ${MARK}"description": null}`, /must be a text/),
  broken('JSON: a list', `${MARK}[1]`, /is an object/),
  broken('JSON: NaN', `{"type": "atomic", "description": ${MARK}NaN}`, /invalid symbol/),
  broken('JSON: unknown key', `{"type": "atomic", "description": "x", ${MARK}"__proto__": {"a": 1}}`, /is not known/),
  broken('JSON: cut off', `{"type": "atomic", "description": "x"${MARK}`, /ends too early/),
];

export const WHOLE_JSON: [string, object][] = [
  ['atomic', { type: 'atomic', description: 'x' }],
  [
    'atomic with all',
    {
      $schema: '../schema/task.schema.json',
      type: 'atomic',
      name: 'n',
      model: 'extract',
      description: 'x',
      prompt: 'p {{a}}',
      inputs: [{ name: 'a' }, { name: 'b', default: 3 }],
      output_format: { type: 'json', schema: { type: 'object' } },
      context_management: { inherit_context: 'subset', fresh_context: 'disabled' },
    },
  ],
  [
    'sequential',
    {
      type: 'sequential',
      description: 'x',
      steps: [{ type: 'atomic', description: 'y' }],
      context_management: {
        inherit_context: 'none',
        accumulate_data: true,
        accumulation_format: 'full_output',
        fresh_context: 'enabled',
      },
    },
  ],
  [
    'sequential, accumulating nothing',
    {
      type: 'sequential',
      description: 'x',
      steps: [{ type: 'atomic', description: 'y' }],
      context_management: { inherit_context: 'full', accumulate_data: 'false', fresh_context: 'enabled' },
    },
  ],
  [
    'reduce',
    {
      type: 'reduce',
      description: 'x',
      over: 'files',
      concurrency: 3,
      fan_in: 5,
      inputs: [{ name: 'files' }],
      inner_task: { type: 'sequential', description: 'a', steps: [{ type: 'atomic', description: '{{item}}' }] },
      reduction_task: { description: 'b', prompt: 'join {{results}}' },
    },
  ],
];
