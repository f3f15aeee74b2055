import { describe, expect, it } from 'vitest';
import { defineTask, type ModelRequest, runTask, type TaskDefinition } from '../../src/index.ts';
import type { Frame } from '../../src/tasks/steps.ts';
import { stubMemory } from '../support/tasks/stub-memory.ts';

// The later operators in every setting and in every place where a task may be; the first three: tasks-settings.test.ts.
const INHERIT = ['full', 'none', 'subset'] as const;
const FRESH = ['enabled', 'disabled'] as const;
const ACCUMULATE = [null, 'notes_only', 'full_output'] as const;
const SUBJECTS = ['call', 'script', 'loop', 'director', 'loop script', 'evaluator', 'approve'] as const;
const PLACES = ['alone', 'step', 'inner_task', 'reduction_task', 'in a call'] as const;

type Subject = (typeof SUBJECTS)[number];
interface Row {
  subject: Subject;
  place: (typeof PLACES)[number];
  inherit: (typeof INHERIT)[number];
  format: (typeof ACCUMULATE)[number];
  fresh: (typeof FRESH)[number];
}

const rows: Row[] = SUBJECTS.flatMap((subject) =>
  PLACES.flatMap((place) =>
    INHERIT.flatMap((inherit) =>
      ACCUMULATE.flatMap((format) => FRESH.map((fresh) => ({ subject, place, inherit, format, fresh }))),
    ),
  ),
);

const QUIET = { inherit_context: 'full', fresh_context: 'disabled' } as const;
const accumulating = (format: Row['format']) =>
  format ? { accumulate_data: true, accumulation_format: format } : { accumulate_data: false };
const leaf = (description: string, block: object = QUIET): TaskDefinition => ({
  type: 'atomic',
  description,
  context_management: block as typeof QUIET,
});

function loopOf(parts: { loop?: object; director?: object; script?: object; evaluator?: object }): TaskDefinition {
  return {
    type: 'director_evaluator_loop',
    description: 'around',
    max_iterations: 2,
    context_management: (parts.loop ?? { ...QUIET, accumulate_data: false }) as never,
    director: { description: 'direct', context_management: (parts.director ?? QUIET) as typeof QUIET },
    script: { description: 'try', command: ['true'], context_management: (parts.script ?? QUIET) as typeof QUIET },
    evaluator: {
      description: 'judge',
      output_format: { type: 'json' },
      context_management: (parts.evaluator ?? QUIET) as typeof QUIET,
    },
  };
}

// The subject with the settings under test; what is around it in the loop passes on all it has.
function subjectOf({ subject, inherit, format, fresh }: Row): TaskDefinition {
  const block = { inherit_context: inherit, fresh_context: fresh };
  const quietLoop = { ...QUIET, ...accumulating(format) };
  switch (subject) {
    case 'call':
      return { type: 'call', template: 'called.json', context_management: block };
    case 'script':
      return { type: 'script', description: 'try', command: ['true'], context_management: block };
    case 'loop':
      return loopOf({ loop: { ...block, ...accumulating(format) } });
    case 'director':
      return loopOf({ loop: quietLoop, director: block });
    case 'loop script':
      return loopOf({ loop: quietLoop, script: block });
    case 'evaluator':
      return loopOf({ loop: quietLoop, evaluator: block });
    case 'approve':
      return { type: 'approve', description: 'yes?' };
  }
}

function placed(row: Row): TaskDefinition {
  const task = subjectOf(row);
  const reduce = (inner: TaskDefinition, reduction: TaskDefinition): TaskDefinition => ({
    type: 'reduce',
    description: 'around all',
    context_management: QUIET,
    inputs: [{ name: 'list', default: '["a"]' }],
    inner_task: inner,
    reduction_task: reduction,
  });
  switch (row.place) {
    case 'alone':
      return task;
    case 'step':
      return {
        type: 'sequential',
        description: 'around all',
        context_management: { ...QUIET, ...accumulating(row.format) } as never,
        steps: [leaf('first'), task],
      };
    case 'inner_task':
      return reduce(task, leaf('join'));
    case 'reduction_task':
      return reduce(leaf('each'), task);
    case 'in a call':
      return { type: 'call', description: 'whole', template: 'whole.json' };
  }
}

/** Where what the subject sees is looked at: who asks or runs below it. */
const WITNESS: Record<Subject, string> = {
  call: 'probe',
  script: 'try',
  loop: 'direct',
  director: 'direct',
  'loop script': 'try',
  evaluator: 'judge',
  approve: 'yes?',
};

describe('T25 T26 T9 T12 every later operator × setting × place', () => {
  it('T25 there are 630 rows', () => expect(rows).toHaveLength(630));

  it.each(SUBJECTS)('T25 T9 T10 T11 T12 %s in all places and settings', async (subject) => {
    for (const row of rows.filter((each) => each.subject === subject)) await expectRow(row);
  });
});

async function expectRow(row: Row): Promise<void> {
  const { subject, place, inherit, format, fresh } = row;
  const { memory, chooseFresh, asked } = stubMemory();
  const templates = (name: string) => ({
    file: name,
    source: JSON.stringify(
      name === 'called.json' ? { ...leaf('probe'), context_management: undefined } : subjectOf(row),
    ),
  });
  const frames: Frame[] = [];
  let rounds = 0;
  const model = {
    name: 'witness',
    call({ frame }: ModelRequest) {
      if (frame.taskText !== 'judge')
        return { content: `CONTENT of ${frame.taskText}\n<notes>SUMMARY of ${frame.taskText}</notes>` };
      rounds += 1;
      return { content: `{"success":${rounds >= 2}}\n<notes>SUMMARY of judge</notes>` };
    },
  };
  const task = defineTask(placed(row), { templates });
  const result = await runTask(task, {
    context: 'PARENT',
    memory,
    chooseFresh,
    model,
    inputs: place === 'inner_task' || place === 'reduction_task' ? { list: ['a'] } : {},
    runProgram: async () => ({ exitCode: 0, output: 'RAN', errorText: '' }),
    steps: {
      step: (step, work) =>
        step.call.kind === 'approve'
          ? (Promise.resolve({ answer: 'accept', at: '', by: '', entry: '' }) as never)
          : work(),
    },
    onRecord: (record, { frame }) => {
      if (frame.taskText === WITNESS[subject]) frames.push(frame);
      expect(record.path).not.toBe('');
    },
  });
  const where = `${subject} ${place}: ${inherit}, ${format}, ${fresh}`;
  expect([where, result.status, result.notes.error]).toEqual([where, 'COMPLETE', undefined]);

  const isLoop = subject === 'loop' || subject === 'director' || subject === 'evaluator' || subject === 'loop script';
  expect([where, frames.length]).toEqual([where, isLoop ? 2 : 1]);
  const found = fresh === 'enabled' ? 'FRESH' : '';
  const [frame, second] = frames as [Frame, Frame?];
  const gathers = place === 'step' && format !== null;
  if (subject === 'approve') {
    // It shows what came before it, and no other context reaches it.
    const shown = place === 'step' ? 'CONTENT of first' : '';
    expect([where, frame.inherited, frame.fresh, frame.accumulated]).toEqual([where, '', '', shown]);
    expect(asked).toEqual([]);
    return;
  }
  const below = subject === 'loop';
  const joined = (...parts: string[]): string => parts.filter((part) => part !== '').join('\n\n');
  const whole = format === 'full_output' ? 'CONTENT of first\nNotes: ' : '';
  const before = gathers ? `Step 1 (first)\n${whole}SUMMARY of first` : '';
  // What a loop was given is the parent context of its parts.
  const parent = isLoop && !below ? joined('PARENT', before) : 'PARENT';
  const kept = { full: parent, none: '', subset: `FILTERED(${parent})` }[inherit];
  const inherited = below ? joined(kept, before, found) : kept;
  expect([where, frame.inherited]).toEqual([where, inherited]);
  expect([where, frame.fresh]).toEqual([where, below ? '' : found]);
  // What a sequence gathered reaches its direct step; a loop gathers its own, for its rounds.
  const ofStep = gathers && !isLoop;
  expect([where, frame.accumulated.includes('SUMMARY of first')]).toEqual([where, ofStep]);
  expect([where, frame.accumulated.includes('CONTENT of first')]).toEqual([where, ofStep && format === 'full_output']);
  if (isLoop) {
    expect([where, frame.accumulated]).toEqual([where, '']);
    expect([where, second?.accumulated.includes('Round 1')]).toEqual([where, format !== null]);
    expect([where, second?.accumulated.includes('CONTENT of direct')]).toEqual([where, format === 'full_output']);
    expect([where, second?.inherited]).toEqual([where, inherited]);
  }
  const results = {
    director: '',
    loop: '',
    'loop script': '',
    evaluator: 'Director\nCONTENT of direct\n\nScript\nExit code 0\n\nRAN',
  };
  if (isLoop) expect([where, frame.results]).toEqual([where, results[subject as keyof typeof results]]);
  const times = subject === 'loop' || !isLoop ? 1 : 2;
  const operations = [...(inherit === 'subset' ? ['filter'] : []), ...(fresh === 'enabled' ? ['fresh'] : [])];
  const each = Array.from({ length: times }, () => operations).flat();
  expect([where, asked.map(({ operation }) => operation).sort()]).toEqual([where, [...each].sort()]);
  for (const { input } of asked)
    expect([where, input.inheritedContext]).toEqual([where, inherit === 'none' ? undefined : parent]);
}
