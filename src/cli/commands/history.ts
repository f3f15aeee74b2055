import { DECISION_WORDS, type HistoryEntry } from '../../gate/standing/history.ts';
import { showHidden } from '../../safety/hidden-characters.ts';
import { defineCommand } from '../command.ts';
import { namedFile } from '../named-file.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { ageOf, counted, wrapTo } from '../views/columns.ts';

const SHORT_ID = 8;

export const command = defineCommand({
  help: `
    bearings history [notes.md|brief.md] [ID]
    bearings history tastes/FILE

    The newest first: what each decision added (+) and took out (-), took over as it was (=), or declined (x).
    The first word of each is its name for undo. With ID alone: its notes.

    bearings history tastes/_default.md  a taste, also one that was deleted
  `,
  maxWords: 2,
  async run({ words, bearings, terminal, answer }) {
    const { file, id } = await namedFile(bearings, words);
    const history = await (await bearings.gate()).history(file, { id });
    for (const warning of history.warnings) terminal.warn(`warning: ${showHidden(warning)}`);
    return answer(history, () =>
      history.decisions.length === 0
        ? `no decision ${history.warnings.length > 0 ? 'that counts ' : ''}on ${showHidden(history.target)} yet`
        : [
            ...history.decisions.flatMap((entry) => linesOf(entry, terminal)),
            `${counted(history.decisions.length, 'decision')} · take one back: bearings undo DECISION`,
          ],
    );
  },
});

function linesOf(entry: HistoryEntry & { declined?: string }, { paint, columns }: Terminal): string[] {
  const { decision, at, proposed_by, reason, subject, undone, changed_text } = entry;
  const about = [
    `${DECISION_WORDS[decision]}${entry.edited ? ', edited' : ''}`,
    ageOf(at, new Date()),
    subject && `${decision === 'undo' ? 'takes back' : 'back to'} ${subject.slice(0, SHORT_ID)}`,
    proposed_by && `by ${proposed_by}`,
    entry.signed_by === 'you' ? '' : `signed by ${entry.who} (${entry.signed_by})`,
    undone && 'undone since',
  ];
  const rows = (text: string, indent: string) =>
    wrapTo(showHidden(text), columns - indent.length).map((row) => `${indent}${row}`.trimEnd());
  const marked = (mark: '+' | '-' | '=' | 'x', text: string | null) =>
    (text ?? '(its text is not stored)').split('\n').flatMap((line) => rows(line, `  ${mark} `));
  const [first = '', ...more] = rows(about.filter(Boolean).join(' · '), ' '.repeat(SHORT_ID + 2));
  return [
    `${paint('bold', entry.decision_id.slice(0, SHORT_ID))}${first.slice(SHORT_ID)}`,
    ...more,
    ...(reason === null ? [] : rows(`"${reason}"`, '  ')),
    ...entry.removed.flatMap(({ text }) => marked('-', text)).map((line) => paint('red', line)),
    ...entry.added
      .flatMap(({ text }) => marked(changed_text ? '+' : '=', text))
      .map((line) => (changed_text ? paint('green', line) : line)),
    ...(entry.declined === undefined ? [] : marked('x', entry.declined)),
    ...(entry.erased > 0 ? [`  (${counted(entry.erased, 'text')} of it was erased)`] : []),
    '',
  ];
}
