import { invalidInput } from '../../errors.ts';
import { momentOf } from '../../gate/sessions/story.ts';
import type { JsonRecord } from '../../json-record.ts';
import { showHidden } from '../../safety/hidden-characters.ts';
import type { Call, Command } from '../command.ts';
import { EXIT } from '../command.ts';
import { ageOf } from '../views/age.ts';
import { counted, fitTo, padTo, wrapTo } from '../views/columns.ts';

export const command: Command = {
  summary: 'what agents did: list, show, search, replay, end',
  usage: [
    'bearings sessions [list] [WORKSPACE]',
    'bearings sessions show|replay SESSION [WORKSPACE]',
    'bearings sessions search TEXT [WORKSPACE]',
    'bearings sessions end [SESSION] [WORKSPACE]',
  ],
  details: [
    'show tells a session in sentences, one line each, with --served also the exact texts that the agent got;',
    'replay tells all of it in full, with times; --json gives the records. end is the',
    'clean end of a session: what you did not decide is set aside, to revive in review.',
    'To make again what a session was served, and compare the bytes: bearings replay.',
  ],
  options: { served: { type: 'boolean', about: 'show: the exact texts that were served' } },
  waitingFor: 'reading the sessions',
  maxWords: 3,
  examples: [
    { line: 'bearings sessions', about: 'all of them, the newest first' },
    { line: 'bearings sessions search "white balance"', about: 'who said what, and when' },
  ],
  async run(call) {
    const [verb = 'list'] = call.words;
    const verbs: Record<string, (call: Call) => Promise<void>> = { list, show, replay, search, end };
    const run = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined;
    if (!run)
      throw invalidInput(
        `sessions takes list, show, search, replay or end, not "${verb}".`,
        'See: bearings sessions --help',
      );
    await run(call);
    return EXIT.done;
  },
};

async function list({ words: [, id], bearings, terminal, json }: Call): Promise<void> {
  const gate = await bearings.gate();
  const sessions = await gate.listSessions(id);
  const warnings = await gate.sessionWarnings(id === undefined ? 'all' : { id });
  for (const warning of warnings) terminal.warn(`warning: ${warning}`);
  if (json) return terminal.print(JSON.stringify(sessions, null, 2));
  if (sessions.length === 0)
    return terminal.print(warnings.length > 0 ? 'nothing can be listed' : 'no session was recorded yet');
  for (const { session_id, image_id, client, last_at, entries, state: lasts, torn } of sessions) {
    const state = torn ? 'torn' : lasts;
    const row = [
      padTo(showHidden(session_id), 14),
      padTo(showHidden(image_id ?? 'home'), 16),
      padTo(ageOf(last_at, new Date()), 10),
      counted(entries, 'line').padStart(13),
      padTo(state, 11),
      showHidden(client),
    ];
    terminal.print(fitTo(row.join('  '), terminal.columns));
  }
  terminal.print('look into one: bearings sessions show SESSION');
}

async function show({ words: [, sessionId, id], bearings, terminal, json, flag }: Call): Promise<void> {
  const session = await (await bearings.gate()).readSession(named(sessionId, 'show'), id);
  if (json) return terminal.print(JSON.stringify(session, null, 2));
  terminal.print(headOf(session));
  for (const [index, record] of session.records.entries()) {
    const moment = momentOf(record, session.records[index + 1]);
    if (moment) {
      const quote = moment.quote === null ? '' : `: ${moment.quote.trim().split('\n')[0]}`;
      terminal.print(fitTo(`${timeOf(record)}  ${oneLine(moment.text)}${quote}`, terminal.columns));
    }
    if (!flag('served') || record.type !== 'context_served') continue;
    const text = session.served[String(record.sha256)];
    const shown = text ?? 'This text is no longer stored (keep_served in bearings config).';
    for (const line of shown.split('\n')) terminal.print(`    ${showHidden(line)}`);
  }
  terminal.print(footOf(session));
}

async function replay({ words: [, sessionId, id], bearings, terminal, json }: Call): Promise<void> {
  const session = await (await bearings.gate()).readSession(named(sessionId, 'replay'), id);
  if (json) return terminal.print(JSON.stringify(session.records, null, 2));
  terminal.print(headOf(session));
  const start = Date.parse(session.started_at);
  for (const [index, record] of session.records.entries()) {
    const moment = momentOf(record, session.records[index + 1]);
    if (!moment) continue;
    const since = Math.max(0, Math.floor((Date.parse(String(record.at)) - start) / 1000)) || 0;
    const clock = `+${Math.floor(since / 60)}:${String(since % 60).padStart(2, '0')}`;
    const indent = ' '.repeat(clock.length + 2);
    for (const [row, line] of wrapTo(oneLine(moment.text), terminal.columns - indent.length).entries())
      terminal.print(terminal.paint('bold', `${row === 0 ? `${clock}  ` : indent}${line}`));
    for (const line of moment.quote?.split('\n') ?? [])
      for (const row of wrapTo(line, terminal.columns - indent.length - 2)) terminal.print(`${indent}  ${row}`);
  }
  terminal.print(footOf(session));
}

async function search({ words: [, text, id], bearings, terminal, json }: Call): Promise<void> {
  if (text === undefined)
    throw invalidInput('What should be searched for?', 'For example: bearings sessions search "white balance"');
  const hits = await (await bearings.gate()).searchSessions(text, id);
  if (json) return terminal.print(JSON.stringify(hits, null, 2));
  for (const { session_id, image_id, record } of hits) {
    const left = `${padTo(showHidden(session_id), 12)}  ${padTo(showHidden(image_id ?? 'home'), 12)}  ${timeOf(record)}`;
    terminal.print(`${left}  ${showHidden(String(record.type))}`);
    terminal.print(`    ${showHidden(around(JSON.stringify(record), text, terminal.columns - 4))}`);
  }
  terminal.print(hits.length === 0 ? 'nothing was found' : counted(hits.length, 'entry').replace('entrys', 'entries'));
}

async function end({ words: [, sessionId = 'standing', id], bearings, terminal, json }: Call): Promise<void> {
  const gate = await bearings.gate();
  const session = await gate.resumeSession(sessionId, id);
  const discarded = await gate.endSession(session);
  session.record({ type: 'note', text: 'the person ended this session' });
  session.end('ended by the person');
  if (json) return terminal.print(JSON.stringify({ session_id: session.session_id, discarded }, null, 2));
  terminal.print(
    `ended ${showHidden(session.session_id)} · ${counted(discarded.length, 'proposal')} set aside · bearings review`,
  );
}

function named(sessionId: string | undefined, verb: string): string {
  if (sessionId !== undefined) return sessionId;
  throw invalidInput(`Which session? "${verb}" needs its id.`, 'See all: bearings sessions list');
}

function headOf({
  session_id,
  image_id,
  client,
  started_at,
}: Awaited<ReturnType<Awaited<ReturnType<Call['bearings']['gate']>>['readSession']>>): string {
  return showHidden(`${session_id} · ${image_id ?? 'home'} · ${client} · ${started_at}`);
}

function footOf({
  torn,
  unreadable,
  records,
}: Awaited<ReturnType<Awaited<ReturnType<Call['bearings']['gate']>>['readSession']>>): string {
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
