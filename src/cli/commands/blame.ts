import type { Blame } from '../../bearings.ts';
import { showHidden } from '../../safety/hidden-characters.ts';
import type { Command } from '../command.ts';
import { EXIT } from '../command.ts';
import { namedFile } from '../named-file.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { ageOf } from '../views/age.ts';
import { counted, fitTo, padTo } from '../views/columns.ts';

export const command: Command = {
  summary: 'which decision stands behind each block',
  usage: ['bearings blame [notes.md|brief.md] [ID]', 'bearings blame tastes/FILE'],
  details: [
    'Names for each block its lines, proposal, session, client, decision, time and who signed',
    'it; or `by hand` where you adopted it; or `unaccounted` where no decision stands behind it.',
    'With ID alone: notes and brief of that workspace.',
  ],
  options: {},
  waitingFor: 'looking for the decisions',
  maxWords: 2,
  examples: [
    { line: 'bearings blame', about: 'the notes of the workspace you are in' },
    { line: 'bearings blame notes.md manta_001', about: 'the notes of one workspace' },
    { line: 'bearings blame tastes/_default.md', about: 'a taste' },
  ],
  async run({ words, bearings, terminal, json }) {
    const { file, id } = await namedFile(bearings, words);
    const blames: Blame[] = [];
    for (const name of file === null ? ['notes.md', 'brief.md'] : [file])
      blames.push(await (await bearings.gate()).blame(name, { id }));
    if (json) terminal.print(JSON.stringify(file === null ? blames : blames[0], null, 2));
    else
      for (const [index, blame] of blames.entries()) {
        if (file === null) terminal.print(`${index === 0 ? '' : '\n'}${showHidden(blame.target)}`);
        print(blame, terminal);
      }
    return EXIT.done;
  },
};

function print({ target, blocks }: Blame, { print, paint, columns }: Terminal): void {
  if (blocks.length === 0) {
    print(`${showHidden(target)} is empty`);
    return;
  }
  const width = String(blocks.at(-1)?.last_line ?? 0).length;
  const now = new Date();
  for (const { first_line, last_line, origin, text } of blocks) {
    const lines = `${String(first_line).padStart(width)}${last_line > first_line ? `-${last_line}` : ''}`;
    const left = `${padTo(lines, width * 2 + 1)}  `;
    const [first = ''] = text.split('\n');
    const room = Math.max(20, Math.min(columns, 100) - left.length);
    print(`${left}${fitTo(showHidden(first), room)}`);
    const words =
      origin === null
        ? 'unaccounted · bearings review'
        : [
            origin.decision === 'accept' ? (origin.edited ? 'accepted, edited' : 'accepted') : 'by hand',
            ageOf(origin.at, now),
            origin.proposal_id,
            origin.proposed_by && `by ${origin.proposed_by}`,
            origin.session_id && `session ${origin.session_id}`,
            `signed by ${origin.signed_by}`,
            `ledger ${origin.seq}`,
          ]
            .filter(Boolean)
            .join(' · ');
    for (const line of wrapped(showHidden(words), room))
      print(`${' '.repeat(left.length)}${paint(origin === null ? 'yellow' : 'dim', line)}`);
  }
  const missing = blocks.filter(({ origin }) => origin === null).length;
  print(`${counted(blocks.length, 'block')}, ${missing === 0 ? 'all accounted for' : `${missing} unaccounted`}`);
}

// At the dots: a row never ends in the middle of a fact.
function wrapped(text: string, width: number): string[] {
  const rows: string[] = [];
  for (const part of text.split(' · ')) {
    const last = rows.at(-1);
    if (last !== undefined && last.length + 3 + part.length <= width) rows[rows.length - 1] = `${last} · ${part}`;
    else rows.push(part);
  }
  return rows;
}
