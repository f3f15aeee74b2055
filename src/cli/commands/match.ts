import type { Rooms } from '../../bearings.ts';
import { rangeWords } from '../../loader/bundle/line-ranges.ts';
import { showHidden } from '../../safety/hidden-characters.ts';
import { defineCommand, needed } from '../command.ts';
import { taskText } from '../load-options.ts';
import { progressOn } from '../terminal/progress.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { fitTo, widthOf } from '../views/columns.ts';

type Found = Awaited<ReturnType<Awaited<ReturnType<Rooms['matching']>>['rankedMatches']>>[number];

// Why a file is in, in the words of a person.
const REASONS: Record<string, string> = {
  scope: 'scope',
  folder: 'folder',
  name: 'path',
  path: 'path named',
  identifier: 'defines it',
  phrase: 'defines it',
  similar: 'like past changes',
  subjects: 'past changes here',
  source: 'source of a test',
  neighbour: 'imported by a hit',
  sequence: 'beside a hit',
};
const REASONS_SHOWN = 3;

export const command = defineCommand({
  help: `
    bearings match TEXT [DIR] [--top N] [--json]

    Works offline, without a model. The first call in a project builds an index in your cache folder;
    later calls bring it up to date. Below each file: where to look, the words it shares, and why it ranks.
    - in place of TEXT reads it from standard input.

    --top N  how many files (default 10)
    --no-history  do not let past commits help

    bearings match "fix(router): empty path" ../api --top 3  elsewhere, three files
  `,
  maxWords: 2,
  async run({ words: [text, project = '.'], number, flag, bearings, terminal, answer }) {
    const task = needed(text, 'match needs the task in words.', 'Example: bearings match "retry"');
    const progress = progressOn(terminal, 'reading the project');
    const found = await (await bearings.matching()).rankedMatches(await taskText(terminal, task), {
      project,
      top: number('top') ?? 10,
      onProgress: progress.step,
      onWarning: terminal.warn,
      ...(flag('no-history') ? { history: false } : {}),
    });
    progress.end();
    return answer(found, () =>
      found.length === 0
        ? 'nothing in this project shares a word with that'
        : found.flatMap((one, at) => linesOf(one, at + 1, terminal)),
    );
  },
});

function linesOf({ path, score, words, parts, passages }: Found, place: number, terminal: Terminal): string[] {
  const lead = `${String(place).padStart(2)}  `;
  const end = `  ${score.toFixed(2)}`;
  const name = fitTo(showHidden(path), terminal.columns - widthOf(lead) - widthOf(end));
  const [passage] = passages;
  const lines = passage
    ? `${passage.start === passage.end ? 'line' : 'lines'} ${rangeWords([passage])}${passage.title ? ` (${passage.title})` : ''}`
    : '';
  const why = Object.entries(parts)
    .filter(([signal, value]) => signal in REASONS && value >= 0.05)
    .sort(([, a], [, b]) => b - a)
    .map(([signal]) => REASONS[signal] as string);
  const about = [lines, words.join(' '), [...new Set(why)].slice(0, REASONS_SHOWN).join(', ')].filter(Boolean);
  return [
    `${lead}${terminal.paint('bold', name)}${terminal.paint('dim', end)}`,
    `    ${terminal.paint('dim', fitTo(showHidden(about.join(' · ')), terminal.columns - 4))}`,
  ];
}
