import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openLibrary, proposed } from '../support/open-library.ts';
import { person } from '../support/person.ts';
import { environment, startBinary } from '../support/process/binary.ts';
import { expectRefusal } from '../support/refusal.ts';
import { put } from '../support/temp-folder.ts';

const MANTA = '.bearings/workspaces/manta';
const { at, place, run } = person({ [`${MANTA}/notes.md`]: 'first\n', '.bearings/workspaces/other/notes.md': 'x\n' });
const json = (...args: string[]) => JSON.parse(run(...args, '--json').stdout);

async function recorded(id = 'manta', words = 'The white balance runs cool.') {
  const bearings = openLibrary(place.home);
  const session = await (await bearings.sessions()).openSession({ id }, 'studio');
  session.record({ type: 'tool_call', tool: 'log_operation', arguments: { op: 'warm', details: { by: 200 } } });
  session.record({ type: 'note', text: words });
  return { bearings, session };
}

// Times are whole milliseconds: what comes after this is later than what was before.
async function nextMoment(): Promise<void> {
  const now = Date.now();
  while (Date.now() === now) await new Promise((resolve) => setTimeout(resolve, 1));
}

function transcript(sessionId: string, workspace = MANTA): string {
  const folder = at(`${workspace}/sessions`);
  return join(folder, readdirSync(folder).find((name) => name.endsWith(`_${sessionId}.jsonl`)) ?? 'none');
}

describe('bearings sessions', () => {
  it('M30 lists every session with its workspace, client, size and state, the newest first', async () => {
    expect(run('sessions').stdout).toBe('no session was recorded yet\n');
    const { session } = await recorded();
    await nextMoment();
    const { session: second } = await recorded('other');
    second.end('closed');
    const list = json('sessions', 'list');
    const ids = (sessions: { session_id: string }[]) => sessions.map(({ session_id }) => session_id);
    expect(ids(list)).toEqual([second.session_id, session.session_id]);
    expect(list).toContainEqual(
      expect.objectContaining({ image_id: 'manta', client: 'studio', entries: 3, ended: null, state: 'open' }),
    );
    expect(json('sessions', 'list', 'other')).toMatchObject([
      { image_id: 'other', ended: 'closed', state: 'ended', torn: false },
    ]);
    const { stdout } = run('sessions');
    expect(stdout).toMatch(new RegExp(`^${session.session_id} +manta +just now +3 lines +open +studio$`, 'm'));
    expect(stdout).toMatch(/ended +studio$/m);
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
    await nextMoment();
    session.record({ type: 'note', text: 'once more' });
    expect(ids(json('sessions'))).toEqual([session.session_id, second.session_id]);
  });

  it('M30 M49 show tells a session in sentences, one line each, replay all of it whole and in its time', async () => {
    const long = `${'word '.repeat(60)}end`;
    const { session } = await recorded('manta', long);
    const shown = run('sessions', 'show', session.session_id).stdout;
    expect(shown.split('\n')).toHaveLength(6);
    expect(shown).toMatch(/ {2}studio came in\n.* {2}logged an operation: op: warm\n.* {2}noted: word word/);
    for (const line of shown.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
    const replayed = run('sessions', 'replay', session.session_id).stdout;
    expect(replayed).toMatch(/^\+0:00 {2}studio came in$/m);
    expect(replayed).toMatch(/^\+0:00 {2}logged an operation\n {9}op: warm\n {9}details: \{"by":200\}$/m);
    expect(replayed.replace(/\s+/g, ' ')).toContain(long);
    expect(json('sessions', 'replay', session.session_id)).toMatchObject([
      { type: 'session_start' },
      { type: 'tool_call' },
      { type: 'note', text: long },
    ]);
  });

  it('M30 search finds the words in any case, in all workspaces or one, and shows them in their surroundings', async () => {
    const { session } = await recorded();
    await recorded('other', 'nothing of it');
    const { stdout } = run('sessions', 'search', 'WHITE balance');
    expect(stdout).toContain(session.session_id);
    expect(stdout).toContain('The white balance runs cool.');
    expect(stdout).toMatch(/1 entry\n$/);
    expect(json('sessions', 'search', 'white balance', 'other')).toEqual([]);
    expect(run('sessions', 'search', 'no such words').stdout).toBe('nothing was found\n');
    await recorded('other', 'she said "a.b" (twice)\nand more');
    expect(json('sessions', 'search', '"a.b" (twice)\nand')).toHaveLength(1);
    expect(json('sessions', 'search', 'a[b')).toEqual([]);
  });

  it('M29 a torn last line is told, the rest stays readable, and nothing is cut', async () => {
    const { session } = await recorded();
    const path = transcript(session.session_id);
    appendFileSync(path, '{"type":"tool_call","at":"2026-');
    const before = readFileSync(path, 'utf8');
    expect(json('sessions')).toMatchObject([{ torn: true, entries: 3 }]);
    expect(run('sessions').stdout).toMatch(/torn/);
    const shown = run('sessions', 'show', session.session_id).stdout;
    expect(shown).toContain('the last line is torn: the program was cut off there');
    expect(shown).toContain('The white balance runs cool.');
    const lines = before.split('\n');
    expect(readFileSync(path, 'utf8')).toBe(before);
    const spoilt = [lines[0], 'no json', '[1]', ...lines.slice(1)].join('\n');
    writeFileSync(path, spoilt);
    expect(json('sessions', 'show', session.session_id)).toMatchObject({ unreadable: 2, torn: true });
    expect(run('sessions', 'show', session.session_id).stdout).toContain("2 lines can't be read");
    expect(json('sessions', 'search', 'white balance')).toHaveLength(1);
    expect(readFileSync(path, 'utf8')).toBe(spoilt);
  });

  it('M23 M30 end is a clean end: what was not decided is set aside, once', async () => {
    const bearings = openLibrary(place.home);
    const id = await proposed(bearings, 'Not decided.');
    const [{ session_id }] = json('sessions');
    await (await bearings.gate()).markShown(id, 'review');
    expect(run('sessions', 'end', session_id).stdout).toBe(
      `ended ${session_id} · 1 proposal set aside · bearings review\n`,
    );
    expect([
      await (await bearings.gate()).listProposals('all'),
      (await (await bearings.gate()).discardedProposals()).map((each) => each.proposal_id),
    ]).toEqual([[], [id]]);
    expect(json('sessions')).toMatchObject([{ ended: 'ended by the person' }]);
    const types = readFileSync(transcript(session_id), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).type);
    expect(types.slice(-3)).toEqual(['discarded', 'note', 'session_end']);
    expect(json('sessions', 'end', session_id)).toEqual({ session_id, discarded: [] });
  });

  it('M30 M31 what is not there, or meant twice, is said in one sentence', async () => {
    await recorded();
    run('propose', 'notes', 'manta', '--content', 'a');
    run('propose', 'notes', 'other', '--content', 'b');
    expectRefusal(run, ['sessions', 'show'], /needs its id/);
    expectRefusal(run, ['sessions', 'show', 'nobody'], /no transcript of such a session/);
    expectRefusal(run, ['sessions', 'show', '../x'], /no transcript of such a session/);
    expectRefusal(run, ['sessions', 'show', 'standing'], /Several workspaces have a session/);
    expectRefusal(run, ['sessions', 'end', 'nobody'], /no such session/);
    expectRefusal(run, ['sessions', 'search'], /What should be searched/);
    expectRefusal(run, ['sessions', 'drop'], /list, show, replay, search, end or gaps/);
    expect(run('sessions', 'show', 'standing', 'other').code).toBe(0);
  });

  it('M22 M25 processes that propose at the same time are one standing session, and none of its records is lost', async () => {
    const texts = ['whales', 'lanterns', 'ledgers', 'gravel', 'violins', 'harbours'];
    const options = { cwd: place.home, env: environment(place) };
    const all = texts.map(
      (word) => startBinary(['propose', 'notes', 'manta', '--content', `A fact about ${word}.`], options).ended,
    );
    expect((await Promise.all(all)).map(({ code }) => code)).toEqual(texts.map(() => 0));
    expect(json('sessions', 'list', 'manta')).toMatchObject([{ session_id: 'standing', client: 'command line' }]);
    const { records } = json('sessions', 'show', 'standing', 'manta') as {
      records: { type: string; proposal?: { content: string } }[];
    };
    expect(records[0]?.type).toBe('session_start');
    const contents = records.flatMap(({ proposal }) => proposal?.content ?? []);
    expect(contents.sort()).toEqual(texts.map((word) => `A fact about ${word}.`).sort());
  });

  it('M22 M49 a home that holds two files of a standing session shows it as one, in the order of its records', async () => {
    const line = (minute: number, entry: object) =>
      JSON.stringify({ at: `2026-11-17T12:0${minute}:00.000Z`, ...entry });
    const start = { type: 'session_start', session_id: 'standing', image_id: 'manta', client: 'command line' };
    const file = (...lines: string[]) => `${lines.join('\n')}\n`;
    put(at(`${MANTA}/sessions`), {
      '2026-11-17T12-01-00Z_standing.jsonl': file(line(1, start), line(4, { type: 'note', text: 'the third' })),
      '2026-11-17T12-02-00Z_standing.jsonl': file(line(2, start), line(3, { type: 'note', text: 'the second' })),
    });
    run('propose', 'notes', 'other', '--content', 'b');
    expect(json('sessions', 'list', 'manta')).toMatchObject([
      { entries: 4, started_at: '2026-11-17T12:01:00.000Z', last_at: '2026-11-17T12:04:00.000Z', state: 'open' },
    ]);
    const shown = json('sessions', 'show', 'standing', 'manta') as { records: { text?: string }[] };
    expect(shown.records.flatMap(({ text }) => text ?? [])).toEqual(['the second', 'the third']);
    expect(run('sessions', 'show', 'standing', 'manta').code).toBe(0);
    run('propose', 'notes', 'manta', '--content', 'One more.');
    expect(json('sessions', 'show', 'standing', 'manta').records).toHaveLength(5);
    expect(readdirSync(at(`${MANTA}/sessions`)).filter((name) => name.endsWith('.jsonl'))).toHaveLength(2);
    expect(run('why', 'nothing that was ever served').stderr).not.toContain('Several workspaces');
  });

  it('M31 escapes of a transcript are shown, never obeyed', async () => {
    const { session } = await recorded('manta', 'red \u001b[31m and \u202e turned');
    for (const words of [
      ['show', session.session_id],
      ['replay', session.session_id],
      ['search', 'turned'],
    ])
      expect(run('sessions', ...words).stdout).not.toMatch(/[\u001b\u202e]/);
  });

  it('M22 M31 sessions that can’t be read are told, and never look like none', async () => {
    put(place.home, { [`${MANTA}/sessions`]: 'a file in its place' });
    await proposed(openLibrary(place.home), 'Elsewhere.', { id: 'other' });
    const words = `warning: The sessions of "manta" can't be read: there is a file where a folder should be. What waits there is not listed.\n`;
    for (const command of [['review', '--list'], ['sessions'], ['review', 'manta'], ['review', '--list', '--json']])
      expect([command, run(...command).stderr]).toEqual([command, words]);
    expect(run('review', '--list').stdout).toContain('Elsewhere.');
    expect(run('sessions', 'list', 'manta').stdout).toBe('nothing can be listed\n');
    expect(run('review', 'manta').stdout).toMatch(/^nothing else waits for you/);
    expect(await (await openLibrary(place.home).gate()).sessionWarnings({ id: 'other' })).toEqual([]);
  });
});
