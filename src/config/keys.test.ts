import { expect, it } from 'vitest';
import { CONFIG_KEYS } from './keys.ts';

it('M34 pins every setting, who may set it and its variables', () => {
  expect(CONFIG_KEYS.map(({ name, allowedInProject, variables }) => [name, allowedInProject, ...variables])).toEqual([
    ['workspaces', false, 'BEARINGS_WORKSPACES'],
    ['tastes', false, 'BEARINGS_TASTES_DIR', 'CHEMIGRAM_TASTES_DIR'],
    ['editor', false, 'VISUAL', 'EDITOR'],
    ['max_chars', true],
    ['max_record_chars', true],
    ['on_session_end', false],
    ['elicitation_off', false],
    ['ask_timeout_seconds', false],
    ['models', false],
    ['run_task', false],
    ['model_command', false],
  ]);
});

it('M34 lets no project name a program or a folder', () => {
  for (const key of CONFIG_KEYS) if (key.allowedInProject) expect(key.kind).toBe('whole_number');
});

it('M15 has 60,000 characters per text and 4,000 per record as default', () => {
  const fallback = (name: string) => CONFIG_KEYS.find((key) => key.name === name)?.fallback;
  expect([fallback('max_chars'), fallback('max_record_chars')]).toEqual([60_000, 4_000]);
});
