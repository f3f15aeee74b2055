// Broken templates of the later elements. `‸` marks the place where the problem must be reported.
const MARK = '‸';
const C =
  '<context_management><inherit_context>full</inherit_context><fresh_context>disabled</fresh_context></context_management>';
const D = '<description>x</description>';
const json = '<output_format type="json"/>';
const ok = (role: string) => `<${role}>${D}${role === 'evaluator' ? json : ''}</${role}>`;
const seq = (inside: string) => `<task type="sequential">${D}\n<steps>${inside}</steps></task>`;
const script = (inside: string, attributes = '') => `<task type="script"${attributes}>${D}\n${inside}</task>`;
const loop = (inside: string, attributes = '') =>
  `<task type="director_evaluator_loop"${attributes}>${D}\n${inside}</task>`;
const atomic = (inside: string) => `<task type="atomic">${D}\n${inside}</task>`;
const command = '<command><arg>echo</arg></command>';
const first = `<task type="atomic" name="find">${D}</task>`;
const use = (from: string) =>
  `${first}<task type="atomic">${D}<inputs>${MARK}<input name="a" from="${from}"/></inputs></task>`;

/** Title, template with its mark, what is said. */
export const BROKEN_OPERATORS: [string, string, RegExp][] = [
  // call
  ['call without template', seq(`${MARK}<call/>`), /<call> has no template/],
  ['call with an empty template', seq(`<call ${MARK}template=""/>`), /template is empty/],
  ['call with an unknown attribute', seq(`<call template="one.xml" ${MARK}file="x"/>`), /no attribute "file"/],
  ['call with a prompt', seq(`<call template="one.xml">${MARK}<prompt>p</prompt></call>`), /does not belong in <call>/],
  ['call with steps', seq(`<call template="one.xml">${MARK}<steps/></call>`), /does not belong in <call>/],
  ['call with an unknown element', seq(`<call template="one.xml">${MARK}<params/></call>`), /<params> is not known/],
  ['call of what is not there', seq(`${MARK}<call template="none.xml"/>`), /can't be called/],
  ['call of a broken template', seq(`${MARK}<call template="broken.xml"/>`), /can't be used: line 1/],
  ['call of itself', seq(`${MARK}<call template="template"/>`), /calls itself/],
  [
    'call with a parameter too many',
    seq(
      `<call template="one.xml"><inputs><input name="topic">t</input>${MARK}<input name="topics">t</input></inputs></call>`,
    ),
    /has no input "topics"/,
  ],
  ['call with a parameter too few', seq(`${MARK}<call template="one.xml"/>`), /needs the input "topic"/],
  [
    'call with a parameter twice',
    seq(
      `<call template="one.xml"><inputs><input name="topic">t</input>${MARK}<input name="topic">u</input></inputs></call>`,
    ),
    /appears twice/,
  ],
  [
    'call with a name that is no input',
    seq(`${MARK}<call template="one.xml"><inputs><input name="topic">{{nothing}}</input></inputs></call>`),
    /names no input/,
  ],
  ['template on another task', `<task type="atomic" ${MARK}template="one.xml">${D}</task>`, /template has no effect/],
  ['call as a root element', `${MARK}<call template="one.xml"/>`, /starts with <call>/],
  // input from
  ['from of a step that is not there', seq(use('fnd')), /names no earlier step/],
  [
    'from of a later step',
    seq(`<task type="atomic">${D}<inputs>${MARK}<input name="a" from="find"/></inputs></task>${first}`),
    /names no earlier step/,
  ],
  [
    'from of itself',
    seq(`<task type="atomic" name="me">${D}<inputs>${MARK}<input name="a" from="me"/></inputs></task>`),
    /names no earlier step/,
  ],
  ['from of an unknown part', seq(use('find.sumary')), /no "sumary"/],
  ['from by a number too high', seq(use('7')), /names no earlier step/],
  [
    'from in a task without steps before it',
    atomic(`<inputs>${MARK}<input name="a" from="find"/></inputs>`),
    /names no earlier step/,
  ],
  [
    'from that is empty',
    seq(`${first}<task type="atomic">${D}<inputs><input name="a" ${MARK}from=""/></inputs></task>`),
    /from is empty/,
  ],
  [
    'source instead of from',
    seq(`${first}<task type="atomic">${D}<inputs><input name="a" ${MARK}source="find"/></inputs></task>`),
    /no attribute "source"/,
  ],
  // file_paths
  ['no files', atomic(`${MARK}<file_paths/>`), /<file_paths> is empty/],
  ['an empty path', atomic(`<file_paths>${MARK}<path/></file_paths>`), /<path> is empty/],
  ['a path outside', atomic(`<file_paths>${MARK}<path>../x</path></file_paths>`), /must not leave the project/],
  ['an absolute path', atomic(`<file_paths>${MARK}<path>/etc/passwd</path></file_paths>`), /must be relative/],
  ['a path into .git', atomic(`<file_paths>${MARK}<path>.git/config</path></file_paths>`), /\.git/],
  [
    'a path with an unknown name',
    atomic(`<file_paths>${MARK}<path>docs/{{x}}.md</path></file_paths>`),
    /names no input/,
  ],
  ['text among the files', atomic(`${MARK}<file_paths>docs/a.md</file_paths>`), /Text is not allowed/],
  ['file instead of path', atomic(`<file_paths>${MARK}<file>a.md</file></file_paths>`), /<file> is not known/],
  [
    'files twice',
    atomic(`<file_paths><path>a</path></file_paths>${MARK}<file_paths><path>b</path></file_paths>`),
    /appears twice/,
  ],
  // script
  ['script without command', `${MARK}<task type="script">${D}</task>`, /no <command>/],
  ['script with an empty command', script(`${MARK}<command/>`), /<command> is empty/],
  ['script with text as command', script(`${MARK}<command>npm test</command>`), /Text is not allowed/],
  ['script with a word instead of arg', script(`<command>${MARK}<word>npm</word></command>`), /<word> is not known/],
  ['script without a program', script(`${MARK}<command><arg/><arg>x</arg></command>`), /names no program/],
  [
    'script with a name in its command',
    script(`<command><arg>echo</arg>${MARK}<arg>{{x}}</arg></command>`),
    /not allowed in a command line/,
  ],
  ['script with an unknown name in its input', script(`${MARK}<prompt>{{x}}</prompt>${command}`), /names no input/],
  ['script with two commands', script(`${command}${MARK}${command}`), /appears twice/],
  ['script with a timeout of 0', script(command, ` ${MARK}timeout_seconds="0"`), /does not fit/],
  ['script with a timeout in words', script(command, ` ${MARK}timeout_seconds="ten"`), /does not fit/],
  ['script with a timeout too long', script(command, ` ${MARK}timeout_seconds="99999"`), /does not fit/],
  [
    'script with steps',
    script(`${command}${MARK}<steps><task type="atomic">${D}</task></steps>`),
    /does not belong in a task of type script/,
  ],
  ['command in an atomic task', atomic(`${MARK}${command}`), /does not belong in a task of type atomic/],
  [
    'timeout on another task',
    `<task type="atomic" ${MARK}timeout_seconds="5">${D}</task>`,
    /timeout_seconds has no effect/,
  ],
  ['script with a shell', script(`${command}${MARK}<shell>sh</shell>`), /<shell> is not known/],
  // loop
  [
    'loop without director',
    `${MARK}<task type="director_evaluator_loop">${D}${ok('evaluator')}</task>`,
    /no <director>/,
  ],
  [
    'loop without evaluator',
    `${MARK}<task type="director_evaluator_loop">${D}${ok('director')}</task>`,
    /no <evaluator>/,
  ],
  ['loop with two directors', loop(`${ok('director')}${MARK}${ok('director')}${ok('evaluator')}`), /appears twice/],
  [
    'loop whose evaluator gives text',
    loop(`${ok('director')}${MARK}<evaluator>${D}</evaluator>`),
    /must answer in JSON/,
  ],
  ['loop with 0 rounds', loop(`${ok('director')}${ok('evaluator')}`, ` ${MARK}max_iterations="0"`), /does not fit/],
  [
    'loop with endless rounds',
    loop(`${ok('director')}${ok('evaluator')}`, ` ${MARK}max_iterations="1000"`),
    /does not fit/,
  ],
  [
    'loop with a misspelt attribute',
    loop(`${ok('director')}${ok('evaluator')}`, ` ${MARK}max_iteration="3"`),
    /no attribute "max_iteration"/,
  ],
  [
    'loop with an unknown condition',
    loop(`${ok('director')}${ok('evaluator')}<stop_condition ${MARK}when="x"/>`),
    /no attribute "when"/,
  ],
  [
    'loop with a script that is none',
    loop(`${ok('director')}<script ${MARK}type="atomic">${D}</script>${ok('evaluator')}`),
    /type="atomic" is not known/,
  ],
  [
    'loop with a script without command',
    loop(`${ok('director')}${MARK}<script>${D}</script>${ok('evaluator')}`),
    /no <command>/,
  ],
  [
    'loop with a block that says nothing of accumulation',
    loop(`${MARK}${C}${ok('director')}${ok('evaluator')}`),
    /accumulate_data is missing in this block/,
  ],
  ['loop with steps', loop(`${ok('director')}${ok('evaluator')}${MARK}<steps/>`), /does not belong/],
  [
    'director in a sequence',
    `<task type="sequential">${D}${MARK}${ok('director')}<steps>${first}</steps></task>`,
    /does not belong/,
  ],
  ['stop_condition in an atomic task', atomic(`${MARK}<stop_condition/>`), /does not belong/],
  [
    'max_iterations on a reduce',
    `<task type="atomic" ${MARK}max_iterations="3">${D}</task>`,
    /max_iterations has no effect/,
  ],
  [
    'director without description',
    loop(`${MARK}<director><prompt>p</prompt></director>${ok('evaluator')}`),
    /has no description/,
  ],
  // approve
  [
    'approve without a question',
    seq(`${first}${MARK}<approve name="ok"><inputs><input name="a">b</input></inputs></approve>`),
    /has no description/,
  ],
  ['approve that is empty', seq(`${first}${MARK}<approve/>`), /has no description|is empty/],
  ['approve with a model', seq(`${first}<approve ${MARK}model="m">${D}</approve>`), /no attribute "model"/],
  [
    'approve with a prompt',
    seq(`${first}<approve>${D}${MARK}<prompt>p</prompt></approve>`),
    /does not belong in <approve>/,
  ],
  [
    'approve with an unknown name',
    seq(`${first}<approve>${MARK}<description>{{x}}?</description></approve>`),
    /names no input/,
  ],
  // root_context, limits
  ['root_context with nothing', atomic(`${MARK}<root_context/>`), /names nothing/],
  [
    'root_context in a step',
    seq(`<task type="atomic">${D}${MARK}<root_context memory="here"/></task>`),
    /Only the outermost/,
  ],
  [
    'root_context with an unknown attribute',
    atomic(`<root_context ${MARK}workspace="x" memory="here"/>`),
    /no attribute "workspace"/,
  ],
  ['limits of 0 turns', atomic(`<limits ${MARK}turns="0"/>`), /does not fit/],
  ['limits in words', atomic(`<limits ${MARK}output="many"/>`), /does not fit/],
  ['limits of something else', atomic(`<limits ${MARK}time="3"/>`), /no attribute "time"/],
];
