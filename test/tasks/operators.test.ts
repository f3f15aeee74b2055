import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openRooms, type Rooms } from '../../src/bearings.ts';
import { defineTask, type Model, type ModelRequest, runTask } from '../../src/index.ts';
import type { Task } from '../../src/tasks/template/template.ts';
import { put, tempFolder } from '../support/temp-folder.ts';

const QUIET =
  '<context_management><inherit_context>full</inherit_context><fresh_context>disabled</fresh_context></context_management>';
const GATHER =
  '<context_management><inherit_context>full</inherit_context><accumulate_data>true</accumulate_data><accumulation_format>notes_only</accumulation_format><fresh_context>disabled</fresh_context></context_management>';
const node = (code: string) =>
  `<command><arg>${process.execPath}</arg><arg>-e</arg><arg><![CDATA[${code}]]></arg></command>`;
const sequence = (steps: string) =>
  `<task type="sequential" name="all"><description>All of it</description>${GATHER}<steps>${steps}</steps></task>`;
const ask = (name: string, description = name, more = '') =>
  `<task type="atomic" name="${name}"><description>${description}</description>${more}${QUIET}</task>`;

interface Place {
  bearings: Rooms;
  project: string;
  home: string;
}

function place(files: Record<string, string>): Place {
  const folder = tempFolder();
  const [home, project] = [join(folder, 'home'), join(folder, 'project')];
  put(home, { 'config.yaml': '' });
  put(project, files);
  const variables = {
    PATH: process.env.PATH ?? '',
    MY_API_TOKEN: 'not for programs',
    BEARINGS_HOME: home,
    BEARINGS_CACHE: join(folder, 'cache'),
  };
  return { bearings: openRooms({ cwd: project, variables }), project, home };
}

// Says what it is told to say; what it is not told of is echoed.
function witness(answers: (request: ModelRequest) => string = ({ question }) => `about ${question}`) {
  const seen: ModelRequest[] = [];
  const model: Model = {
    name: 'witness',
    call(request) {
      seen.push(request);
      return { content: answers(request) };
    },
  };
  return { model, seen };
}

async function loaded(bearings: Rooms, file = 'task.xml'): Promise<Task> {
  const { task, problems } = await (await bearings.runs()).checkTask(file);
  if (task === null) throw new Error(problems.map(({ message }) => message).join('\n'));
  return task;
}

async function allow(bearings: Rooms, task: Task): Promise<void> {
  for (const question of await (await bearings.runs()).scriptQuestions(task))
    await (await bearings.adapters()).allowAdapter(question);
}

async function run(xml: string, files: Record<string, string> = {}, options: { model?: Model; input?: string[] } = {}) {
  const at = place({ 'task.xml': xml, ...files });
  const task = await loaded(at.bearings);
  await allow(at.bearings, task);
  const { model, input } = options;
  const models: Record<string, Model> = model ? { witness: model } : {};
  const answer = await (await at.bearings.runs()).startRun(
    task,
    { file: 'task.xml', ...(model ? { model: 'witness' } : {}), ...(input ? { input } : {}) },
    { models },
  );
  return { ...at, ...answer, models };
}

describe('T25 call', () => {
  const called = `<task type="atomic"><description>About {{topic}}</description><inputs><input name="topic"/><input name="tone">plain</input></inputs><prompt>{{topic}} in a {{tone}} tone</prompt>${QUIET}</task>`;

  it('T25 a template is called with parameters by name, and sees no other names; context reaches it as usual', async () => {
    const xml = `<task type="sequential"><description>x</description><inputs><input name="subject">reefs</input></inputs>${GATHER}<steps>
      ${ask('first')}<call template="parts/one.xml" name="second"><inputs><input name="topic">the {{subject}}</input></inputs></call></steps></task>`;
    const { model, seen } = witness();
    const { result } = await run(xml, { 'parts/one.xml': called }, { model });
    expect(result).toMatchObject({ status: 'COMPLETE', content: 'about the reefs in a plain tone' });
    expect(seen[1]?.frame.accumulated).toContain('about first');
    expect(seen[1]?.frame.taskText).toBe('About the reefs');
  });

  it('T25 templates with a name are in .bearings/tasks and in the home; a list stays a list', async () => {
    const list = `<task type="reduce"><description>each</description><inputs><input name="things"/></inputs>${QUIET}<inner_task><description>{{item}}</description></inner_task><reduction_task><description>join</description>${QUIET}</reduction_task></task>`;
    const xml = `<task type="call" template="each"><inputs><input name="things">{{list}}</input></inputs></task>`;
    const whole = `<task type="sequential"><description>x</description><inputs><input name="list"/></inputs>${GATHER}<steps>${xml}</steps></task>`;
    const at = place({ 'task.xml': whole, 'a.md': 'A', 'b.md': 'B' });
    put(at.home, { 'tasks/each.xml': list });
    const { model, seen } = witness();
    const task = await loaded(at.bearings);
    await (await at.bearings.runs()).startRun(
      task,
      { file: 'task.xml', model: 'witness', inputs: ['list=*.md'] },
      { models: { witness: model } },
    );
    expect(seen.map(({ question }) => question)).toEqual(['A', 'B', 'join']);
  });

  it('T25 a template without inputs is called without any: in XML, in JSON, as an object', async () => {
    const plain = `<task type="atomic"><description>say hello</description>${QUIET}</task>`;
    const xml = sequence('<call template="plain.xml"/><task type="call" template="plain.xml"/>');
    const { model, seen } = witness();
    expect((await run(xml, { 'plain.xml': plain }, { model })).result.status).toBe('COMPLETE');
    expect(seen.map(({ question }) => question)).toEqual(['say hello', 'say hello']);
    const definition = {
      type: 'sequential' as const,
      description: 'x',
      steps: [{ type: 'call' as const, template: 'plain.xml' }],
    };
    const { bearings } = place({ 'task.json': JSON.stringify(definition), 'plain.xml': plain });
    expect(
      (await (await bearings.runs()).checkTask('task.json')).problems.filter(({ severity }) => severity === 'error'),
    ).toEqual([]);
    const task = defineTask(definition, { templates: () => ({ file: 'plain.xml', source: plain }) });
    expect((await runTask(task, { model })).status).toBe('COMPLETE');
  });

  it('T29 a task object calls other task objects and runs without a file, its inputs given as values', async () => {
    const quiet = { inheritContext: 'none', freshContext: 'disabled' } as const;
    const hello = defineTask({
      ...{ type: 'atomic', name: 'hello', description: 'hello {{who}}', contextManagement: quiet },
      inputs: [{ name: 'who' }],
    });
    const twice = defineTask({
      ...{ type: 'sequential', name: 'twice', description: 'twice', inputs: [{ name: 'who' }] },
      steps: [
        { type: 'call', template: hello, inputs: [{ name: 'who', default: '{{who}}' }] },
        { type: 'call', template: hello, inputs: [{ name: 'who', default: 'you' }] },
      ],
    });
    const all = defineTask({
      ...{ type: 'reduce', description: 'all', inputs: [{ name: 'people' }], contextManagement: quiet },
      innerTask: { type: 'call', template: twice, inputs: [{ name: 'who', default: '{{item}}' }] },
      reductionTask: { description: 'join', contextManagement: quiet },
    });
    const { model, seen } = witness();
    const { bearings } = place({});
    const inputs = { people: ['Ada', 'Bob'] };
    const runs = await bearings.runs();
    const { result, run: id } = await runs.startRun(all, { inputs, model: 'witness' }, { models: { witness: model } });
    expect(result.status).toBe('COMPLETE');
    const asked = ['hello Ada', 'hello you', 'hello Bob', 'hello you', 'join'];
    expect(seen.map(({ question }) => question).sort()).toEqual([...asked].sort());
    expect((await runs.showRun(id)).spec.inputs).toEqual({ people: { value: ['Ada', 'Bob'] } });
    seen.length = 0;
    expect((await runTask(all, { inputs, model })).status).toBe('COMPLETE');
    expect(seen).toHaveLength(5);
    const other = defineTask({ type: 'atomic', name: 'hello', description: 'another one' });
    const both = [hello, other].map((template) => ({ type: 'call' as const, template }));
    expect(() => defineTask({ type: 'sequential', description: 'x', steps: both })).toThrow(/same name "hello"/);
  });

  it.each([
    ['a circle', '<call template="task.xml"/>', /calls itself/],
    ['a file that is not there', '<call template="no/such.xml"/>', /no such file in the project/],
    ['one outside', '<call template="../x.xml"/>', /outside of the project/],
    ['a name that no one has', '<call template="nothing"/>', /neither the project nor the home/],
    [
      'a parameter too many',
      '<call template="one.xml"><inputs><input name="topc">x</input></inputs></call>',
      /no input "topc"/,
    ],
    ['a parameter too few', '<call template="one.xml"/>', /needs the input "topic"/],
  ])('T25 refused before anything runs: %s', async (_, step, says) => {
    const { bearings } = place({ 'task.xml': sequence(step), 'one.xml': called });
    const { task, problems } = await (await bearings.runs()).checkTask('task.xml');
    expect(task).toBeNull();
    expect(problems.map(({ message }) => message).join('\n')).toMatch(says);
  });
});

describe('T25 inputs from steps, and files', () => {
  it('T25 an input comes from an earlier step: content, summary, a field of its JSON', async () => {
    const xml = sequence(`${ask('find', 'find', '<output_format type="json"/>')}
      ${ask('use', 'use', '<inputs><input name="a" from="find.parsed.title"/><input name="b" from="1.summary"/></inputs><prompt>{{a}} and {{b}}</prompt>')}`);
    const { model, seen } = witness(({ question }) =>
      question === 'find' ? '{"title":"Reef"}\n<notes>short</notes>' : 'ok',
    );
    const { result } = await run(xml, {}, { model });
    expect(result.status).toBe('COMPLETE');
    expect(seen[1]?.question).toBe('Reef and short');
  });

  it('T25 named files come whole, also without fresh context; one that is missing or holds secrets ends the task', async () => {
    const xml = (path: string) =>
      `<task type="atomic"><description>x</description><inputs><input name="n">b</input></inputs><file_paths><path>docs/a.md</path><path>${path}</path></file_paths>${QUIET}</task>`;
    const files = {
      'docs/a.md': 'A is whole.\n',
      'docs/b.md': `token ghp_${'A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8'}\n`,
      '.env': 'X=1',
    };
    const { model, seen } = witness();
    const { result, bearings, run: id } = await run(xml('docs/{{n}}.md'), files, { model });
    expect(result.status).toBe('COMPLETE');
    expect(seen[0]?.frame.fresh).toBe('docs/a.md\nA is whole.\n\ndocs/b.md\ntoken [redacted:github_token]\n');
    expect(result.notes.warnings?.join()).toContain('github_token');
    expect((await (await bearings.runs()).showRun(id)).seen[0]?.matches.map(([path]) => path)).toEqual([
      'docs/a.md',
      'docs/b.md',
    ]);
    for (const [path, says] of [
      ['docs/c.md', /is not there/],
      ['.env', /a file for secrets/],
      ['docs/link.md', /a file for secrets/],
      ['keys/id.md', /a file for secrets/],
    ] as const) {
      const at = place({ 'task.xml': xml(path), ...files, 'secret/id_rsa': 'KEY' });
      symlinkSync('../.env', join(at.project, 'docs/link.md'));
      mkdirSync(join(at.project, 'keys'));
      symlinkSync('../secret/id_rsa', join(at.project, 'keys/id.md'));
      const task = await loaded(at.bearings);
      const { result: failed } = await (await at.bearings.runs()).startRun(
        task,
        { file: 'task.xml', model: 'witness' },
        { models: { witness: model } },
      );
      expect(failed.notes.error).toMatchObject({ reason: 'context_retrieval_failure' });
      expect(failed.notes.error?.message).toMatch(says);
    }
  });
});

describe('T25 script', () => {
  const script = (code: string, more = '', prompt = '') =>
    `<task type="script" ${more}><description>try it</description>${prompt}${node(code)}</task>`;

  it('T25 L21 nothing runs that the person has not allowed; a change of what it runs asks again', async () => {
    const xml =
      '<task type="script"><description>x</description><command><arg>node</arg><arg>tool.mjs</arg></command></task>';
    const { bearings, project } = place({ 'task.xml': xml, 'tool.mjs': 'console.log("one")' });
    const task = await loaded(bearings);
    const start = async () => (await (await bearings.runs()).startRun(task, { file: 'task.xml' })).result;
    expect((await start()).notes.error?.message).toMatch(/not allowed to run here/);
    await allow(bearings, task);
    expect(await start()).toMatchObject({ status: 'COMPLETE', parsedContent: { exit_code: 0, output: 'one\n' } });
    put(project, { 'tool.mjs': 'console.log("two")' });
    expect((await start()).notes.error?.message).toMatch(/not allowed to run here/);
    expect((await (await bearings.runs()).scriptQuestions(task)).map(({ allowed }) => allowed)).toEqual([false]);
  });

  it('T25 output, exit code and error text are the result; the program gets its input and the usual variables alone', async () => {
    const code = `process.stdin.on('data', (d) => console.log('got ' + d)); process.stdin.on('end', () => { console.error('oh ' + process.env.MY_API_TOKEN); process.exit(3); })`;
    const { result } = await run(script(code, '', '<prompt>hello</prompt>'));
    expect(result).toMatchObject({
      status: 'COMPLETE',
      content: 'Exit code 3\n\ngot hello\n\nError text:\noh undefined',
      parsedContent: { exit_code: 3, output: 'got hello\n', error_text: 'oh undefined\n' },
    });
  });

  it.each([
    [
      '1 GB of output',
      'const b = Buffer.alloc(1<<20, 97); const w = () => { while (process.stdout.write(b)); process.stdout.once("drain", w); }; w();',
      'output_format_failure',
      /more than 1 MiB/,
    ],
    ['no end', 'setInterval(() => {}, 1000)', 'execution_timeout', /longer than 1 s/],
    ['no UTF-8', 'process.stdout.write(Buffer.from([0xff, 0xfe, 0x00]))', 'output_format_failure', /not UTF-8/],
    ['a signal', 'process.kill(process.pid, "SIGKILL")', 'unexpected_error', /ended by SIGKILL/],
  ])('T25 a program with %s ends with a clear result', async (_, code, reason, says) => {
    const { result } = await run(script(code, 'timeout_seconds="1"'));
    expect(result.notes.error).toMatchObject({ reason });
    expect(result.notes.error?.message).toMatch(says);
  });

  it('T25 a program that is not there is told so', async () => {
    const { result } = await run(
      '<task type="script"><description>x</description><command><arg>no-such-program-here</arg></command></task>',
    );
    expect(result.notes.error?.message).toBe('The program is not there.');
  });
});

const loop = (
  more = '',
  settings = GATHER,
) => `<task type="director_evaluator_loop" name="loop" ${more}><description>Make it right</description>${settings}
  <director><description>Propose</description><inputs><input name="last" from="evaluator.parsed.why">nothing yet</input></inputs><prompt>Propose, round {{round}}, after {{last}}</prompt>${QUIET}</director>
  <script><description>Try it</description><prompt>{{results}}</prompt>${node("process.stdin.on('data', (d) => console.log('tried ' + String(d).length))")}</script>
  <evaluator><description>Judge</description><output_format type="json" schema="object"/>${QUIET}</evaluator>
  <stop_condition field="success" equals="true"/></task>`;

describe('T25 director–evaluator loop', () => {
  const judge = (good: number) => {
    let rounds = 0;
    return witness(({ frame, question }) => {
      if (frame.taskText !== 'Judge') return `proposal for "${question}"\n<notes>a proposal</notes>`;
      rounds += 1;
      return `{"success":${rounds >= good},"why":"round ${rounds} was weak"}\n<notes>judged ${rounds}</notes>`;
    });
  };

  it('T25 goes on until the evaluator says so; each round sees what the settings say', async () => {
    const { model, seen } = judge(3);
    const { result, bearings, run: id } = await run(loop(), {}, { model });
    expect(result).toMatchObject({ status: 'COMPLETE', parsedContent: { rounds: 3, done: true } });
    expect(result.notes.warnings).toBeUndefined();
    const directors = seen.filter(({ frame }) => frame.taskText === 'Propose');
    expect(directors.map(({ question }) => question)).toEqual([
      'Propose, round 1, after nothing yet',
      'Propose, round 2, after round 1 was weak',
      'Propose, round 3, after round 2 was weak',
    ]);
    expect(directors[2]?.frame.accumulated).toMatch(
      /^Round 1\nDirector: a proposal\nScript: Exit code 0\ntried \d+\nEvaluator: judged 1\n\nRound 2\n/,
    );
    const judges = seen.filter(({ frame }) => frame.taskText === 'Judge');
    expect(judges[0]?.frame.results).toMatch(/^Director\nproposal .*\n\nScript\nExit code 0\n\ntried \d+$/);
    const paths = (await (await bearings.runs()).showRun(id)).seen.map(({ path }) => path);
    expect(paths.slice(0, 4)).toEqual([
      '1.round:0.director',
      '1.round:0.script',
      '1.round:0.evaluator',
      '1.round:1.director',
    ]);
  });

  it('T25 ends after max_iterations with a warning; without accumulation a round sees no other', async () => {
    const { model, seen } = judge(9);
    const alone = GATHER.replace('>true<', '>false<').replace(/<accumulation_format>.*<\/accumulation_format>/, '');
    const { result } = await run(loop('max_iterations="2"', alone), {}, { model });
    expect(result).toMatchObject({ status: 'COMPLETE', parsedContent: { rounds: 2, done: false } });
    expect(result.notes.warnings).toEqual(['After 2 rounds success is not true.']);
    expect(seen.every(({ frame }) => frame.accumulated === '')).toBe(true);
  });

  it('T17 T25 T29 a round that fails keeps the rounds before it whole and names the part', async () => {
    let rounds = 0;
    const { model } = witness(({ frame }) => {
      if (frame.taskText === 'Judge') rounds += 1;
      if (frame.taskText !== 'Judge') return 'p\n<notes>n</notes>';
      return rounds === 2 ? 'no JSON' : '{"success":false,"why":"x"}';
    });
    const { result } = await run(loop(), {}, { model });
    expect(result.notes.error).toMatchObject({
      reason: 'subtask_failure',
      details: { failedPhase: 'evaluator', failedRound: 1, cause: { reason: 'output_format_failure' } },
    });
    expect(result.notes.partialResults).toMatchObject([{ stepIndex: 0, output: 'p', notes: { summary: 'n' } }]);
  });
});

it('T2 the model that a task names holds for all inside of it that name none, and one that is not there is told', async () => {
  const called: string[] = [];
  const model = (name: string): Model => ({ name, call: () => ({ content: String(called.push(name)) }) });
  const models = { mine: model('mine'), other: model('other') };
  const inner = { type: 'atomic', description: 'x' } as const;
  const task = (name: string) =>
    defineTask({
      ...{ type: 'sequential', description: 'x', model: name },
      steps: [
        inner,
        { ...inner, model: 'other' },
        { type: 'call', template: defineTask({ ...inner, name: 'called' }) },
      ],
    });
  expect((await runTask(task('mine'), { models, project: tempFolder() })).status).toBe('COMPLETE');
  expect(called).toEqual(['mine', 'other', 'mine']);
  const { status, notes } = await runTask(task('mien'), { models, project: tempFolder() });
  expect([status, notes.error?.message]).toEqual(['FAILED', expect.stringContaining('There is no model "mien"')]);
});

describe('T26 approve', () => {
  const xml = sequence(
    `${ask('draft')}<task type="script" name="count"><description>once</description>${node("require('fs').appendFileSync('ran.txt', 'x'); console.log('ran')")}</task>${ask('text', 'write {{x}}', '<inputs><input name="x" from="draft.content"/></inputs>')}<approve name="yes"><description>Is this right?</description></approve>${ask('after', 'after {{y}}', '<inputs><input name="y" from="yes.content"/></inputs>')}`,
  );

  it.each([
    ['accept', undefined, 'after about write about draft'],
    ['edit', 'my own words', 'after my own words'],
  ] as const)(
    'T26 the run waits, and after %s goes on; nothing that was answered is asked again',
    async (answer, text, last) => {
      const { model, seen } = witness();
      const { result, bearings, run: id, models, project } = await run(xml, {}, { model });
      expect(result.status).toBe('FAILED');
      expect((await (await bearings.runs()).showRun(id)).state).toBe('awaiting_person');
      const [waiting] = await (await bearings.runs()).waitingRuns();
      expect(waiting).toMatchObject({ run: id, question: 'Is this right?', shown: 'about write about draft' });
      // Going on without an answer asks nothing again and waits on.
      await (await bearings.runs()).resumeRun(id, { models });
      expect(seen).toHaveLength(2);
      for (const wrong of [{ answer: 'edit' }, { answer: 'edit', text: ' ' }, { answer: 'accept', text: 'x' }] as const)
        await expect((await bearings.runs()).answerRun(id, wrong)).rejects.toMatchObject({ code: 'invalid_input' });
      const stale = (await bearings.runs()).answerRun(id, { answer: 'accept', shownSha256: '0'.repeat(64) });
      await expect(stale).rejects.toThrow(/has changed since it was shown/);
      await (await bearings.runs()).answerRun(id, { answer, ...(text === undefined ? {} : { text }) });
      expect(await (await bearings.runs()).waitingRuns()).toEqual([]);
      await expect((await bearings.runs()).answerRun(id, { answer: 'decline' })).rejects.toThrow(
        /^The run is not waiting for an answer: it is answered\.$/,
      );
      const ended = await (await bearings.runs()).resumeRun(id, { models });
      expect(ended.result.status).toBe('COMPLETE');
      expect(seen.map(({ question }) => question)).toEqual(['draft', 'write about draft', last]);
      expect(readFileSync(join(project, 'ran.txt'), 'utf8')).toBe('x');
      const report = await (await bearings.runs()).showRun(id);
      expect(report.state).toBe('complete');
      await expect((await bearings.runs()).answerRun('last', { answer: 'accept' })).rejects.toMatchObject({
        hint: `See it: bearings runs show ${id}`,
      });
      expect(report.seen.find(({ path }) => path === '1')?.status).toBe('COMPLETE');
      expect(report.seen.find(({ path }) => path === '1.4')).toMatchObject({ type: 'approve', status: 'COMPLETE' });
    },
  );

  it('T26 a decline ends the run with its reason; the answer is signed, with who and when, in the journal', async () => {
    const { model } = witness();
    const { bearings, run: id, models, home } = await run(xml, {}, { model });
    await (await bearings.runs()).answerRun(id, { answer: 'decline', reason: 'too long' });
    const { result } = await (await bearings.runs()).resumeRun(id, { models });
    expect(result.notes.error?.message).toContain('The person declined: too long');
    const lines = readFileSync(join(home, 'runs', id, 'journal.jsonl'), 'utf8')
      .trim()
      .split('\n');
    const kept = lines.map((line) => JSON.parse(line)).find(({ key }) => key === '1.4#approve');
    expect(kept.value).toMatchObject({
      answer: 'decline',
      reason: 'too long',
      by: expect.any(String),
      entry: expect.stringContaining('"decision":"approve"'),
    });
    expect(Date.parse(kept.value.at)).toBeGreaterThan(0);
  });
});

describe('T24 root context', () => {
  it('T24 a run starts from memory and a bundle, by flag or by the template, and the record says so', async () => {
    const body = `<task type="atomic"><description>Tell of tides</description>ROOT${QUIET}</task>`;
    const at = place({
      'task.xml': body.replace('ROOT', ''),
      'own.xml': body.replace('ROOT', '<root_context memory="reef" load="tides"/>'),
      'README.md': '# Sea\n\nTides come twice a day.\n',
    });
    await (await at.bearings.workspaces()).createWorkspace({ id: 'reef' });
    put(at.home, { 'workspaces/reef/notes.md': 'The reef is old.\n' });
    for (const [file, root] of [
      ['task.xml', { memory: 'reef', load: 'tides' }],
      ['own.xml', undefined],
    ] as const) {
      const { model, seen } = witness();
      const task = await loaded(at.bearings, file);
      const { run: id } = await (await at.bearings.runs()).startRun(
        task,
        { file, model: 'witness', ...(root ? { root } : {}) },
        { models: { witness: model } },
      );
      expect(seen[0]?.frame.inherited).toContain('The reef is old.');
      expect(seen[0]?.frame.inherited).toContain('Tides come twice a day.');
      expect((await (await at.bearings.runs()).showRun(id)).spec.root).toEqual({ memory: 'reef', load: 'tides' });
    }
  });

  it('T27 words name the templates that fit, best first', async () => {
    const { bearings } = place({
      'a.xml': ask('notes', 'Write release notes'),
      'b.xml': ask('tides', 'Release the tides'),
      'c.json': '{"name":"x"}',
    });
    const fitting = await (await bearings.runs()).fittingTemplates('release notes please');
    expect(fitting.map(({ file }) => file)).toEqual(['a.xml', 'b.xml']);
  });
});
