import { expect, it } from 'vitest';
import { CONFIG_KEYS } from './resolve.ts';

it('M34 pins every setting, who may set it and its variables', () => {
  expect(CONFIG_KEYS.map(({ name, allowedInProject, variables }) => [name, allowedInProject, ...variables])).toEqual([
    ['workspaces', false, 'BEARINGS_WORKSPACES'],
    ['tastes', false, 'BEARINGS_TASTES_DIR', 'CHEMIGRAM_TASTES_DIR'],
    ['editor', false, 'VISUAL', 'EDITOR'],
    ['max_chars', true],
    ['max_record_chars', true],
    ['on_session_end', false],
    ['propose_brief', false],
    ['elicitation_off', false],
    ['ask_timeout_seconds', false],
    ['keep_served', false],
    ['hook.prompts', false],
    ['hook.max_tokens', false],
    ['hook.wrap_up', false],
    ['models', false],
    ['max_turns', false],
    ['max_context_tokens', false],
    ['max_output_tokens', false],
    ['heading_inherited', false],
    ['heading_accumulated', false],
    ['heading_fresh', false],
    ['heading_results', false],
    ['heading_task', false],
    ['run_task', false],
    ['model_command', false],
    ['model_command_env', false],
  ]);
});

const SHAPES: [name: string, kind: string, fallback: string | number, min?: number, max?: number][] = [
  ['editor', 'program', 'vi'],
  ['max_chars', 'whole_number', 60_000, 1_000, 1_000_000],
  ['max_record_chars', 'whole_number', 4_000, 200, 100_000],
  ['on_session_end', 'choice', 'discard'],
  ['propose_brief', 'choice', 'off'],
  ['elicitation_off', 'names', ''],
  ['ask_timeout_seconds', 'whole_number', 300, 1, 3_600],
  ['keep_served', 'whole_number', 50, 0, 10_000],
  ['model_command', 'program', ''],
  ['model_command_env', 'names', ''],
];

it.each(SHAPES)('M15 M34 pins kind, default and bounds of %s', (name, kind, fallback, min, max) => {
  const key = CONFIG_KEYS.find((candidate) => candidate.name === name);
  expect([key?.kind, key?.fallback, key?.min, key?.max]).toEqual([kind, fallback, min, max]);
});
