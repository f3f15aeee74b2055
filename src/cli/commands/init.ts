import { typedName } from '../../closest.ts';
import { showHidden } from '../../safety/hidden-characters.ts';
import { firstParts } from '../../waiting/waiting.ts';
import { type Call, defineCommand, EXIT } from '../command.ts';
import { askPassphrase } from '../proof.ts';
import { waitingLines } from '../review/others.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { counted } from '../views/columns.ts';

export const command = defineCommand({
  help: `
    bearings init
    bearings init ID
    bearings init [ID] --here

    In a repository without ID: the repository holds its own memory in .bearings/.
    With ID: a folder among your workspaces. On a terminal it asks for the brief, and once whether
    all that was there before is yours.

    --here  make .bearings/ in this folder, repository or not

    bearings init  for the repository you are in
    bearings init billing-client  for one client, image or subject
  `,
  maxWords: 1,
  async run(call) {
    const { words, flag, bearings, terminal, json, answer } = call;
    const [id] = words;
    const made = await (await bearings.workspaces()).createWorkspace({ id, here: flag('here') });
    if (json) return answer(made, () => '');
    terminal.print(showHidden(`made ${made.id} · ${made.folder}`));
    for (const line of made.changed ?? []) terminal.print(line);
    const { context } = await (await bearings.memory()).readContext({ id: made.id });
    const tastes = (await (await bearings.tastes()).listTastes()).map(({ name }) => name);
    const asks = terminal.canAsk && context.brief.raw === '';
    const brief = asks ? await askForBrief(terminal, tastes) : '';
    // What they type here is their word already, and is decided with it; where a proof is needed, the question below asks for it.
    const isDecided = brief !== '' && (await (await bearings.gate()).confirmLevel()) === 'ask';
    if (brief !== '' && !isDecided) await (await bearings.workspaces()).writeFirstBrief({ id: made.id }, brief);
    // Before the brief is decided on: from the first decision on, what is there is listed block by block.
    await askForAll(call, made.id);
    if (isDecided) await decideOnBrief(call, made.id, brief);
    if (brief === '' && context.brief.raw === '')
      terminal.print(`say what it is about: bearings edit brief ${typedName(made.id)}`);
    terminal.print(`see what an agent gets: bearings read ${typedName(made.id)}`);
    return EXIT.done;
  },
});

async function decideOnBrief({ bearings }: Call, id: string, brief: string): Promise<void> {
  const gate = await bearings.gate();
  const { sha256 } = await gate.editableText('brief.md', { id });
  await gate.saveText('brief.md', { id }, { via: 'init', text: `${brief}\n`, before_sha256: sha256 });
}

// One question about all that was there before: it is the person's, or `review` lists it block by block.
async function askForAll(call: Call, id: string): Promise<void> {
  const { bearings, terminal } = call;
  const found = await (await bearings.gate()).neverAccounted({ id });
  if (found.length === 0) return;
  const total = found.reduce((sum, { blocks }) => sum + blocks, 0);
  if (!terminal.canAsk) {
    const names = found.map(({ target }) => target).join(', ');
    terminal.print(showHidden(`${counted(total, 'block')} already in ${names}: is it yours? bearings review`));
    return;
  }
  const { columns, paint } = terminal;
  const lines = waitingLines({ type: 'first', parts: firstParts(found) }, { columns, paint });
  terminal.print(['', 'Nothing here has been decided on yet. This is what is there now:', ...lines].join('\n'));
  const answer = (await terminal.ask('Type yes to adopt it, or Enter to decide later in bearings review.  '))?.trim();
  if (answer !== 'yes' && answer !== 'y') return;
  if ((await (await bearings.gate()).confirmLevel()) === 'passkey') {
    terminal.print('your authenticator signs that, on the page: bearings review');
    return;
  }
  const passphrase = await askPassphrase(call);
  if (passphrase === null) return;
  const adopted = await (await bearings.gate()).adoptAll({ id }, { via: 'init', passphrase }, found);
  terminal.print(`adopted · ${counted(adopted, 'block')} · bearings why notes.md ${typedName(id)}`);
}

// Someone pasted a whole block of commands, and the question took the rest of it.
const PASTED = /^\s*\$?\s*bearings [a-z]+/;

async function askForBrief(terminal: Terminal, tastes: string[]): Promise<string> {
  // Shown by the question itself, when it already listens: a Ctrl-C before that would be the shell's.
  const first = [
    'What is this work about, and what should come out?',
    'Write it in a line or more; an empty line ends it. Enter at once skips it.',
    '  ',
  ].join('\n');
  const lines: string[] = [];
  for (;;) {
    const line = await terminal.ask(lines.length === 0 ? first : '  ');
    if (line === null) {
      if (lines.length > 0) terminal.print('what you typed is discarded');
      return '';
    }
    if (line.trim() === '') break;
    if (PASTED.test(line)) {
      terminal.print('These lines are commands, not a brief: none of them was run. Run them once more.');
      return '';
    }
    lines.push(line);
  }
  const genres = tastes.filter((name) => name !== '_default');
  if (genres.length > 0) {
    const chosen = (await terminal.ask(`Which tastes apply? Known: ${genres.join(', ')}. Nothing: none.  `))?.trim();
    if (chosen) lines.unshift(`Tastes: ${chosen}`, '');
  }
  return lines.join('\n').trim();
}
