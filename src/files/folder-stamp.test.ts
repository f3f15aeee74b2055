import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { dateBack, put, tempFolder } from '../../test/support/temp-folder.ts';
import { changeStamp } from './folders.ts';

const folder = tempFolder();

it('M22 whatever comes, goes or changes in memory changes the stamp; looking does not', () => {
  put(folder, { 'notes.md': 'a\n', 'ledger/m.jsonl': '{}\n', 'sessions/s/p_1.json': '{}' });
  const stamp = () => changeStamp([folder, join(folder, 'missing')]).value;
  const changes = [
    () => appendFileSync(join(folder, 'notes.md'), 'b\n'),
    () => dateBack(join(folder, 'notes.md')),
    () => appendFileSync(join(folder, 'ledger/m.jsonl'), '{}\n'),
    () => writeFileSync(join(folder, 'sessions/s/p_2.json'), '{}'),
    () => rmSync(join(folder, 'sessions/s/p_1.json')),
    () => mkdirSync(join(folder, 'sessions/s/discarded')),
    () => mkdirSync(join(folder, 'missing')),
    () => writeFileSync(join(folder, 'brief.md'), ''),
  ];
  for (const change of changes) {
    const before = stamp();
    expect(stamp()).toBe(before);
    change();
    expect(stamp()).not.toBe(before);
  }
});
