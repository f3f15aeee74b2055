import { execFileSync } from 'node:child_process';
import { appendFileSync, chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openRooms, type Rooms } from '../../src/bearings.ts';
import { askingClient } from '../support/mcp/asking-client.ts';
import { accepted, decided, endedUndecided, ledgerPath, proposed, sha256 } from '../support/open-library.ts';
import { person } from '../support/person.ts';
import { bearings, environment, type Place } from '../support/process/binary.ts';
import { screen } from '../support/process/tmux.ts';
import { rawScan } from '../support/raw-scan.ts';
import { put } from '../support/temp-folder.ts';

const PROPOSED = 'Grandmother hid the "walnut" chest\nbelow the <third> stair & told nobody.';
const TEXT =
  'Grandmother Ottilie hid the "walnut" chest\nbelow the <third> stair of Kirchgasse & told nobody, naïvely.';
const EDITED = `${TEXT}\nIts key hangs in the Standuhrgehäuse.`;
const MANTA = '.bearings/workspaces/manta';
const EDIT = { via: 'terminal' } as const;
const WORDS = 'a sentence of my own';
const ASKED = /\[y\]es, erase it[^\n]*\s*$/;
const { place: own, at } = person({
  [`${MANTA}/notes.md`]: '# Manta\n\nfirst\n',
  '.bearings/tastes/_default.md': '- calm, and below the line\n',
  'project/README.md': 'A project with a walnut tree.\n',
  'project/task.xml':
    '<task type="atomic"><description>Where is the chest?</description><root_context memory="here"/><context_management><inherit_context>full</inherit_context><fresh_context>disabled</fresh_context></context_management></task>',
});
const place = (): Place => ({ home: own.home, cwd: at('project') });
const run = (...args: string[]) => bearings(place(), ...args);
const library = (): Rooms => openRooms({ cwd: at('project'), variables: { HOME: own.home } });
const read = (name: string) => readFileSync(at(name), 'utf8');
const scan = (...texts: string[]) => [...new Set(texts.flatMap((text) => rawScan([own.home], text)))];
const kindOf = (path: string) =>
  path
    .replace(/^\.bearings\/workspaces\/[^/]+\/|^project\/\.bearings\//, '')
    .replace(/[0-9a-f]{12,}|\d{4}-\d\d-\d\dT[^_]*_\w+|\d{8}-\d{6}-[0-9a-f]{6}|p_\w+|[0-9a-f]{12}\b/g, '*');

// The person's own hands in a terminal.
async function erased(args: string[], passphrase?: string) {
  const opened = screen(place(), ['erase', ...args, '--plain']);
  if (passphrase !== undefined) {
    await opened.shows('passphrase:');
    opened.enter(passphrase);
  }
  await opened.shows(ASKED);
  const shown = opened.text();
  opened.enter('y');
  return { code: await opened.ends(), shown, text: opened.text() };
}

// Proposed, edited at the yes, served, quoted by an agent, run through a task, edited by hand, taken out and brought back.
async function busyLife(): Promise<void> {
  execFileSync('git', ['init', '-q'], { cwd: at('project'), env: environment(place()) });
  run('init');
  await (await library().gate()).adoptAll('all', { via: 'init' });
  const id = await proposed(library(), PROPOSED, { id: 'project', reason: `since ${PROPOSED.slice(0, 30)}` });
  await decided(library(), id, { editedContent: TEXT });
  const { call, client } = await askingClient(place(), { args: ['--workspace', 'project'] });
  await call('read_context');
  await call('read_full_notes');
  await call('log_operation', { op: 'look', details: { why: `it says: ${TEXT}` } });
  await call('log_vocabulary_gap', { description: `no word for ${TEXT.slice(0, 50)}` });
  await client.close();
  run('hook', 'session-start', '--workspace', 'project');
  expect(run('run', 'task.xml', '--json').code).toBe(0);
  run('match', 'Where did Grandmother Ottilie put the walnut chest?');
  run('load', '--task', 'the walnut chest', '--tactical', '--receipt', 'pre_mutation');
  put(own.home, { '.cache/bearings/index/any/segment-1': Buffer.from(`\0${TEXT}`, 'utf16le') });
  const notes = (await (await library().gate()).editableText('notes.md', { id: 'project' })).sha256;
  await (await library().gate()).saveText(
    'notes.md',
    { id: 'project' },
    {
      via: 'edit',
      text: read('project/.bearings/notes.md').replace(TEXT, EDITED),
      before_sha256: notes,
    },
  );
  await (await library().gate()).goBack(await (await library().gate()).showUndo(), EDIT);
  const [undo] = (await (await library().gate()).history('notes.md', 'project')).decisions;
  await (await library().gate()).goBack(await (await library().gate()).showUndo(undo?.decision_id), EDIT);
  const session = await (await library().sessions()).openSession({ id: 'manta' }, 'studio');
  await (await library().gate()).propose(session, { kind: 'notes', content: `Also here: ${TEXT}` });
  await endedUndecided(library(), session);
  await decided(library(), await proposed(library(), `No: ${TEXT}`), { decision: 'decline' });
  await proposed(library(), `Once more: ${TEXT}`);
}

describe('M44 erase', () => {
  it('M44 a text that was accepted, edited, served, run, discarded: a raw scan finds nothing of it, and verify is green', async () => {
    await busyLife();
    expect(read('project/.bearings/notes.md')).toContain(EDITED);
    const kinds = new Set(scan(TEXT, EDITED).map(kindOf));
    for (const kind of [
      'notes.md',
      'log.jsonl',
      'vocabulary_gaps.jsonl',
      'sessions/*.jsonl',
      'sessions/*/*.json',
      'sessions/*/discarded/*.json',
      '.bearings/served/*.txt',
      '.bearings/runs/*/journal.jsonl',
    ])
      expect([...kinds], kind).toContain(kind);
    for (const part of ['ledger/texts/', '.bearings/earlier/', '.cache/bearings/index/'])
      expect(
        [...kinds].some((kind) => kind.includes(part)),
        part,
      ).toBe(true);
    const line =
      read('project/.bearings/notes.md')
        .split('\n')
        .findIndex((each) => each.startsWith('Grandmother')) + 1;
    const { code, shown, text } = await erased([`notes.md:${line}`, 'project']);
    expect(shown).toContain('Its key hangs in the Standuhrgehäuse.');
    expect(shown.replace(/\s+/g, ' ')).toContain('git history');
    expect([code, text]).toEqual([0, expect.stringContaining('erased · 1 place')]);
    expect(scan(TEXT, EDITED, PROPOSED.slice(0, 34))).toEqual([]);
    expect(read('project/.bearings/notes.md')).not.toContain('Grandmother');
    expect([read(`${MANTA}/notes.md`), read('.bearings/tastes/_default.md')]).toEqual([
      '# Manta\n\nfirst\n',
      '- calm, and below the line\n',
    ]);
    const verified = run('verify');
    expect([verified.code, verified.stdout]).toEqual([
      0,
      expect.stringMatching(/a text was erased on \d{4}-\d\d-\d\d/),
    ]);
    expect(JSON.parse(run('verify', '--json').stdout).faults).toEqual([]);
    expect(run('history', 'notes.md', 'project').stdout).toMatch(/a text was erased[\s\S]*text of it was erased/);
    expect(run('read', 'project', '--json').stderr).toBe('');
    expect([run('undo', 'project').code, run('search', 'Ottilie').stdout]).toEqual([2, 'nothing was found\n']);
    expect(run('runs', 'list').code).toBe(0);
    expect(run('sessions', 'list').code).toBe(0);
    expect(run('match', 'Where is the walnut tree?').code).toBe(0);
    // Life goes on: what is decided from here on comes after the entry.
    await accepted(library(), 'Something new.');
    expect(run('verify').code).toBe(0);
  });

  it('M44 M18 only a person erases: without a terminal it shows what would go, and changes nothing', async () => {
    await accepted(library(), TEXT);
    const before = scan(TEXT);
    const { code, stdout, stderr } = run('erase', 'Ottilie');
    expect([code, stdout]).toEqual([3, expect.stringContaining('found in: notes.md of manta, line 5')]);
    expect(stderr).toContain('it needs a terminal');
    const json = run('erase', 'Ottilie', '--json');
    expect([json.code, JSON.parse(json.stdout)]).toMatchObject([
      3,
      { text: TEXT, places: [{ target: 'notes.md of manta' }] },
    ]);
    expect(run('erase', 'nobody ever said this').code).toBe(2);
    expect(run('erase').code).toBe(2);
    expect(run('erase', 'notes.md:400', 'manta').code).toBe(2);
    expect(scan(TEXT)).toEqual(before);
    const { client } = await askingClient(place());
    const tools = (await client.listTools()).tools.map(({ name }) => name);
    expect(tools.filter((name) => /erase|forget|delete/.test(name))).toEqual([]);
  });

  it('M44 words that several texts hold are a choice; a text in records alone goes from them', async () => {
    await accepted(library(), 'The blue boat leaks at the bow.');
    await accepted(library(), 'The blue boat needs a new mast.');
    const listed = run('erase', 'blue boat');
    expect([listed.code, listed.stdout]).toEqual([3, expect.stringMatching(/^1 .*leaks[^\n]*\n2 .*mast/)]);
    const choice = screen(place(), ['erase', 'blue boat', '--plain']);
    await choice.shows('Which one? 1-2:');
    choice.enter('7');
    await choice.shows(/There is no such number[\s\S]*Which one\? 1-2: *\n/);
    choice.enter('2');
    expect(await choice.shows(ASKED)).toContain('needs a new mast');
    choice.enter('n');
    expect(await choice.ends()).toBe(0);
    await (await library().sessions()).logOperation({ id: 'manta' }, 'look', {
      why: 'a very private reason, never to be told',
    });
    const { code } = await erased(['very private reason, never']);
    expect([code, scan('very private reason, never')]).toEqual([0, []]);
    expect(read(`${MANTA}/log.jsonl`)).toContain('[erased]');
    expect(run('verify').code).toBe(0);
  });

  it('M44 a text under a field that is named like one of ours goes too, wherever a record holds it', async () => {
    const secret = 'the spare key lies below the seventh flowerpot';
    const { call, client } = await askingClient(place(), { args: ['--workspace', 'manta'] });
    const fields = [
      'key',
      'id',
      'status',
      'at',
      'type',
      'kind',
      'via',
      'tool',
      'session_id',
      'image_id',
      'kept',
      'host',
    ];
    const details = Object.fromEntries(fields.map((name) => [name, secret]));
    await call('log_operation', { op: secret, details: { ...details, nested: [details] } });
    await call('log_vocabulary_gap', { description: secret, intent: secret, operations_involved: [secret] });
    await call('propose_notes_update', { content: `Remember: ${secret}.`, reason: secret });
    await client.close();
    expect(scan(secret).length).toBeGreaterThan(2);
    const { code } = await erased([secret]);
    expect([code, scan(secret)]).toEqual([0, []]);
    expect(run('sessions', 'list').code).toBe(0);
    expect(run('verify').code).toBe(0);
  });

  it('M44 M18 at confirm: passphrase the passphrase is asked for, and a wrong one erases nothing', async () => {
    await accepted(library(), TEXT);
    await (await library().gate()).setPassphrase(WORDS);
    const wrong = screen(place(), ['erase', 'Ottilie', '--plain']);
    for (const tries of [1, 2, 3]) {
      await wrong.shows(new RegExp(`(?:passphrase:[^]*){${tries}}`));
      wrong.enter('another sentence');
    }
    expect([await wrong.ends(), scan(TEXT).length > 0]).toEqual([2, true]);
    const { code } = await erased(['Ottilie'], WORDS);
    expect([code, scan(TEXT)]).toEqual([0, []]);
    expect(run('verify').stdout).toContain('all is well');
  });

  it('M44 M26 a record that somebody takes away without an entry is told, also where that names itself an erasure', async () => {
    await accepted(library(), TEXT);
    await accepted(library(), 'Another one, quite harmless.');
    const texts = ledgerPath(at(MANTA)).replace('/ledger/', '/ledger/texts/');
    const lines = readFileSync(texts, 'utf8').split('\n');
    writeFileSync(texts, lines.filter((line) => !line.includes('Ottilie')).join('\n'));
    const chain = ledgerPath(at(MANTA));
    const [first = '', second = ''] = readFileSync(chain, 'utf8').split('\n');
    const entry = JSON.parse(first);
    const erasure = { ...entry, decision: 'erase', hashes: entry.blocks, seq: 3, prev: sha256(second) };
    appendFileSync(chain, `${JSON.stringify(erasure)}\n`);
    const { code, stdout } = run('verify');
    expect(code).toBe(1);
    expect(stdout).toContain("can't be found next to the chain");
    expect(stdout).toContain('entry 3: the line is not as it was written');
  });

  it('M44 what shares words with it stays; the same block in another file goes too', async () => {
    await accepted(library(), TEXT);
    await accepted(library(), 'Nobody is below the <third> stair of Kirchgasse now.');
    appendFileSync(at('.bearings/tastes/_default.md'), `\n${TEXT}\n`);
    const { code, shown } = await erased(['Ottilie']);
    expect([code, shown]).toEqual([0, expect.stringContaining('tastes/_default.md')]);
    expect(read(`${MANTA}/notes.md`)).toBe(
      '# Manta\n\nfirst\n\nNobody is below the <third> stair of Kirchgasse now.\n',
    );
    expect(read('.bearings/tastes/_default.md')).toBe('- calm, and below the line\n');
    expect(scan(TEXT.slice(0, 42))).toEqual([]);
    expect(run('verify').code).toBe(0);
    expect(run('why', 'notes.md', 'manta').stdout).toContain('studio');
  });

  it('M44 M52 what a hook remembers of a text by its hash goes too, and no file is named as left', async () => {
    const text = 'The spare key is under the pot.';
    await accepted(library(), text);
    const [gone, other] = [sha256(text), sha256('another block')];
    put(own.home, { '.bearings/hooks/0123.jsonl': `${JSON.stringify({ blocks: [gone, other], tokens: 9 })}\n` });
    const gate = await library().gate();
    const shown = await gate.showErasure(text);
    expect(shown.copies).toContainEqual({ what: 'hook record', count: 1 });
    expect((await gate.erase(shown, EDIT)).left).toEqual([]);
    expect(read('.bearings/hooks/0123.jsonl')).toBe(`${JSON.stringify({ blocks: ['[erased]', other], tokens: 9 })}\n`);
  });

  it('M44 M31 a client’s file from before install is left for --undo, and named as that', async () => {
    const text = 'The spare key is under the pot.';
    await accepted(library(), text);
    put(own.home, { '.bearings/installs/0123.before': `# Mine\n\n${text}\n` });
    const { code, text: said } = await erased(['spare key']);
    expect([code, said.replaceAll(/\s/g, '')]).toEqual([
      1,
      expect.stringContaining('aclient’sfilefrombeforeinstall,which--undobringsback:bearingsinstallCLIENT--undo'),
    ]);
    expect(read('.bearings/installs/0123.before')).toContain(text);
  });

  it('M44 what can’t be written is named, with exit code 1', async () => {
    await accepted(library(), TEXT);
    run('hook', 'session-start', '--workspace', 'manta');
    chmodSync(at('.bearings/served'), 0o500);
    const { code, text } = await erased(['Ottilie']);
    chmodSync(at('.bearings/served'), 0o700);
    // A person who may do everything on this machine is stopped by no folder.
    if (process.getuid?.() === 0) expect(code).toBe(0);
    // A long path is broken over the lines of the screen.
    else
      expect([code, text.replace(/\s+/g, '')]).toEqual([1, expect.stringMatching(/stillthere:.*served.*permission/)]);
    expect(existsSync(at('.bearings/intents/erase'))).toBe(false);
  });
});
