import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openRooms } from '../../src/bearings.ts';
import { defineTask, type Model, type ModelRequest, parseTask, runTask } from '../../src/index.ts';
import { put, tempFolder } from '../support/temp-folder.ts';

const TOKEN = `ghp_${'A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8'}`;

function place(files: Record<string, string>) {
  const folder = tempFolder();
  const project = join(folder, 'project');
  put(folder, { 'home/config.yaml': '' });
  put(project, files);
  const variables = { BEARINGS_HOME: join(folder, 'home'), BEARINGS_CACHE: join(folder, 'cache') };
  return { folder, project, bearings: openRooms({ cwd: project, variables }) };
}

// Remembers what it was asked, and says what it is told to say for each question.
function witness(answers: Record<string, string> = {}): { model: Model; seen: Map<string, ModelRequest> } {
  const seen = new Map<string, ModelRequest>();
  const model: Model = {
    name: 'witness',
    call(request) {
      seen.set(request.question, request);
      return { content: answers[request.question] ?? 'done' };
    },
  };
  return { model, seen };
}

const steps = (block: string) => `<task type="sequential"><description>Repair it</description>
<context_management><inherit_context>none</inherit_context>${block}<fresh_context>disabled</fresh_context></context_management>
<steps>
<task type="atomic"><description>Look for the reason</description><context_management><inherit_context>none</inherit_context><fresh_context>disabled</fresh_context></context_management></task>
<task type="atomic"><description>Write the patch</description><context_management><inherit_context>none</inherit_context><fresh_context>enabled</fresh_context></context_management></task>
</steps></task>`;

const FILES = {
  'src/tokenizer.ts': 'export function splitWords(text: string) {\n  return text.split(/[^a-z]/);\n}\n',
  'src/wave.ts': 'export function waveHeight(wind: number) {\n  return wind * 2;\n}\n',
  'docs/tide.md': '# Tides\n\nThe moon makes the tides.\n',
};
const FOUND = 'The apostrophe defect is in splitWords of the tokenizer, src/tokenizer.ts.';

const COMMON =
  'I looked at the whole project, read every page of the documentation, ran the program several times with different settings and compared what it printed with what people expect from such programs in general, before I came to a conclusion about the cause.';

describe('T20 matching weighs the whole input', () => {
  it.each([
    [
      'accumulating',
      '<accumulate_data>true</accumulate_data><accumulation_format>notes_only</accumulation_format>',
      true,
    ],
    ['inherit none and no accumulation', '<accumulate_data>false</accumulate_data>', false],
  ])('T20 a file that only the first step named is in the fresh context of the second: %s', async (_, block, isIn) => {
    const { bearings, project } = place({ ...FILES, 'repair.xml': steps(block) });
    const { task } = await (await bearings.runs()).checkTask('repair.xml');
    if (task === null) throw new Error('the template does not load');
    const { model, seen } = witness({ 'Look for the reason': FOUND });
    const { result, run } = await (await bearings.runs()).startRun(
      task,
      { file: 'repair.xml', model: 'witness' },
      { models: { witness: model } },
    );
    expect(result.status).toBe('COMPLETE');
    const second = seen.get('Write the patch');
    expect(second?.frame.fresh.includes('splitWords')).toBe(isIn);
    expect(second?.frame.matches.some(([path]) => path === 'src/tokenizer.ts')).toBe(isIn);
    // Its own template holds the very words of the task, and is no context of it.
    expect(second?.frame.fresh).not.toContain('<task');
    const record = (await (await bearings.runs()).showRun(run)).seen.find(({ path }) => path === '1.2');
    expect(record?.matches.some(([path]) => path === 'repair.xml')).toBe(false);
    expect(project).not.toBe('');
  });

  const plain = 'apostrophe tokenizer defect';
  it.each([
    ['said shortly', plain, true],
    ['among many common words', `${COMMON} It is an ${plain}. ${COMMON}`, true],
    ['inherit none and no accumulation', plain, false],
  ])(
    'T20 a thing that the first step speaks of in plain words leads the second to its file: %s',
    async (_, said, isIn) => {
      const pages = Object.fromEntries(
        Array.from({ length: 30 }, (_, at) => [
          `docs/page${at}.md`,
          `# Page ${at}\n\n${COMMON.slice(at * 3, at * 3 + 60)}\n`,
        ]),
      );
      const block = isIn
        ? '<accumulate_data>true</accumulate_data><accumulation_format>full_output</accumulation_format>'
        : '<accumulate_data>false</accumulate_data>';
      const defect = '// An apostrophe ends a word here: the defect that readers of French texts report.\n';
      const { bearings } = place({
        ...pages,
        'src/cut.ts': `${defect}export const cut = 1;\n`,
        'repair.xml': steps(block),
      });
      const { task } = await (await bearings.runs()).checkTask('repair.xml');
      if (task === null) throw new Error('the template does not load');
      const { model, seen } = witness({ 'Look for the reason': said });
      await (await bearings.runs()).startRun(
        task,
        { file: 'repair.xml', model: 'witness' },
        { models: { witness: model } },
      );
      expect(seen.get('Write the patch')?.frame.fresh.includes('export const cut')).toBe(isIn);
    },
  );

  it('T20 a memory system with the one method works with fresh context: the evaluator ranks and takes passages', async () => {
    const { project } = place(FILES);
    const { model, seen } = witness();
    const asked: unknown[] = [];
    const memory = {
      async getRelevantContextFor(input: { taskText: string; inheritedContext?: string }) {
        asked.push(input);
        const matches: [string, unknown][] = [
          ['docs/tide.md', null],
          ['ticket 7', 'The tides are late on Mondays.'],
          ['src/wave.ts', null],
        ];
        return { context: input.inheritedContext ?? '', matches };
      },
    };
    const task = defineTask({ type: 'atomic', description: 'wave height and tides' });
    const result = await runTask(task, { project, memory, model, context: 'PARENT' });
    expect(result.status).toBe('COMPLETE');
    const frame = seen.get('wave height and tides')?.frame;
    expect(frame?.inherited).toBe('PARENT');
    expect(frame?.fresh).toContain('waveHeight');
    expect(frame?.fresh).toContain('The moon makes the tides.');
    expect(result.notes.warnings).toEqual(['The memory system named ticket 7, which is not a file of the project.']);
    expect(frame?.fresh).not.toContain('splitWords');
    expect(asked).toEqual([{ taskText: 'wave height and tides', inheritedContext: 'PARENT' }]);
  });

  it('T28 a passage that the inherited part holds, the template beside the running one, and our own files are not in the fresh part', async () => {
    const quiet = (more: string) =>
      `<context_management><inherit_context>${more}</inherit_context><fresh_context>enabled</fresh_context></context_management>`;
    const template = (name: string) => `<task type="sequential"><description>Wave height and tides</description>
<steps><task type="atomic" name="${name}"><description>Tell the wave height of the tides</description>${quiet('full')}</task>
<task type="atomic"><description>Wave height again</description>${quiet('none')}</task></steps></task>`;
    const { bearings } = place({
      ...FILES,
      'tasks/run.xml': template('one'),
      'tasks/sibling.xml': template('two'),
      'tasks/note.xml': '<note>wave height of the tides</note>',
      '.bearings/tasks/own.xml': template('three'),
    });
    const { task } = await (await bearings.runs()).checkTask('tasks/run.xml');
    if (task === null) throw new Error('the template does not load');
    const { model, seen } = witness();
    await (await bearings.runs()).startRun(
      task,
      { file: 'tasks/run.xml', model: 'witness' },
      { models: { witness: model } },
    );
    const inside = seen.get('Tell the wave height of the tides')?.frame;
    expect(inside?.inherited).toContain('waveHeight');
    expect(inside?.fresh).not.toContain('waveHeight');
    const alone = seen.get('Wave height again')?.frame;
    expect(alone?.fresh).toContain('waveHeight');
    expect(alone?.fresh).toContain('<note>');
    for (const frame of [inside, alone]) expect(`${frame?.inherited}${frame?.fresh}`).not.toContain('<task');
  });

  it.each([
    ['subset', 'WHAT I KNOW', ''],
    ['full', 'PARENT', 'WHAT I KNOW'],
    ['none', '', 'WHAT I KNOW'],
  ] as const)('T28 a memory system of the user is believed: %s', async (inherit_context, inherited, fresh) => {
    const { project } = place(FILES);
    const { model, seen } = witness();
    const memory = {
      getRelevantContextFor: async () => ({
        context: 'WHAT I KNOW',
        matches: [['docs/tide.md', null]] as [string, null][],
      }),
    };
    const context_management = { inherit_context, fresh_context: 'enabled' } as const;
    const task = defineTask({ type: 'atomic', description: 'the tides', context_management });
    expect((await runTask(task, { project, memory, model, context: 'PARENT' })).status).toBe('COMPLETE');
    const frame = seen.get('the tides')?.frame;
    expect(frame?.inherited).toBe(inherited);
    expect(frame?.fresh.startsWith(fresh)).toBe(true);
    expect(frame?.fresh.includes('WHAT I KNOW')).toBe(fresh !== '');
    expect(frame?.fresh).toContain('The moon makes the tides.');
  });

  it('T16 a memory system that fails names its cause, without places of the machine', async () => {
    const memory = {
      async getRelevantContextFor(): Promise<never> {
        throw new TypeError('the shelf at /var/lib/shelf.db has no index');
      },
    };
    const task = defineTask({ type: 'atomic', description: 'x' });
    const { notes } = await runTask(task, { memory, model: witness().model });
    expect(notes.error).toMatchObject({ reason: 'context_retrieval_failure' });
    expect(notes.error?.message).toContain('TypeError: the shelf at … has no index');
  });

  it('T9 subset without a hit passes all of it on, and says so in the record, the notes and as an event', async () => {
    const { bearings } = place({
      'one.xml': ONE.replace('BLOCK', SUBSET),
      'context.md': '# Garden\n\nRoses grow here.\n',
    });
    const { task } = await (await bearings.runs()).checkTask('one.xml');
    if (task === null) throw new Error('the template does not load');
    const warned: string[] = [];
    const { run, result } = await (await bearings.runs()).startRun(
      task,
      { file: 'one.xml', contextFile: 'context.md' },
      { onEvent: (event) => event.event === 'warning' && warned.push(event.message) },
    );
    const said = /nothing of the parent context fits the task/;
    expect(result.notes.warnings?.join()).toMatch(said);
    expect(warned.join()).toMatch(said);
    expect((await (await bearings.runs()).showRun(run)).seen[0]?.warnings?.join()).toMatch(said);
  });

  it('L28 a step whose text is longer than 100,000 characters runs, with a warning that matching looks at its ends', async () => {
    const { bearings } = place({
      ...FILES,
      'one.xml': ONE.replace('BLOCK', FRESH)
        .replace('Height of the wave<', 'Height of the wave {{log}}<')
        .replace('<inputs>', '<inputs><input name="log"/>'),
    });
    const { task } = await (await bearings.runs()).checkTask('one.xml');
    if (task === null) throw new Error('the template does not load');
    for (const [length, warnings] of [
      [80_000, 0],
      [160_000, 1],
    ] as const) {
      const { result } = await (await bearings.runs()).startRun(task, {
        file: 'one.xml',
        input: [`log=${'at step '.repeat(length / 8)}`],
      });
      expect(result.status).toBe('COMPLETE');
      expect((result.notes.warnings ?? []).filter((text) => text.includes('The task is cut'))).toHaveLength(warnings);
    }
  });
});

const SUBSET = '<inherit_context>subset</inherit_context><fresh_context>disabled</fresh_context>';
const FRESH = '<inherit_context>full</inherit_context><fresh_context>enabled</fresh_context>';
const ONE = `<task type="atomic"><description>Height of the wave</description><inputs><input name="more">none</input></inputs><prompt>Height of the wave {{more}}</prompt><context_management>BLOCK</context_management></task>`;

describe('L24 L25 one corpus, and secrets stay at home', () => {
  it('L24 match, run and its lists leave out what the policy excludes, and files for secrets', async () => {
    const { bearings } = place({
      ...FILES,
      'one.xml': ONE.replace('BLOCK', FRESH),
      'secret/wave.ts': 'export function waveHeight() { return "height of the wave"; }\n',
      '.env': 'HEIGHT_OF_THE_WAVE=1\n',
      '.bearings/policy.yaml': 'version: 1\nextends: repo\nexclude:\n  - secret/*\n',
    });
    const paths = (await (await bearings.matching()).rankedMatches('height of the wave', { project: '.' })).map(
      ({ path }) => path,
    );
    expect(paths).toContain('src/wave.ts');
    expect(paths.some((path) => /^secret\/|\.env/.test(path))).toBe(false);
    const { task } = await (await bearings.runs()).checkTask('one.xml');
    if (task === null) throw new Error('the template does not load');
    const { model, seen } = witness();
    await (await bearings.runs()).startRun(task, { file: 'one.xml', model: 'witness' }, { models: { witness: model } });
    const frame = seen.get('Height of the wave none')?.frame;
    expect(frame?.matches.map(([path]) => path)).toEqual(['src/wave.ts']);
    const list = defineTask({
      type: 'reduce',
      description: 'all',
      inputs: [{ name: 'files' }],
      inner_task: { description: '{{key}}' },
      reduction_task: { description: 'join' },
    });
    const each = witness();
    await (await bearings.runs()).startRun(
      list,
      { file: 'l.xml', model: 'w', inputs: ['files=**/*'] },
      { models: { w: each.model } },
    );
    expect([...each.seen.keys()].some((key) => key.startsWith('secret/'))).toBe(false);
    expect([...each.seen.keys()]).toContain('src/wave.ts');
  });

  it('L25 a secret in a file, an input, a list or the context reaches no model and no journal; each is warned of', async () => {
    const { bearings, folder } = place({
      'one.xml': ONE.replace('BLOCK', FRESH),
      'src/wave.ts': `// height of the wave\nconst token = '${TOKEN}';\n`,
      'context.md': `The token is ${TOKEN}.\n`,
    });
    const { task } = await (await bearings.runs()).checkTask('one.xml');
    if (task === null) throw new Error('the template does not load');
    const { model, seen } = witness();
    const { result } = await (await bearings.runs()).startRun(
      task,
      { file: 'one.xml', model: 'w', input: [`more=${TOKEN}`], contextFile: 'context.md' },
      { models: { w: model } },
    );
    const [request] = [...seen.values()];
    expect(request?.prompt).toContain('[redacted:github_token]');
    expect(request?.prompt).not.toContain(TOKEN);
    expect(result.notes.warnings?.join('\n')).toMatch(/src\/wave\.ts:2: github_token is redacted/);
    const runs = join(folder, 'home/runs');
    const kept = readdirSync(runs, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.jsonl'));
    expect(kept.length).toBeGreaterThan(0);
    for (const name of kept) expect(readFileSync(join(runs, name), 'utf8')).not.toContain(TOKEN);
    // A program's own call of the library, too.
    const own = witness();
    await runTask(task, { model: own.model, inputs: { more: { deep: TOKEN } }, context: TOKEN });
    const [asked] = [...own.seen.values()];
    expect(asked?.prompt).not.toContain(TOKEN);
  });
});

describe('T14 limits, headings and names', () => {
  it('T14 the template, the flag, the model and the settings set limits; each is told where it was passed', async () => {
    const long: Model = { name: 'long', call: () => ({ content: 'word '.repeat(300) }) };
    const template = (limits: string) =>
      parseTask(`<task type="sequential"><description>x</description>${limits}<steps><task type="atomic">
        <description>x</description><context_management><inherit_context>none</inherit_context><fresh_context>disabled</fresh_context></context_management></task></steps></task>`)
        .task;
    const run = async (limits: string, more: object = {}) => {
      const task = template(limits);
      if (task === null) throw new Error('the template does not load');
      const { status, notes } = await runTask(task, { model: long, ...more });
      const { error } = notes;
      const inner = error && 'details' in error ? error.details?.cause : undefined;
      return status === 'COMPLETE'
        ? 'complete'
        : inner && 'limit' in inner
          ? `${inner.resource} ${inner.limit}`
          : 'other';
    };
    expect(await run('')).toBe('complete');
    expect(await run('<limits output="100"/>')).toBe('output 100');
    expect(await run('<limits output="100"/>', { limits: { output: 2_000 } })).toBe('complete');
    expect(await run('', { usualLimits: { output: 50 } })).toBe('output 50');
    expect(await run('', { usualLimits: { output: 50 }, model: { ...long, limits: { output: 70 } } })).toBe(
      'output 70',
    );
    expect(await run('<limits output="2000"/>', { model: { ...long, limits: { output: 70 } } })).toBe('complete');
  });

  it('T14 T24 limits and headings are in the configuration', async () => {
    const { bearings, folder } = place({ 'one.xml': ONE.replace('BLOCK', FRESH), 'context.md': 'Waves.\n' });
    put(folder, { 'home/config.yaml': 'max_turns: 3\nheading_inherited: What is known\nheading_task: Your task\n' });
    const { task } = await (await bearings.runs()).checkTask('one.xml');
    if (task === null) throw new Error('the template does not load');
    let turns = 0;
    const seen: string[] = [];
    const endless: Model = {
      name: 'endless',
      call: ({ prompt }) => {
        seen.push(prompt);
        turns += 1;
        return { content: 'more', more: true };
      },
    };
    const options = { file: 'one.xml', model: 'endless', contextFile: 'context.md' };
    const { result } = await (await bearings.runs()).startRun(task, options, { models: { endless } });
    expect(result.notes.error).toMatchObject({ resource: 'turns', limit: 3 });
    expect(turns).toBe(3);
    expect(seen[0]).toContain('# What is known\n');
    expect(seen[0]).toContain('# Your task\n');
    turns = 0;
    const more = await (await bearings.runs()).startRun(
      task,
      { ...options, limits: { turns: 5 } },
      { models: { endless } },
    );
    expect(more.result.notes.error).toMatchObject({ resource: 'turns', limit: 5 });
  });

  it("T1 defineTask takes the document's names and refuses keys that it does not know", () => {
    const task = defineTask({
      type: 'atomic',
      description: 'x',
      contextManagement: { inheritContext: 'none', freshContext: 'disabled' },
      outputFormat: { type: 'json', schema: { type: 'object', properties: { innerTask: { type: 'string' } } } },
    });
    expect(task.settings).toMatchObject({ inheritContext: 'none', freshContext: 'disabled' });
    const unknown = (more: object) => () => defineTask({ type: 'atomic', description: 'x', ...more });
    expect(unknown({ contextManagment: {} })).toThrow(/"contextManagment".* not known|is not known/);
    expect(unknown({ context_management: { inherit_context: 'full', freshContext: 'disabled' } })).not.toThrow();
    expect(unknown({ context_management: { inherit_context: 'full', depth: 1 } })).toThrow(/is not known/);
    expect(
      unknown({ contextManagement: { inheritContext: 'full' }, context_management: { inherit_context: 'full' } }),
    ).toThrow(/twice/);
  });

  it('T18 fan_in asks for no group of one', async () => {
    const { model, seen } = witness();
    let reductions = 0;
    const counting: Model = {
      name: 'c',
      call(request) {
        if (request.question === 'join') reductions += 1;
        return model.call(request);
      },
    };
    const task = defineTask({
      type: 'reduce',
      description: 'x',
      inputs: [{ name: 'list' }],
      fan_in: 2,
      context_management: { inherit_context: 'none', fresh_context: 'disabled' },
      inner_task: { description: 'take {{item}}' },
      reduction_task: {
        description: 'join',
        context_management: { inherit_context: 'none', fresh_context: 'disabled' },
      },
    });
    // 5 → 2, 2, 1 → 2, 1 → 2: three groups of two and the top.
    await runTask(task, { model: counting, inputs: { list: ['a', 'b', 'c', 'd', 'e'] } });
    expect(reductions).toBe(4);
    expect(seen.size).toBe(6);
  });
});

describe('L24 L25 what a template and a repository must not bring', () => {
  it('L25 a secret in the template itself reaches no model and no journal, and is told with its place', async () => {
    const xml = `<task type="atomic">\n<description>Use ${TOKEN}</description>\n<inputs><input name="a">${TOKEN}</input></inputs>\n<prompt>Ask with ${TOKEN} and {{a}}</prompt></task>`;
    const { bearings, folder } = place({ 'leak.xml': xml });
    const { task, problems } = await (await bearings.runs()).checkTask('leak.xml');
    expect(problems.map(({ line, severity, message }) => `${line} ${severity} ${message}`)).toEqual([
      '2 warning <description> holds what looks like a secret (github_token): it is redacted.',
      '3 warning <input> holds what looks like a secret (github_token): it is redacted.',
      '4 warning <prompt> holds what looks like a secret (github_token): it is redacted.',
    ]);
    if (task === null) throw new Error('the template does not load');
    const { model, seen } = witness();
    const { run } = await (await bearings.runs()).startRun(
      task,
      { file: 'leak.xml', model: 'witness' },
      { models: { witness: model } },
    );
    expect([...seen.keys()]).toEqual(['Ask with [redacted:github_token] and [redacted:github_token]']);
    const kept = readdirSync(join(folder, 'home/runs', run)).map((name) =>
      readFileSync(join(folder, 'home/runs', run, name), 'utf8'),
    );
    expect(kept.join()).not.toContain(TOKEN);
    const script = `<task type="script"><description>x</description><command><arg>curl</arg><arg>${TOKEN}</arg></command></task>`;
    const refused = parseTask(script).problems;
    expect(refused).toMatchObject([{ severity: 'error', message: expect.stringContaining('<arg> holds') }]);
  });

  it('L24 M36 the memory of a repository is no file of a task: neither fresh context nor a match', async () => {
    const { bearings } = place({
      ...FILES,
      '.bearings/workspace.json': '{"id":"tides-of-the-moon"}',
      '.bearings/notes.md': 'The moon and the tides, as noted.\n',
      'tide.xml': '<task type="atomic"><description>The moon and the tides</description></task>',
    });
    const { task } = await (await bearings.runs()).checkTask('tide.xml');
    if (task === null) throw new Error('the template does not load');
    const { model, seen } = witness();
    await (await bearings.runs()).startRun(
      task,
      { file: 'tide.xml', model: 'witness' },
      { models: { witness: model } },
    );
    const [request] = seen.values();
    expect(request?.frame.matches.map(([path]) => path)).toEqual(['docs/tide.md']);
    const found = await (await bearings.matching()).rankedMatches('the moon and the tides', { project: '.' });
    expect(found.map(({ path }) => path)).not.toContain('.bearings/notes.md');
  });
});

describe('what a second audit of the fourth document found', () => {
  const alone = { inherit_context: 'none', fresh_context: 'disabled' } as const;
  const reduce = (inner: object) =>
    defineTask({
      type: 'reduce',
      description: 'd',
      over: 'list',
      inputs: [{ name: 'list' }],
      innerTask: { contextManagement: { inheritContext: 'none', freshContext: 'disabled' }, ...inner },
      reductionTask: { description: 'r', context_management: alone },
    } as never);

  it.each([
    ['named nowhere: after the prompt', { description: 'Sum it up' }, ['Sum it up\n\nAAA', 'Sum it up\n\nBBB']],
    ['named: where it is named', { description: 'Sum {{item}} up' }, ['Sum AAA up', 'Sum BBB up']],
    ['named as the list', { description: 'Sum up {{list}}' }, ['Sum up AAA', 'Sum up BBB']],
  ])('T2 T12 the input of an inner task reaches it, %s', async (_, inner, questions) => {
    const { model, seen } = witness();
    await runTask(reduce(inner), { model, inputs: { list: ['AAA', 'BBB'] } });
    expect([...seen.keys()].filter((each) => each !== 'r')).toEqual(questions);
  });

  it('T20 T28 a file that a memory system names is given, though it shares no word with the task; what is no file is told', async () => {
    const { project } = place({ ...FILES, 'docs/reefs.md': '# Reefs\n\nThe fish are blue.\n' });
    const { model, seen } = witness();
    const memory = {
      getRelevantContextFor: async () => ({
        context: '',
        matches: [
          ['docs/reefs.md', null],
          ['../gone.md', null],
        ],
      }),
    };
    const task = defineTask({ type: 'atomic', description: 'Which animals live in the sea?' });
    const { notes } = await runTask(task, { model, project, memory: memory as never });
    expect([...seen.values()][0]?.frame.fresh).toContain('The fish are blue.');
    expect(notes.warnings).toEqual(['The memory system named ../gone.md, which is not a file of the project.']);
  });

  it.each([null, { context: 'x' }, { context: 5, matches: [] }])(
    'T16 an answer of the wrong form, %j, is asked for once more, then surfaces as what it is',
    async (answer) => {
      let calls = 0;
      const memory = {
        getRelevantContextFor: async () => {
          calls += 1;
          return answer;
        },
      };
      const task = defineTask({ type: 'atomic', description: 'x' });
      const { notes } = await runTask(task, { model: witness().model, memory: memory as never });
      expect([notes.error, calls]).toMatchObject([{ reason: 'context_parsing_failure' }, 2]);
    },
  );

  it('T30 why a model of a program failed reaches whoever runs it, without its secrets', async () => {
    const model = {
      name: 'own',
      call: () => Promise.reject(new Error(`quota is over for ${TOKEN}`)),
    };
    const { notes } = await runTask(defineTask({ type: 'atomic', description: 'x' }), { model });
    expect(notes.error?.message).toBe('The model "own" failed: Error: quota is over for [redacted:github_token].');
  });

  it('T20 T28 a template that lies in the project gives its task the same fresh context as one outside', async () => {
    const pages = { 'docs/reefs.md': '# Reefs\n\nFish of the reef.\n', 'docs/tide.md': '# Tides\n\nThe moon.\n' };
    const xml =
      '<task type="atomic"><description>Find colours of the fish and the reef</description><context_management><inherit_context>none</inherit_context><fresh_context>enabled</fresh_context></context_management></task>';
    const fresh = await Promise.all(
      ['tasks/find.xml', '../find.xml'].map(async (file) => {
        const { bearings } = place({ ...pages, [file]: xml });
        const { task } = await (await bearings.runs()).checkTask(file);
        if (task === null) throw new Error('the template does not load');
        const { model, seen } = witness();
        await (await bearings.runs()).startRun(task, { file, model: 'witness' }, { models: { witness: model } });
        return [...seen.values()][0]?.frame.fresh;
      }),
    );
    expect(fresh[0]).toContain('Fish of the reef');
    expect(fresh[0]).toBe(fresh[1]);
  });

  it('T2 T5 a comment changes nothing of what is valid', () => {
    const block =
      '<context_management><inherit_context>none</inherit_context><fresh_context>disabled</fresh_context></context_management>';
    const xml = (comment: string) =>
      `<task type="reduce"><description>d</description><inner_task>${block}${comment}</inner_task><reduction_task>${block}${comment}</reduction_task></task>`;
    const [bare, commented] = ['', '<!-- to be written -->'].map((comment) => parseTask(xml(comment)));
    expect(bare?.task).not.toBeNull();
    expect(commented?.task).not.toBeNull();
    expect(bare?.problems.map(({ severity, message }) => `${severity}: ${message}`)).toEqual([
      'warning: This inner_task is still to be written.',
      'warning: This reduction_task is still to be written.',
    ]);
  });

  it('M31 an object that is no loaded template is refused with what to do', async () => {
    const plain = { type: 'atomic', description: 'x' } as never;
    await expect(runTask(plain)).rejects.toMatchObject({
      code: 'invalid_input',
      hint: 'Make one with defineTask() or parseTask().',
    });
  });
});
