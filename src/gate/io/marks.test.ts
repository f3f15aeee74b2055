import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { sha256 } from '../../files/file-fingerprint.ts';
import { carryMarks, marksFolder, marksOf, saveMark } from './marks.ts';

const root = tempFolder();
const [HERE, THERE] = [sha256('here'), sha256('there')];
const head = (seq: number) => ({ seq, hash: `hash ${seq}` });

it('M26 the end of each chain is known by place and name, and never goes back to an earlier one', () => {
  const home = join(root, 'known');
  expect(marksOf(home, HERE).size).toBe(0);
  for (const seq of [1, 3, 2, 0]) saveMark(home, HERE, 'm', head(seq));
  saveMark(home, HERE, 'n', head(1));
  saveMark(home, THERE, 'm', head(9));
  expect([...marksOf(home, HERE)].sort()).toEqual([
    ['m', head(3)],
    ['n', head(1)],
  ]);
  // Another entry of the same number: what is there now is known from here on.
  saveMark(home, HERE, 'm', { seq: 3, hash: 'other' });
  expect(marksOf(home, HERE).get('m')).toEqual({ seq: 3, hash: 'other' });
});

it('M9 a chain whose name leads elsewhere has no mark', () => {
  const home = join(root, 'names');
  for (const name of ['../evil', 'a/b', '..', '', 'x\0']) saveMark(home, HERE, name, head(1));
  expect([marksOf(home, HERE).size, readdirSync(root).includes('evil.json')]).toEqual([0, false]);
});

it('M12 a mark that is no mark is none, and the next one takes its place', () => {
  const home = join(root, 'damaged');
  mkdirSync(marksFolder(home, HERE), { recursive: true });
  const path = join(marksFolder(home, HERE), 'm.json');
  for (const text of ['', '{', 'null', '[]', '{"seq":"1","hash":"x"}', '{"seq":1.5,"hash":"x"}', '{"seq":1}']) {
    writeFileSync(path, text);
    expect([text, marksOf(home, HERE).size]).toEqual([text, 0]);
  }
  mkdirSync(join(marksFolder(home, HERE), 'folder.json'));
  saveMark(home, HERE, 'm', head(1));
  expect([...marksOf(home, HERE)]).toEqual([['m', head(1)]]);
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(head(1));
});

it('M26 a ledger that moved takes what is known of it along; one that is removed is nowhere', () => {
  const home = join(root, 'moved');
  saveMark(home, HERE, 'm', head(2));
  carryMarks(home, HERE, HERE);
  carryMarks(home, THERE, HERE);
  expect(marksOf(home, HERE).get('m')).toEqual(head(2));
  carryMarks(home, HERE, THERE);
  expect([marksOf(home, HERE).size, marksOf(home, THERE).get('m')]).toEqual([0, head(2)]);
  carryMarks(home, THERE, null);
  expect(marksOf(home, THERE).size).toBe(0);
});

it('M26 where marks are left of a ledger that was there before, one that moves there still arrives', () => {
  const home = join(root, 'taken');
  saveMark(home, HERE, 'm', head(2));
  saveMark(home, THERE, 'old', head(5));
  carryMarks(home, HERE, THERE);
  expect(marksOf(home, THERE).get('m')).toEqual(head(2));
});
