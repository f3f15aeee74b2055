import type { Why } from '../../gate/seen/why.ts';
import { showHidden } from '../../safety/hidden-characters.ts';
import type { Command } from '../command.ts';
import { EXIT } from '../command.ts';
import { ageOf } from '../views/age.ts';
import { counted, fitTo } from '../views/columns.ts';

export const command: Command = {
  summary: 'where a line an agent was given comes from',
  usage: ['bearings why TEXT [ID]'],
  details: [
    'Names the decision, file or record behind a line, or a part of one, and the sessions in',
    'which it was served. Exit code 1 where it is not in memory and was never served.',
  ],
  options: {},
  waitingFor: 'looking for where it comes from',
  maxWords: 2,
  examples: [{ line: 'bearings why "The white balance runs cool" manta_001', about: 'who decided it, and who got it' }],
  async run({ words: [text = '', id], bearings, terminal, json }) {
    const why = await (await bearings.gate()).why(text, { id });
    if (json) terminal.print(JSON.stringify(why, null, 2));
    else for (const line of linesOf(why)) terminal.print(fitTo(showHidden(line), terminal.columns));
    return why.sources.length + why.served.length === 0 ? EXIT.checkFailed : EXIT.done;
  },
};

function linesOf({ sources, served, not_kept }: Why): string[] {
  const now = new Date();
  const from = sources.map(({ kind, file, line, origin, record, gone }) => {
    const place = line === null ? file : `${file}:${line}`;
    if (record) return `${place}  written by an agent, ${ageOf(String(record.timestamp ?? ''), now)}; not confirmed`;
    if (kind === 'file') return `${place}  a file of the project, in a bundle`;
    if (gone && !origin) return `${place}  it was there when it was served, and no longer is`;
    if (kind === 'brief') return `${place}  the brief`;
    if (!origin) return `${place}  no decision stands behind it: bearings review`;
    const how = origin.decision === 'accept' ? `accepted ${ageOf(origin.at, now)}` : `by hand ${ageOf(origin.at, now)}`;
    return [
      `${place}  ${how}`,
      origin.proposed_by && `proposed by ${origin.proposed_by}`,
      `ledger ${origin.seq}`,
      gone && 'no longer there',
    ]
      .filter(Boolean)
      .join(' · ');
  });
  const given = served.map(
    ({ session_id, client, at }) => `served ${ageOf(at, now)} to ${client} · session ${session_id}`,
  );
  const lost = not_kept > 0 ? [`${counted(not_kept, 'served text')} no longer stored, so not searched`] : [];
  const none = from.length + given.length === 0 ? ['It is not in this memory, nor in any stored context.'] : [];
  return [...none, ...from, ...given, ...lost];
}
