import { DECISION_WORDS, type HistoryEntry } from '../../gate/standing/history.ts';
import { showHidden } from '../../safety/hidden-characters.ts';
import { defineCommand, EXIT } from '../command.ts';
import { namedFile } from '../named-file.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { ageOf, counted, wrapTo } from '../views/columns.ts';

const SHORT_ID = 8;

export const command = defineCommand({
  help: `
    bearings history [notes.md|brief.md] [ID]
    bearings history tastes/FILE

    The newest first: what each decision added (+) and took out (-), or took over as it was (=).
    The first word of each is its name for undo. With ID alone: its notes.

    bearings history notes.md manta_001  the notes of one workspace
    bearings history tastes/_default.md  a taste, also one that was deleted
  `,
  maxWords: 2,
  async run({ words, bearings, terminal, json }) {
    const { file, id } = await namedFile(bearings, words);
    const history = await (await bearings.gate()).history(file, { id });
    if (json) terminal.print(JSON.stringify(history, null, 2));
    else if (history.decisions.length === 0) terminal.print(`no decision on ${showHidden(history.target)} yet`);
    else {
      for (const entry of history.decisions) print(entry, terminal);
      terminal.print(`${counted(history.decisions.length, 'decision')} · take one back: bearings undo DECISION`);
    }
    return EXIT.done;
  },
});

function print(entry: HistoryEntry, { print, paint, columns }: Terminal): void {
  const { decision, at, proposed_by, reason, subject, undone, changed_text } = entry;
  const about = [
    `${DECISION_WORDS[decision]}${entry.edited ? ', edited' : ''}`,
    ageOf(at, new Date()),
    subject && `${decision === 'undo' ? 'takes back' : 'back to'} ${subject.slice(0, SHORT_ID)}`,
    proposed_by && `by ${proposed_by}`,
    entry.signed_by === 'you' ? '' : `signed by ${entry.who} (${entry.signed_by})`,
    undone && 'undone since',
  ];
  const rows = wrapTo(showHidden(about.filter(Boolean).join(' · ')), columns - SHORT_ID - 2);
  for (const [index, row] of rows.entries())
    print(`${index === 0 ? paint('bold', entry.decision_id.slice(0, SHORT_ID)) : ' '.repeat(SHORT_ID)}  ${row}`);
  if (reason !== null) for (const row of wrapTo(showHidden(`"${reason}"`), columns - 2)) print(`  ${row}`);
  const lines = (mark: '+' | '-' | '=', text: string | null) =>
    (text ?? '(its text is not stored)')
      .split('\n')
      .flatMap((line) => wrapTo(showHidden(line), columns - 4))
      .map((line) => `  ${mark} ${line}`.trimEnd());
  for (const { text } of entry.removed) for (const line of lines('-', text)) print(paint('red', line));
  for (const { text } of entry.added)
    for (const line of lines(changed_text ? '+' : '=', text)) print(changed_text ? paint('green', line) : line);
  if (entry.erased > 0)
    print(`  (${counted(entry.erased, 'text')} of it ${entry.erased === 1 ? 'was' : 'were'} erased)`);
  print('');
}
