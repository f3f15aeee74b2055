import { typedName } from '../../closest.ts';
import { invalidInput, notFound } from '../../errors.ts';
import type { ProposalWish, StartRunOptions } from '../../tasks/engine.ts';
import { LIMIT_RANGES, type SomeLimits, type TaskResult } from '../../tasks/results.ts';
import type { Task } from '../../tasks/template/template.ts';
import { type Call, defineCommand, ENGINE_OPTION, EXIT, engineUrl } from '../command.ts';
import { taskText } from '../load-options.ts';
import { pickedOf } from '../terminal/terminal.ts';
import { allowScripts } from '../views/allow-view.ts';
import { forReader } from '../views/columns.ts';
import { problemCount, problemLines } from '../views/problem-view.ts';
import { watchRun } from '../watch-run.ts';

export const command = defineCommand({
  help: `
    bearings run FILE|"WORDS" [--input K=V]… [--inputs K=FILE.jsonl|GLOB]… [--model NAME]

    The result goes to standard output, progress to the terminal or the error stream.
    Models: extract (offline, takes sentences from the context), those that models names in the
    home's config.yaml, and command, the program that model_command names there.
    With words instead of a file it lists the templates that fit, and asks which one.
    Ctrl-C ends cleanly and prints what is done; bearings runs resume continues it.

    --input K=V …  a value for an input
    --inputs K=LIST …  a list: a JSONL file, or a pattern of files here
    --model NAME  model of tasks that name none (default: extract)
    --context FILE  text that the task starts from
    --workspace ID  start from the memory of this workspace, or here
    --load TASK  start from what load gives for this task; - reads it from standard input
    --propose WHAT  the result becomes a proposal: notes, notes:ID or taste
    --category C  for a taste: appearance, process or value
    --file F  for a taste: its file (default _default.md)
    --max-turns N  questions to a model in one step, at most
    --max-context N  tokens of a question with its context, at most
    --max-output N  tokens of an answer, at most
    --lenient  unknown parts are warnings, not errors
    --events  print every event as a line of JSON
    ${ENGINE_OPTION}
    --detach  with an engine: submit it, print its id and exit

    bearings run task.xml --input topic=timeouts  with a value
    bearings run sum.xml --inputs docs='docs/*.md'  a reduce over files
  `,
  maxWords: 1,
  async run(call) {
    const { words, flag, text, list, bearings, terminal, json } = call;
    const [asked] = words;
    if (!asked) throw invalidInput('run needs the file of a template.', 'For example: bearings run task.xml');
    const file = isWords(asked) ? await chosenTemplate(call, asked) : asked;
    if (file === null) return EXIT.awaitsPerson;
    const { task, problems } = await (await bearings.runs()).checkTask(file, { lenient: flag('lenient') });
    if (task === null) {
      const result = invalidTemplate(file, problems);
      if (flag('events')) terminal.print(JSON.stringify({ event: 'result', result }));
      else if (json) terminal.print(JSON.stringify({ result, steps: [] }, null, 2));
      else for (const line of [...problemLines(problems, terminal), problemCount(problems)]) terminal.warn(line);
      return EXIT.checkFailed;
    }
    if (!(await allowScripts(call, task, file))) return EXIT.awaitsPerson;
    const model = text('model') ?? 'extract';
    const options: StartRunOptions = {
      file,
      input: list('input'),
      inputs: list('inputs'),
      model,
      limits: limitsOf(call),
      root: { memory: text('workspace'), load: await taskText(terminal, text('load')) },
      contextFile: text('context'),
      propose: proposalWish(call),
    };
    const url = engineUrl(text);
    if (url !== null) return runShared(call, { task, url, options });
    if (flag('detach'))
      throw invalidInput('--detach needs an engine: runs of this process are not queued.', 'Name one: --engine URL');
    return watchRun({ task, model }, call, async (watching) =>
      (await bearings.runs()).startRun(task, options, watching),
    );
  },
});

// A file has a name without blanks, or one that ends like a template.
function isWords(asked: string): boolean {
  return /\s/.test(asked.trim()) && !/\.(?:xml|json)$/i.test(asked);
}

// Named, best first; one is run only when the person says which.
async function chosenTemplate({ bearings, terminal, json }: Call, words: string): Promise<string | null> {
  const fitting = await (await bearings.runs()).fittingTemplates(words);
  if (fitting.length === 0)
    throw notFound('No template here fits that.', 'Name a file, or put some here: bearings demo --examples');
  if (json) terminal.print(JSON.stringify({ templates: fitting }, null, 2));
  else
    for (const [at, { file, name }] of fitting.entries())
      terminal.print(forReader(`${at + 1}  ${file}   ${name === file ? '' : name}`, terminal));
  if (json || !terminal.canAsk) {
    terminal.warn(`run one   bearings run ${typedName(fitting[0]?.file ?? 'FILE')}`);
    return null;
  }
  const picked = await pickedOf(terminal, fitting, `which one? [1-${fitting.length}, or nothing] `);
  return picked?.file ?? null;
}

function limitsOf({ number }: Call): SomeLimits {
  const names = Object.keys(LIMIT_RANGES) as (keyof typeof LIMIT_RANGES)[];
  const limits = names.map((name) => [name, number(`max-${name}`, ...LIMIT_RANGES[name])] as const);
  return Object.fromEntries(limits.filter(([, value]) => value !== undefined));
}

// Given to the workers of a database, then watched from here.
async function runShared(
  call: Call,
  { task, url, options }: { task: Task; url: string; options: StartRunOptions },
): Promise<number> {
  const { bearings, terminal, flag, json } = call;
  if (flag('detach') && options.propose)
    throw invalidInput('--propose needs someone to wait for the result.', 'Leave out --detach.');
  const run = await (await bearings.sharedRuns(url)).submitRun(task, options);
  if (flag('detach')) {
    terminal.print(json ? JSON.stringify({ run }) : `${run}\nwatch it   bearings runs watch ${run} --engine URL`);
    return EXIT.done;
  }
  return watchRun({ task, model: options.model ?? 'extract' }, call, async (watching) =>
    (await bearings.sharedRuns(url)).followRun(run, watching),
  );
}

// `notes`, `notes:ID` or `taste`.
function proposalWish({ text }: Call): ProposalWish | undefined {
  const given = text('propose');
  if (given === undefined) return undefined;
  const [kind, workspace = null] = given.split(':', 2);
  if (kind !== 'notes' && kind !== 'taste')
    throw invalidInput('--propose takes notes, notes:ID or taste.', 'For example: --propose notes');
  return { kind, workspace: workspace || null, category: text('category') ?? null, file: text('file') ?? null };
}

function invalidTemplate(file: string, problems: readonly unknown[]): TaskResult {
  const message = `The template ${file} can't be used.`;
  return {
    status: 'FAILED',
    content: '',
    notes: {
      summary: message,
      error: { type: 'TASK_FAILURE', reason: 'xml_validation_failure', message, details: { problems } },
    },
  };
}
