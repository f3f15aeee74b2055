import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Rooms } from '../../src/bearings.ts';
import { textsPath } from '../../src/gate/io/ledger-file.ts';
import { keyFileFor } from '../../src/gate/io/person-key.ts';
import { encodeIntent } from '../../src/gate/io/target-text.ts';
import { canonicalLine } from '../../src/json.ts';
import { filesBelow, pendingBelow } from '../support/mcp/asking-client.ts';
import {
  accepted,
  decided,
  forger,
  ledgerLines,
  ledgerPath,
  openLibrary,
  proposed,
  sha256,
  withKey,
} from '../support/open-library.ts';
import { person } from '../support/person.ts';
import { bearings, onTerminal } from '../support/process/binary.ts';
import { put } from '../support/temp-folder.ts';

const MANTA = '.bearings/workspaces/manta';
const PASSPHRASE = 'a sentence nobody wrote down';
const REPLACED = 'is not the one that your decisions name: it was replaced';
const { place, at, run } = person({
  [`${MANTA}/notes.md`]: 'first\n',
  '.bearings/workspaces/other/notes.md': 'of other\n',
});

const reportOf = async (bearings: Rooms, ledger: string, passphrase: string | null = null) =>
  (await (await bearings.gate()).verify(passphrase)).ledgers.filter((report) => report.ledger === ledger);
const verdicts = async (bearings: Rooms, ledger: string, passphrase: string | null = null) =>
  (await reportOf(bearings, ledger, passphrase)).flatMap(({ entries }) => entries.map(({ status }) => status));
const problems = async (bearings: Rooms, ledger: string) =>
  (await reportOf(bearings, ledger)).flatMap((report) => report.faults.map(({ message }) => message)).join('\n');
const rewrite = (folder: string, lines: string[]) =>
  writeFileSync(ledgerPath(folder), lines.map((line) => `${line}\n`).join(''));

describe('a ledger that somebody changed', () => {
  const three = async () => {
    const bearings = openLibrary(place.home);
    for (const text of ['one', 'two', 'three']) await accepted(bearings, text);
    expect(await verdicts(bearings, 'manta')).toEqual(['yours', 'yours', 'yours']);
    expect(run('verify').code).toBe(0);
    return { bearings, folder: at(MANTA), lines: ledgerLines(at(MANTA)) };
  };
  const line = (lines: string[], index: number) => lines[index] ?? '';

  it('M26 an entry changed, removed, moved, cut off, torn or replaced is each told apart', async () => {
    const { bearings, folder, lines } = await three();
    const forged = forger();
    const [one, two, three_] = lines as [string, string, string];
    const chain = [forged.entry(one, {}, null)];
    for (const next of [two, three_]) chain.push(forged.entry(next, {}, line(chain, chain.length - 1)));
    const changed = (entry: string) => entry.replace('"decision":"accept"', '"decision":"decline"');
    const place4 = { seq: 4, prev: sha256(three_) };
    // Each with how many of its lines still count: a chain counts up to its first bad line.
    const cases: [string[], number, RegExp][] = [
      [[one, two, changed(three_)], 2, /^entry 3: the signature does not match; the entry was changed$/],
      [
        [one, changed(two), three_],
        1,
        /^entry [23]: (the signature does not match|the chain is broken here; the entry)/,
      ],
      [[one, three_], 1, /^entry 3: the chain is broken here; entries before it were removed$/],
      [[one, three_, two], 1, /^entry 3: the chain is broken here; entries before it were removed$/],
      [[one, two, one, three_], 2, /^entry 1: it is here a second time, or in the wrong order$/],
      [[one, two], 2, /^the chain \S+ ends at entry 2, but entry 3 was written: its end is cut off$/],
      [[], 0, /^the chain \S+ ends at entry 0, but entry 3 was written: its end is cut off$/],
      [chain, 0, /^entry 3: this is not the entry that this home has seen here: the ledger was replaced$/m],
      [[one, two, three_, 'nonsense'], 3, /^entry 4: the line is not a ledger entry$/],
      [[one, two, three_, JSON.stringify(place4)], 3, /^entry 4: the line is not a ledger entry$/],
      [[one, two, ` ${three_}`], 2, /^entry 3: the line is not as it was written$/],
      [[one, two, three_, canonicalLine({ ...place4, v: 3 })], 3, /^entry 4: it belongs to the chain undefined$/],
      [
        [one, two, three_, JSON.stringify({ ...place4, public_key: 'x' })],
        3,
        /^entry 4: it is of a format that was never/,
      ],
    ];
    for (const [lines, counted, words] of cases) {
      rewrite(folder, lines);
      expect(await problems(bearings, 'manta')).toMatch(words);
      const yours = (await verdicts(bearings, 'manta')).flatMap((status, at) => (status === 'yours' ? [at] : []));
      expect([words, yours]).toEqual([words, [...Array(counted).keys()]]);
      expect(run('verify').code).toBe(1);
    }
    rewrite(folder, lines);
    appendFileSync(ledgerPath(folder), '{"seq":4,');
    expect(await problems(bearings, 'manta')).toBe('the last line is torn');
  });

  it('M26 a ledger that is gone, or that can’t be read, is reported too', async () => {
    const { bearings, folder } = await three();
    const path = ledgerPath(folder);
    renameSync(path, `${path}.aside`);
    expect(await problems(bearings, 'manta')).toMatch(/ends at entry 0, but entry 3 was written/);
    mkdirSync(path);
    expect(await problems(bearings, 'manta')).toMatch(/it can't be read: it is a directory/);
    rmSync(dirname(path), { recursive: true });
    expect(await problems(bearings, 'manta')).toMatch(/its end is cut off/);
    expect(run('verify').code).toBe(1);
  });

  it('M26 entries of another workspace, copied here, are not called yours', async () => {
    const { bearings, lines } = await three();
    const other = at('.bearings/workspaces/other');
    mkdirSync(join(other, 'ledger'));
    copyFileSync(ledgerPath(at(MANTA)), join(other, 'ledger', ledgerPath(at(MANTA)).replace(/.*\//, '')));
    expect(await verdicts(bearings, 'other')).toEqual(['broken', 'broken', 'broken']);
    mkdirSync(at('.bearings/tastes/ledger'), { recursive: true });
    writeFileSync(at(`.bearings/tastes/ledger/${JSON.parse(line(lines, 0)).machine}.jsonl`), `${line(lines, 0)}\n`);
    expect(await verdicts(bearings, 'tastes')).toEqual(['broken']);
    expect(await verdicts(bearings, 'manta')).toEqual(['yours', 'yours', 'yours']);
  });

  it('M26 a workspace that got another name stays verified', async () => {
    const { bearings } = await three();
    await (await bearings.workspaces()).renameWorkspace('manta', 'ray');
    expect([await verdicts(bearings, 'ray'), await problems(bearings, 'ray')]).toEqual([
      ['yours', 'yours', 'yours'],
      '',
    ]);
    rewrite(at('.bearings/workspaces/ray'), ledgerLines(at('.bearings/workspaces/ray')).slice(0, 2));
    expect(await problems(bearings, 'ray')).toMatch(/cut off/);
  });

  it('M50 the newest decision cut off together with its mark is told, also where verify has signed an earlier end; so is a mark that is gone or damaged', async () => {
    const { bearings, folder, lines } = await three();
    const notes = readFileSync(join(folder, 'notes.md'));
    await accepted(bearings, 'four');
    const whole = [ledgerLines(folder), readFileSync(join(folder, 'notes.md'))] as const;
    const head = sha256(whole[0].at(-1) ?? '');
    const [name = '', mark = ''] =
      Object.entries(filesBelow(at('.bearings/heads'))).find(([, text]) => text.includes(head)) ?? [];
    const path = at(`.bearings/heads/${name}`);
    const isTold = async () => {
      expect(await problems(bearings, 'manta')).toContain('it may have been cut off');
      expect(run('verify').code).toBe(1);
      expect(run('read', 'manta').stderr).toContain('The record of decisions does not add up');
    };
    for (const left of [null, '', '{']) {
      rewrite(folder, whole[0]);
      writeFileSync(join(folder, 'notes.md'), whole[1]);
      writeFileSync(path, mark);
      if (left === null) rmSync(path);
      else writeFileSync(path, left);
      await isTold();
      rewrite(folder, lines);
      writeFileSync(join(folder, 'notes.md'), notes);
      await isTold();
    }
    // Settled it is written again, and told again once it is gone again.
    const gate = await bearings.gate();
    for (const fault of await gate.faults('all')) await gate.settleFault(fault);
    expect(run('verify').code).toBe(0);
    rmSync(path);
    await isTold();
  });

  it('M50 every ledger and every mark deleted, and the key left, is told; a key that has decided nothing yet is not', async () => {
    expect(run('verify').stdout).toContain('no decision was made yet');
    expect(existsSync(at('.bearings/key.json'))).toBe(true);
    expect((await (await openLibrary(place.home).gate()).verify()).faults).toEqual([]);
    const { bearings } = await three();
    await decided(bearings, await proposed(bearings, 'A taste.', { kind: 'taste', category: 'value' }));
    for (const name of ['ledger', 'tastes/ledger', 'workspaces/manta/ledger', 'heads'])
      rmSync(at(`.bearings/${name}`), { recursive: true });
    const { code, stdout } = run('verify');
    expect([code, stdout]).toEqual([1, expect.stringContaining('the record of your decisions is gone')]);
    expect(run('read', 'manta').stderr).toContain('The record of decisions does not add up');
    expect(run('doctor').stdout).toContain('the record of your decisions is gone');
  });

  it('M51 M50 review lists the faults of the key that verify lists, and never says that nothing waits', async () => {
    await accepted(openLibrary(place.home), 'Mine.');
    writeFileSync(at('.bearings/key.json'), forger().keyFile);
    const { code, stdout } = run('verify');
    expect([code, stdout]).toEqual([1, expect.stringContaining(REPLACED)]);
    expect(stdout).not.toContain('signed by the key in your home');
    const isCounted = () => {
      for (const args of [['review'], ['review', '--list']])
        expect(run(...args).stdout).toMatch(/^1 fault in the record of decisions: bearings verify/);
    };
    isCounted();
    const { stdout: seen } = await onTerminal(
      place,
      ['review', '--plain'],
      ['1', 'q'].map((key) => ({ after: '[q]uit', type: `${key}\n` })),
    );
    expect(seen).toMatch(/1 {2}faults in the record[\s\S]*it was replaced[\s\S]*No key press settles this/);
    rmSync(at('.bearings/key.json'));
    isCounted();
    expect((await onTerminal(place, ['review'])).stdout).toContain('The key that signed your decisions is gone');
  });
});

it.each(['{', null])(
  'M26 M50 a key.json that is damaged or gone (%j) is a fault in the list of verify, not the end of it',
  async (text) => {
    await accepted(openLibrary(place.home), 'Mine.');
    rmSync(at('.bearings/key.json'));
    if (text !== null) writeFileSync(at('.bearings/key.json'), text);
    const { code, stdout } = run('verify', '--json');
    const { ok, key, ledgers, faults } = JSON.parse(stdout);
    expect([code, ok, key]).toEqual([1, false, null]);
    expect(faults).toMatchObject([
      { ledger: 'home', kind: 'key_replaced', message: expect.stringContaining('damaged') },
    ]);
    expect(ledgers).toMatchObject([
      { ledger: 'home' },
      { ledger: 'tastes' },
      { ledger: 'manta', entries: [{ status: 'unproven' }] },
      { ledger: 'other' },
    ]);
    expect(run('verify').stdout).toMatch(/gone from the home, or damaged[\s\S]*1 problem/);
  },
);

describe('M50 a home’s own chain that somebody cut', () => {
  const allowedOnce = async () => {
    const ran = at('it-ran');
    put(at('project'), {
      'AGENTS.md': 'rules\n',
      '.bearings/policy.yaml': `extends: repo\nadapters:\n  - name: work\n    kind: command\n    command: [sh, -c, 'touch ${ran}; echo "[]"']\n`,
    });
    const open = () => openLibrary(place.home, { cwd: at('project') });
    const allow = async () => {
      const adapters = await open().adapters();
      const [question] = await adapters.trustQuestions('work');
      if (question) await adapters.allowAdapter(question);
    };
    // As any process finds it: what the bundle says of the program, and whether it ran.
    const load = () => {
      rmSync(ran, { force: true });
      const { stdout } = bearings(
        { ...place, cwd: at('project') },
        'load',
        '--task',
        'x',
        '--adapter',
        'work',
        '--json',
      );
      const [{ status, reason = '' }] = JSON.parse(stdout).adapters;
      return { status, reason, ran: existsSync(ran) };
    };
    await accepted(open(), 'Mine.');
    await allow();
    expect(load()).toMatchObject({ status: 'loaded', ran: true });
    return { open, allow, load, home: at('.bearings') };
  };
  const REFUSED = { status: 'disabled', ran: false };

  it('M50 L21 lets nothing run: not what was allowed and taken back, until the person settles it and allows it again', async () => {
    const { open, allow, load, home } = await allowedOnce();
    await (await open().adapters()).revokeAdapters('work');
    expect(load()).toMatchObject(REFUSED);
    const lines = ledgerLines(home);
    rewrite(home, lines.slice(0, -1));
    expect(load()).toMatchObject({ ...REFUSED, reason: expect.stringContaining('does not add up') });
    expect(run('verify').code).toBe(1);
    await expect(allow()).rejects.toMatchObject({ code: 'conflict' });
    const gate = await open().gate();
    await expect(
      gate.approve({ subject: 'run x step', shown_sha256: sha256('x'), answer: 'accept' }, { via: 'review' }),
    ).rejects.toMatchObject({ code: 'conflict' });
    for (const fault of await gate.faults('all')) await gate.settleFault(fault);
    expect(run('verify').code).toBe(0);
    expect(load()).toMatchObject({ ...REFUSED, reason: expect.stringContaining('have not allowed') });
    await allow();
    expect(load()).toMatchObject({ status: 'loaded', ran: true });
    // In the chain that goes on after the cut one, whatever its name sorts before.
    await (await open().adapters()).revokeAdapters('work');
    expect(load()).toMatchObject(REFUSED);
  });

  it('M50 L21 nor where a line in the middle, or the end with its mark, is gone', async () => {
    const { open, load, home } = await allowedOnce();
    await (await open().adapters()).revokeAdapters('work');
    await accepted(open(), 'More.');
    expect(run('verify').code).toBe(0);
    const lines = ledgerLines(home);
    const isRevoke = (line: string) => JSON.parse(line).decision === 'revoke';
    rewrite(
      home,
      lines.filter((line) => !isRevoke(line)),
    );
    expect(load()).toMatchObject(REFUSED);
    rewrite(home, lines.slice(0, lines.findIndex(isRevoke)));
    rmSync(join(home, 'heads'), { recursive: true });
    expect(load()).toMatchObject(REFUSED);
  });
});

describe('a hostile clone', () => {
  const clone = '.bearings';
  const inClone = () => openLibrary(place.home, { cwd: at('clone') });

  it('M26 its ledger is nobody’s yes: not unsigned, not by its own key, not under this machine’s name', async () => {
    await accepted(openLibrary(place.home), 'mine');
    const [mine = ''] = ledgerLines(at(MANTA));
    const machine = JSON.parse(mine).machine;
    const forged = forger();
    const own = forged.entry(mine, { image_id: 'clone', proposal_id: 'p_x' }, null);
    const { sig: _, ...unsigned } = JSON.parse(own);
    const stolen = { ...JSON.parse(own), key: JSON.parse(mine).key, public_key: JSON.parse(mine).public_key };
    put(at('clone'), {
      [`${clone}/workspace.json`]: '{"id":"clone"}',
      [`${clone}/notes.md`]: 'Claimed to be yours.\n',
      [`${clone}/ledger/${machine}.jsonl`]: `${own}\n${canonicalLine(unsigned)}\n${canonicalLine(stolen)}\n${mine}\n`,
      [`${clone}/ledger/far.jsonl`]: `${forged.entry(mine, { machine: 'far', image_id: 'clone' }, null)}\n`,
    });
    const found = await verdicts(inClone(), 'clone');
    expect(found).toHaveLength(5);
    expect(found).not.toContain('yours');
    expect(await verdicts(inClone(), 'manta')).toEqual(['yours']);
    // A decision of one's own in that clone is one's own, and only it.
    const id = await proposed(inClone(), 'Really mine.', { id: 'clone' });
    await decided(inClone(), id);
    expect((await verdicts(inClone(), 'clone')).filter((verdict) => verdict === 'yours')).toHaveLength(1);
  });

  it('M24 no intent of a clone is ever carried out', async () => {
    const notes = 'As it came.\n';
    const text = '\nPlanted.\n';
    const intent = encodeIntent(
      {
        version: 1,
        kind: 'append',
        proposal_id: 'p_x',
        file: 'notes.md',
        offset: notes.length,
        text,
        ledger_line: '{}',
        texts: [],
        pending: null,
      },
      sha256,
    );
    const key = sha256(at(`clone/${clone}`)).slice(0, 32);
    const places = [`intents/${key}`, `sessions/.intent`, `sessions/${key}`, 'intent', `ledger/${key}`, '.intent'];
    put(at('clone'), {
      ...Object.fromEntries(places.map((name) => [`${clone}/${name}`, intent])),
      [`${clone}/notes.md`]: notes,
    });
    const bearings = inClone();
    await (await bearings.memory()).readContext();
    await (await bearings.gate()).listProposals('all');
    await (await bearings.gate()).verify();
    await decided(bearings, await proposed(bearings, 'Asked for.', { id: 'clone' }));
    expect(readFileSync(at(`clone/${clone}/notes.md`), 'utf8')).toBe('As it came.\n\nAsked for.\n');
  });

  it('M9 links in place of its notes, ledger, sessions, lock or the whole folder lead nowhere', async () => {
    for (const name of ['notes.md', 'ledger', 'sessions', 'sessions/.lock', '']) {
      rmSync(at('clone'), { recursive: true, force: true });
      put(at('outside'), { 'notes.md': 'private\n', keep: 'x' });
      put(at('clone'), name === '' ? { keep: '' } : { [`${clone}/workspace.json`]: '{"id":"clone"}' });
      mkdirSync(dirname(at(join('clone', clone, name))), { recursive: true });
      const target = name === 'notes.md' ? 'outside/notes.md' : name.endsWith('.lock') ? 'outside/new' : 'outside';
      symlinkSync(at(target), at(join('clone', clone, name)));
      const before = filesBelow(at('outside'));
      const bearings = inClone();
      const outcome = await (async () => {
        const id = await proposed(bearings, 'Into the wild.', { id: 'clone' });
        await decided(bearings, id);
        return 'written';
      })().catch((error) => error.code ?? error);
      expect([name, ['io_error', 'conflict'].includes(outcome)]).toEqual([name, true]);
      expect([name, filesBelow(at('outside'))]).toEqual([name, before]);
    }
  });

  it('M9 a probe for text behind a link learns nothing', async () => {
    put(place.home, { private: 'the answer is 42\n', [`clone/${clone}/workspace.json`]: '{"id":"clone"}' });
    symlinkSync(at('private'), at(`clone/${clone}/notes.md`));
    await expect(proposed(inClone(), 'the answer is 42', { id: 'clone' })).resolves.toMatch(/^p_/);
  });

  it('M2 one that takes the id of a workspace gets nothing into that workspace', async () => {
    put(at('clone'), { [`${clone}/workspace.json`]: '{"id":"manta"}', [`${clone}/brief.md`]: 'x' });
    const bearings = inClone();
    await expect((await bearings.sessions()).openSession({}, 'studio')).rejects.toMatchObject({ code: 'conflict' });
    expect(pendingBelow(place.home)).toEqual([]);
  });
});

describe('confirm: passphrase against a program that knows all of the disk', () => {
  const locked = async () => {
    const bearings = openLibrary(place.home);
    await (await bearings.gate()).setPassphrase(PASSPHRASE);
    await accepted(bearings, 'mine', PASSPHRASE);
    expect(await verdicts(bearings, 'manta', PASSPHRASE)).toEqual(['yours']);
    expect(await verdicts(bearings, 'manta')).toEqual(['unproven']);
    return { bearings, folder: at(MANTA), lines: ledgerLines(at(MANTA)) };
  };

  it('M18 no decision without the passphrase, or with a wrong one', async () => {
    const { bearings } = await locked();
    const id = await proposed(bearings, 'Not yet.');
    await expect(decided(bearings, id)).rejects.toMatchObject({ code: 'awaiting_person' });
    await expect(decided(bearings, id, { passphrase: 'wrong words here' })).rejects.toMatchObject({
      code: 'invalid_input',
    });
    await expect(decided(bearings, id, { decision: 'decline' })).rejects.toMatchObject({ code: 'awaiting_person' });
    await expect((await bearings.gate()).setPassphrase(null, { passphrase: 'wrong words here' })).rejects.toMatchObject(
      {
        code: 'invalid_input',
      },
    );
    expect([pendingBelow(at('.bearings')), ledgerLines(at(MANTA)).length]).toEqual([[id], 1]);
    expect(JSON.stringify(filesBelow(place.home))).not.toContain(PASSPHRASE);
  });

  it('M18 M26 unsigned, own key, replayed and edited entries are not called yours', async () => {
    const { bearings, folder, lines } = await locked();
    const [mine = ''] = lines;
    const forged = forger();
    const { sig: _, ...unsigned } = JSON.parse(forged.entry(mine, {}, mine));
    const stolen = {
      ...JSON.parse(forged.entry(mine, {}, mine)),
      key: JSON.parse(mine).key,
      public_key: JSON.parse(mine).public_key,
    };
    for (const entry of [
      canonicalLine(unsigned),
      canonicalLine({ ...unsigned, sig: JSON.parse(mine).sig }),
      forged.entry(mine, {}, mine),
      forged.entry(mine, { key: JSON.parse(mine).key }, mine),
      canonicalLine(stolen),
      mine,
      mine.replace('"seq":1', '"seq":2').replace('"prev":""', `"prev":"${sha256(mine)}"`),
    ]) {
      rewrite(folder, [mine, entry]);
      const [, forged, ...more] = await verdicts(bearings, 'manta', PASSPHRASE);
      expect([entry.slice(0, 60), forged, more]).not.toEqual([entry.slice(0, 60), 'yours', []]);
      expect(await problems(bearings, 'manta')).not.toBe('');
    }
    rewrite(folder, [mine.replace('"edited":false', '"edited":true')]);
    expect(await verdicts(bearings, 'manta', PASSPHRASE)).toEqual(['broken']);
  });

  it('M18 a key put in the place of the locked one proves nothing', async () => {
    const { bearings, folder, lines } = await locked();
    const [mine = ''] = lines;
    const forged = forger();
    const original = readFileSync(at('.bearings/key.json'), 'utf8');
    // Open, so that nobody is asked for a passphrase.
    writeFileSync(at('.bearings/key.json'), forged.keyFile);
    rewrite(folder, [mine, forged.entry(mine, {}, mine)]);
    await expect((await bearings.gate()).verify(PASSPHRASE)).rejects.toMatchObject({ code: 'invalid_input' });
    expect(await verdicts(bearings, 'manta')).toEqual(['unproven', 'foreign']);
    expect(run('verify')).toMatchObject({ code: 1, stdout: expect.stringContaining(REPLACED) });
    expect((await (await bearings.memory()).readContext('manta')).warnings.join()).toContain(REPLACED);
    // Nothing is signed with it, and it names no key after it.
    const id = await proposed(bearings, 'Not hers.');
    for (const act of [
      () => decided(bearings, id),
      async () => (await bearings.gate()).setPassphrase('the words of somebody else'),
      async () => (await bearings.gate()).trustKey(JSON.parse(forged.entry(mine, {}, mine)).key),
    ])
      await expect(act()).rejects.toMatchObject({ code: 'conflict' });
    // Locked, with a passphrase of the forger's own.
    const { public_key: publicKey, private_key: privateKey } = JSON.parse(forged.keyFile);
    const words = 'the words of somebody else';
    const lockedFile = keyFileFor({ publicKey, privateKey }, '2026-01-01T00:00:00.000Z', words);
    writeFileSync(at('.bearings/key.json'), JSON.stringify(lockedFile));
    await expect((await bearings.gate()).verify(PASSPHRASE)).rejects.toMatchObject({ code: 'invalid_input' });
    expect(await verdicts(bearings, 'manta', words)).toEqual(['unproven', 'foreign']);
    await expect(decided(bearings, id, { passphrase: words })).rejects.toMatchObject({ code: 'conflict' });
    expect(run('verify')).toMatchObject({ code: 1, stdout: expect.stringContaining(REPLACED) });
    // The public part swapped under the locked secret.
    writeFileSync(at('.bearings/key.json'), JSON.stringify({ ...JSON.parse(original), public_key: publicKey }));
    await expect((await bearings.gate()).verify(PASSPHRASE)).rejects.toMatchObject({ code: 'invalid_input' });
    writeFileSync(at('.bearings/key.json'), original);
    expect((await verdicts(bearings, 'manta', PASSPHRASE))[0]).toBe('yours');
  });

  it('M18 a copy of the open key, taken before the passphrase was set, signs nothing that counts', async () => {
    const bearings = openLibrary(place.home);
    await accepted(bearings, 'before');
    const copy = readFileSync(at('.bearings/key.json'), 'utf8');
    await (await bearings.gate()).setPassphrase(PASSPHRASE);
    expect([await problems(bearings, 'manta'), run('verify').code]).toEqual(['', 0]);
    const [first = ''] = ledgerLines(at(MANTA));
    const thief = withKey(copy);
    const forge = (last: string | null, at_ = '2020-01-01T00:00:00.000Z') =>
      thief.entry(first, { at: at_, blocks: [smuggled.hash] }, last);
    const smuggled = { hash: sha256('salt\ntext\nsmuggled'), salt: 'salt', text: 'smuggled' };
    appendFileSync(textsPath(ledgerPath(at(MANTA))), `${JSON.stringify(smuggled)}\n`);
    appendFileSync(at(`${MANTA}/notes.md`), '\nsmuggled\n');
    for (const lines of [
      [first, forge(first)],
      [first, forge(first, '2030-01-01T00:00:00.000Z')],
      [forge(null)],
      [forge(null), first],
    ]) {
      rewrite(at(MANTA), lines);
      expect(await problems(bearings, 'manta')).toMatch(
        /signed by the key you gave up on \d{4}-\d\d-\d\d, and was not there/,
      );
      expect((await (await bearings.gate()).unaccountedBlocks('all')).map(({ block }) => block.text)).toContain(
        'smuggled',
      );
    }
    rewrite(at(MANTA), [first]);
    await accepted(bearings, 'after', PASSPHRASE);
    const [, second = ''] = ledgerLines(at(MANTA));
    rewrite(at(MANTA), [first, second, forge(second)]);
    expect(await verdicts(bearings, 'manta', PASSPHRASE)).toEqual(['earlier', 'yours', 'retired']);
    // Not even with the old key back in its place does it pass for hers.
    writeFileSync(at('.bearings/key.json'), copy);
    expect(run('verify')).toMatchObject({ code: 1, stdout: expect.stringContaining(REPLACED) });
    await expect(accepted(bearings, 'with the old key')).rejects.toMatchObject({ code: 'conflict' });
  });

  it('M18 M50 nor does it seal what it signs, or hand over a second time, in a chain of the home', async () => {
    const bearings = openLibrary(place.home);
    await accepted(bearings, 'before');
    const thief = withKey(readFileSync(at('.bearings/key.json'), 'utf8'));
    await (await bearings.gate()).setPassphrase(PASSPHRASE);
    await accepted(bearings, 'after', PASSPHRASE);
    const [first = ''] = ledgerLines(at(MANTA));
    const home = ledgerLines(at('.bearings'));
    const handover = home.find((each) => JSON.parse(each).decision === 'level') ?? '';
    const forged = thief.entry(first, { machine: 'aaa' }, null);
    writeFileSync(at(`${MANTA}/ledger/aaa.jsonl`), `${forged}\n`);
    const { subject } = JSON.parse(handover);
    const hashes = [forged, first, ...home].map(sha256);
    for (const [name, entries] of Object.entries({
      'a second seal': [{ decision: 'level', subject, to: 'passphrase', hashes }],
      'a trusted key': [{ decision: 'trust', subject: JSON.parse(forged).key }],
      both: [
        { decision: 'trust', subject: JSON.parse(forged).key },
        { decision: 'level', subject, to: 'passphrase', hashes },
      ],
    })) {
      const lines: string[] = [];
      for (const fields of entries)
        lines.push(thief.entry(home[0] ?? '', { machine: 'aaa', ...fields }, lines.at(-1) ?? null));
      writeFileSync(at('.bearings/ledger/aaa.jsonl'), lines.map((each) => `${each}\n`).join(''));
      const found = (await reportOf(bearings, 'manta', PASSPHRASE)).flatMap((report) => report.entries);
      const [planted] = found.filter(({ chain }) => chain === 'aaa').map(({ status }) => status);
      expect([name, planted]).toEqual([name, expect.stringMatching(/^(foreign|retired)$/)]);
      expect([name, run('verify').code]).toEqual([name, 1]);
      expect([name, (await (await openLibrary(place.home).memory()).readContext('manta')).warnings.length > 0]).toEqual(
        [name, true],
      );
    }
  });

  it('M18 M26 trusted keys and earlier decisions stay what they were when the passphrase is set, twice', async () => {
    const bearings = openLibrary(place.home);
    await accepted(bearings, 'one');
    const forged = forger();
    const [one = ''] = ledgerLines(at(MANTA));
    const theirs = join(dirname(ledgerPath(at(MANTA))), 'mate-123456.jsonl');
    writeFileSync(theirs, `${forged.entry(one, { machine: 'mate-123456', who: 'mate' }, null)}\n`);
    const [mate] = await (await bearings.gate()).unknownKeys();
    await (await bearings.gate()).trustKey(mate?.fingerprint ?? '');
    await (await bearings.gate()).setPassphrase(PASSPHRASE);
    await accepted(bearings, 'two', PASSPHRASE);
    await (await bearings.gate()).setPassphrase(null, { passphrase: PASSPHRASE });
    await accepted(bearings, 'three');
    await (await bearings.gate()).setPassphrase(PASSPHRASE);
    await accepted(bearings, 'four', PASSPHRASE);
    const reports = await reportOf(bearings, 'manta', PASSPHRASE);
    expect(reports.flatMap((report) => report.faults)).toEqual([]);
    const seen = reports.flatMap(({ entries }) => entries.map(({ status }) => status)).sort();
    expect(seen).toEqual(['earlier', 'earlier', 'earlier', 'trusted', 'yours']);
    expect(await (await bearings.gate()).unknownKeys()).toEqual([]);
  });

  it('M18 the level falls only with the passphrase, and both changes are on record', async () => {
    const { bearings } = await locked();
    await (await bearings.gate()).setPassphrase(null, { passphrase: PASSPHRASE });
    expect(await (await bearings.gate()).confirmLevel()).toBe('ask');
    const levels = ledgerLines(at('.bearings')).map((each) => JSON.parse(each));
    expect(levels.filter(({ decision }) => decision === 'level')).toMatchObject([
      { level: 'ask', to: 'passphrase' },
      { level: 'passphrase', to: 'ask' },
    ]);
    expect(run('verify').code).toBe(0);
  });
});
