import type { Rooms } from '../../bearings.ts';
import type { PlannedImage, PlannedImport } from '../../clients/import.ts';
import { showHidden } from '../../safety/hidden-characters.ts';
import type { Command } from '../command.ts';
import { EXIT } from '../command.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { counted, fitTo, padTo } from '../views/columns.ts';

const NOTHING_HERE = 'nothing of it was found here';

export const command: Command = {
  summary: 'make proposals of what you have already',
  usage: [
    'bearings import NAME|FILE… [--from PATH] [--to notes|tastes/NAME] [--workspace ID]',
    'bearings import chemigram [--images DIR]',
  ],
  details: [
    'NAME is chemigram, claude, agents, cursor, copilot, claude-memory, basic-memory, mem0 or chatgpt.',
    'Shows what would become which note or taste, block by block, then asks. It writes nothing',
    'lasting: you decide on each in review. Secrets and hidden characters are left out by name;',
    'a brief comes in after a question of its own. Without a terminal: --propose, or it only shows.',
    'Of Chemigram, images come too: their notes as proposals; brief, log, gaps and sessions after',
    'one question that shows them, into a workspace of the same name.',
  ],
  options: {
    to: { type: 'string', value: 'TARGET', about: 'for files: notes (default) or tastes/NAME' },
    workspace: { type: 'string', value: 'ID', about: 'for notes: of which workspace' },
    category: { type: 'string', value: 'C', about: 'for tastes: appearance, process (default) or value' },
    images: { type: 'string', value: 'DIR', about: 'where Chemigram keeps its images (default: ~/Pictures/Chemigram)' },
    from: { type: 'string', value: 'PATH', about: 'the folder or file to read, in place of where NAME keeps it' },
    'with-tastes': { type: 'boolean', about: 'take what a repository’s file calls a taste of yours as one' },
    propose: { type: 'boolean', about: 'make the proposals without asking: they write nothing' },
  },
  waitingFor: 'looking through your files',
  maxWords: 50,
  examples: [
    { line: 'bearings import claude', about: 'CLAUDE.md of yours and of this repository' },
    { line: 'bearings import notes.md --to tastes/underwater', about: 'a file as a taste' },
  ],
  async run({ words, text, flag, bearings, terminal, json }) {
    const options = {
      ...{ to: text('to'), id: text('workspace'), category: text('category'), images: text('images') },
      ...{ from: text('from'), withTastes: flag('with-tastes') },
    };
    const clients = await bearings.clients();
    const images = words.includes('chemigram') ? await clients.planImages(options) : [];
    const missing = images.filter(({ isNew, parts }) => isNew || parts.length > 0);
    if (!json) for (const line of imageLines(images)) terminal.print(fitTo(line, terminal.columns));
    const taken = missing.length > 0 && terminal.canAsk && !json && (await isYes(terminal, imageQuestion(missing)));
    if (taken) await clients.importImages(missing);
    else if (missing.length > 0 && !json)
      terminal.print(`${counted(missing.length, 'image')} can come in: run it in a terminal`);
    const plan = await clients.planImport(words, options);
    const { unread } = plan;
    // Notes of an image need its workspace.
    const absent = new Set(taken ? [] : images.filter(({ isNew }) => isNew).map(({ id }) => id));
    const items = plan.items.map((item) =>
      absent.has(item.workspace ?? '') ? { ...item, skipped: 'its image is not imported' } : item,
    );
    if (!json) {
      for (const { from, kind, file, content, skipped } of items) {
        const target = kind === 'taste' ? `tastes/${file}` : file;
        // A line across the page says nothing.
        const first = content.split('\n').find((line) => /[\p{L}\p{N}]/u.test(line)) ?? content;
        const what = skipped === null ? padTo(showHidden(target), 22) : padTo('left out', 22);
        const more = skipped === null ? showHidden(first) : `${showHidden(skipped)}: ${showHidden(first).slice(0, 20)}`;
        terminal.print(fitTo(`${padTo(fitTo(showHidden(from), 24), 24)}  ${what}  ${more}`, terminal.columns));
      }
      for (const { name, reason } of unread) terminal.print(`${showHidden(name)}: ${reason}`);
    }
    const usable = items.filter(({ skipped }) => skipped === null);
    const asks = terminal.canAsk && !json;
    // Before anything is asked: without a workspace no answer would help.
    if ((asks || flag('propose')) && usable.some(({ kind, workspace }) => kind !== 'taste' && workspace === undefined))
      await (await bearings.memory()).workspaceId({ id: options.id });
    if (asks) await takeBriefs(bearings, terminal, items, options.id);
    const isMeant =
      usable.length > 0 &&
      (flag('propose') || (asks && (await isYes(terminal, `Make ${counted(usable.length, 'proposal')}?`))));
    const made = isMeant ? await clients.proposeImport(usable, options) : { proposed: 0, present: 0 };
    if (json) terminal.print(JSON.stringify({ ...plan, items, images, ...made }, null, 2));
    else if (isMeant)
      terminal.print(
        `proposed ${made.proposed}${made.present > 0 ? `, ${made.present} already there` : ''} · waits for you: bearings review`,
      );
    else if (usable.length > 0)
      terminal.print(`nothing was proposed · ${counted(usable.length, 'block')} could be: add --propose`);
    // A file that can't be taken is bad use; a program that has nothing here is an answer.
    return unread.some(({ reason }) => reason !== NOTHING_HERE) ? EXIT.badUse : EXIT.done;
  },
};

function imageLines(images: readonly PlannedImage[]): string[] {
  return images.flatMap(({ id, isNew, keepsBrief, parts }) => [
    `${showHidden(id)}${isNew ? ', a new workspace' : ''}`,
    ...parts.map(({ file, count }) => `  ${padTo(showHidden(file), 40)}  ${counted(count, 'record')}`),
    ...parts
      .filter(({ file }) => file === 'brief.md')
      .flatMap(({ text }) => text.split('\n').map((line) => `    ${showHidden(line)}`)),
    ...(keepsBrief ? ['  brief.md differs from yours, which stays'] : []),
  ]);
}

function imageQuestion(images: readonly PlannedImage[]): string {
  return `Take in brief, log, gaps and sessions of ${counted(images.length, 'image')}?`;
}

// The person's own word: shown whole, asked for by itself, and never over a brief that is there.
async function takeBriefs(
  bearings: Rooms,
  terminal: Terminal,
  items: readonly PlannedImport[],
  id: string | undefined,
): Promise<void> {
  for (const { kind, content, workspace } of items) {
    if (kind !== 'brief') continue;
    const target = { id: workspace ?? id };
    const { raw } = await (await bearings.memory()).readBrief(target);
    if (raw.trim() !== '') {
      terminal.print(
        raw.trim() === content.trim() ? 'the brief is there already' : 'there is another brief, which stays',
      );
      continue;
    }
    for (const line of content.split('\n')) terminal.print(`    ${showHidden(line)}`);
    if (await isYes(terminal, 'Take this as the brief?'))
      await (await bearings.workspaces()).writeFirstBrief(target, content);
  }
}

async function isYes(terminal: Terminal, question: string): Promise<boolean> {
  return /^y(es)?$/i.test((await terminal.ask(`${question} [y/n] `))?.trim() ?? '');
}
