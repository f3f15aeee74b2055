import { BearingsError, invalidInput } from '../../errors.ts';
import type { FoundText, ShownErasure } from '../../gate/erase/erase.ts';
import { showHidden } from '../../safety/hidden-characters.ts';
import { type Call, defineCommand, EXIT } from '../command.ts';
import { askOnPage, askPassphrase, PAGE_COLUMNS } from '../proof.ts';
import { attempt } from '../review/conversation.ts';
import { openScreen } from '../terminal/screen.ts';
import { answered, type Terminal } from '../terminal/terminal.ts';
import { counted, fitTo, wrapTo } from '../views/columns.ts';

const MOST_LISTED = 20;

export const command = defineCommand({
  help: `
    bearings erase FILE:LINE [ID] [--plain]
    bearings erase WORDS [--plain]

    Shows the block at that line, or the one that holds these words, with every copy of it: in files,
    archive, ledger, transcripts, proposals, served contexts, indexes and runs. After your yes all of
    them are gone for good: no undo brings it back. The ledger says that a text was erased and when,
    and verify stays green. It names what it can’t reach: git history, backups, what a client keeps.
    Words that you type may stay in the history of your shell; FILE:LINE does not say them.
    At confirm: passkey the page opens for the yes.
    Needs a terminal (exit code 3 without). Exit code 1 where a copy could not be deleted.

    --plain  line by line instead of the full screen (also: TERM=dumb)

    bearings erase notes.md:3 manta_001  the block at line 3 of the notes
    bearings erase "white balance"  a text by its words
  `,
  waitingFor: 'looking for copies',
  maxWords: 2,
  async run(call) {
    const { words, bearings, terminal, json } = call;
    const [wanted = '', id] = words;
    const gate = await bearings.gate();
    const found = await gate.findErasable(wanted, { id });
    const text = await chosen(call, found);
    if (text === null) return found.length > 1 ? EXIT.awaitsPerson : EXIT.done;
    const shown = await gate.showErasure(text);
    if (json) {
      terminal.print(JSON.stringify(shown, null, 2));
      return EXIT.awaitsPerson;
    }
    if (!terminal.canAsk) {
      terminal.print(linesOf(shown, terminal, terminal.columns).join('\n'));
      throw new BearingsError('awaiting_person', 'erase asks before it deletes anything, so it needs a terminal.', {
        hint: 'Run it in a terminal.',
      });
    }
    return ask(call, shown);
  },
});

async function ask(call: Call, shown: ShownErasure): Promise<number> {
  const { bearings, terminal, flag } = call;
  if ((await (await bearings.gate()).confirmLevel()) === 'passkey') {
    const [title = '', ...text] = linesOf(shown, { paint: (_, line) => line }, PAGE_COLUMNS);
    const erased = await askOnPage(call, { title, text }, async (proof) => (await bearings.gate()).erase(shown, proof));
    terminal.print(erased ? saidOf(erased) : 'nothing changed');
    return erased ? tellLeft(terminal, erased.left) : EXIT.done;
  }
  const passphrase = await askPassphrase(call);
  if (passphrase === null) return EXIT.done;
  const screen = openScreen(terminal, flag('plain'));
  let left: readonly { file: string; reason: string | null }[] = [];
  let failed = false;
  try {
    const key = await screen.choose({
      lines: (columns) => linesOf(shown, terminal, columns),
      keys: '[y]es, erase it for good  [n]o  [?] help  [q]uit',
      yes: 'y',
      help: ['y   deletes the text and every copy; nothing brings it back', 'n   changes nothing'],
    });
    if (key !== 'y') screen.say('nothing changed');
    else {
      const outcome = await attempt({ bearings, terminal, screen, passphrase }, async () => {
        const erased = await (await bearings.gate()).erase(shown, { via: 'terminal', passphrase });
        left = erased.left;
        return saidOf(erased);
      });
      failed = outcome !== 'done';
    }
  } finally {
    screen.close();
  }
  const code = tellLeft(terminal, left);
  return failed ? EXIT.badUse : code;
}

function saidOf({ places, copies }: { places: number; copies: number }): string {
  return `erased · ${counted(places, 'place')}, ${counted(copies, 'other file')} · bearings verify`;
}

function tellLeft(terminal: Terminal, left: readonly { file: string; reason: string | null }[]): number {
  for (const { file, reason } of left)
    terminal.print(terminal.paint('red', showHidden(`still there: ${file}${reason ? ` (${reason})` : ''}`)));
  return left.length > 0 ? EXIT.checkFailed : EXIT.done;
}

// Null: the person changed her mind, or can't be asked.
async function chosen({ terminal, json }: Call, found: readonly FoundText[]): Promise<string | null> {
  const [only] = found;
  if (only && found.length === 1) return only.text;
  if (json) {
    terminal.print(JSON.stringify({ found }, null, 2));
    return null;
  }
  for (const [index, { text, where }] of found.slice(0, MOST_LISTED).entries()) {
    const [first = ''] = text.split('\n');
    terminal.print(fitTo(`${index + 1}  ${showHidden(where)}: ${showHidden(first)}`, terminal.columns));
  }
  if (found.length > MOST_LISTED) terminal.print(`and ${found.length - MOST_LISTED} more: give more words of it`);
  if (!terminal.canAsk) return null;
  const last = Math.min(found.length, MOST_LISTED);
  const read = (typed: string): string | null => {
    const number = typed.trim();
    const picked = /^\d+$/.test(number) && Number(number) <= last ? found[Number(number) - 1] : undefined;
    if (!picked && number !== '') throw invalidInput('There is no such number.', `Type one from 1 to ${last}.`);
    return picked?.text ?? null;
  };
  return answered(terminal, read, () => terminal.ask(`Which one? 1-${last}: `));
}

function linesOf(shown: ShownErasure, terminal: Pick<Terminal, 'paint'>, columns: number): string[] {
  const rows = (text: string, indent = '    ') =>
    text
      .split('\n')
      .flatMap((line) => wrapTo(showHidden(line), columns - indent.length))
      .map((row) => `${indent}${row}`.trimEnd());
  const red = (text: string) => rows(text).map((row) => terminal.paint('red', row));
  const { text, wordings, places, copies, unreachable } = shown;
  const standing = places.map(({ target, line }) => `${target}, line ${line}`);
  const kinds = copies.map(({ what, count }) => counted(count, what));
  return [
    terminal.paint('bold', 'Erase for good, with every copy:'),
    '',
    ...red(text),
    ...wordings.flatMap((wording) => ['', '  and this wording of it:', '', ...red(wording)]),
    '',
    ...rows(`found in: ${standing.join('; ') || 'no file of memory'}`, '  '),
    ...rows(`copies: ${kinds.join(', ') || 'none'}`, '  '),
    '',
    '  What this can’t reach:',
    ...unreachable.flatMap((each) => rows(`- ${each}`)),
  ];
}
