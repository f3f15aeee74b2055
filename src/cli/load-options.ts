import type { LoadRequest } from '../bearings.ts';
import { invalidInput } from '../errors.ts';
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
    --assets-dir DIR  accepted without effect, as in that loader
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
    adapter_file: adapterFile(text('adapter-mode'), text('adapter-file')),
    adapter_max_items: number('adapter-max-items'),
    adapter_stale_seconds: number('adapter-stale-seconds', 0),
    redact: !flag('no-redact'),
    now: text('now'),
  };
}

/** The folder of the project, said in one of two ways. */
export function projectDir({ text }: Call, dir: string | undefined): string | undefined {
  const named = text('project-dir');
  if (named !== undefined && dir !== undefined)
    throw invalidInput('The project is named twice.', 'Give DIR or --project-dir, not both.');
  return dir ?? named;
}

async function fallback(written: string | undefined, mode: string | undefined): Promise<Fallback | undefined> {
  if (mode !== undefined) {
    if (written !== undefined)
      throw invalidInput('--fallback-mode is another name of --fallback.', 'Give one of them.');
    if (mode === 'none') return 'none';
    if (mode === 'priority') return 'unrestricted';
    throw invalidInput('--fallback-mode takes none or priority.', 'Or: --fallback none, relaxed or unrestricted');
  }
  return written === undefined ? undefined : oneOf('--fallback', written, FALLBACKS);
}

function adapterFile(mode: string | undefined, file: string | undefined): string | undefined {
  if (mode === 'off') return undefined;
  if (mode !== undefined && mode !== 'beads_file')
    throw invalidInput('--adapter-mode takes off or beads_file.', "For a policy's own adapters: --adapter NAME");
  if (mode !== undefined && file === undefined)
    throw invalidInput('--adapter-mode beads_file needs the file.', 'For example: --adapter-file work.json');
  return file;
}
