import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defineTask, type Model, parseTask, runTask, type StepRecord, type TaskDefinition } from '../../src/index.ts';
import { FAILURE_REASONS } from '../../src/tasks/results.ts';
import { effort } from '../support/effort.ts';
import { stubMemory } from '../support/tasks/stub-memory.ts';

const QUIET = { inherit_context: 'full', fresh_context: 'disabled' } as const;
const step = (description: string, more: object = {}): TaskDefinition => ({
  type: 'atomic',
  description,
  context_management: QUIET,
  ...more,
});
const sequence = (steps: TaskDefinition[], more: object = {}): TaskDefinition => ({
  type: 'sequential',
  description: 'sequence',
  steps,
  context_management: { ...QUIET, accumulate_data: true, accumulation_format: 'notes_only' },
  ...more,
});
const reduce = (inner: TaskDefinition, more: object = {}): TaskDefinition => ({
  type: 'reduce',
  description: 'reduce',
  context_management: QUIET,
  inputs: [{ name: 'list' }],
  inner_task: inner,
  reduction_task: step('join'),
  ...more,
});

const stubs = () => {
  const { memory, chooseFresh } = stubMemory();
  return { memory, chooseFresh };
};

// Says what it is told to say about each task; a task called "fail…" fails.
const talker: Model = {
  name: 'talker',
  call({ question }) {
    if (question.startsWith('fail')) throw new Error('raw /etc/system text');
    return { content: `content of ${question}\n<notes>summary of ${question}</notes>` };
  },
};
const run = (definition: TaskDefinition, options: Parameters<typeof runTask>[1] = {}) =>
  runTask(defineTask(definition), { ...stubs(), model: talker, ...options });

describe('T10 notes', () => {
  it('T10 with the defaults step 2 sees what step 1 found, whether the model gives notes or not', async () => {
    const { task } = parseTask(`<task type="sequential"><description>two steps</description><steps>
      <task type="atomic"><description>find the colour</description></task>
      <task type="atomic"><description>use it</description></task></steps></task>`);
    for (const answer of ['It is teal.', 'Long talk.\n<notes>It is teal.</notes>']) {
      const prompts: string[] = [];
      const model: Model = {
        name: 'm',
        call: ({ prompt }) => ({ content: prompts.push(prompt) === 1 ? answer : 'done' }),
      };
      const result = await runTask(task as NonNullable<typeof task>, { ...stubs(), model });
      expect(prompts[1]).toContain('It is teal.');
      expect(prompts[1]).toContain('# What earlier steps found');
      expect(prompts[1]).not.toContain('Long talk.');
      expect(result.notes).toMatchObject({ summary: 'done', derived: true });
    }
  });

  it('T10 a derived summary is an extract of at most 600 code points, the same every time', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme', maxLength: 3000 }), async (content) => {
        const model: Model = { name: 'm', call: () => ({ content }) };
        const { notes } = await run(step('x'), { model });
        expect([...notes.summary].length).toBeLessThanOrEqual(600);
        expect(notes.derived ?? content.includes('<notes>')).toBe(true);
        expect((await run(step('x'), { model })).notes).toEqual(notes);
      }),
      { numRuns: effort(60) },
    );
  });

  it('T12 accumulation reaches direct steps only; a nested sequence starts its own and inherits the rest', async () => {
    const frames = new Map<string, string>();
    const model: Model = {
      name: 'm',
      call: ({ frame, question }) => {
        frames.set(question, `${frame.inherited}|${frame.accumulated}`);
        return { content: `found in ${question}` };
      },
    };
    await run(sequence([step('one'), sequence([step('two'), step('three')]), step('four')]), { model, context: 'TOP' });
    expect(frames.get('one')).toBe('TOP|');
    expect(frames.get('two')).toBe('TOP\n\nStep 1 (one)\nfound in one|');
    expect(frames.get('three')).toBe('TOP\n\nStep 1 (one)\nfound in one|Step 1 (two)\nfound in two');
    expect(frames.get('four')).toBe('TOP|Step 1 (one)\nfound in one\n\nStep 2 (sequence)\nfound in three');
  });

  it('T12 T2 what accumulates names a step with its inputs filled in', async () => {
    const seen: string[] = [];
    const model: Model = {
      name: 'm',
      call: ({ frame, question }) => {
        seen.push(frame.accumulated);
        return { content: `found in ${question}` };
      },
    };
    const own = step('say {{word}}', { inputs: [{ name: 'word', default: 'yes' }] });
    await run(reduce(sequence([step('look at {{item}}'), own, step('end')])), { model, inputs: { list: ['x'] } });
    expect(seen[1]).toBe('Step 1 (look at x)\nfound in look at x');
    expect(seen[2]).toBe('Step 1 (look at x)\nfound in look at x\n\nStep 2 (say yes)\nfound in say yes');
  });
});

describe('T2 inputs and output', () => {
  it('T2 {{name}} takes inputs, defaults and fields once; what a value brings is not expanded', async () => {
    const questions: string[] = [];
    const model: Model = { name: 'm', call: ({ question }) => ({ content: String(questions.push(question)) }) };
    const task = step('x', {
      prompt: '{{a}} {{ b }} {{c.d}}',
      inputs: [{ name: 'a' }, { name: 'b', default: 'B' }, { name: 'c' }],
    });
    await run(task, { model, inputs: { a: '{{b}}$&', c: { d: 7 } } });
    expect(questions).toEqual(['{{b}}$& B 7']);
  });

  it('T2 a missing input, a stray one, a hidden field and an unknown model end as input_validation_failure', async () => {
    const task = step('x', { prompt: '{{a.__proto__}}', inputs: [{ name: 'a' }] });
    const reasons = await Promise.all([
      run(task),
      run(task, { inputs: { a: 1, b: 2 } }),
      run(task, { inputs: { a: {} } }),
      run(step('x', { model: 'gpt' })),
      run(reduce(step('y'))),
      run(reduce(step('y')), { inputs: { list: 'text' } }),
    ]);
    for (const { status, notes } of reasons) {
      expect(status).toBe('FAILED');
      expect(notes.error).toMatchObject({ type: 'TASK_FAILURE', reason: 'input_validation_failure' });
    }
  });

  it('T2 a JSON answer is parsed and held against its schema', async () => {
    const answers = (content: string, schema: string | object) =>
      run(step('x', { output_format: { type: 'json', schema } }), { model: { name: 'm', call: () => ({ content }) } });
    expect((await answers('["a"]<notes>n</notes>', 'string[]')).parsedContent).toEqual(['a']);
    expect((await answers('```json\n{"a": 1}\n```', { type: 'object', required: ['a'] })).parsedContent).toEqual({
      a: 1,
    });
    for (const [content, schema] of [
      ['no', 'object'],
      ['[1]', 'string[]'],
      ['{}', { type: 'object', required: ['a'] }],
    ] as const) {
      expect((await answers(content, schema)).notes.error).toMatchObject({ reason: 'output_format_failure' });
    }
  });
});

describe('T13 records', () => {
  it('T13 each step records size, hash and matches of what it saw', async () => {
    const records: StepRecord[] = [];
    const loud = { inherit_context: 'full', fresh_context: 'enabled' };
    await run(sequence([step('a', { context_management: loud }), step('fail')]), {
      context: 'C',
      onRecord: (r) => records.push(r),
    });
    expect(records.map(({ id, status }) => [id, status])).toEqual([
      ['1.1', 'COMPLETE'],
      ['1.2', 'FAILED'],
      ['1', 'FAILED'],
    ]);
    expect(records[0]).toMatchObject({
      inherited: { chars: 1, tokens: 1 },
      fresh: { chars: 5 },
      matches: [['a.md', null]],
    });
    expect(records[0]?.inherited.sha256).toMatch(/^[0-9a-f]{64}$/);
  });
});

describe('T14 limits', () => {
  const talks = (content: string, more = false): Model => ({ name: 'm', call: () => ({ content, more }) });

  it('T14 a hard limit ends the step, 80 % only warns', async () => {
    const words = (count: number) => 'word '.repeat(count);
    const limits = { turns: 5, context: 1_000, output: 1_000 };
    const over = [
      await run(step('x'), { limits, model: talks('a', true) }),
      await run(step('x'), { limits, model: talks('a'), context: words(2_000) }),
      await run(step('x'), { limits, model: talks(words(2_000)) }),
      await run(step('x'), { limits, model: talks('a'), context: words(2_000_000) }),
    ];
    expect(over.map(({ notes }) => notes.error)).toMatchObject([
      { type: 'RESOURCE_EXHAUSTION', resource: 'turns', used: 6, limit: 5 },
      { type: 'RESOURCE_EXHAUSTION', resource: 'context', limit: 1_000 },
      { type: 'RESOURCE_EXHAUSTION', resource: 'output', limit: 1_000 },
      { type: 'RESOURCE_EXHAUSTION', resource: 'context', limit: 1_000 },
    ]);
    const warned = await run(step('x'), { limits, model: talks(words(900)) });
    expect(warned.status).toBe('COMPLETE');
    expect(warned.notes.warnings).toHaveLength(1);
  });
});

describe('T15 T16 T17 failures', () => {
  it('T15 the reasons are those of the contract', () => {
    expect([...FAILURE_REASONS]).toEqual([
      'context_retrieval_failure',
      'context_matching_failure',
      'context_parsing_failure',
      'xml_validation_failure',
      'output_format_failure',
      'execution_timeout',
      'execution_halted',
      'subtask_failure',
      'input_validation_failure',
      'unexpected_error',
    ]);
  });

  it('T15 a failing model is an unexpected_error without raw system text', async () => {
    const { notes, content, status } = await run(step('fail'));
    expect({ status, content, error: notes.error }).toEqual({
      status: 'FAILED',
      content: '',
      error: {
        type: 'TASK_FAILURE',
        reason: 'unexpected_error',
        message: 'The model "talker" failed: Error: raw … text.',
      },
    });
    expect(JSON.stringify(notes)).not.toContain('/etc');
  });

  it.each([
    ['filter', 'subset', 'context_matching_failure'],
    ['fresh', 'full', 'context_retrieval_failure'],
  ] as const)('T16 a failing %s is called exactly twice and surfaces', async (operation, inherit, reason) => {
    const { memory, asked } = stubMemory((asks) => asks === operation);
    const called: string[] = [];
    const model: Model = { name: 'm', call: ({ question }) => ({ content: String(called.push(question)) }) };
    const block = { inherit_context: inherit, fresh_context: 'enabled' };
    const result = await run(step('x', { context_management: block }), { memory, model, context: 'C' });
    expect(asked.map((one) => one.operation)).toEqual([operation, operation]);
    expect(result.notes.error).toMatchObject({ reason });
    expect(JSON.stringify(result)).not.toContain('/secret');
    expect(called).toEqual([]);
  });

  it('T16 one failure is made good by the second attempt; an answer that is not text is context_parsing_failure', async () => {
    const loud = step('x', { context_management: { inherit_context: 'full', fresh_context: 'enabled' } });
    const { memory, asked } = stubMemory((_, count) => count === 1);
    expect((await run(loud, { memory })).status).toBe('COMPLETE');
    expect(asked).toHaveLength(2);
    const silent = { getRelevantContextFor: async () => ({ context: '', matches: null }) as never };
    expect((await run(loud, { memory: silent })).notes.error).toMatchObject({ reason: 'context_parsing_failure' });
  });

  it.each(['notes_only', 'full_output'] as const)(
    'T17 T29 a sequence keeps its completed steps whole in the format %s',
    async (accumulation_format) => {
      const context_management = { ...QUIET, accumulate_data: true, accumulation_format };
      const { notes } = await run(sequence([step('a'), step('b'), step('fail'), step('d')], { context_management }));
      expect(notes.partialResults).toHaveLength(2);
      expect(notes.partialResults?.[0]).toEqual({
        stepIndex: 0,
        output: 'content of a',
        notes: { summary: 'summary of a', model: 'talker' },
      });
      expect(notes.error).toMatchObject({
        reason: 'subtask_failure',
        details: { failedStep: 2, totalSteps: 4, partialResults: notes.partialResults },
      });
    },
  );

  it('T17 without accumulation there are none; nested failures keep their own', async () => {
    const bare = await run(
      sequence([step('a'), step('fail')], { context_management: { ...QUIET, accumulate_data: false } }),
    );
    expect(bare.notes).not.toHaveProperty('partialResults');
    const nested = await run(sequence([step('a'), reduce(sequence([step('b {{item}}', {}), step('fail {{item}}')]))]), {
      inputs: { list: ['x', 'y'] },
    });
    expect(nested.notes.error).toMatchObject({
      details: {
        failedStep: 1,
        partialResults: [{ stepIndex: 0, output: 'content of a' }],
        cause: {
          details: {
            failedInputIndex: 0,
            failedInputKey: '0',
            failedPhase: 'inner_task',
            partialResults: [],
            cause: { details: { failedStep: 1, totalSteps: 2, partialResults: [{ output: 'content of b x' }] } },
          },
        },
      },
    });
  });
});

describe('T18 reduce', () => {
  const inner = step('each', { prompt: '{{item}}' });

  const ROUNDS = effort(100, 20);
  it(`T18 a thousand inputs with random failures and delays: the same result in ${ROUNDS} runs`, async () => {
    const list = Array.from({ length: 1000 }, (_, index) => index);
    // Failures at random places, in an order of ends that differs from run to run.
    const seeded = random(7);
    const failing = new Set(list.filter(() => seeded() < 0.004));
    const lowest = Math.min(...failing);
    expect(lowest).toBeGreaterThan(20);
    const task = defineTask(reduce(inner, { concurrency: 16 }));
    const { memory } = stubMemory();
    const seen = new Set<string>();
    for (let round = 0; round < ROUNDS; round += 1) {
      const chance = random(round + 100);
      const model: Model = {
        name: 'm',
        async call({ question }) {
          for (let turns = Math.floor(chance() * 12); turns > 0; turns -= 1) await null;
          if (chance() < 0.02) await new Promise(setImmediate);
          if (failing.has(Number(question))) throw new Error('no');
          return { content: `done ${question}` };
        },
      };
      const result = await runTask(task, { memory, model, inputs: { list } });
      seen.add(JSON.stringify(result));
      expect(result.notes.error).toMatchObject({
        details: { failedInputIndex: lowest, failedInputKey: String(lowest) },
      });
      expect(result.notes.partialResults?.map(({ inputIndex }) => inputIndex)).toEqual(list.slice(0, lowest));
    }
    expect(seen.size).toBe(1);
  });

  it('T18 property: whatever fails and however long it takes, the lowest decides and no input runs twice', async () => {
    const plan = fc.array(fc.record({ fails: fc.boolean(), turns: fc.nat(9) }), { maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(plan, fc.integer({ min: 1, max: 8 }), async (inputs, concurrency) => {
        const calls = new Map<string, number>();
        const model: Model = {
          name: 'm',
          async call({ question, frame }) {
            if (frame.results !== '') return { content: 'joined' };
            calls.set(question, (calls.get(question) ?? 0) + 1);
            const { fails, turns } = inputs[Number(question)] as (typeof inputs)[number];
            for (let i = 0; i < turns; i += 1) await null;
            if (fails) throw new Error('no');
            return { content: question };
          },
        };
        const result = await run(reduce(inner, { concurrency }), { model, inputs: { list: [...inputs.keys()] } });
        const lowest = inputs.findIndex(({ fails }) => fails);
        expect(result.status).toBe(lowest === -1 ? 'COMPLETE' : 'FAILED');
        if (lowest !== -1)
          expect(result.notes.partialResults?.map(({ output }) => output)).toEqual(
            [...Array(lowest).keys()].map(String),
          );
        expect([...calls.values()].every((count) => count === 1)).toBe(true);
      }),
      { numRuns: effort(150) },
    );
  });

  it('T18 those after the failing input are cancelled, those before it are not', async () => {
    const aborted: string[] = [];
    let release = (): void => {};
    const model: Model = {
      name: 'm',
      call: ({ question, signal }) =>
        new Promise((resolve, reject) => {
          signal.addEventListener('abort', () => aborted.push(question));
          if (question === '0') release = () => resolve({ content: 'first' });
          else if (question === '1') setImmediate(() => reject(new Error('no')));
          else setImmediate(() => setImmediate(() => release()));
        }),
    };
    const { notes } = await run(reduce(inner, { concurrency: 4 }), { model, inputs: { list: [0, 1, 2, 3, 4] } });
    expect(notes.partialResults?.map(({ output }) => output)).toEqual(['first']);
    expect(aborted.sort()).toEqual(['2', '3']);
  });

  it('T18 a failing reduction keeps all inner results', async () => {
    const { notes } = await run(reduce(inner, { reduction_task: step('fail') }), { inputs: { list: ['a', 'b'] } });
    expect(notes.partialResults?.map(({ output }) => output)).toEqual(['content of a', 'content of b']);
    expect(notes.error).toMatchObject({ reason: 'subtask_failure', details: { failedPhase: 'reduction_task' } });
  });

  it('T18 no inputs: COMPLETE, empty, a warning', async () => {
    const { status, content, notes } = await run(reduce(inner), { inputs: { list: [] } });
    expect([status, content, notes.warnings?.length]).toEqual(['COMPLETE', '', 1]);
  });

  it('T18 fan_in combines in a tree, in order, never more than so many at a time', async () => {
    const sizes: number[] = [];
    const model: Model = {
      name: 'm',
      async call({ question, frame }) {
        await new Promise(setImmediate);
        if (frame.results === '') return { content: `[${question}]` };
        const outputs = frame.results.split('\n').filter((line) => line.startsWith('['));
        sizes.push(outputs.length);
        return { content: outputs.join('') };
      },
    };
    const list = Array.from({ length: 2_500 }, (_, index) => index);
    const { content } = await run(reduce(inner, { fan_in: 7, concurrency: 9 }), { model, inputs: { list } });
    expect(content).toBe(list.map((index) => `[${index}]`).join(''));
    expect(Math.max(...sizes)).toBe(7);
  });

  it('T18 a list that breaks off fails at its place, and what came before is kept', async () => {
    const list = {
      count: null,
      async *open() {
        yield { key: '0', value: 'a' };
        yield { key: '1', value: 'b' };
        throw new Error('gone');
      },
    };
    const { notes } = await run(reduce(inner), { inputs: { list } });
    expect(notes.partialResults).toHaveLength(2);
    expect(notes.error).toMatchObject({
      details: { failedInputIndex: 2, cause: { reason: 'input_validation_failure' } },
    });
  });
});

describe('T19 cancel', () => {
  it('T19 a stop ends as execution_halted with partial results, even when the model does not listen', async () => {
    const controller = new AbortController();
    const model: Model = {
      name: 'm',
      call: ({ question }) => {
        if (question !== 'c') return { content: question };
        setImmediate(() => controller.abort());
        return new Promise(() => {});
      },
    };
    const { notes } = await run(sequence([step('a'), step('b'), step('c'), step('d')]), {
      model,
      signal: controller.signal,
    });
    expect(notes.error).toMatchObject({
      reason: 'execution_halted',
      details: { failedStep: 2, cause: { reason: 'execution_halted' } },
    });
    expect(notes.partialResults?.map(({ output }) => output)).toEqual(['a', 'b']);
  });

  it('T19 a reduce, a memory system and a list that hang are ended too; a deadline does the same', async () => {
    const hang = (): Promise<never> => new Promise(() => {});
    const model: Model = { name: 'm', call: ({ question }) => (question === '2' ? hang() : { content: question }) };
    const each = step('each', { prompt: '{{item}}' });
    const list = [0, 1, 2, 3, 4, 5];
    const halted = await run(reduce(each, { concurrency: 2 }), { model, inputs: { list }, deadlineMs: 2_000 });
    expect(halted.notes.error).toMatchObject({ reason: 'execution_halted' });
    expect(halted.notes.partialResults?.map(({ inputIndex }) => inputIndex)).toEqual([0, 1, 3, 4, 5]);
    const loud = step('x', { context_management: { inherit_context: 'full', fresh_context: 'enabled' } });
    const stuck = await run(loud, { memory: { getRelevantContextFor: hang }, deadlineMs: 10 });
    expect(stuck.notes.error).toMatchObject({ reason: 'execution_halted' });
    const slow = { count: null, open: () => ({ [Symbol.asyncIterator]: () => ({ next: hang }) }) };
    const waiting = await run(reduce(each), { inputs: { list: slow }, deadlineMs: 10 });
    expect(waiting.notes.error).toMatchObject({ reason: 'execution_halted' });
    // Models that answer at once never give way by themselves.
    const quick: Model = { name: 'm', call: () => ({ content: 'x' }) };
    const many = Array.from({ length: 100_000 }, (_, at) => at);
    const long = await run(reduce(each), { model: quick, inputs: { list: many }, deadlineMs: 1 });
    expect(long.notes.error).toMatchObject({ reason: 'execution_halted' });
    const signal = AbortSignal.abort();
    expect((await run(step('x'), { signal })).notes.error).toMatchObject({ reason: 'execution_halted' });
  });
});

function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}
