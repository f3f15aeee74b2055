import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { tempFolder } from '../../../test/temp-folder.ts';
import { realFiles } from '../../files/file-layer.ts';
import { sha256 } from '../../files/sha256.ts';
import { headAfter } from '../ledger/ledger.ts';
import { ledgerFile, readLedgers } from './ledger-file.ts';
import { carryHead } from './ledger-heads.ts';
import { machineName } from './machine-name.ts';

const root = tempFolder();
let count = 0;
let home = '';
let folder = '';
beforeEach(() => {
  count += 1;
  home = join(root, `${count}/home`);
  folder = join(root, `${count}/ledger`);
});
const open = (files = realFiles) => ledgerFile({ folder, scope: null, home, files });
const line = (seq: number, prev = '', more = '') => JSON.stringify({ seq, prev, more });
const path = () => join(folder, `${machineName(home)}.jsonl`);
const read = () => readLedgers({ folder, scope: null, home });

describe('the file of a ledger', () => {
  it('M26 begins empty, grows by whole lines, and the home knows its end', () => {
    const ledger = open();
    expect([ledger.head(), read(), existsSync(folder)]).toEqual([{ seq: 0, hash: '' }, [], false]);
    ledger.append({ line: line(1), texts: [] });
    ledger.append({ line: line(2, sha256(line(1)), 'x'.repeat(200_000)), texts: [] });
    const head = headAfter(readFileSync(path(), 'utf8').split('\n')[1] ?? '', sha256);
    expect([ledger.head(), open().head()]).toEqual([head, head]);
    expect(read()).toMatchObject([{ machine: machineName(home), torn: false, unreadable: null, knownHead: head }]);
    expect(read()[0]?.lines).toHaveLength(2);
  });

  it('M24 a torn line was never believed: it goes before the next entry, and nothing else does', () => {
    const ledger = open();
    ledger.append({ line: line(1), texts: [] });
    for (const torn of ['{"seq":2', 'x'.repeat(100_000)]) {
      appendFileSync(path(), torn);
      expect(read()[0]?.torn).toBe(true);
      expect(ledger.head().seq).toBe(1);
    }
    ledger.append({ line: line(2), texts: [] });
    expect(readFileSync(path(), 'utf8')).toBe(`${line(1)}\n${line(2)}\n`);
  });

  it.each([
    ['a short write', { write: () => 3 }],
    ['a failing sync', { sync: () => fail('EIO') }],
    ['a failing write', { write: () => fail('ENOSPC') }],
  ])('M24 %s leaves the ledger as it was', (_, broken) => {
    open().append({ line: line(1), texts: [] });
    const before = readFileSync(path(), 'utf8');
    const files = {
      ...realFiles,
      open: (...args: Parameters<typeof realFiles.open>) => ({ ...realFiles.open(...args), ...broken }),
    };
    expect(() => open(files).append({ line: line(2), texts: [] })).toThrow();
    expect([readFileSync(path(), 'utf8'), open().head().seq]).toEqual([before, 1]);
    expect(read()[0]?.knownHead?.seq).toBe(1);
  });

  it('M26 an entry that is written is not undone by a home that refuses to remember it', () => {
    open().append({ line: line(1), texts: [] });
    rmSync(join(home, 'heads'), { recursive: true });
    writeFileSync(join(home, 'heads'), '');
    open().append({ line: line(2), texts: [] });
    expect(open().head().seq).toBe(2);
  });

  it('a read error is not taken for an empty ledger', () => {
    mkdirSync(path(), { recursive: true });
    expect(() => open().head()).toThrow(/directory/);
    expect(() => open().append({ line: line(1), texts: [] })).toThrow();
    expect(read()).toMatchObject([{ lines: [], unreadable: 'it is a directory' }]);
  });

  it('M26 a ledger that is gone is still read, as empty, against the end that is known; a rename takes that along', () => {
    open().append({ line: line(1), texts: [] });
    rmSync(folder, { recursive: true });
    expect(read()).toMatchObject([{ lines: [], knownHead: { seq: 1 } }]);
    const renamed = join(root, `${count}/renamed`);
    carryHead(home, folder, renamed);
    expect([read(), readLedgers({ folder: renamed, scope: null, home })]).toMatchObject([
      [],
      [{ knownHead: { seq: 1 } }],
    ]);
  });

  it('M26 a chain that others went on with is ours; one that a checkout replaced is left, and a new one begins', () => {
    open().append({ line: line(1), texts: [] });
    open().append({ line: line(2), texts: [] });
    appendFileSync(path(), `${line(3)}\n`);
    open().append({ line: line(4), texts: [] });
    expect(read()).toHaveLength(1);
    expect(read()[0]?.lines).toHaveLength(4);
    const replaced = `${line(1, '', 'other')}\n`;
    writeFileSync(path(), replaced);
    expect(open().head()).toEqual({ seq: 0, hash: '' });
    const machine = open().name();
    expect(machine).toMatch(new RegExp(`^${machineName(home)}-[0-9a-f]{6}$`));
    open().append({ line: JSON.stringify({ seq: 1, prev: '', machine }), texts: [] });
    expect(readFileSync(path(), 'utf8')).toBe(replaced);
    expect(read().map(({ lines }) => lines.length)).toEqual([1, 1]);
    expect([open().name(), open().head().seq]).toEqual([machine, 1]);
    // That one was replaced as well: the next name.
    writeFileSync(open().path(), replaced);
    expect(open().name()).toBe(`${machine}-2`);
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
