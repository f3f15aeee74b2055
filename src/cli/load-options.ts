import type { LoadRequest } from '../bearings.ts';
import { invalidInput } from '../errors.ts';
import { FALLBACKS, type Fallback } from '../loader/policy/limits.ts';
import type { Call, Option } from './command.ts';

// The flags of `load`, which `explain` takes as well.
export const LOAD_OPTIONS: Record<string, Option> = {
  task: { type: 'string', value: 'TEXT', about: 'what the agent is about to do, in your words' },
  policy: { type: 'string', value: 'NAME|FILE', about: 'repo, cortex or a YAML file (default: what the project has)' },
  for: { type: 'string', value: 'NAME', about: 'a profile of the policy, such as helper: its slices and its budget' },
  'max-files': { type: 'string', value: 'N', about: 'files in all (12)' },
  'max-chars-per-file': { type: 'string', value: 'N', about: 'characters of one file (8000; under cortex 2500)' },
  'max-total-chars': { type: 'string', value: 'N', about: 'characters in all (30000)' },
  'max-tokens': { type: 'string', value: 'N', about: 'tokens in all, counted (off)' },
  fallback: { type: 'string', value: 'LEVEL', about: 'none, relaxed or unrestricted: if nothing fits' },
  tactical: { type: 'boolean', about: "add the workspace's notes, log and gaps" },
  workspace: { type: 'string', value: 'ID', about: 'which workspace (turns --tactical on)' },
  adapter: { type: 'string', value: 'NAME', multiple: true, about: 'add an outside source of the policy; repeatable' },
  'no-redact': { type: 'boolean', about: 'show secrets as they stand in the files; on a terminal only' },
  now: { type: 'string', value: 'TIME', about: 'measure ages against this time' },
};

export function loadRequest({ text, flag, list, terminal }: Call, dir: string | undefined): LoadRequest {
  if (flag('no-redact') && !terminal.interactive)
    throw invalidInput(
      '--no-redact is for a person on a terminal.',
      'Leave it out: what goes elsewhere has no secrets.',
    );
  return {
    dir,
    task: text('task'),
    policy: text('policy'),
    for: text('for'),
    max_files: limit('max-files', text('max-files')),
    max_chars_per_file: limit('max-chars-per-file', text('max-chars-per-file')),
    max_total_chars: limit('max-total-chars', text('max-total-chars')),
    max_tokens: limit('max-tokens', text('max-tokens')),
    fallback: fallback(text('fallback')),
    tactical: flag('tactical') || undefined,
    workspace: text('workspace'),
    adapters: list('adapter'),
    redact: !flag('no-redact'),
    now: text('now'),
  };
}

export function limit(name: string, written: string | undefined): number | undefined {
  if (written === undefined) return undefined;
  if (!/^\d{1,10}$/.test(written) || Number(written) === 0)
    throw invalidInput(`--${name} takes a whole number from 1.`, `For example: --${name} 20`);
  return Number(written);
}

function fallback(written: string | undefined): Fallback | undefined {
  if (written === undefined) return undefined;
  const level = FALLBACKS.find((known) => known === written);
  if (!level) throw invalidInput('--fallback takes none, relaxed or unrestricted.', 'For example: --fallback relaxed');
  return level;
}
