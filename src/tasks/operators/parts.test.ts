import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { shownName } from '../../safety/hidden-characters.ts';
import type { StepRecord } from '../engine.ts';
import { explainStep } from '../explain-step.ts';
import { checkSize, checkUse, unlessHalted } from '../results.ts';
import { extractModel } from '../run-models.ts';
import { parseTask } from '../template/parse-task.ts';
import {
  fillPlaceholders,
  headOf,
  placeholdersIn,
  positionFinder,
  problemList,
  type Task,
} from '../template/template.ts';

const said = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (error) {
    return (error as { error?: unknown }).error ?? error;
  }
};

describe('limits', () => {
  it('T14 warns from 80 %, ends beyond the limit', () => {
    expect(checkUse('turns', 7, 10)).toBeNull();
    expect(checkUse('turns', 8, 10)).toBe('turns: 8 of at most 10 are used.');
    expect(checkUse('turns', 10, 10)).toBe('turns: 10 of at most 10 are used.');
    expect(said(() => checkUse('turns', 11, 10))).toMatchObject({
      type: 'RESOURCE_EXHAUSTION',
      resource: 'turns',
      used: 11,
      limit: 10,
    });
  });

  it('T14 counts only where the length leaves it open', async () => {
    let counted = 0;
    const size = (length: number, limit: number) =>
      checkSize('context', 'x'.repeat(length), { limit, countTokens: async () => ++counted && 85 });
    expect(await size(26, 100)).toBeNull();
    expect(counted).toBe(0);
    expect(await size(27, 100)).toBe('context: 85 of at most 100 are used.');
    expect(counted).toBe(1);
    expect(await size(6_400, 100)).toBe('context: 85 of at most 100 are used.');
    await expect(size(6_401, 100)).rejects.toMatchObject({
      error: { resource: 'context', used: 1_601, limit: 100 },
    });
  });
});

describe('a stop', () => {
  it('T19 ends a wait that would never end, and leaves nothing behind one that did', async () => {
    const stopping = new AbortController();
    const waiting = unlessHalted(stopping.signal, new Promise(() => {}));
    stopping.abort();
    await expect(waiting).rejects.toThrow('The run was stopped');
    await expect(unlessHalted(stopping.signal, new Promise(() => {}))).rejects.toThrow('The run was stopped');
    const other = new AbortController();
    expect(await unlessHalted(other.signal, Promise.resolve(5))).toBe(5);
    await expect(unlessHalted(other.signal, Promise.reject(new Error('own')))).rejects.toThrow('own');
    expect(getEventListeners(other.signal, 'abort')).toEqual([]);
  });
});

describe('places and problems', () => {
  it('T5 lines end at any line end, columns count from 1 as editors count them', () => {
    const at = positionFinder('ab\ncd\r\ne😀f\rg');
    expect([0, 1, 3, 7, 10, 12].map((offset) => Object.values(at(offset)).join(':'))).toEqual([
      '1:1',
      '1:2',
      '2:1',
      '3:1',
      '3:4',
      '4:1',
    ]);
  });

  it('T5 a name from a file is shown short, and nothing in it moves a cursor', () => {
    expect(shownName('a\u001b\u202eb')).toBe('a\ufffd\ufffdb');
    expect(shownName('x'.repeat(60))).toBe('x'.repeat(60));
    expect(shownName('x'.repeat(61))).toBe(`${'x'.repeat(59)}…`);
  });

  it('T5 problems come in the order of the text, at most a thousand and a word that there are more', () => {
    const list = problemList('f');
    list.warning({ line: 2, column: 1 }, 'w', 'h');
    list.omission({ line: 1, column: 9 }, 'o', 'h', 'warning');
    list.omission({ line: 1, column: 1 }, 'silent', 'h', 'silent');
    expect(list.hasErrors()).toBe(false);
    list.error({ line: 1, column: 2 }, 'e', 'h');
    expect(list.hasErrors()).toBe(true);
    expect(list.all().map(({ file, message, severity }) => `${file} ${message} ${severity}`)).toEqual([
      'f e error',
      'f o warning',
      'f w warning',
    ]);
    for (let i = 0; i < 2_000; i += 1) list.error({ line: 9, column: i }, 'more', 'h');
    expect(list.all()).toHaveLength(1_001);
    expect(list.all().at(-1)).toMatchObject({
      message: 'There are more problems than can be listed.',
      hint: 'Fix the first ones, then check again.',
    });
    const strict = problemList('f', { strict: true });
    strict.omission({ line: 1, column: 1 }, 'o', 'h', 'silent');
    expect(strict.hasErrors()).toBe(true);
  });
});

describe('placeholders', () => {
  it('T2 are filled once, by name or by field', () => {
    expect([...new Set(placeholdersIn('{{a}} {{ b.c }} {{a}}'))]).toEqual(['a', 'b.c']);
    const values: Record<string, string> = { a: '{{b.c}}', 'b.c': 'B' };
    expect(fillPlaceholders('<{{a}}-{{ b.c }}>', (name) => values[name] ?? '')).toBe('<{{b.c}}-B>');
    expect(headOf('b.c.d')).toBe('b');
    expect(headOf('a')).toBe('a');
  });
});

describe('extract', () => {
  const FRAME = { taskText: 'find the blue lamp', inherited: '', accumulated: '', fresh: '', results: '', matches: [] };
  const ask = (frame: Partial<typeof FRAME>, question = FRAME.taskText, type: 'text' | 'json' = 'text') =>
    (
      extractModel.call({ question, frame: { ...FRAME, ...frame }, outputFormat: { type, schema: null } } as never) as {
        content: string;
      }
    ).content;

  it('T21 says what it is and what the step saw, and gives the sentences that share most words, in their order', () => {
    expect(ask({ fresh: 'A lamp is here. The sea is wide. The blue lamp fell!', inherited: 'Nothing of it.' })).toBe(
      'Extract (no model was asked):\nThis step saw 14 characters inherited, 52 characters looked up.\nA lamp is here.\nThe sea is wide.\nThe blue lamp fell!\n<notes>A lamp is here. The sea is wide.</notes>',
    );
    expect(ask({ fresh: 'Red sea. Deep sky.' })).toBe(
      'Extract (no model was asked):\nThis step saw 18 characters looked up.\nnothing in the context fits the task.\n<notes>Nothing in the context fits the task.</notes>',
    );
  });

  it('T21 at most five sentences of at most 400 characters, each once', () => {
    const fresh = Array.from({ length: 8 }, (_, at) => `lamp number ${at}.`).join(' ');
    expect(
      ask({ fresh: `${fresh} ${fresh}` })
        .split('\n')
        .slice(2, -1),
    ).toEqual([0, 1, 2, 3, 4].map((at) => `lamp number ${at}.`));
    expect(ask({ fresh: `lamp ${'x'.repeat(500)}` }).split('\n')[2]).toBe(`lamp ${'x'.repeat(394)}…`);
  });

  it('T21 reads what the prompt brings below its first line, and answers in JSON where asked', () => {
    expect(ask({}, 'Sum this up:\nThe blue lamp fell.\n\nIt broke.', 'json')).toBe(
      '{"model":"extract","sentences":["The blue lamp fell."]}\n<notes>The blue lamp fell.</notes>',
    );
    // Neither a question of one line nor a heading nor what an earlier step saw is an answer.
    expect(ask({ accumulated: '# The blue lamp\nThis step saw a blue lamp.' }, 'Find the blue lamp, please')).toContain(
      'nothing in the context fits',
    );
    expect(ask({ results: 'Seven <notes>x</notes> words.' })).toContain('<notes>Seven x words.</notes>');
  });
});

describe('what a step saw', () => {
  const XML = `<task type="sequential" name="all"><description>d</description>
  <context_management><inherit_context>none</inherit_context><accumulate_data>true</accumulate_data><accumulation_format>full_output</accumulation_format><fresh_context>disabled</fresh_context></context_management>
  <steps><task type="atomic"><description>one</description></task>
  <task type="reduce"><description>two</description><inputs><input name="l"/></inputs>
  <inner_task><description>i</description></inner_task><reduction_task><description>r</description></reduction_task></task></steps></task>`;
  const { task, problems } = parseTask(Buffer.from(XML), { file: 't.xml' } as never);
  const part = { chars: 1, tokens: 1, sha256: 's' };
  const parts = { question: part, inherited: part, accumulated: part, fresh: part, results: part, output: part };
  const explain = (id: string, path: string) => {
    const record = {
      ...parts,
      id,
      path,
      inputPath: [],
      type: 'atomic',
      name: 'n',
      status: 'COMPLETE',
      model: null,
      matches: [],
      ms: 1,
    } as StepRecord;
    const { parts: found } = explainStep({ spec: { file: 't.xml', task: task as Task } } as never, record);
    return found.map(({ part: name, from, why }) => `${name} | ${from} | ${why}`);
  };

  it('T13 a step of a sequence: from where each part came, and which setting let it in', () => {
    expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(explain('1.1', '1.1')).toEqual([
      'question | t.xml:3 | the prompt, with its inputs filled in',
      'inherited | the context of 1 | inherit_context full · default of atomic',
      'accumulated | earlier steps of 1 | accumulation_format full_output · t.xml:2',
      'fresh | files of the project, best passages first | fresh_context enabled · default of atomic',
      'results |  | only a reduction gets results',
      'output | the model | ',
    ]);
  });

  it('T13 the whole, an inner task and a reduction', () => {
    expect(explain('1', '1')).toEqual([
      'question | t.xml:1 | the prompt, with its inputs filled in',
      'inherited |  | inherit_context none · t.xml:2',
      'accumulated |  | no sequence around it',
      'fresh |  | fresh_context disabled · t.xml:2',
      'results |  | only a reduction gets results',
      'output | what is below | ',
    ]);
    expect(explain('1.2.inner', '1.2.inner:17')[2]).toBe('accumulated |  | no sequence around it');
    expect(explain('1.2.inner', '1.2.inner:17')[3]).toBe('fresh |  | fresh_context disabled · default of inner_task');
    expect(explain('1.2.reduction', '1.2.reduction')[4]).toBe(
      'results | the inner tasks of 1.2 | a reduction combines them',
    );
  });
});
