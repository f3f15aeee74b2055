import { invalidInput } from '../errors.ts';
import type { LoadRequest } from '../loader/load.ts';
import { FALLBACKS, type Fallback } from '../loader/policy/limits.ts';
import { type Call, oneOf } from './command.ts';
import type { Terminal } from './terminal/terminal.ts';

// The options of `load`, which `explain` takes as well. The last seven are as the loader that the policy `cortex` follows
// calls them: its command lines go on to work.
export const LOAD_OPTIONS = `
    --task TEXT  what the agent is about to do; - reads it from standard input
    --policy NAME|FILE  repo, cortex or a YAML file (default: what the project has)
    --for NAME  a profile of the policy, such as helper: its slices and its budget
    --max-files N  files in all (12)
    --max-chars-per-file N  characters of one file (12000; under cortex 2500)
    --max-total-chars N  characters in all (30000)
    --max-tokens N  tokens in all, counted (off)
    --fallback LEVEL  none, relaxed or unrestricted: if nothing fits
    --tactical  add the workspace's notes, log and gaps
    --workspace ID  which workspace (turns --tactical on)
    --adapter NAME …  add an outside source of the policy; repeatable
    --no-redact  show secrets as they are in the files; on a terminal only
    --now TIME  measure ages against this time
    --project-dir DIR  the same as DIR
    --fallback-mode MODE  none; priority is the same as --fallback unrestricted
    --adapter-mode MODE  off, or beads_file with --adapter-file
    --adapter-file FILE  add the items of a JSON file of the project
    --adapter-max-items N  items of each adapter (4)
    --adapter-stale-seconds N  older items are stale
    --assets-dir DIR  without effect, as in that loader
`.trim();

/** The text of a task as it was given; `-` is the standard input. */
export async function taskText<T extends string | undefined>(terminal: Terminal, written: T): Promise<T | string> {
  const given = written === '-' ? await terminal.readInput() : written;
  if (given?.trim() === '') throw invalidInput('--task is empty.', 'Write: --task "fix the build", or leave it out.');
  return given;
}

export async function loadRequest(call: Call, dir: string | undefined): Promise<LoadRequest> {
  const { text, flag, list, number, terminal } = call;
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
    max_files: number('max-files'),
    max_chars_per_file: number('max-chars-per-file'),
    max_total_chars: number('max-total-chars'),
    max_tokens: number('max-tokens'),
    fallback: await fallback(text('fallback'), text('fallback-mode')),
    tactical: flag('tactical') || undefined,
    workspace: text('workspace'),
    adapters: list('adapter'),
    adapter_file: await adapterFile(text('adapter-mode'), text('adapter-file')),
    adapter_max_items: number('adapter-max-items'),
    adapter_stale_seconds: number('adapter-stale-seconds', 0),
    redact: !flag('no-redact'),
    now: text('now'),
  };
}

/** The folder of the project, said in one of two ways. */
export function projectDir({ text }: Call, dir: string | undefined): string | undefined {
  return dir ?? text('project-dir');
}

async function fallback(written: string | undefined, mode: string | undefined): Promise<Fallback | undefined> {
  if (mode === undefined) return written === undefined ? undefined : oneOf('--fallback', written, FALLBACKS);
  return (await oneOf('--fallback-mode', mode, ['none', 'priority'])) === 'none' ? 'none' : 'unrestricted';
}

async function adapterFile(mode: string | undefined, file: string | undefined): Promise<string | undefined> {
  if (mode !== undefined && (await oneOf('--adapter-mode', mode, ['off', 'beads_file'])) === 'off') return undefined;
  if (mode !== undefined && file === undefined)
    throw invalidInput('--adapter-mode beads_file needs the file.', 'For example: --adapter-file work.json');
  return file;
}
