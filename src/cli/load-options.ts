import type { LoadRequest } from '../bearings.ts';
import { invalidInput } from '../errors.ts';
import { FALLBACKS, type Fallback } from '../loader/policy/limits.ts';
import type { Call, Option } from './command.ts';
import type { Terminal } from './terminal/terminal.ts';

// As the loader that the policy `cortex` follows calls them: its command lines go on to work.
const CORTEX_OPTIONS: Record<string, Option> = {
  'project-dir': { type: 'string', value: 'DIR', about: 'the same as DIR' },
  'fallback-mode': { type: 'string', value: 'MODE', about: 'none; priority is the same as --fallback unrestricted' },
  'adapter-mode': { type: 'string', value: 'MODE', about: 'off, or beads_file with --adapter-file' },
  'adapter-file': { type: 'string', value: 'FILE', about: 'add the items of a JSON file of the project' },
  'adapter-max-items': { type: 'string', value: 'N', about: 'items of each adapter (4)' },
  'adapter-stale-seconds': { type: 'string', value: 'N', about: 'older items are stale' },
  'assets-dir': { type: 'string', value: 'DIR', about: 'accepted without effect, as in that loader' },
};

// The flags of `load`, which `explain` takes as well.
export const LOAD_OPTIONS: Record<string, Option> = {
  task: { type: 'string', value: 'TEXT', about: 'what the agent is about to do; - reads it from standard input' },
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
  'no-redact': { type: 'boolean', about: 'show secrets as they are in the files; on a terminal only' },
  now: { type: 'string', value: 'TIME', about: 'measure ages against this time' },
  ...CORTEX_OPTIONS,
};

/** The text of a task as it was given; `-` is the standard input. */
export async function taskText<T extends string | undefined>(terminal: Terminal, written: T): Promise<T | string> {
  return written === '-' ? terminal.readInput() : written;
}

export async function loadRequest(call: Call, dir: string | undefined): Promise<LoadRequest> {
  const { text, flag, list, terminal } = call;
  if (flag('no-redact') && !terminal.interactive)
    throw invalidInput(
      '--no-redact is for a person on a terminal.',
      'Leave it out: what goes elsewhere has no secrets.',
    );
  return {
    dir: projectDir(call, dir),
    task: await taskText(terminal, text('task')),
    policy: text('policy'),
    for: text('for'),
    max_files: limit('max-files', text('max-files')),
    max_chars_per_file: limit('max-chars-per-file', text('max-chars-per-file')),
    max_total_chars: limit('max-total-chars', text('max-total-chars')),
    max_tokens: limit('max-tokens', text('max-tokens')),
    fallback: fallback(text('fallback'), text('fallback-mode')),
    tactical: flag('tactical') || undefined,
    workspace: text('workspace'),
    adapters: list('adapter'),
    adapter_file: adapterFile(text('adapter-mode'), text('adapter-file')),
    adapter_max_items: limit('adapter-max-items', text('adapter-max-items')),
    adapter_stale_seconds: seconds(text('adapter-stale-seconds')),
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

/** The folder of the project, said in one of two ways. */
export function projectDir({ text }: Call, dir: string | undefined): string | undefined {
  const named = text('project-dir');
  if (named !== undefined && dir !== undefined)
    throw invalidInput('The project is named twice.', 'Give DIR or --project-dir, not both.');
  return dir ?? named;
}

function fallback(written: string | undefined, mode: string | undefined): Fallback | undefined {
  if (mode !== undefined) {
    if (written !== undefined)
      throw invalidInput('--fallback-mode is another name of --fallback.', 'Give one of them.');
    if (mode === 'none') return 'none';
    if (mode === 'priority') return 'unrestricted';
    throw invalidInput('--fallback-mode takes none or priority.', 'Or: --fallback none, relaxed or unrestricted');
  }
  if (written === undefined) return undefined;
  const level = FALLBACKS.find((known) => known === written);
  if (!level) throw invalidInput('--fallback takes none, relaxed or unrestricted.', 'For example: --fallback relaxed');
  return level;
}

function adapterFile(mode: string | undefined, file: string | undefined): string | undefined {
  if (mode === 'off') return undefined;
  if (mode !== undefined && mode !== 'beads_file')
    throw invalidInput('--adapter-mode takes off or beads_file.', "For a policy's own adapters: --adapter NAME");
  if (mode !== undefined && file === undefined)
    throw invalidInput('--adapter-mode beads_file needs the file.', 'For example: --adapter-file work.json');
  return file;
}

function seconds(written: string | undefined): number | undefined {
  if (written === undefined) return undefined;
  if (!/^\d{1,9}$/.test(written))
    throw invalidInput('--adapter-stale-seconds takes a whole number from 0.', 'For example: 86400');
  return Number(written);
}
