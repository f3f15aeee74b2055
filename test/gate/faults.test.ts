import { execFileSync, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { type FileLayer, realFiles, type WritableFile } from '../../src/files/write-file.ts';
import { filesBelow, pendingBelow } from '../support/mcp/asking-client.ts';
import { accepted, decided, ledgerLines, openLibrary, proposed } from '../support/open-library.ts';
import { person } from '../support/person.ts';
import { environment, LIBRARY } from '../support/process/binary.ts';
import { put } from '../support/temp-folder.ts';

const MANTA = '.bearings/workspaces/manta';
const NOTES = `${MANTA}/notes.md`;
const { place, at } = person({
  [NOTES]: 'first\n',
  '.bearings/tastes/_default.md': '- calm\n\n- quiet\n',
  '.bearings/machine': 'desk-1\n',
});
const read = (name: string) => readFileSync(at(name), 'utf8');
/** All that a decision on the notes could touch; the lock file is always empty. */
const around = () =>
  Object.entries({ ...filesBelow(at(MANTA)), ...filesBelow(at('.bearings/tastes')) }).filter(
    ([name]) => !name.endsWith('.lock'),
  );
const isRoot = process.getuid?.() === 0;
const undo: (() => void)[] = [];
afterEach(() => {
  for (const step of undo.splice(0).reverse()) step();
});

// One clear sentence in our own words, and no place of the disk in it.
async function expectRefused(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => ({ code: 'none', message: 'it was written' }),
    (reason) => reason,
  );
  expect([error.code, error.message]).toEqual(['io_error', expect.stringMatching(/^[\w][^\n]*\.$/)]);
  expect(`${error.message} ${error.hint ?? ''}`).not.toMatch(/\/|E[A-Z]{4,}|SQLITE/);
  return error.message;
}

describe('something else in the place of a file', () => {
  const wrongs: [string, (path: string) => void][] = [
    ['a directory', (path) => mkdirSync(path)],
    ['a FIFO', (path) => execFileSync('mkfifo', [path])],
    ['a link to nowhere', (path) => symlinkSync(join(dirname(path), 'gone', 'nowhere'), path)],
    ['a link to itself', (path) => symlinkSync(path, path)],
  ];

  it.each(wrongs)(
    'M27 %s as notes.md or as the ledger: it stays pending, and nothing else is touched',
    async (_, make) => {
      for (const name of [NOTES, `${MANTA}/ledger/desk-1.jsonl`]) {
        const bearings = openLibrary(place.home);
        const id = await proposed(bearings, `Into ${name}.`);
        rmSync(at(name), { force: true, recursive: true });
        mkdirSync(dirname(at(name)), { recursive: true });
        make(at(name));
        const kind = lstatSync(at(name)).mode;
        const before = around();
        await expectRefused(decided(bearings, id));
        expect(around()).toEqual(before);
        expect([lstatSync(at(name)).mode, pendingBelow(at('.bearings'))]).toEqual([kind, [id]]);
        // Fixed, the same proposal is decided once.
        rmSync(at(name), { recursive: true });
        expect(await decided(openLibrary(place.home), id)).toMatchObject({ status: 'accepted' });
        expect(read(NOTES).split(`Into ${name}.`)).toHaveLength(2);
      }
    },
  );

  it.each(wrongs.slice(0, 3))('M27 %s as a taste', async (_, make) => {
    const bearings = openLibrary(place.home);
    const id = await proposed(bearings, '- new', { kind: 'taste', category: 'value' });
    const swap = await proposed(bearings, '- loud', { kind: 'taste', category: 'value', replaces: '- calm' });
    const shown = await (await bearings.gate()).showProposal(swap);
    rmSync(at('.bearings/tastes/_default.md'));
    make(at('.bearings/tastes/_default.md'));
    await expectRefused(decided(bearings, id));
    const { proposal_id, content_sha256, replaces } = shown.proposal;
    await expectRefused(
      (await bearings.gate()).decide({ proposal_id, content_sha256, replaces, target: shown.target }, 'taste', {
        decision: 'accept',
        via: 'review',
        client: null,
      }),
    );
    expect(pendingBelow(at('.bearings')).sort()).toEqual([id, swap].sort());
  });

  it('M27 as sessions or as the home: nothing can be proposed, and that is said', async () => {
    for (const [, make] of wrongs.slice(1)) {
      rmSync(at(`${MANTA}/sessions`), { recursive: true, force: true });
      make(at(`${MANTA}/sessions`));
      await expectRefused(proposed(openLibrary(place.home), 'Nowhere to wait.'));
      expect((await (await openLibrary(place.home).memory()).readContext('manta')).context.notes.summary).toBe(
        'first\n',
      );
      unlinkSync(at(`${MANTA}/sessions`));
    }
    mkdirSync(at('nobody'));
    symlinkSync(at('gone'), at('nobody/.bearings'));
    const bearings = openLibrary(at('nobody'));
    await expectRefused((await bearings.gate()).confirmLevel());
    await expectRefused(
      (await bearings.gate()).propose(await (await bearings.sessions()).openSession(null, 'x'), {
        kind: 'taste',
        content: 'x',
        category: 'value',
      }),
    );
    await expectRefused((await bearings.gate()).verify());
  });

  it('M24 an intent that can’t be read stops the decision, and hides nothing of other workspaces', async () => {
    put(place.home, { '.bearings/workspaces/other/notes.md': 'x\n' });
    const bearings = openLibrary(place.home);
    await accepted(bearings, 'one');
    const [key = ''] = Object.keys(filesBelow(at('.bearings/intents')));
    const ids = [await proposed(bearings, 'two'), await proposed(bearings, 'elsewhere', { id: 'other' })];
    rmSync(at(`.bearings/intents/${key}`));
    mkdirSync(at(`.bearings/intents/${key}`));
    writeFileSync(at(`.bearings/intents/${key}/x`), '');
    await expectRefused(decided(bearings, ids[0] ?? ''));
    expect(await decided(bearings, ids[1] ?? '')).toMatchObject({ status: 'accepted' });
    expect((await (await bearings.gate()).listProposals('all')).map(({ proposal_id }) => proposal_id)).toEqual([
      ids[0],
    ]);
  });
});

describe('bytes that are not text', () => {
  it('M17 a taste that is not UTF-8 is added to, never rewritten; a byte order mark stays', async () => {
    const bearings = openLibrary(place.home);
    const latin = Buffer.from([0x2d, 0x20, 0xe9, 0x0a, 0x0a, 0x2d, 0x20, 0x78, 0x0a]);
    writeFileSync(at('.bearings/tastes/sea.md'), latin);
    const id = await proposed(bearings, '- y', { kind: 'taste', category: 'value', file: 'sea', replaces: '- x' });
    expect(await expectRefused(decided(bearings, id))).toContain('UTF-8');
    await decided(bearings, await proposed(bearings, '- z', { kind: 'taste', category: 'value', file: 'sea' }));
    expect(readFileSync(at('.bearings/tastes/sea.md'))).toEqual(Buffer.concat([latin, Buffer.from('\n- z\n')]));
    writeFileSync(at('.bearings/tastes/mark.md'), '\ufeff- x\r\n\r\n- y\r\n');
    await decided(
      bearings,
      await proposed(bearings, '- one\n- two', { kind: 'taste', category: 'value', file: 'mark', replaces: '- x' }),
    );
    expect(read('.bearings/tastes/mark.md')).toBe('\ufeff- one\r\n- two\r\n\r\n- y\r\n');
  });
});

describe.runIf(isRoot)('a disk that refuses (needs root: mounts, another user)', () => {
  const mounted = (path: string, ...options: string[]) => {
    execFileSync('mount', [...options, path]);
    // A transcript may stay open for a moment after its last entry.
    undo.push(() => execFileSync('umount', ['-l', path]));
  };
  const fill = (path: string) => spawnSync('dd', ['if=/dev/zero', `of=${path}`, 'bs=4k'], { stdio: 'ignore' });

  it.each(['the workspace', 'the home'])(
    'M27 %s on a full disk: pending, nothing half written; with room again it is done once',
    async (which) => {
      put(place.home, { 'work/manta/notes.md': 'first\n', '.bearings/config.yaml': `workspaces: ${at('work')}\n` });
      const small = which === 'the home' ? at('.bearings') : at('work/manta');
      const saved = filesBelow(small);
      mounted(small, '-t', 'tmpfs', '-o', 'size=256k,mode=700', 'tmpfs');
      put(small, saved);
      const bearings = openLibrary(place.home);
      await accepted(bearings, 'zero');
      const id = await proposed(bearings, `A long text. ${'word '.repeat(3_000)}`);
      fill(join(small, 'ballast'));
      const before = read('work/manta/notes.md');
      await expectRefused(decided(bearings, id));
      expect([read('work/manta/notes.md'), pendingBelow(place.home), ledgerLines(at('work/manta')).length]).toEqual([
        before,
        [id],
        1,
      ]);
      rmSync(join(small, 'ballast'));
      expect(await decided(openLibrary(place.home), id)).toMatchObject({ status: 'accepted', ledger: 2 });
      expect(read('work/manta/notes.md').split('A long text.')).toHaveLength(2);
      expect((await (await bearings.gate()).verify()).faults.map(({ message }) => message)).toEqual([]);
    },
  );

  it('M27 a read-only disk: what waits is still shown, nothing is decided, nothing changes', async () => {
    const id = await proposed(openLibrary(place.home), 'Read only.');
    await accepted(openLibrary(place.home), 'before');
    const before = filesBelow(at('.bearings'));
    execFileSync('mount', ['--bind', at('.bearings'), at('.bearings')]);
    undo.push(() => execFileSync('umount', ['-l', at('.bearings')]));
    execFileSync('mount', ['-o', 'remount,bind,ro', at('.bearings')]);
    const bearings = openLibrary(place.home);
    expect((await (await bearings.gate()).listProposals('all')).map(({ proposal_id }) => proposal_id)).toEqual([id]);
    await expectRefused(decided(bearings, id));
    await expectRefused(proposed(bearings, 'Another.'));
    await expectRefused((await bearings.sessions()).logOperation('manta', 'x', {}));
    expect((await (await bearings.gate()).verify()).faults.map(({ message }) => message)).toEqual([]);
    expect(filesBelow(at('.bearings'))).toEqual(before);
  });

  it('M27 a person without permission gets one sentence, and what is there stays', async () => {
    const id = await proposed(openLibrary(place.home), 'Not allowed.');
    const nobody = 65534;
    for (const folder of [place.home, at('.bearings'), at('.bearings/workspaces'), at(MANTA), dirname(place.home)])
      chmodSync(folder, 0o755);
    execFileSync('chmod', ['-R', 'a+rX', at('.bearings')]);
    mkdirSync(at('cache'));
    chownSync(at('cache'), nobody, nobody);
    const before = filesBelow(at('.bearings'));
    const script = `
      process.setgid(${nobody}); process.setuid(${nobody});
      const { openBearings } = await import(${JSON.stringify(pathToFileURL(LIBRARY).href)});
      const { openPerson } = await import(${JSON.stringify(pathToFileURL(LIBRARY).href.replace('index.js', 'person.js'))});
      const options = { cwd: '/', variables: { HOME: ${JSON.stringify(place.home)}, BEARINGS_CACHE: ${JSON.stringify(at('cache'))} } };
      const bearings = openBearings(options);
      const said = async (work) => { try { await work(); return 'written'; } catch (error) { return [error.code, error.message]; } };
      const [{ proposal_id, content_sha256, replaces }] = await bearings.gate.listProposals();
      const shown = { proposal: { proposal_id, content_sha256, replaces }, target: 'notes.md of manta' };
      const decision = { decision: 'accept', via: 'review', client: null };
      console.log(JSON.stringify([
        proposal_id,
        await said(() => openPerson(options).decide(shown, decision)),
        await said(async () => bearings.gate.propose(await bearings.gate.openSession({ workspace: 'manta', client: 'x' }), { kind: 'notes', content: 'x' })),
        await said(() => bearings.gate.logOperation({ workspace: 'manta', op: 'x', details: {} })),
      ]));`;
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      env: environment(place),
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    const [shown, ...answers] = JSON.parse(stdout);
    expect(shown).toBe(id);
    for (const [code, message] of answers)
      expect([code, message]).toEqual(['io_error', expect.not.stringMatching(/\/|EACCES/)]);
    expect(filesBelow(at('.bearings'))).toEqual(before);
    expect(pendingBelow(at('.bearings'))).toEqual([id]);
  });

  it('M27 a file that even root may not change (chattr +i) stays as it is', async ({ skip }) => {
    const bearings = openLibrary(place.home);
    const id = await proposed(bearings, 'Held fast.');
    const { status } = spawnSync('chattr', ['+i', at(NOTES)], { stdio: 'ignore' });
    undo.push(() => spawnSync('chattr', ['-i', at(NOTES)]));
    if (status !== 0) return skip('no chattr on this file system');
    await expectRefused(decided(bearings, id));
    expect([read(NOTES), pendingBelow(at('.bearings'))]).toEqual(['first\n', [id]]);
  });
});

describe('the person edits while a decision is written', () => {
  // Does something once, just before a step of the decision.
  const justBefore = (step: (path: string, what: string) => boolean, act: () => void): FileLayer => {
    let done = false;
    const at_ = (path: string, what: string) => {
      if (done || !step(path, what)) return;
      done = true;
      act();
    };
    return {
      ...realFiles,
      open(path, flags, mode) {
        at_(path, 'open');
        const file = realFiles.open(path, flags, mode);
        return {
          ...file,
          write(bytes) {
            at_(path, 'write');
            return file.write(bytes);
          },
          sync() {
            file.sync();
            at_(path, 'synced');
          },
        } as WritableFile;
      },
      rename(from, to) {
        at_(from, 'rename');
        return realFiles.rename(from, to);
      },
    };
  };
  const byRename = (text: string) => {
    writeFileSync(at('draft'), text);
    renameSync(at('draft'), at(NOTES));
  };

  it.each([
    ['by rename, before the text', 'intents', 'open', () => byRename('first\nedited\n')],
    ['by rename, after the text', 'notes.md', 'synced', () => byRename('first\nedited\n')],
    ['in place, before the text', 'intents', 'open', () => writeFileSync(at(NOTES), 'first\nedited and open')],
    [
      'in place, while the intent is written',
      'intents',
      'synced',
      () => writeFileSync(at(NOTES), 'first\n\nedited and open'),
    ],
    ['by another append', 'intents', 'synced', () => appendFileSync(at(NOTES), 'edited by somebody')],
  ])('M24 %s: the edit is there, and the accepted text once, as lines of its own', async (_, where, what, act) => {
    const id = await proposed(openLibrary(place.home), 'Accepted.');
    const files = justBefore((path, step) => path.includes(where) && step === what, act);
    expect(await decided(openLibrary(place.home, { files }), id)).toMatchObject({ status: 'accepted' });
    const text = read(NOTES);
    expect(text).toMatch(/^first\n[\s\S]*edited/);
    expect(text.split('\n').filter((line) => line === 'Accepted.')).toHaveLength(1);
    expect(text.endsWith('\n\nAccepted.\n')).toBe(true);
    expect([pendingBelow(at('.bearings')), ledgerLines(at(MANTA)).length]).toEqual([[], 1]);
  });

  it('M24 an editor that saves without end: nothing is written, the proposal waits', async () => {
    const id = await proposed(openLibrary(place.home), 'Accepted.');
    let edits = 0;
    const always: FileLayer = {
      ...realFiles,
      open(path, flags, mode) {
        const file = realFiles.open(path, flags, mode);
        if (!path.endsWith('notes.md')) return file;
        const saved = () => {
          file.sync();
          edits += 1;
          byRename(`edit ${edits}\n`);
        };
        return { ...file, sync: saved };
      },
    };
    await expect(decided(openLibrary(place.home, { files: always }), id)).rejects.toMatchObject({ code: 'conflict' });
    expect(read(NOTES)).toMatch(/^edit \d+\n$/);
    expect(pendingBelow(at('.bearings'))).toEqual([id]);
    expect(await decided(openLibrary(place.home), id)).toMatchObject({ status: 'accepted', ledger: 1 });
  });

  it('M24 a replacement gives way to an edit at the same moment, and leaves no draft', async () => {
    const taste = '.bearings/tastes/_default.md';
    const propose = () =>
      proposed(openLibrary(place.home), '- loud', { kind: 'taste', category: 'value', replaces: '- calm' });
    const id = await propose();
    const files = justBefore(
      (path, step) => path.endsWith('.draft') && step === 'write',
      () => appendFileSync(at(taste), '- by hand\n'),
    );
    await expect(decided(openLibrary(place.home, { files }), id)).rejects.toMatchObject({ code: 'conflict' });
    expect(read(taste)).toBe('- calm\n\n- quiet\n- by hand\n');
    expect(Object.keys(filesBelow(at('.bearings/tastes'))).filter((name) => name.endsWith('.draft'))).toEqual([]);
    expect(await decided(openLibrary(place.home), id)).toMatchObject({ status: 'accepted' });
    expect(read(taste)).toBe('- loud\n\n- quiet\n- by hand\n');
    expect(Object.values(filesBelow(at('.bearings/earlier')))).toContain('- calm\n\n- quiet\n- by hand\n');
  });

  it('M19 a taste file that went away: the block is gone, so it is stale', async () => {
    const bearings = openLibrary(place.home);
    const id = await proposed(bearings, '- loud', { kind: 'taste', category: 'value', replaces: '- calm' });
    rmSync(at('.bearings/tastes/_default.md'));
    await expect(decided(bearings, id)).rejects.toMatchObject({ code: 'stale' });
    expect(await decided(bearings, id, { decision: 'decline' })).toMatchObject({ status: 'declined' });
  });

  it('M27 a proposal that can’t be put away is not decided twice', async () => {
    const id = await proposed(openLibrary(place.home), 'Stuck.');
    const stuck: FileLayer = { ...realFiles, unlink: () => fail('EROFS') };
    const error = await decided(openLibrary(place.home, { files: stuck }), id).catch((reason) => reason);
    expect([error.code, error.message]).toEqual(['io_error', expect.stringContaining('The decision is written')]);
    await expect(decided(openLibrary(place.home, { files: stuck }), id)).rejects.toMatchObject({ code: 'not_found' });
    expect([read(NOTES), ledgerLines(at(MANTA)).length]).toEqual(['first\n\nStuck.\n', 1]);
    expect(await (await openLibrary(place.home).gate()).listProposals('all')).toEqual([]);
    expect([read(NOTES), ledgerLines(at(MANTA)).length]).toEqual(['first\n\nStuck.\n', 1]);
  });
});

function fail(code: string): never {
  throw Object.assign(new Error(code), { code });
}
