import { typedName } from '../../closest.ts';
import { defineCommand, EXIT } from '../command.ts';

export const command = defineCommand({
  help: `
    bearings read [ID] [--for NAME] [--table]

    Prints the text an agent gets, as it gets it: tastes, brief, notes, recent log and recent gaps, in this order.
    On a terminal one line of sizes follows; warnings go to the error stream. Without ID: the workspace of the
    repository you are in. With --json the whole context as data (an agent gets long texts cut).

    --for NAME  a profile of the policy, such as helper: its parts within its tokens
    --table  an overview in place of the text: what is there, how long, and why

    bearings read billing-client --table  the overview
    bearings read billing-client --for helper  what a helper of an agent gets
  `,
  maxWords: 1,
  async run({ words: [id], flag, text, bearings, terminal, json }) {
    const memory = await bearings.memory();
    const profile = { for: text('for') };
    const warn = (warnings: readonly string[]) =>
      warnings.forEach((warning) => void terminal.warn(`warning: ${warning}`));
    if (json) {
      const { context, warnings } = await memory.readContext({ id }, profile);
      terminal.print(JSON.stringify(context, null, 2));
      warn(warnings);
      return EXIT.done;
    }
    // Programs that ask for --json don't wait for what only a person sees.
    const { agentText, costLine, readView } = await import('../views/read-view.ts');
    const { counted, forReader } = await import('../views/columns.ts');
    const { showHidden } = await import('../../safety/hidden-characters.ts');
    const overview = await memory.overview({ id }, profile);
    const whole = agentText(overview);
    const cost = costLine(whole, { id: overview.workspace.id, columns: terminal.columns });
    if (flag('table')) {
      terminal.print(`${readView(overview, terminal)}\n${cost}`);
      return EXIT.done;
    }
    terminal.print(forReader(whole, terminal));
    warn(overview.warnings);
    const paths = new Set(overview.belonging.flatMap((note) => note.paths));
    if (paths.size > 0)
      terminal.warn(showHidden(`${counted(overview.belonging.length, 'note')} for ${[...paths].join(', ')}`));
    const image = overview.workspace.id;
    if (terminal.interactive && image !== null && overview.context.brief.raw === '')
      terminal.print(`There is no brief yet: bearings edit brief ${typedName(image)}`);
    if (terminal.interactive) terminal.print(terminal.paint('dim', cost));
    return EXIT.done;
  },
});
