import { invalidInput } from '../../errors.ts';
import { defineCommand } from '../command.ts';
import { proposedWords } from '../views/columns.ts';

export const command = defineCommand({
  help: `
    bearings propose notes [ID] --content TEXT [--replaces TEXT] [--reason TEXT] [--until DATE] [--for PATH]
    bearings propose taste --content TEXT --category C [--file F] [--replaces TEXT]
    bearings propose notes [ID] --retires TEXT [--reason TEXT]

    Writes nothing lasting. Use --content - to read the text from standard input.
    Categories: appearance, process, value. It waits until you decide on it: bearings review.
    What --replaces or --retires takes out of the notes goes to notes-archive.md: search finds it.

    --content TEXT  what should be remembered; - reads it from standard input
    --category C  for a taste: appearance, process or value
    --file F  for a taste: its file (default _default.md)
    --reason TEXT  why, in at most 500 characters
    --until DATE  when to review it again: 2027-03-01, 90d, 6 months, 1y
    --for PATH …  a file or glob it belongs to: it comes when an agent first reads or edits such a file
    --replaces TEXT  the exact lines it takes the place of
    --retires TEXT  exact lines that no longer hold, in place of --content

    bearings propose notes --content "…"  for the workspace you are in
    bearings propose taste --category value --content "…"  for all work
  `,
  maxWords: 2,
  async run({ words: [kind, id], text, list, bearings, terminal, answer }) {
    if (kind !== 'notes' && kind !== 'taste')
      throw invalidInput('propose takes notes or taste.', 'For example: bearings propose notes --content "…"');
    const given = text('content');
    const retires = text('retires');
    if (given === undefined && retires === undefined)
      throw invalidInput('What should be remembered? Give --content.', 'For example: --content "Keep the water blue."');
    const content = given === '-' ? await terminal.readInput() : given;
    const inWorkspace =
      kind === 'notes' || id !== undefined || (await (await bearings.memory()).workspaceKey({})) !== null;
    const gate = await bearings.gate();
    const session = await gate.standingSession(inWorkspace ? { id } : null, 'command line');
    const proposed = await gate.propose(session, {
      kind,
      content,
      category: text('category'),
      file: text('file'),
      reason: text('reason'),
      replaces: text('replaces'),
      retires,
      until: text('until'),
      paths: list('for'),
    });
    return answer(proposed, () => proposedWords(proposed));
  },
});
