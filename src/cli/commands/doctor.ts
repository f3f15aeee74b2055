import { showHidden } from '../../safety/hidden-characters.ts';
import { type Call, defineCommand, EXIT, oneOf, subCommand } from '../command.ts';
import { progressOn } from '../terminal/progress.ts';
import type { Style } from '../terminal/terminal.ts';
import { counted, padTo, widthOf } from '../views/columns.ts';

const STYLES: Record<string, Style> = { ok: 'green', hint: 'yellow', broken: 'red' };

export const command = defineCommand({
  help: `
    bearings doctor [--fix repositories]
    bearings doctor index [status|rebuild] [DIR]
    bearings doctor completion bash|zsh

    Checks node, home, key, cache, configuration, tastes, workspaces and clients, and names the one command that fixes
    each fault. It changes nothing and runs nothing of a project; a client’s entry is started only where it is what
    install would write here. Exit code 1: something is broken.

    index is the state of what match and load search, in your cache folder: rebuild makes it again.

    completion prints a script for your shell. Put this into its start-up file: eval "$(bearings doctor completion bash)".

    --fix WHAT  fix what the report names

    bearings doctor  one line per thing that was checked
    bearings doctor index  is there one, and of how many files
  `,
  maxWords: 3,
  async run(call) {
    const { words, text, bearings, answer } = call;
    if (words.length > 0) return subCommand(call, 'doctor', { index, completion });
    const fix = text('fix');
    if (fix === undefined) return report(call);
    const done = await (await bearings.clients()).fix(fix);
    return answer({ fixed: fix, done }, () => showHidden(done, { keepLines: true }));
  },
});

async function report({ bearings, terminal, answer }: Call): Promise<number> {
  const findings = await (await bearings.clients()).examine();
  const broken = findings.filter(({ status }) => status === 'broken').length;
  const width = Math.max(...findings.map(({ check }) => widthOf(check)));
  const lines = () => [
    ...findings.flatMap(({ check, status, what, fix }) => {
      const state = terminal.paint(STYLES[status] ?? 'dim', padTo(status, 6));
      const next = `${' '.repeat(width + 10)}${status === 'broken' ? 'fix it' : 'you may'}: ${showHidden(fix ?? '')}`;
      return [`${state}  ${padTo(showHidden(check), width)}  ${showHidden(what)}`, ...(fix === null ? [] : [next])];
    }),
    broken === 0 ? 'nothing is broken' : `${counted(broken, 'fault')}`,
  ];
  return answer({ ok: broken === 0, findings }, lines, broken === 0);
}

async function index({ words: [typed = 'status', project = '.'], bearings, terminal, answer }: Call): Promise<number> {
  const verb = await oneOf('doctor index', typed, ['status', 'rebuild']);
  const progress = progressOn(terminal, 'reading the project');
  const state =
    verb === 'status'
      ? await (await bearings.matching()).indexStatus(project)
      : await (await bearings.matching()).rebuildIndex(project, progress.step);
  progress.end();
  return answer(state, () => {
    if (state.state === 'none') return 'there is no index yet; the first match builds it';
    const out = state.files - state.documents;
    const left = out > 0 ? ` · ${counted(out, 'file')} left out (binary, secret, over 1 MB)` : '';
    return `${counted(state.documents, 'file')} in the index${left}`;
  });
}

async function completion({ words: [shell = ''], terminal, commands }: Call): Promise<number> {
  const { completionScript, SHELLS } = await import('../completion.ts');
  terminal.print(await completionScript(await oneOf('doctor completion', shell, SHELLS), commands));
  return EXIT.done;
}
