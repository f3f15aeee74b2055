import { appendFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { dateBack, put, tempFolder } from '../../test/support/temp-folder.ts';
import { fileMemo, statsOf } from './file-fingerprint.ts';

const folder = tempFolder();
const path = join(folder, 'notes.md');
const stats = () => statsOf([path]);
const HOUR_MS = 3_600_000;
// An hour later: nothing is fresh.
const later = () => new Date(Date.now() + HOUR_MS);

it('M14 remembers by inode, size, mtime and ctime', () => {
  put(folder, { 'notes.md': 'a\nb\nc\n' });
  const memo = fileMemo<number>(later);
  expect(memo.get(stats())).toBeNull();
  memo.put(stats(), 3);
  expect(memo.get(stats())).toBe(3);
  appendFileSync(path, 'd\n');
  expect(memo.get(stats())).toBeNull();
  memo.put(stats(), 4);
  const { atime, mtime } = statSync(path);
  writeFileSync(path, 'x\ny\nz\nd\n');
  utimesSync(path, atime, mtime);
  expect(memo.get(stats())).toBeNull();
  memo.put(stats(), 4);
  put(folder, { other: 'a\nb\nc\nd\n' });
  renameSync(join(folder, 'other'), path);
  expect(memo.get(stats())).toBeNull();
});

it('M14 what depends on several files is worked out again when one of them changes, comes or goes', () => {
  const ledger = join(folder, 'ledger.jsonl');
  const both = () => statsOf([path, ledger]);
  put(folder, { 'notes.md': 'a\n' });
  const memo = fileMemo<number>(later);
  memo.put(both(), 0);
  expect(memo.get(both())).toBe(0);
  writeFileSync(ledger, '{}\n');
  expect(memo.get(both())).toBeNull();
  memo.put(both(), 1);
  rmSync(ledger);
  expect(memo.get(both())).toBe(0);
});

it('M14 remembers nothing of a file that changed within the tick of its clock, or in the future', () => {
  put(folder, { 'notes.md': 'a\n' });
  dateBack(path);
  const changed = statSync(path).ctimeMs;
  for (const [at, known] of [
    [changed + 1, null],
    [0, null],
    [changed + 3_000, 7],
  ] as const) {
    const memo = fileMemo<number>(() => new Date(at));
    memo.put(stats(), 7);
    expect(memo.get(stats())).toBe(known);
  }
});

it('M14 the memory of a process that runs for days stays small: the oldest answers go', () => {
  put(folder, { 'notes.md': '' });
  const memo = fileMemo<number>(later);
  const states = Array.from({ length: 100 }, (_, n) => {
    appendFileSync(path, 'a\n');
    memo.put(stats(), n);
    return stats();
  });
  expect(memo.get(states[0] ?? [])).toBeNull();
  expect(memo.get(states[99] ?? [])).toBe(99);
});
