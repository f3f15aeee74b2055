import { typedName } from '../../closest.ts';
import { type Call, defineCommand, EXIT, needed, subCommand } from '../command.ts';
import { counted, forReader, table } from '../views/columns.ts';

const WINDOW = 2000;

export const command = defineCommand({
  help: `
    bearings show brief [ID]
    bearings show notes [ID] [--offset N] [--limit N]
    bearings show tastes [NAME]

    Prints the text as it is in the file: of the notes all lines, with --json one window of at most 2,000.
    Without NAME it lists the tastes. _default always loads; another only where a brief names it: Tastes: typescript.

    --offset N  notes: lines to skip (default 0)
    --limit N  notes: lines to print (default: all; with --json 2000)

    bearings show notes billing-client --limit 20  the first 20 lines
    bearings show tastes typescript  one of them
  `,
  maxWords: 2,
  async run(call) {
    needed(call.words[0], 'show prints brief, notes or tastes.', 'For example: bearings show notes');
    return subCommand(call, 'show', { brief: showBrief, notes: showNotes, tastes: showTastes });
  },
});

async function showBrief({ words: [id], bearings, terminal, answer }: Call): Promise<number> {
  const { warnings, ...brief } = await (await bearings.memory()).readBrief({ id });
  const { raw, image_id } = brief;
  const empty = `The brief of ${image_id} is empty. Write it: bearings edit brief ${typedName(image_id)}`;
  answer(brief, () => (raw === '' ? empty : forReader(raw.replace(/\r?\n$/, ''), terminal)));
  for (const warning of warnings) terminal.warn(`warning: ${warning}`);
  return EXIT.done;
}

async function showNotes({ words: [id], bearings, terminal, json, number }: Call): Promise<number> {
  const warned = new Set<string>();
  let missing = number('limit') ?? (json ? WINDOW : Number.POSITIVE_INFINITY);
  for (let at: number | null = number('offset', 0) ?? 0; at !== null; ) {
    const { warnings, ...window } = await (await bearings.memory()).readNotes(
      { id },
      { offset: at, limit: Math.min(missing, WINDOW) },
    );
    for (const warning of warnings) warned.add(warning);
    if (json) terminal.print(JSON.stringify(window, null, 2));
    else if (window.total_lines === 0) terminal.warn(`The notes of ${window.image_id} are empty.`);
    else if (window.lines > 0) terminal.print(forReader(window.text, terminal));
    missing -= window.lines;
    at = json || missing <= 0 ? null : window.next_offset;
  }
  for (const warning of warned) terminal.warn(`warning: ${warning}`);
  return EXIT.done;
}

async function showTastes({ words: [name], bearings, terminal, answer }: Call): Promise<number> {
  if (name !== undefined) {
    const taste = await (await bearings.tastes()).readTaste(name);
    answer(taste, () => forReader(taste.text.replace(/\r?\n$/, ''), terminal));
    for (const warning of await (await bearings.memory()).tasteWarnings(taste.name))
      terminal.warn(`warning: ${warning}`);
    return EXIT.done;
  }
  const tastes = await (await bearings.tastes()).listTastes();
  const none = 'There are no tastes yet. Write the one that always loads: bearings edit tastes';
  const rows = tastes.map((taste) => [taste.name, counted(taste.lines, 'line').padStart(11)]);
  return answer(tastes, () => (tastes.length === 0 ? none : table(rows)));
}
