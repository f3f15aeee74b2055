import { invalidInput } from '../../errors.ts';
import { showHidden } from '../../safety/hidden-characters.ts';
import { type Call, defineCommand, EXIT, needed } from '../command.ts';
import { allowScripts } from '../views/allow-view.ts';
import { explain, explainLines, problemCount, problemLines } from '../views/problem-view.ts';

export const command = defineCommand({
  help: `
    bearings check FILE [--strict|--lenient] [--explain] [--allow]
    bearings check --rule COMMAND|PATH

    Names every problem at once, with line, column and what to do. Runs nothing.
    Exit code 1 when there is an error; warnings alone are fine.

    With --rule: what the rules you signed would do to a command line, or to an edit of a file. Exit code 1 when an
    agent’s tool is not left alone.

    --rule TEXT  a command line or a path to try your rules on
    --strict  everything left out is an error
    --lenient  unknown parts are warnings, not errors
    --allow  look at the programs it may start, and allow them
    --explain  show the settings of each task and where they come from

    bearings check release-notes.xml  is the template valid?
    bearings check --rule "git push --force"  would an agent be stopped?
  `,
  maxWords: 1,
  async run(call) {
    const { flag, bearings, terminal, json } = call;
    const tried = call.text('rule');
    if (tried?.trim() === '') throw invalidInput('--rule is empty.', 'For example: bearings check --rule "git push"');
    if (tried !== undefined) return tryRule(call, tried);
    const [first] = call.words;
    const file = needed(first, 'check needs the file of a template.', 'For example: bearings check task.xml');
    const { task, problems } = await (await bearings.runs()).checkTask(file, {
      strict: flag('strict'),
      lenient: flag('lenient'),
    });
    const explains = flag('explain') && task !== null;
    if (json) {
      const settings = explains ? { tasks: explain(task) } : {};
      terminal.print(JSON.stringify({ ok: task !== null, problems, ...settings }, null, 2));
    } else {
      for (const line of problemLines(problems, terminal)) terminal.print(line);
      if (explains) for (const line of explainLines(task, terminal.paint)) terminal.print(line);
      terminal.print(problemCount(problems));
    }
    if (task !== null && flag('allow') && !(await allowScripts(call, task, file))) return EXIT.awaitsPerson;
    return task === null ? EXIT.checkFailed : EXIT.done;
  },
});

async function tryRule({ bearings, answer }: Call, text: string): Promise<number> {
  const { stop, rules, warnings } = await (await bearings.hooks()).tryRules(text);
  const count = rules.length === 1 ? '1 rule is in force' : `${rules.length} rules are in force`;
  const lines = stop
    ? `${stop.decision === 'deny' ? 'refused' : 'asked about'} · ${showHidden(stop.reason)}`
    : [`nothing stops it · ${count}`, ...warnings].join('\n');
  return answer({ stop, rules, warnings }, () => lines, stop === null);
}
