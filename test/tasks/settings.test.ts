import { describe, expect, it } from 'vitest';
import { defineTask, type ModelRequest, runTask, type TaskDefinition } from '../../src/index.ts';
import { stubMemory } from '../support/tasks/stub-memory.ts';

const INHERIT = ['full', 'none', 'subset'] as const;
const FRESH = ['enabled', 'disabled'] as const;
const ACCUMULATE = [null, 'notes_only', 'full_output'] as const;
const ROLES = ['atomic', 'sequential', 'reduce', 'inner_task', 'reduction_task', 'step'] as const;

const combinations = INHERIT.flatMap((inherit) =>
  ACCUMULATE.flatMap((format) => FRESH.map((fresh) => ({ inherit, format, fresh }))),
);
const rows = combinations.flatMap((settings) => ROLES.map((role) => ({ ...settings, role })));

const QUIET = { inherit_context: 'full', fresh_context: 'disabled' } as const;
const leaf = (description: string, more: object = QUIET): TaskDefinition => ({
  type: 'atomic',
  description,
  context_management: more as typeof QUIET,
});

// The task under test asks "probe"; around it everything passes on what it has and looks up nothing by itself.
function template(row: (typeof rows)[number]): TaskDefinition {
  const block = { inherit_context: row.inherit, fresh_context: row.fresh };
  const accumulate = row.format
    ? { accumulate_data: true, accumulation_format: row.format }
    : { accumulate_data: false };
  const quietSequence = { ...QUIET, ...accumulate };
  switch (row.role) {
    case 'atomic':
      return leaf('probe', block);
    case 'step':
      return {
        type: 'sequential',
        description: 'around',
        context_management: quietSequence,
        steps: [leaf('first'), leaf('probe', block)],
      };
    case 'sequential':
      return {
        type: 'sequential',
        description: 'around',
        context_management: { ...block, ...accumulate },
        steps: [leaf('first'), leaf('probe')],
      };
    case 'reduce':
      return reduceOf(block, leaf('probe'), leaf('join'));
    case 'inner_task':
      return reduceOf(QUIET, leaf('probe', block), leaf('join'));
    case 'reduction_task':
      return reduceOf(QUIET, leaf('each'), leaf('probe', block));
  }
}

function reduceOf(block: object, inner: TaskDefinition, reduction: TaskDefinition): TaskDefinition {
  return {
    type: 'reduce',
    description: 'around',
    context_management: block as typeof QUIET,
    inputs: [{ name: 'list' }],
    inner_task: inner,
    reduction_task: reduction,
  };
}

// What the prose of the document says, and nothing of how it is done.
function expected({ inherit, format, fresh, role }: (typeof rows)[number]) {
  const kept = { full: 'PARENT', none: '', subset: 'FILTERED(PARENT)' }[inherit];
  const found = fresh === 'enabled' ? 'FRESH' : '';
  const below = role === 'sequential' || role === 'reduce';
  const gathers = role === 'sequential' || role === 'step';
  const summary = gathers && format !== null ? 'SUMMARY of first' : '';
  const whole = gathers && format === 'full_output' ? 'CONTENT of first' : '';
  return {
    // What a step or inner task inherits is the assembled context of what is around it.
    inherited: below ? [kept, found].filter((part) => part !== '').join('\n\n') : kept,
    fresh: below ? '' : found,
    summary,
    whole,
    results: role === 'reduction_task' ? ['CONTENT of each', 'CONTENT of each'] : [],
    operations: [...(inherit === 'subset' ? ['filter'] : []), ...(fresh === 'enabled' ? ['fresh'] : [])],
    // In a step matching sees what was gathered; a sequence starts with nothing gathered.
    previous: role === 'step' && format !== null,
  };
}

describe('T8 T9 T10 T11 T12 all settings against the prose', () => {
  it('T9 there are 18 combinations', () => expect(combinations).toHaveLength(18));

  it.each(rows)('T9 $role: inherit $inherit, accumulate $format, fresh $fresh', async (row) => {
    const { memory, chooseFresh, asked } = stubMemory();
    const probes: ModelRequest[] = [];
    const model = {
      name: 'probe',
      call(request: ModelRequest) {
        if (request.frame.taskText === 'probe') probes.push(request);
        return { content: `CONTENT of ${request.frame.taskText}\n<notes>SUMMARY of ${request.frame.taskText}</notes>` };
      },
    };
    const inputs: Record<string, string[]> = ['reduce', 'inner_task', 'reduction_task'].includes(row.role)
      ? { list: ['a', 'b'] }
      : {};
    const result = await runTask(defineTask(template(row)), { context: 'PARENT', memory, chooseFresh, model, inputs });
    expect(result.status).toBe('COMPLETE');

    const want = expected(row);
    for (const { frame, prompt } of probes) {
      expect(frame.inherited).toBe(want.inherited);
      expect(frame.fresh).toBe(want.fresh);
      expect(frame.accumulated.includes('SUMMARY of first')).toBe(want.summary !== '');
      expect(frame.accumulated.includes('CONTENT of first')).toBe(want.whole !== '');
      expect(frame.results.match(/CONTENT of each/g) ?? []).toEqual(want.results);
      // Headings are in the prompt only, and only over what is there.
      expect(prompt.includes('# Context\n')).toBe(frame.inherited !== '');
      expect(prompt.includes('# What earlier steps found\n')).toBe(frame.accumulated !== '');
      expect(prompt.includes('# Related files\n')).toBe(frame.fresh !== '');
      expect(prompt.includes('# Results to combine\n')).toBe(frame.results !== '');
      expect(`${frame.inherited}${frame.accumulated}${frame.fresh}`).not.toContain('#');
      expect(Object.isFrozen(frame)).toBe(true);
    }
    const times = row.role === 'inner_task' ? 2 : 1;
    expect(probes).toHaveLength(row.role === 'reduce' ? 2 : times);
    const each = Array.from({ length: times }, () => want.operations).flat();
    expect(asked.map(({ operation }) => operation).sort()).toEqual([...each].sort());
    for (const { input } of asked) {
      expect(input.inheritedContext).toBe(row.inherit === 'none' ? undefined : 'PARENT');
      expect('previousOutputs' in input).toBe(want.previous);
      expect(input.taskText).toBe(row.role === 'sequential' || row.role === 'reduce' ? 'around' : 'probe');
    }
  });
});
