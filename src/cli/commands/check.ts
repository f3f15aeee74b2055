import { invalidInput } from '../../errors.ts';
import { defineCommand, EXIT } from '../command.ts';
import { allowScripts } from '../views/allow-view.ts';
import { explain, explainLines, problemCount, problemLines } from '../views/problem-view.ts';

export const command = defineCommand({
  help: `
    bearings check FILE [--strict|--lenient] [--explain] [--allow]

    Names every problem at once, with line, column and what to do. Runs nothing.
    Exit code 1 when there is an error; warnings alone are fine.

    --strict  everything left out is an error
    --lenient  unknown parts are warnings, not errors
    --allow  look at the programs it may start, and allow them
    --explain  show the settings of each task and where they come from

    bearings check release-notes.xml  is the template valid?
    bearings check task.json --explain  which settings are in force?
  `,
  maxWords: 1,
  async run(call) {
    const {
      words: [file],
      flag,
      bearings,
      terminal,
      json,
    } = call;
    if (!file) throw invalidInput('check needs the file of a template.', 'For example: bearings check task.xml');
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
