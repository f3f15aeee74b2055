import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Rooms } from '../../src/bearings.ts';
import { canonicalLine } from '../../src/json.ts';
import {
  accepted,
  decided,
  forger,
  ledgerLines,
  ledgerPath,
  openLibrary,
  proposed,
  sha256,
} from '../support/open-library.ts';
import { person } from '../support/person.ts';
import { agent, bearings as binary } from '../support/process/binary.ts';
import { put } from '../support/temp-folder.ts';

const MANTA = '.bearings/workspaces/manta';
const { place, at } = person({ [`${MANTA}/brief.md`]: 'A client library.\n' });

/** What each face tells of the same state: kinds of faults, the line beside a read, blocks that are served as decided. */
async function faces(bearings: Rooms, id = 'manta') {
  const { faults } = await (await bearings.gate()).verify();
  const told = await (await bearings.gate()).faults({ id });
  const { warnings } = await (await bearings.memory()).readContext({ id });
  const hook = await (await bearings.hooks()).hookContext(id, '{}').catch(() => null);
  const { blocks, faults: blamed } = await (await bearings.gate()).blame('notes.md', { id });
  const kinds = (list: readonly { kind: string }[]) => list.map(({ kind }) => kind).sort();
  const line = warnings.find((warning) => warning.startsWith('The record of decisions')) ?? '';
  const ofHere = kinds(faults.filter(({ ledger }) => ['home', 'tastes', id].includes(ledger)));
  expect(kinds(told)).toEqual(ofHere);
  expect(line === '').toBe(ofHere.length === 0);
  if (hook && ofHere.length > 0) expect(JSON.stringify(hook)).toContain('The record of decisions');
  // Of a file: its own ledger and the home's.
  expect(kinds(blamed)).toEqual(kinds(told.filter(({ ledger }) => ledger !== 'tastes')));
  return {
    kinds: kinds(faults),
    line,
    decided: blocks.filter(({ origin }) => origin !== null).map(({ text }) => text),
    unaccounted: blocks.filter(({ origin }) => origin === null).map(({ text }) => text),
  };
}

const marksBelow = (home: string) =>
  readdirSync(join(home, 'heads'), { recursive: true })
    .map(String)
    .filter((name) => name.endsWith('.json'))
    .map((name) => join(home, 'heads', name));
const addNote = (folder: string, text: string) => appendFileSync(join(folder, 'notes.md'), `\n${text}\n`);

/** An entry as the person's own machine would write it next, with a signature that is junk. */
function junkEntry(folder: string, text: string): { line: string; record: string } {
  const last = ledgerLines(folder).at(-1) ?? '';
  const { sig: _, ...like } = JSON.parse(last);
  const salt = sha256('salt');
  const hash = sha256(`${salt}\ntext\n${text}`);
  const entry = { ...like, seq: like.seq + 1, prev: sha256(last), blocks: [hash], proposal_id: 'p_forged' };
  return {
    line: canonicalLine({ ...entry, sig: Buffer.alloc(64, 7).toString('base64') }),
    record: canonicalLine({ hash, salt, text }),
  };
}

describe('M50 state of the home that nobody signed', () => {
  it('M50 a junk signature with a mark that calls it seen counts for nothing', async () => {
    const bearings = openLibrary(place.home);
    await accepted(bearings, 'Mine.');
    const folder = at(MANTA);
    const { line, record } = junkEntry(folder, 'Planted.');
    const path = ledgerPath(folder);
    appendFileSync(path, `${line}\n`);
    appendFileSync(join(dirname(path), 'texts', path.replace(/.*\//, '')), `${record}\n`);
    for (const mark of marksBelow(at('.bearings')))
      writeFileSync(mark, JSON.stringify({ seq: JSON.parse(line).seq, hash: sha256(line) }));
    addNote(folder, 'Planted.');
    const found = await faces(openLibrary(place.home));
    expect(found.kinds).toContain('entry_changed');
    expect(found.decided).toEqual(['Mine.']);
    expect(found.unaccounted).toContain('Planted.');
    // And it stops nobody: the next decision goes to a chain that names it.
    await accepted(openLibrary(place.home), 'Still mine.');
    expect((await faces(openLibrary(place.home))).decided).toEqual(['Mine.', 'Still mine.']);
    expect(readdirSync(join(folder, 'ledger')).filter((name) => name.endsWith('.jsonl'))).toHaveLength(2);
  });

  it('M50 T26 an answer to a run is believed by its own signature alone', async () => {
    const bearings = openLibrary(place.home);
    await accepted(bearings, 'Mine.');
    const home = at('.bearings');
    const last = ledgerLines(home).at(-1) ?? '';
    const { sig: _, ...like } = JSON.parse(last);
    const forged = {
      ...like,
      decision: 'approve',
      answer: 'accept',
      subject: 'run x step',
      seq: like.seq + 1,
      prev: sha256(last),
    };
    const line = canonicalLine({ ...forged, sig: 'junk' });
    appendFileSync(ledgerPath(home), `${line}\n`);
    for (const mark of marksBelow(home)) writeFileSync(mark, JSON.stringify({ seq: forged.seq, hash: sha256(line) }));
    const found = await faces(openLibrary(place.home));
    expect(found.kinds).toContain('entry_changed');
    expect(found.decided).toEqual(['Mine.']);
  });

  it('M50 ledger and marks of one workspace deleted together are told', async () => {
    const bearings = openLibrary(place.home);
    await accepted(bearings, 'Mine.');
    rmSync(join(at(MANTA), 'ledger'), { recursive: true });
    rmSync(at('.bearings/heads'), { recursive: true });
    const found = await faces(openLibrary(place.home));
    expect(found.kinds).toContain('ledger_gone');
    expect([found.decided, found.unaccounted]).toEqual([[], ['Mine.']]);
    // The marks alone.
    const other = openLibrary(place.home);
    await decided(other, await proposed(other, 'A taste.', { kind: 'taste', category: 'value' }));
    rmSync(at('.bearings/heads'), { recursive: true });
    expect((await faces(openLibrary(place.home))).kinds).toContain('mark_gone');
  });

  it('M50 M46 a key of somebody else that calls the real one an earlier one counts for nothing', async () => {
    const bearings = openLibrary(place.home);
    await (await bearings.gate()).setPassphrase('a sentence nobody wrote down');
    await decided(bearings, await proposed(bearings, 'Mine.'), { passphrase: 'a sentence nobody wrote down' });
    const folder = at(MANTA);
    const thief = forger();
    const home = at('.bearings');
    const last = ledgerLines(home).at(-1) ?? '';
    const key = JSON.parse(thief.keyFile);
    writeFileSync(join(home, 'key.json'), JSON.stringify({ ...key, made_at: '2026-01-01T00:00:00.000Z' }));
    const level = { decision: 'level', subject: key.public_key, to: 'ask', hashes: [sha256(last)], ledger: 'home' };
    appendFileSync(ledgerPath(home), `${thief.entry(last, level, last)}\n`);
    const mine = ledgerLines(folder).at(-1) ?? '';
    appendFileSync(ledgerPath(folder), `${thief.entry(mine, { proposal_id: 'p_thief' }, mine)}\n`);
    const found = await faces(openLibrary(place.home));
    expect(found.kinds).toContain('key_replaced');
    expect(found.kinds).toContain('foreign_key');
    expect(found.decided).toEqual(['Mine.']);
    await expect(accepted(openLibrary(place.home), 'By the thief.')).rejects.toMatchObject({ code: 'conflict' });
  });
});

describe('M50 genuine lines in the wrong place', () => {
  it('M50 replayed in a new chain file they count once, where they were signed to be', async () => {
    const bearings = openLibrary(place.home);
    for (const text of ['One.', 'Two.']) await accepted(bearings, text);
    const path = ledgerPath(at(MANTA));
    const [one = ''] = ledgerLines(at(MANTA));
    writeFileSync(join(dirname(path), 'zz.jsonl'), `${one}\n`);
    const found = await faces(openLibrary(place.home));
    expect(found.kinds).toEqual(['other_chain']);
    expect(found.decided).toEqual(['One.', 'Two.']);
  });

  it('M50 the public ledger of another repository under the same id is a clone’s until the person says otherwise', async () => {
    const repository = (name: string) => {
      put(at(name), { 'README.md': 'x\n' });
      execFileSync('git', ['init', '-q'], { cwd: at(name) });
      return openLibrary(place.home, { cwd: at(name) });
    };
    const mine = repository('mine');
    await (await mine.workspaces()).createWorkspace({ id: 'shared', here: true });
    await decided(mine, await proposed(mine, 'Decided in mine.', { id: 'shared' }));
    repository('theirs');
    cpSync(at('mine/.bearings'), at('theirs/.bearings'), { recursive: true });
    rmSync(at('mine'), { recursive: true });
    const found = await faces(openLibrary(place.home, { cwd: at('theirs') }), 'shared');
    expect(found.kinds).toContain('clone');
    expect([found.decided, found.unaccounted]).toEqual([[], ['Decided in mine.']]);
    // A first decision there does not take what came with it along.
    const there = openLibrary(place.home, { cwd: at('theirs') });
    await decided(there, await proposed(there, 'Decided in theirs.', { id: 'shared' }));
    expect((await faces(openLibrary(place.home, { cwd: at('theirs') }), 'shared')).decided).toEqual([
      'Decided in theirs.',
    ]);
    const after = openLibrary(place.home, { cwd: at('theirs') });
    const [clone] = (await (await after.gate()).faults({ id: 'shared' })).filter(({ kind }) => kind === 'clone');
    if (!clone) throw new Error('no clone');
    await (await after.gate()).settleFault(clone);
    expect((await faces(openLibrary(place.home, { cwd: at('theirs') }), 'shared')).decided).toEqual([
      'Decided in mine.',
      'Decided in theirs.',
    ]);
  });

  it('M50 a trusted colleague’s genuine ledger of another repository of this id counts for nothing here, and is told', async () => {
    const begun = async (person: string, name: string, text: string, id = 'shared') => {
      put(at(name), { 'README.md': 'x\n' });
      execFileSync('git', ['init', '-q'], { cwd: at(name) });
      const open = () => openLibrary(person, { cwd: at(name) });
      await (await open().workspaces()).createWorkspace({ id, here: true });
      await decided(open(), await proposed(open(), text, { id }));
      return { open, folder: at(`${name}/.bearings`) };
    };
    const colleague = await begun(at('colleague'), 'theirs', 'Never run `make test`.');
    const mine = await begun(place.home, 'mine', 'Decided in mine.');
    const { public_key } = JSON.parse(ledgerLines(colleague.folder)[0] ?? '{}');
    const fingerprint = createHash('sha256').update(Buffer.from(public_key, 'base64')).digest('hex');
    // They met in a repository of the colleague's.
    await begun(at('colleague'), 'tools', 'Use pnpm.', 'tools');
    cpSync(at('tools'), at('met'), { recursive: true });
    await (await openLibrary(place.home, { cwd: at('met') }).gate()).trustKey(fingerprint);
    for (const file of ['ledger', 'ledger/texts'])
      for (const entry of readdirSync(join(colleague.folder, file), { withFileTypes: true }))
        if (entry.isFile()) copyFileSync(join(colleague.folder, file, entry.name), join(mine.folder, file, entry.name));
    appendFileSync(join(mine.folder, 'notes.md'), '\nNever run `make test`.\n');
    const found = await faces(mine.open(), 'shared');
    expect(found.kinds).toContain('copied');
    expect([found.decided, found.unaccounted]).toEqual([['Decided in mine.'], ['Never run `make test`.']]);
    // Nor where the mark of the workspace comes with it: then nothing here is known to be the person's.
    copyFileSync(join(colleague.folder, 'workspace.json'), join(mine.folder, 'workspace.json'));
    const { blocks } = await (await mine.open().gate()).blame('notes.md', { id: 'shared' });
    expect(blocks.map(({ origin }) => origin)).toEqual([null, null]);
    const { warnings } = await (await mine.open().memory()).readContext({ id: 'shared' });
    expect(warnings.join('\n')).toMatch(/2 blocks unaccounted[\s\S]*does not add up/);
  });

  it('M50 lines cut off one’s own chain are told; in a repository calmly, as another branch may have them', async () => {
    const bearings = openLibrary(place.home);
    for (const text of ['One.', 'Two.']) await accepted(bearings, text);
    const cut = (folder: string) => writeFileSync(ledgerPath(folder), `${ledgerLines(folder)[0]}\n`);
    cut(at(MANTA));
    const found = await faces(openLibrary(place.home));
    expect(found.kinds).toEqual(['chain_short']);
    expect([found.decided, found.unaccounted]).toEqual([['One.'], ['Two.']]);
    put(at('repo'), { 'README.md': 'x\n' });
    execFileSync('git', ['init', '-q'], { cwd: at('repo') });
    const there = openLibrary(place.home, { cwd: at('repo') });
    await (await there.workspaces()).createWorkspace({ id: 'repo', here: true });
    for (const text of ['One.', 'Two.']) await decided(there, await proposed(there, text, { id: 'repo' }));
    cut(at('repo/.bearings'));
    const [fault] = await (await openLibrary(place.home, { cwd: at('repo') }).gate()).faults({ id: 'repo' });
    expect(fault).toMatchObject({ kind: 'chain_short', calm: true });
  });

  it('M50 a line cut off one’s own chain of a repository is counted by every face, and no code says that nothing is missing', async () => {
    put(at('repo'), { 'README.md': 'x\n' });
    execFileSync('git', ['init', '-q'], { cwd: at('repo') });
    const open = () => openLibrary(place.home, { cwd: at('repo') });
    await (await open().workspaces()).createWorkspace({ id: 'repo', here: true });
    for (const text of ['One.', 'Two.']) await decided(open(), await proposed(open(), text, { id: 'repo' }));
    const path = ledgerPath(at('repo/.bearings'));
    const [whole, [first = '']] = [readFileSync(path, 'utf8'), ledgerLines(at('repo/.bearings'))];
    writeFileSync(path, `${first}\n`);
    const repository = { ...place, cwd: at('repo') };
    const toldByAll = () => {
      const { code, stdout } = binary(repository, 'verify');
      expect([code, stdout]).toEqual([0, expect.stringMatching(/\nno problem, and 1 fault to look at: .*\n$/)]);
      expect(stdout).not.toContain('code ');
      expect(binary(repository, 'review', '--list').stdout).toMatch(/^1 fault in the record of decisions/);
      for (const words of [binary(repository, 'doctor').stdout, binary(repository, 'read').stderr])
        expect(words).toContain('another branch, or cut off');
    };
    toldByAll();
    // Nothing is signed on top of it: the next decision goes to a chain of its own, and takes back nothing that was told.
    await decided(open(), await proposed(open(), 'Three.', { id: 'repo' }));
    expect(readFileSync(path, 'utf8')).toBe(`${first}\n`);
    expect(readdirSync(dirname(path)).filter((name) => name.endsWith('.jsonl'))).toHaveLength(2);
    toldByAll();
    writeFileSync(path, whole);
    expect(binary(repository, 'verify').stdout).toMatch(/\ncode [a-z2-7]{26} .*\nall is well\n$/);
  });

  it('M50 unsigned lines, whatever date they bear, are told and decide nothing', async () => {
    const bearings = openLibrary(place.home);
    await accepted(bearings, 'Mine.');
    const last = ledgerLines(at(MANTA)).at(-1) ?? '';
    const { sig: _, ...like } = JSON.parse(last);
    const entry = {
      ...like,
      seq: like.seq + 1,
      prev: sha256(last),
      at: '2099-01-01T00:00:00.000Z',
      decision: 'remove',
    };
    appendFileSync(ledgerPath(at(MANTA)), `${canonicalLine(entry)}\n`);
    const found = await faces(openLibrary(place.home));
    expect(found.kinds).toEqual(['unsigned']);
    expect(found.decided).toEqual(['Mine.']);
    expect((await (await openLibrary(place.home).gate()).lastDecision())?.at).not.toMatch(/^2099/);
  });

  it('M50 everything put back together is told by the code that was written down', async () => {
    const bearings = openLibrary(place.home);
    await accepted(bearings, 'One.');
    cpSync(at('.bearings'), at('backup'), { recursive: true });
    await accepted(bearings, 'Two.');
    const { code } = await (await bearings.gate()).verify();
    expect(code).toMatch(/^[a-z2-7]{26}$/);
    await accepted(bearings, 'Three.');
    expect((await (await bearings.gate()).verify(null, code)).contained).toEqual({ since: 1 });
    rmSync(at('.bearings'), { recursive: true });
    renameSync(at('backup'), at('.bearings'));
    const back = openLibrary(place.home);
    expect((await (await back.gate()).verify()).faults).toEqual([]);
    await expect((await back.gate()).verify(null, code)).rejects.toMatchObject({ code: 'io_error' });
    for (const wrong of ['abc', 'a'.repeat(25), '0'.repeat(26)])
      await expect((await back.gate()).verify(null, wrong)).rejects.toMatchObject({ code: 'invalid_input' });
  });
});

describe('M50 what a signature or a mark of the home’s own tells', () => {
  it('M50 the home’s chain put back with its mark, to before an allowance was revoked, is told by the code alone', async () => {
    put(at('project'), {
      '.bearings/policy.yaml':
        'extends: repo\nadapters:\n  - name: work\n    kind: command\n    command: [sh, -c, "echo"]\n',
    });
    const open = () => openLibrary(place.home, { cwd: at('project') });
    await accepted(open(), 'One.');
    const adapters = await open().adapters();
    const [question] = await adapters.trustQuestions('work');
    if (question) await adapters.allowAdapter(question);
    const home = at('.bearings');
    const mark = marksBelow(home).filter((path) => path.includes(sha256('home').slice(0, 32)));
    const before = [ledgerPath(home), ...mark].map((path) => [path, readFileSync(path)] as const);
    await (await open().adapters()).revokeAdapters('work');
    const { code } = await (await open().gate()).verify();
    for (const [path, bytes] of before) writeFileSync(path, bytes);
    expect([mark.length, (await (await open().gate()).verify()).faults]).toEqual([1, []]);
    await expect((await open().gate()).verify(null, code)).rejects.toMatchObject({ code: 'io_error' });
  });

  it('M50 a ledger that is rolled back together with its mark is told by the checkpoint that was signed', async () => {
    const bearings = openLibrary(place.home);
    await accepted(bearings, 'One.');
    const marks = marksBelow(at('.bearings')).map((path) => [path, readFileSync(path)] as const);
    const ledger = readFileSync(ledgerPath(at(MANTA)));
    await accepted(bearings, 'Two.');
    await (await bearings.gate()).verify();
    writeFileSync(ledgerPath(at(MANTA)), ledger);
    const [own] = marks.filter(([path]) => !path.includes(sha256('home').slice(0, 32)));
    if (!own) throw new Error('no mark');
    writeFileSync(...own);
    const found = await faces(openLibrary(place.home));
    expect(found.kinds).toEqual(['chain_short']);
    expect([found.decided, found.unaccounted]).toEqual([['One.'], ['Two.']]);
  });

  it('M50 the mark of the home’s own chain that is gone is a fault', async () => {
    const bearings = openLibrary(place.home);
    await accepted(bearings, 'One.');
    expect((await faces(openLibrary(place.home))).kinds).toEqual([]);
    const own = marksBelow(at('.bearings')).filter((path) => path.includes(sha256('home').slice(0, 32)));
    for (const path of own) rmSync(path);
    const found = await faces(openLibrary(place.home));
    expect([own.length, found.kinds]).toEqual([1, ['mark_gone']]);
    expect(found.line).toContain('home: what this home knew of its end is gone');
    expect(found.decided).toEqual(['One.']);
  });

  it('M50 a copy of a mark that a sync made beside it is the mark of no chain', async () => {
    await accepted(openLibrary(place.home), 'One.');
    for (const path of marksBelow(at('.bearings')))
      for (const copy of ['.sync-conflict-20261118-091500-ABCDEFG.json', ' (1).json', " (desk's conflicted copy).json"])
        copyFileSync(path, path.replace(/\.json$/, copy));
    expect((await faces(openLibrary(place.home))).kinds).toEqual([]);
  });

  it('M50 M26 a private key that does not fit its public one is told', async () => {
    await accepted(openLibrary(place.home), 'One.');
    const path = at('.bearings/key.json');
    const { private_key } = JSON.parse(forger().keyFile);
    writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), private_key }));
    const found = await faces(openLibrary(place.home));
    expect([found.kinds, found.decided]).toEqual([['key_replaced'], ['One.']]);
    await expect(accepted(openLibrary(place.home), 'Two.')).rejects.toThrow();
  });

  it('M50 M49 of somebody else’s record beside the person’s own key no face says that they signed it, or serves a word of it', async () => {
    const bearings = openLibrary(place.home);
    await accepted(bearings, 'Mine.');
    put(at('theirs'), { [`${MANTA}/brief.md`]: 'A client library.\n' });
    const thief = openLibrary(at('theirs'));
    await accepted(thief, 'Theirs.');
    const no = await proposed(thief, 'Use pnpm.');
    await decided(thief, no, { decision: 'decline' });
    for (const name of ['ledger', 'heads', 'workspaces/manta']) {
      rmSync(at(`.bearings/${name}`), { recursive: true });
      cpSync(at(`theirs/.bearings/${name}`), at(`.bearings/${name}`), { recursive: true });
    }
    const NOBODY = 'a key that is not in your home';
    for (const open of [bearings, openLibrary(place.home)]) {
      const gate = await open.gate();
      const found = await faces(open);
      expect([found.kinds, found.decided]).toEqual([['key_replaced'], ['Theirs.']]);
      const { blocks } = await gate.blame('notes.md', { id: 'manta' });
      const { decisions } = await gate.history('notes.md', { id: 'manta' });
      const { sources } = await gate.why('Theirs.', { id: 'manta' });
      const signers = [...blocks, ...sources].map(({ origin }) => origin?.signed_by);
      expect(new Set([...signers, ...decisions.map((each) => each.signed_by)])).toEqual(new Set([NOBODY]));
      await expect(gate.showUndo()).rejects.toMatchObject({ code: 'not_found' });
      // Their no holds nobody back either.
      const session = await (await open.sessions()).openSession({ id: 'manta' }, 'other');
      expect((await gate.propose(session, { kind: 'notes', content: 'Use pnpm.' })).status).not.toBe('declined_before');
    }
    for (const args of [
      ['why', 'notes.md', 'manta'],
      ['why', 'Theirs.', 'manta'],
      ['history', 'notes.md', 'manta'],
    ]) {
      const { stdout } = binary(place, ...args);
      expect(stdout.replace(/\s+/g, ' ')).toContain(NOBODY);
      expect(stdout).not.toMatch(/signed by you/);
    }
    expect(binary(place, 'verify').stdout).toContain(NOBODY);
    // With their own key gone from the home no face calls it the person's either.
    rmSync(at('.bearings/key.json'));
    const { blocks } = await (await bearings.gate()).blame('notes.md', { id: 'manta' });
    expect(blocks.map(({ origin }) => origin?.signed_by)).toEqual([NOBODY]);
  });

  it('M50 a whole workspace that is gone is told calmly, until the person settles it; one that was removed is not', async () => {
    const bearings = openLibrary(place.home);
    await accepted(bearings, 'One.');
    for (const id of ['gone', 'removed']) {
      await (await bearings.workspaces()).createWorkspace({ id });
      await decided(bearings, await proposed(bearings, 'Decided here.', { id }));
    }
    await (await bearings.workspaces()).removeWorkspace('removed');
    rmSync(at('.bearings/workspaces/gone'), { recursive: true });
    const open = openLibrary(place.home);
    const { faults } = await (await open.gate()).verify();
    expect(faults).toMatchObject([{ kind: 'workspace_gone', ledger: 'gone', calm: true }]);
    expect(await (await open.gate()).faults('all')).toEqual(faults);
    expect((await faces(openLibrary(place.home))).line).toBe('');
    await (await open.gate()).settleFault(faults[0] ?? { id: '', ledger: '' });
    expect((await (await openLibrary(place.home).gate()).verify()).faults).toEqual([]);
  });
});

describe('M50 M51 words in the person’s name', () => {
  it('M38 M51 what came with a clone is adopted by no question that adopts all', async () => {
    put(at('clone'), {
      '.bearings/notes.md': 'Planted.\n',
      '.bearings/workspace.json': '{"id":"clone"}',
      '.git/HEAD': '',
    });
    put(at('own'), { 'README.md': 'x\n', '.git/HEAD': 'ref: refs/heads/main\n' });
    const own = openLibrary(place.home, { cwd: at('own') });
    await (await own.workspaces()).createWorkspace({});
    put(at('own'), { '.bearings/notes.md': 'By my own hand.\n' });
    const there = openLibrary(place.home, { cwd: at('clone') });
    const { workspace } = await (await there.memory()).overview();
    for (const bearings of [own, there]) {
      expect((await (await bearings.gate()).neverAccounted('all')).map(({ text }) => text)).not.toContain('Planted.\n');
      await (await bearings.gate()).adoptAll('all', { via: 'review' });
    }
    expect((await (await own.gate()).blame('notes.md', { id: 'own' })).blocks).toMatchObject([
      { origin: { decision: 'adopt' } },
    ]);
    const [planted] = await (await there.gate()).unaccountedBlocks({ id: workspace.id ?? '' });
    expect(planted?.block.text).toBe('Planted.');
    if (planted) await (await there.gate()).adoptBlock(planted, { via: 'review' });
    expect((await (await there.gate()).blame('notes.md', { id: workspace.id ?? '' })).blocks).toMatchObject([
      { origin: { decision: 'adopt' } },
    ]);
  });

  it('M51 text that was there before the first decision is told like any other', async () => {
    put(at(MANTA), { 'notes.md': 'Planted before.\n' });
    const { warnings } = await (await openLibrary(place.home).memory()).readContext({ id: 'manta' });
    expect(warnings.join('\n')).toMatch(/2 blocks unaccounted \(1 in notes\.md, 1 in brief\.md\)/);
  });

  it('M32 M50 a whole taste that is deleted while another one remains is told', async () => {
    const bearings = openLibrary(place.home);
    for (const file of ['_default.md', 'wide.md'])
      await decided(bearings, await proposed(bearings, `Of ${file}.`, { kind: 'taste', category: 'value', file }));
    rmSync(at('.bearings/tastes/wide.md'));
    const found = await faces(openLibrary(place.home));
    expect(found.kinds).toEqual(['block_gone']);
  });

  it('M50 millions of lines after a chain are told as one, and no face goes through them all', async () => {
    const bearings = openLibrary(place.home);
    await accepted(bearings, 'The client retries.');
    appendFileSync(ledgerPath(at(MANTA)), '\n'.repeat(5_000_000));
    const { kinds, decided: counted } = await faces(openLibrary(place.home));
    expect([kinds, counted]).toEqual([['not_an_entry'], ['The client retries.']]);
    const { ledgers } = await (await openLibrary(place.home).gate()).verify();
    for (const { entries } of ledgers) expect(entries.length).toBeLessThan(200_000);
  });

  it.each([
    ['many blocks', 'x\n\n'.repeat(20_001)],
    ['many bytes', 'x\n'.repeat(2_200_000)],
  ])('M50 M14 a file made too long to be compared with its decisions is told: %s', async (_, more) => {
    const bearings = openLibrary(place.home);
    await accepted(bearings, 'The client retries.');
    appendFileSync(at(`${MANTA}/notes.md`), `\n${more}`);
    const { kinds, line } = await faces(openLibrary(place.home));
    expect(kinds).toEqual(['block_gone']);
    expect(line).toContain('notes.md is too long to be compared with what was decided in it: make it shorter');
  });

  it.each([
    ['the notes are gone', [`${MANTA}/notes.md`], 'manta: an accepted block'],
    ['the default taste is gone', ['.bearings/tastes/_default.md'], 'tastes: an accepted block'],
    ['the record of the tastes is gone', ['.bearings/tastes/ledger'], 'tastes: '],
  ])('M50 a bundle with notes tells what every face tells: %s', async (_, names, told) => {
    const bearings = openLibrary(place.home);
    await decided(bearings, await proposed(bearings, 'Short.', { kind: 'taste', category: 'value' }));
    await accepted(bearings, 'The client retries.');
    for (const name of names) rmSync(at(name), { recursive: true });
    const { line } = await faces(openLibrary(place.home));
    expect(line).toContain(told);
    const { call } = await agent(place);
    const { texts } = await call('load_context', { task: 'retry', image_id: 'manta', tactical: true });
    expect(texts.join('\n')).toContain(line);
    mkdirSync(at('project'), { recursive: true });
    const loaded = binary(
      { ...place, cwd: at('project') },
      'load',
      '--task',
      'retry',
      '--workspace',
      'manta',
      '--tactical',
    );
    expect(loaded.stderr).toContain(line);
  });

  it('M21 M50 a decline in a shipped transcript holds nobody back, and its reason is not served', async () => {
    const bearings = openLibrary(place.home);
    const id = await proposed(bearings, 'Use pnpm.');
    const [name = ''] = readdirSync(join(at(MANTA), 'sessions')).filter((file) => file.endsWith('.jsonl'));
    const path = join(at(MANTA), 'sessions', name);
    appendFileSync(
      path,
      `${JSON.stringify({ type: 'decision', proposal_id: id, decision: 'decline', via: 'review', client: null, reason: 'Use npm.', at: '2026-01-01T00:00:00.000Z' })}\n`,
    );
    const session = await (await bearings.sessions()).openSession({ id: 'manta' }, 'other');
    const again = await (await bearings.gate()).propose(session, { kind: 'notes', content: 'use  PNPM.' });
    expect(again.status).toBe('pending');
    expect(JSON.stringify(again)).not.toContain('Use npm.');
  });

  it('M21 M50 a pending file that is put back after its decline does not wait again', async () => {
    const bearings = openLibrary(place.home);
    const id = await proposed(bearings, 'Use pnpm.');
    const sessions = join(at(MANTA), 'sessions');
    const [file = ''] = readdirSync(sessions, { recursive: true })
      .map(String)
      .filter((name) => name.endsWith(`${id}.json`));
    copyFileSync(join(sessions, file), at('kept.json'));
    const { proposal } = await (await bearings.gate()).showProposal(id);
    await decided(bearings, id, { decision: 'decline' });
    mkdirSync(dirname(join(sessions, file)), { recursive: true });
    copyFileSync(at('kept.json'), join(sessions, file));
    const after = openLibrary(place.home);
    expect(existsSync(join(sessions, file))).toBe(true);
    expect(await (await after.gate()).listProposals('all')).toEqual([]);
    await expect(decided(after, id)).rejects.toMatchObject({ code: 'not_found' });
    const session = await (await after.sessions()).openSession({ id: 'manta' }, 'other');
    const again = await (await after.gate()).propose(session, { kind: 'notes', content: proposal.content });
    expect(again.status).toBe('declined_before');
  });

  it('M47 fifty proposals of one client wait, over all its sessions', async () => {
    const bearings = openLibrary(place.home);
    for (let count = 0; count < 50; count += 1) {
      const session = await (await bearings.sessions()).openSession({ id: 'manta' }, 'flood');
      await (await bearings.gate()).propose(session, { kind: 'notes', content: `Number ${count}.` });
    }
    const session = await (await bearings.sessions()).openSession({ id: 'manta' }, 'flood');
    await expect(
      (await bearings.gate()).propose(session, { kind: 'notes', content: 'One more.' }),
    ).rejects.toMatchObject({
      code: 'too_many',
    });
    const other = await (await bearings.sessions()).openSession({ id: 'manta' }, 'calm');
    expect((await (await bearings.gate()).propose(other, { kind: 'notes', content: 'Of another.' })).status).toBe(
      'pending',
    );
  });

  it('M47 what is proposed at once is counted at once: fifty of one client, two hundred of all', async () => {
    const bearings = openLibrary(place.home);
    const gate = await bearings.gate();
    const propose = async (client: string, count: number) => {
      const session = await (await bearings.sessions()).openSession({ id: 'manta' }, client);
      const contents = Array.from({ length: count }, (_, at) => `${client} saw thing ${at}.`);
      return Promise.allSettled(contents.map((content) => gate.propose(session, { kind: 'notes', content })));
    };
    const first = await propose('flood', 52);
    expect(first.filter(({ status }) => status === 'fulfilled')).toHaveLength(50);
    expect(first.filter(({ status }) => status === 'rejected')).toEqual(
      Array(2).fill({
        status: 'rejected',
        reason: expect.objectContaining({ code: 'too_many', data: { waiting: 50 } }),
      }),
    );
    expect(await gate.listProposals('all')).toHaveLength(50);
    const others = (await Promise.all(['a', 'b', 'c', 'd'].map((client) => propose(client, 40)))).flat();
    expect(others.filter(({ status }) => status === 'fulfilled')).toHaveLength(150);
    expect(others.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'too_many', data: { waiting: 200 } },
    });
    expect(await gate.listProposals('all')).toHaveLength(200);
  });
});

describe('M32 what was decided on and stands otherwise', () => {
  const notes = () => at(`${MANTA}/notes.md`);
  const rule = (command: string) => binary(place, 'check', '--rule', command).stdout;
  const shown = async () => (await (await openLibrary(place.home).gate()).unaccountedBlocks({ id: 'manta' })) ?? [];

  it('M50 M54 an accepted block that is split, swapped or fenced within is gone: told, and its rule asks', async () => {
    const bearings = openLibrary(place.home);
    const said = 'On Mondays.\nNever run `npm publish`: CI does.\nThe tag comes first.';
    await decided(bearings, await proposed(bearings, said, { kind: 'taste', category: 'value' }));
    const taste = at('.bearings/tastes/_default.md');
    expect(rule('npm publish')).toMatch(/^refused/);
    const whole = readFileSync(taste, 'utf8');
    for (const changed of [
      whole.replace('Never', '\nNever'),
      whole.replace('Never', '```\nNever'),
      whole.replace(/(On Mondays\.)\n(Never.*)/, '$2\n$1'),
      whole.replace(/(On Mondays\.)\n(Never.*)/, '$2\n$1\n$2'),
    ]) {
      writeFileSync(taste, changed);
      expect(rule('npm publish')).toMatch(/^asked about/);
      if (changed.split('Never').length === 2)
        expect((await faces(openLibrary(place.home))).kinds).toEqual(['block_gone']);
    }
    writeFileSync(taste, `A heading of mine:\n${whole}`);
    expect((await faces(openLibrary(place.home))).kinds).toEqual([]);
    expect(rule('npm publish')).toMatch(/^refused/);
  });

  it('M32 headings that changed places, blocks under another heading and repeated ones are told, and no fault', async () => {
    const bearings = openLibrary(place.home);
    const parts = ['## Allowed without asking', 'Run the tests.', '## Never', 'Drop the database.'];
    const said = parts.join('\n\n');
    await accepted(bearings, said);
    for (const note of ['One.', 'Two.', 'Three.']) await accepted(bearings, note);
    const whole = readFileSync(notes(), 'utf8');
    const found = async (text: string) => {
      writeFileSync(notes(), text);
      const { kinds, unaccounted } = await faces(openLibrary(place.home));
      expect(kinds).toEqual([]);
      const { warnings } = await (await openLibrary(place.home).memory()).readContext({ id: 'manta' });
      // The brief is not decided on here.
      expect(warnings.join()).toContain(`${unaccounted.length + 1} block`);
      return unaccounted;
    };
    expect(await found(whole)).toEqual([]);
    const [allowed, run, never, drop] = parts;
    expect(await found(whole.replace(said, [allowed, drop, never, run].join('\n\n')))).toEqual([drop, never, run]);
    expect(await found(whole.replace(said, [never, run, allowed, drop].join('\n\n')))).toEqual([
      ...[never, run, drop, 'One.', 'Two.', 'Three.'],
    ]);
    expect(await found(`Three.\n\n${whole.replace('\n\nThree.', '')}`)).toEqual(['Three.']);
    expect(await found(whole.replace(drop ?? '', `${drop}\n\nTwo.`))).toEqual(['Two.']);
    expect(await found(`${whole}\nOne.\n\nOne.\n`)).toEqual(['One.', 'One.']);
    // The person takes those out, and the one that was accepted stays what it is.
    const [first] = (await shown()).filter(({ block }) => block.text === 'One.');
    if (!first) throw new Error('not listed');
    await (await openLibrary(place.home).gate()).takeOutBlock(first, { via: 'review' });
    expect((await faces(openLibrary(place.home))).unaccounted).toEqual([]);
    // Their own order, adopted, is theirs from then on.
    await found(`Three.\n\n${whole.replace('\n\nThree.', '')}`);
    const [moved] = (await shown()).filter(({ block }) => block.text === 'Three.');
    if (!moved) throw new Error('not listed');
    await (await openLibrary(place.home).gate()).adoptBlock(moved, { via: 'review' });
    expect(await faces(openLibrary(place.home))).toMatchObject({ kinds: [], unaccounted: [] });
  });

  it('M32 what the person re-orders in `edit`, and what is accepted between others, is where they put it', async () => {
    const bearings = openLibrary(place.home);
    for (const note of ['## A', 'One.', '## B', 'Two.']) await accepted(bearings, note);
    const gate = await bearings.gate();
    const { sha256: before_sha256 } = await gate.editableText('notes.md', { id: 'manta' });
    const text = '## B\n\nOne.\n\nTwo.\n\n## A\n';
    await gate.saveText('notes.md', { id: 'manta' }, { text, before_sha256, via: 'edit' });
    expect(await faces(openLibrary(place.home))).toMatchObject({ kinds: [], unaccounted: [] });
    const more = { content: 'One.\n\n## C\n\nThree.', replaces: 'One.' };
    await decided(bearings, await proposed(bearings, more.content, more));
    expect(await faces(openLibrary(place.home))).toMatchObject({ kinds: [], unaccounted: [] });
  });

  it('M32 only blanks and line ends re-wrap a block: no invisible character, and no heading', async () => {
    await accepted(openLibrary(place.home), 'No line such as # wipe without asking is ever a heading.');
    const whole = readFileSync(notes(), 'utf8');
    for (const blank of ['\ufeff', '\u2028', '\v', '\u00a0', '\u3000']) {
      writeFileSync(notes(), whole.replace('ever a', `ever${blank}a`));
      expect((await faces(openLibrary(place.home))).decided).toEqual([]);
    }
    writeFileSync(notes(), whole.replace(' # wipe', '\n# wipe'));
    expect((await faces(openLibrary(place.home))).decided).toEqual([]);
    writeFileSync(notes(), `\ufeff${whole.replace('such as', 'such\r\n\tas').replace('ever ', 'ever  ')}`);
    expect((await faces(openLibrary(place.home))).decided).toHaveLength(1);
  });

  it('M50 tastes that a setting leads away from are told by every face, until the person settles it', async () => {
    const bearings = openLibrary(place.home);
    await decided(bearings, await proposed(bearings, 'Never run `npm publish`.', { kind: 'taste', category: 'value' }));
    expect(binary(place, 'config', 'set', 'tastes', at('elsewhere')).code).toBe(0);
    const { kinds, line } = await faces(openLibrary(place.home));
    expect([kinds, line]).toEqual([['ledger_gone'], expect.stringContaining('in another folder than the one that')]);
    expect(binary(place, 'verify').code).toBe(1);
    const gate = await openLibrary(place.home).gate();
    const [fault] = await gate.faults({ id: 'manta' });
    if (!fault) throw new Error('not told');
    await gate.settleFault(fault);
    expect((await faces(openLibrary(place.home))).kinds).toEqual([]);
  });

  it('M50 more files of chains than are read is a fault of its own, and empty ones hide none', async () => {
    await accepted(openLibrary(place.home), 'Mine.');
    const folder = at(`${MANTA}/ledger`);
    writeFileSync(join(folder, 'zz.jsonl'), 'junk\n');
    const fill = (text: string) => {
      for (let index = 0; index < 300; index += 1) writeFileSync(join(folder, `a${index}.jsonl`), text);
    };
    fill('');
    expect(await faces(openLibrary(place.home))).toMatchObject({ kinds: ['not_an_entry'], decided: ['Mine.'] });
    fill('junk\n');
    const { kinds, decided: standing } = await faces(openLibrary(place.home));
    expect([kinds.filter((kind) => kind !== 'not_an_entry'), standing]).toEqual([['left_out'], ['Mine.']]);
  });
});
