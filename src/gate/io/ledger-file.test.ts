import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { sha256 } from '../../files/file-fingerprint.ts';
import { realFiles } from '../../files/write-file.ts';
import { NOTHING_DECIDED } from '../domains/domains.ts';
import { type CheckedChain, checkChain } from '../ledger/chain.ts';
import type { DecisionRecord } from '../ledger/entry.ts';
import { ownersIn } from '../ledger/home-state.ts';
import { draftEntry, type LedgerLine, type Signer, signedLine } from '../ledger/ledger.ts';
import { type LedgerLocation, ledgerFile, readLedger, textsPath } from './ledger-file.ts';
import { machineName, marksFolder } from './marks.ts';
import { fingerprintOf, isSigned, keyFileFor, newKeyPair, personKey, saveKeyFile } from './person-key.ts';
import { homeLedger, readHome, readStanding } from './read-standing.ts';

const root = tempFolder();
let count = 0;
let home = '';
let folder = '';
let me: Signer;
beforeEach(() => {
  count += 1;
  home = join(root, `${count}/home`);
  folder = join(root, `${count}/ledger`);
  me = newSigner(join(root, `${count}/key`));
});
const PLACE = sha256('here');
const location = (): LedgerLocation => ({
  ...{ name: 'workspace w', label: 'w', place: PLACE, isWorkspace: true, mayBeBranch: false },
  ...{ home, ledgerFolder: folder, scope: null },
});
const open = (files = realFiles) => ledgerFile(location(), files);
const path = (name = machineName(home)) => join(folder, `${name}.jsonl`);
const read = () => readLedger(location());
const markOf = (name = machineName(home)) => read().marks.get(name);
const linesIn = (file: string) => readFileSync(file, 'utf8').split('\n').slice(0, -1);

function newSigner(where: string): Signer {
  saveKeyFile(where, keyFileFor(newKeyPair(), '2026-01-01T00:00:00.000Z', null));
  const signer = personKey(where, new Set()).unlock(null);
  if (!signer) throw new Error('not open');
  return signer;
}

let seed = 0;
/** The next entry of a chain, as a decision makes it. */
function next(said: Partial<DecisionRecord> = {}, ledger = open(), signer = me): LedgerLine {
  const record = { ...NOTHING_DECIDED, decision: 'accept' as const, at: '2026-01-01T00:00:00.000Z', who: 'ada' };
  seed += 1;
  const { state } = readHome(home);
  const isOwn = (chain: CheckedChain) => {
    const ownerOf = ownersIn(chain, state, fingerprintOf);
    return chain.entries.every(({ entry }, index) => ['yours', 'earlier'].includes(ownerOf(entry, index) ?? ''));
  };
  const end = { ...ledger.end(state.isNew ? undefined : isOwn), key: signer };
  return signedLine(draftEntry({ ...record, level: 'ask', ...said }, end, { seed: `${seed}`, sha256 }), signer);
}
function decide(said: Partial<DecisionRecord> = {}, ledger = open(), signer = me): string {
  const made = next(said, ledger, signer);
  ledger.append(made);
  return made.line;
}

describe('the file of a ledger', () => {
  it('M26 begins empty, grows by whole lines, and the home knows its end', () => {
    const ledger = open();
    const machine = machineName(home);
    expect(ledger.end()).toEqual({ ledger: 'workspace w', machine, head: { seq: 0, hash: '' }, after: undefined });
    expect([read().chains, read().marks.size, existsSync(folder)]).toEqual([[], 0, false]);
    const lines = [decide(), decide({ who: 'x'.repeat(200_000) })];
    const head = { seq: 2, hash: sha256(lines[1] ?? '') };
    expect([ledger.end().head, open().end().head, markOf()]).toEqual([head, head, head]);
    expect(read().chains).toEqual([{ name: machine, lines, torn: false, unreadable: null }]);
    const checked = checkChain(read().chains[0] ?? never(), { sha256, isSigned });
    expect([checked.broken, checked.head]).toEqual([null, head]);
  });

  it('M44 M24 the texts of an entry are next to its chain, and there before it is', () => {
    const made = next({ blocks: [{ text: 'a note' }], reason: 'because' });
    const files = {
      ...realFiles,
      open: (at: string, ...rest: [number, number]) => (at === path() ? fail('EIO') : realFiles.open(at, ...rest)),
    };
    expect(() => open(files).append(made)).toThrow();
    expect([linesIn(textsPath(path())), existsSync(path()), markOf()]).toEqual([made.texts, false, undefined]);
    open().append(made);
    expect([...read().texts.values()].map(({ text }) => text).sort()).toEqual(['a note', 'because']);
    expect(linesIn(path())).toEqual([made.line]);
  });

  it('M24 a torn line was never believed: it goes before the next entry, and nothing else does', () => {
    const first = decide();
    for (const torn of ['{"seq":2', 'x'.repeat(100_000)]) {
      appendFileSync(path(), torn);
      expect(read().chains[0]).toMatchObject({ torn: true, lines: [first] });
      expect(open().end().head.seq).toBe(1);
    }
    const second = decide();
    expect(readFileSync(path(), 'utf8')).toBe(`${first}\n${second}\n`);
  });

  it('M24 after a crash it says whether a line is in its chain, and takes away only what is torn of that very line', () => {
    const first = decide();
    const { line } = next();
    expect([open().holds(first), open().holds(line)]).toEqual([true, false]);
    for (const [torn, left] of [
      [line.slice(0, 40), ''],
      ['by hand', 'by hand'],
    ] as const) {
      writeFileSync(path(), `${first}\n${torn}`);
      open().cutTorn(line);
      expect(readFileSync(path(), 'utf8')).toBe(`${first}\n${left}`);
    }
    // What it holds the home knows, also where the crash came before that.
    writeFileSync(path(), `${first}\n${line}\n`);
    expect([markOf()?.seq, open().holds(line), markOf()]).toEqual([1, true, { seq: 2, hash: sha256(line) }]);
  });

  it.each([
    ['a short write', { write: () => 3 }],
    ['a failing sync', { sync: () => fail('EIO') }],
    ['a failing write', { write: () => fail('ENOSPC') }],
  ])('M24 %s leaves the ledger as it was', (_, broken) => {
    decide();
    const before = readFileSync(path(), 'utf8');
    const files = {
      ...realFiles,
      open: (...args: Parameters<typeof realFiles.open>) => ({ ...realFiles.open(...args), ...broken }),
    };
    expect(() => decide({}, open(files))).toThrow();
    expect([readFileSync(path(), 'utf8'), open().end().head.seq, markOf()?.seq]).toEqual([before, 1, 1]);
  });

  it('M26 an entry that is written is not undone by a home that refuses to remember it', () => {
    decide();
    rmSync(join(home, 'heads'), { recursive: true });
    writeFileSync(join(home, 'heads'), '');
    const second = next();
    open().append(second);
    expect(linesIn(path(second.line.match(/"machine":"([^"]*)"/)?.[1]))).toContain(second.line);
    expect(markOf()).toBeUndefined();
  });

  it('a read error is not taken for an empty ledger', () => {
    mkdirSync(path(), { recursive: true });
    expect(() => open().end()).toThrow(/directory/);
    expect(read().chains).toMatchObject([{ lines: [], unreadable: 'it is a directory' }]);
  });

  it('M26 of a ledger that is gone the home still knows the end', () => {
    const line = decide();
    rmSync(folder, { recursive: true });
    expect(read()).toMatchObject({ chains: [], marks: new Map([[machineName(home), { seq: 1, hash: sha256(line) }]]) });
    // Nobody goes on there as if nothing had been.
    expect(open().end().machine).not.toBe(machineName(home));
  });

  it('M26 a chain that is longer than the home knows is ours; one that a checkout replaced is left, and a new one begins', () => {
    const first = decide();
    const second = next();
    appendFileSync(path(), `${second.line}\n`);
    expect([markOf()?.seq, open().end().head.seq]).toEqual([1, 2]);
    decide();
    expect(linesIn(path())).toHaveLength(3);
    // Back to an earlier state of it.
    writeFileSync(path(), `${first}\n`);
    const { machine, head } = open().end();
    expect([machine, head.seq]).toEqual([expect.stringMatching(new RegExp(`^${machineName(home)}-[0-9a-f]{6}$`)), 0]);
    decide();
    expect([linesIn(path()), linesIn(path(machine)).length]).toEqual([[first], 1]);
    expect(open().end()).toMatchObject({ machine, head: { seq: 1 } });
    // That one was replaced as well: the next name.
    writeFileSync(path(machine), '');
    expect(open().end()).toMatchObject({ machine: `${machine}-2`, head: { seq: 0, hash: '' } });
  });

  it('M50 a chain that came with a clone, or whose mark is gone, is left as it is', () => {
    decide();
    rmSync(marksFolder(home, PLACE), { recursive: true });
    expect(open().end()).toMatchObject({
      machine: expect.not.stringMatching(`^${machineName(home)}$`),
      head: { seq: 0 },
    });
  });

  it('M50 nobody signs on top of what does not verify: the next entry begins a chain that names the broken one', () => {
    const lines = [decide(), decide(), decide()];
    const good = { seq: 3, hash: sha256(lines[2] ?? '') };
    for (const junk of ['junk', lines[0], (lines[2] ?? '').replace('"seq":3', '"seq":4')]) {
      writeFileSync(path(), `${[...lines, junk].join('\n')}\n`);
      const end = open().end();
      expect([end.machine === machineName(home), end.head.seq, end.after]).toEqual([
        false,
        0,
        `${machineName(home)} ${good.hash}`,
      ]);
    }
    const line = decide();
    expect(JSON.parse(line)).toMatchObject({ seq: 1, prev: '', after: `${machineName(home)} ${good.hash}` });
    // And deciding goes on there.
    expect(open().end()).toMatchObject({ machine: JSON.parse(line).machine, head: { seq: 1, hash: sha256(line) } });
    expect(linesIn(path())).toHaveLength(4);
  });

  it('M18 M50 what a copy of a given-up key adds to a chain does not count because the person decides after it', () => {
    const later = newSigner(join(root, `${count}/later`));
    const own = ledgerFile(homeLedger(home), realFiles);
    decide({ decision: 'key', subject: me.publicKey }, own);
    const first = decide({ blocks: [{ text: 'mine' }], file: 'notes.md' });
    const said = { about: 'workspace w', place: PLACE, chain: machineName(home) };
    const home1 = decide({ decision: 'workspace', ...said }, own);
    const hashes = [sha256(first), sha256(home1)];
    decide({ decision: 'level', subject: later.publicKey, to: 'passphrase', hashes }, own);
    const forged = next({ blocks: [{ text: 'evil' }], file: 'notes.md' });
    appendFileSync(path(), `${forged.line}\n`);
    writeFileSync(textsPath(path()), `${[...linesIn(textsPath(path())), ...forged.texts].join('\n')}\n`);
    const statusOf = () => {
      const files = { names: [], locate: (file: string) => ({ path: join(folder, file), scope: null }) };
      const { entries } = readStanding({ ...location(), ...files }, readHome(home));
      return entries()
        .filter(({ chain, seq }) => chain === machineName(home) && seq === 2)
        .map(({ status }) => status);
    };
    expect(statusOf()).toEqual(['retired']);
    decide({ blocks: [{ text: 'also mine' }], file: 'notes.md' }, open(), later);
    expect(statusOf()).toEqual(['retired']);
  });

  it('M50 M33 however many files a pull request brings, the chain of this machine is read', () => {
    decide();
    for (let number = 0; number < 250; number += 1) writeFileSync(path(`0-${String(number).padStart(3, '0')}`), '');
    expect(read().chains.map(({ name }) => name)).toContain(machineName(home));
  });

  it('M26 a home keeps its machine name', () => {
    const name = machineName(home);
    expect(name).toMatch(/^[a-z0-9-]+-[0-9a-f]{6}$/);
    expect(machineName(home)).toBe(name);
    writeFileSync(join(home, 'machine'), '../../evil\n');
    expect(machineName(home)).toMatch(/^[a-z0-9-]+-[0-9a-f]{6}$/);
  });
});

function fail(code: string): never {
  throw Object.assign(new Error(code), { code });
}

function never(): never {
  throw new Error('there is no chain');
}
