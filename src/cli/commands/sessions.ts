import { invalidInput } from '../../errors.ts';
import { momentOf } from '../../gate/sessions/story.ts';
import type { JsonRecord } from '../../json.ts';
import { showHidden } from '../../safety/hidden-characters.ts';
import { type Call, defineCommand, needed, subCommand } from '../command.ts';
import { ageOf, counted, fitTo, padTo, table, wrapTo } from '../views/columns.ts';

type Session = Awaited<ReturnType<Awaited<ReturnType<Call['bearings']['gate']>>['readSession']>>;

export const command = defineCommand({
  help: `
    bearings sessions [list] [WORKSPACE]
    bearings sessions show SESSION [WORKSPACE] [--served]
    bearings sessions replay SESSION [WORKSPACE]
    bearings sessions end [SESSION] [WORKSPACE]
    bearings sessions gaps [rank|list] [WORKSPACE]
    bearings sessions gaps show|propose|clear GAP [WORKSPACE]

    show tells a session in sentences, one line each; replay tells all of it in full, with times; --json gives the
    records. end is the clean end of a session: what you did not decide is set aside, to revive in review.

    gaps are what agents missed. rank puts first what is missed often, lately and badly; list, what was missed last.
    GAP is its place in the ranking or its key. propose makes a note of it, which waits for you in review. clear
    sets its records aside: no agent gets them any more.

    --served  show: the exact texts that were served
    --content TEXT  gaps propose: the note in your own words
    --yes  gaps clear: do not ask

    bearings sessions search "white balance"  who said what, and when
    bearings sessions show 4f2a91c03b7d --served  what exactly did the agent see?
    bearings sessions gaps propose 1  from a gap to a proposal
  `,
  maxWords: 4,
  async run(call) {
    const [verb, , , more] = call.words;
    if (more !== undefined && verb !== 'gaps')
      throw invalidInput(`"${more}" is one argument too many.`, 'See: bearings sessions --help');
    return subCommand(call, 'sessions', { list, show, replay, search, end, gaps });
  },
});

const gaps = async (call: Call): Promise<number> => (await import('../gaps.ts')).runGaps(call);

async function list({ words: [id], bearings, terminal, answer }: Call): Promise<number> {
  const sessions = await (await bearings.gate()).listSessions(id);
  const warnings = await (await bearings.gate()).sessionWarnings(id === undefined ? 'all' : { id });
  for (const warning of warnings) terminal.warn(`warning: ${warning}`);
  return answer(sessions, () => {
    if (sessions.length === 0) return warnings.length > 0 ? 'nothing can be listed' : 'no session was recorded yet';
    const rows = sessions.map(({ session_id, image_id, client, last_at, entries, state, torn }) => [
      ...[showHidden(session_id), showHidden(image_id ?? 'home'), ageOf(last_at, new Date())],
      ...[counted(entries, 'line').padStart(13), torn ? 'torn' : state, showHidden(client)],
    ]);
    return [...table(rows, terminal.columns), 'look into one: bearings sessions show SESSION'];
  });
}

async function show({ words: [sessionId, id], bearings, terminal, answer, flag }: Call): Promise<number> {
  const session = await (await bearings.gate()).readSession(named(sessionId, 'show'), id);
  return answer(session, () => [
    headOf(session),
    ...session.records.flatMap((record, index) => {
      const moment = momentOf(record, session.records[index + 1]);
      const quote = moment?.quote ? `: ${moment.quote.trim().split('\n')[0]}` : '';
      const line = moment && fitTo(`${timeOf(record)}  ${oneLine(moment.text)}${quote}`, terminal.columns);
      if (!flag('served') || record.type !== 'context_served') return line ? [line] : [];
      const text =
        session.served[String(record.sha256)] ?? 'This text is no longer stored (keep_served in bearings config).';
      return [...(line ? [line] : []), ...text.split('\n').map((row) => `    ${showHidden(row)}`)];
    }),
    footOf(session),
  ]);
}

async function replay({ words, bearings, terminal, answer }: Call): Promise<number> {
  const session = await (await bearings.gate()).readSession(named(words[0], 'replay'), words[1]);
  const start = Date.parse(session.started_at);
  return answer(session.records, () => [
    headOf(session),
    ...session.records.flatMap((record, index) => {
      const moment = momentOf(record, session.records[index + 1]);
      if (!moment) return [];
      const since = Math.max(0, Math.floor((Date.parse(String(record.at)) - start) / 1000)) || 0;
      const clock = `+${Math.floor(since / 60)}:${String(since % 60).padStart(2, '0')}`;
      const indent = ' '.repeat(clock.length + 2);
      const room = terminal.columns - indent.length - 2;
      const rows = wrapTo(oneLine(moment.text), room);
      const quote = (moment.quote?.split('\n') ?? []).flatMap((line) => wrapTo(line, room));
      return [
        ...rows.map((line, row) => terminal.paint('bold', `${row === 0 ? `${clock}  ` : indent}${line}`)),
        ...quote.map((row) => `${indent}  ${row}`),
      ];
    }),
    footOf(session),
  ]);
}

async function search({ words: [text, id], bearings, terminal, answer }: Call): Promise<number> {
  const sought = needed(text, 'What should be searched for?', 'For example: bearings sessions search "white balance"');
  const hits = await (await bearings.gate()).searchSessions(sought, id);
  return answer(hits, () => [
    ...hits.flatMap(({ session_id, image_id, record }) => {
      const place = `${padTo(showHidden(session_id), 12)}  ${padTo(showHidden(image_id ?? 'home'), 12)}`;
      return [
        `${place}  ${timeOf(record)}  ${showHidden(String(record.type))}`,
        `    ${showHidden(around(JSON.stringify(record), sought, terminal.columns - 4))}`,
      ];
    }),
    hits.length === 0 ? 'nothing was found' : counted(hits.length, 'entry', 'entries'),
  ]);
}

async function end({ words: [sessionId = 'standing', id], bearings, answer }: Call): Promise<number> {
  const session = await (await bearings.gate()).resumeSession(sessionId, id);
  const { session_id } = session;
  const discarded = await (await bearings.gate()).endSession(session);
  session.record({ type: 'note', text: 'the person ended this session' });
  session.end('ended by the person');
  return answer(
    { session_id, discarded },
    () => `ended ${showHidden(session_id)} · ${counted(discarded.length, 'proposal')} set aside · bearings review`,
  );
}

function named(sessionId: string | undefined, verb: string): string {
  return needed(sessionId, `Which session? "${verb}" needs its id.`, 'See all: bearings sessions list');
}

function headOf({ session_id, image_id, client, started_at }: Session): string {
  return showHidden(`${session_id} · ${image_id ?? 'home'} · ${client} · ${started_at}`);
}

function footOf({ torn, unreadable, records }: Session): string {
  const notes = [
    counted(records.length, 'line'),
    unreadable > 0 ? `${counted(unreadable, 'line')} can't be read` : '',
    torn ? 'the last line is torn: the program was cut off there' : '',
  ];
  return notes.filter(Boolean).join(' · ');
}

function timeOf({ at }: JsonRecord): string {
  return showHidden(String(at).slice(0, 19).replace('T', ' '));
}

function oneLine(text: string): string {
  return text.replace(/\s*\n\s*/g, ' ');
}

// The words with what is around them.
function around(text: string, words: string, width: number): string {
  const at = Math.max(0, text.toLowerCase().indexOf(JSON.stringify(words).slice(1, -1).toLowerCase()));
  const from = Math.max(0, at - Math.floor(width / 3));
  return fitTo(`${from > 0 ? '…' : ''}${text.slice(from)}`, width);
}
