import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { put, tempFolder } from '../../../test/support/temp-folder.ts';
import { sha256 } from '../../files/file-fingerprint.ts';
import type { Proposal } from '../proposals/proposal.ts';
import { pendingFolder } from './pending-folder.ts';

const root = tempFolder();
let count = 0;
let sessions = '';
beforeEach(() => {
  count += 1;
  sessions = join(root, `${count}/sessions`);
});
const owner = { imageId: 'manta', scope: null, home: root };
const proposal = (id: number, more: Partial<Proposal> = {}): Proposal => ({
  version: 1,
  proposal_id: `p_${id}`,
  kind: 'notes',
  image_id: 'manta',
  file: 'notes.md',
  content: `text ${id}`,
  content_sha256: sha256(`text ${id}`),
  category: null,
  reason: null,
  replaces: null,
  session_id: 's1',
  client: 'studio',
  created_at: `2026-01-0${9 - id}T00:00:00.000Z`,
  ...more,
});
const ids = (list: { proposal: Proposal }[]) => list.map((stored) => stored.proposal.proposal_id);

describe('the folder of what waits', () => {
  it('M22 holds one file each, for the person alone, and every process sees the same list, oldest first', () => {
    const mine = pendingFolder(sessions, owner);
    const theirs = pendingFolder(sessions, owner);
    expect([mine.pending(), mine.discarded(), mine.find('p_1')]).toEqual([[], [], null]);
    for (const id of [1, 2, 3]) (id === 2 ? theirs : mine).add(`s${id}`, proposal(id));
    expect([ids(mine.pending()), ids(theirs.pending())]).toEqual([
      ['p_3', 'p_2', 'p_1'],
      ['p_3', 'p_2', 'p_1'],
    ]);
    expect(mine.find('p_2')?.proposal).toEqual(proposal(2));
    expect([statSync(join(sessions, 's1')).mode & 0o777, statSync(join(sessions, 's1/p_1.json')).mode & 0o777]).toEqual(
      [0o700, 0o600],
    );
  });

  it('M21 M23 what is removed, set aside or revived is so for all, and only once', () => {
    const mine = pendingFolder(sessions, owner);
    const theirs = pendingFolder(sessions, owner);
    for (const id of [1, 2]) mine.add('s', proposal(id));
    const [two, one] = theirs.pending();
    if (!one || !two) throw new Error('not listed');
    expect([mine.remove(one), theirs.remove(one)]).toEqual([true, false]);
    expect([theirs.discard(two), mine.discard(two)]).toEqual([true, false]);
    expect([ids(mine.pending()), ids(mine.discarded()), mine.find('p_2')]).toEqual([[], ['p_2'], null]);
    const [aside] = theirs.discarded();
    if (aside) theirs.revive(aside);
    expect([ids(mine.pending()), ids(mine.discarded())]).toEqual([['p_2'], []]);
  });

  it('M19 M22 an edit by hand without its hash makes it none; what is no proposal is left alone', () => {
    const folder = pendingFolder(sessions, owner);
    folder.add('s', proposal(1));
    folder.pending();
    const path = join(sessions, 's/p_1.json');
    writeFileSync(path, readFileSync(path, 'utf8').replace('text 1', 'text one'));
    expect([folder.find('p_1'), folder.unlisted().spoilt]).toEqual([null, 1]);
    writeFileSync(path, readFileSync(path, 'utf8').replace(sha256('text 1'), sha256('text one')));
    expect(folder.find('p_1')?.proposal).toMatchObject({ content: 'text one', content_sha256: sha256('text one') });
    put(sessions, {
      's/p_2.json': '{',
      's/p_3.json': JSON.stringify(proposal(4)),
      's/x.txt': '',
      'y.jsonl': '',
      's/p_5.json': 'x'.repeat(2_000_000),
    });
    mkdirSync(join(sessions, 's/p_6.json'));
    expect([ids(folder.pending()), folder.unlisted().spoilt]).toEqual([['p_1'], 4]);
    for (const id of ['p_2', 'p_3', 'p_4', 'p_5', 'p_6', '../s/p_1', '', '.']) expect(folder.find(id)).toBeNull();
    expect(readdirSync(join(sessions, 's')).length).toBe(6);
  });

  it('M17 the home holds tastes only', () => {
    const folder = pendingFolder(sessions, { imageId: null, scope: null, home: root });
    folder.add('s', proposal(1));
    folder.add('s', proposal(2, { kind: 'taste', file: 'sea.md', category: 'value', image_id: null }));
    expect(ids(folder.pending())).toEqual(['p_2']);
  });

  it('M22 in a repository only what this home sealed is a proposal; the rest is counted while it is there', () => {
    const scope = join(root, `${count}`);
    mkdirSync(scope);
    const folder = pendingFolder(sessions, { ...owner, scope });
    expect([folder.unreadable(), folder.unlisted().foreign]).toEqual([null, 0]);
    folder.add('s', proposal(1));
    put(sessions, { 's/p_2.json': JSON.stringify(proposal(2)), 's/p_3.json': '{' });
    expect([ids(folder.pending()), folder.unlisted().foreign, folder.unreadable()]).toEqual([['p_1'], 1, null]);
    rmSync(join(sessions, 's/p_2.json'));
    expect(folder.unlisted().foreign).toBe(0);
  });

  it('M12 a folder that is none is said, with why', () => {
    put(join(root, `${count}`), { sessions: 'a file' });
    expect(pendingFolder(sessions, owner).unreadable()).toMatch(/./);
    const scope = join(root, `${count}`);
    symlinkSync(root, join(scope, 'linked'));
    expect(pendingFolder(join(scope, 'linked'), { ...owner, scope }).unreadable()).toMatch(/link leads out/);
  });
});
