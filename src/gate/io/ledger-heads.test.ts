import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { knownHashes, rememberLine } from './ledger-heads.ts';

const home = mkdtempSync(join(tmpdir(), 'bearings-heads-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

it('M26 a hash that a crash left out moves none of the others to another entry', () => {
  const path = join(home, 'ledger/m.jsonl');
  mkdirSync(join(home, 'ledger'));
  const line = (seq: number) => JSON.stringify({ seq, prev: `p${seq}`, machine: 'm', at: 'x', decision: 'accept' });
  for (const seq of [1, 2, 3, 4]) rememberLine(home, path, line(seq));
  const whole = knownHashes(home, path);
  const file = join(home, 'heads', readdirSync(join(home, 'heads')).find((name) => name.endsWith('.hashes')) ?? '');
  const bytes = readFileSync(file);
  // As after a kill between the head and the hash of the second entry: the third was written after a gap.
  bytes.fill(0, 65, 130);
  writeFileSync(file, bytes);
  expect(knownHashes(home, path)).toEqual([whole[0], '', whole[2], whole[3]]);
  expect(new Set(whole.slice(0, 4)).size).toBe(4);
  expect(whole.every((hash) => hash.length === 64)).toBe(true);
});
