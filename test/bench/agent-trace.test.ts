import { describe, expect, it } from 'vitest';
import { measured, traceOf } from '../../bench/agent-trace.mjs';

const project = { root: '/p', files: ['a.js', 'lib/b.js', 'lib/c.js'] };
const lines = (events: object[]) => ['not json', ...events.map((event) => JSON.stringify(event))];

function claudeTurn(id: string, ...tools: [string, object][]) {
  const content = tools.map(([name, input]) => ({ type: 'tool_use', name, input }));
  return {
    type: 'assistant',
    message: { id, content, usage: { input_tokens: 10, cache_read_input_tokens: 5, output_tokens: 2 } },
  };
}

describe('what a client did, for bench:agent', () => {
  it('counts wrong files before a right one, turns to an edit, and the tokens of a turn once', () => {
    const trace = traceOf(
      'claude-code',
      lines([
        claudeTurn('1', ['Read', { file_path: '/p/a.js' }]),
        claudeTurn('1', ['Bash', { command: "grep -n join lib/c.js | head; cat 'a.js'" }]),
        // A helper's turns are not the client's own.
        { ...claudeTurn('x', ['Edit', { file_path: '/p/a.js' }]), parent_tool_use_id: 't' },
        claudeTurn('2', ['Read', { file_path: '/p/lib/b.js' }]),
        claudeTurn('3', ['Edit', { file_path: '/elsewhere/lib/b.js' }]),
        claudeTurn('4', ['Edit', { file_path: '/p/lib/b.js' }]),
      ]),
      project,
    );
    expect(measured(trace, ['lib/b.js'])).toEqual({
      openedBefore: 2,
      turnsToEdit: 4,
      turnsToRightEdit: 4,
      turns: 4,
      tokens: 68,
    });
  });

  it('tells apart what a command reads, redirects to and changes in place', () => {
    const ran = (command: string) => ({ type: 'item.completed', item: { type: 'command_execution', command } });
    const { steps } = traceOf(
      'codex',
      lines([
        ran(`/bin/bash -lc "sed -n '1,20p' lib/b.js && cat a.js"`),
        ran(`/bin/bash -lc "sed -i 's/x/y/' '/p/lib/b.js'"`),
        ran('printf x > lib/c.js'),
        { type: 'item.completed', item: { type: 'file_change', changes: [{ path: '/p/a.js' }] } },
      ]),
      project,
    );
    expect(steps.map(({ opened, edited }) => [opened, edited])).toEqual([
      [['lib/b.js', 'a.js'], []],
      [[], ['lib/b.js']],
      [[], ['lib/c.js']],
      [[], ['a.js']],
    ]);
  });

  it('says so where no right file was ever opened or edited', () => {
    const trace = traceOf(
      'codex',
      lines([{ type: 'turn.completed', usage: { input_tokens: 3, output_tokens: 1 } }]),
      project,
    );
    expect(measured(trace, ['a.js'])).toEqual({
      openedBefore: null,
      turnsToEdit: null,
      turnsToRightEdit: null,
      turns: 0,
      tokens: 4,
    });
  });
});
