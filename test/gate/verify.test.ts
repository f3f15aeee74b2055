import { appendFileSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openRooms } from '../../src/bearings.ts';
import { sha256 } from '../../src/files/file-fingerprint.ts';
import { shownOf } from '../../src/gate/proposals/proposal.ts';
import { canonicalLine } from '../../src/json.ts';
import { ledgerLines, ledgerPath, withKey } from '../support/open-library.ts';
import { person } from '../support/person.ts';
import { onTerminal } from '../support/process/binary.ts';

const { at, place, run } = person({ '.bearings/workspaces/w/notes.md': '' });
const open = (home = at('.bearings')) =>
  openRooms({ home, cwd: place.home, variables: { HOME: place.home, BEARINGS_CACHE: at('cache') } });

async function accept(content: string, bearings = open()) {
  const session = await (await bearings.sessions()).openSession('w', 'test');
  const proposed = await (await bearings.gate()).propose(session, { kind: 'notes', content });
  if (proposed.status !== 'pending') throw new Error('expected a pending proposal');
  const { proposal } = await (await bearings.gate()).showProposal(proposed.proposal_id);
  await (await bearings.gate()).decide(shownOf(proposal), null, { decision: 'accept', via: 'review', client: null });
}

function ledger(home = at('.bearings')): { path: string; lines: string[]; write(lines: string[]): void } {
  const folder = join(home, 'workspaces/w/ledger');
  const path = join(folder, readdirSync(folder).filter((name) => name.endsWith('.jsonl'))[0] ?? '');
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  return { path, lines, write: (next) => writeFileSync(path, next.map((line) => `${line}\n`).join('')) };
}

const kinds = async (bearings = open()) => [
  ...new Set((await (await bearings.gate()).verify()).faults.map(({ kind }) => kind)),
];

describe('M26 verify tells apart', () => {
  it('M26 nothing wrong', async () => {
    for (const text of ['one', 'two', 'three']) await accept(text);
    expect(await kinds()).toEqual([]);
    expect(run('verify')).toMatchObject({ code: 0, stdout: expect.stringContaining('3 signed by you') });
  });

  it('M26 an entry that was changed, in the middle and at the end', async () => {
    for (const text of ['one', 'two', 'three']) await accept(text);
    const { lines, write } = ledger();
    write(lines.map((line, index) => (index === 1 ? line.replace('"who":"', '"who":"not ') : line)));
    expect(await kinds()).toEqual(['entry_changed']);
    write(lines.map((line, index) => (index === 2 ? line.replace('"who":"', '"who":"not ') : line)));
    expect(await kinds()).toEqual(['entry_changed']);
    expect(run('verify').code).toBe(1);
  });

  it('M26 an entry that was removed', async () => {
    for (const text of ['one', 'two', 'three']) await accept(text);
    const { lines, write } = ledger();
    write([lines[0] ?? '', lines[2] ?? '']);
    expect(await kinds()).toEqual(['entry_removed']);
    write(lines.slice(1));
    expect(await kinds()).toEqual(['entry_removed']);
  });

  it('M26 a tail that was cut, also when new decisions follow', async () => {
    for (const text of ['one', 'two', 'three']) await accept(text);
    const { lines, write } = ledger();
    write(lines.slice(0, 2));
    expect(await kinds()).toEqual(['chain_short']);
    expect((await (await open().gate()).unaccountedBlocks('all')).map(({ block }) => block.text)).toEqual(['three']);
    await accept('four');
    expect(await kinds()).toEqual(['chain_short']);
    write([]);
    expect(await kinds()).toEqual(['chain_short']);
  });

  it('M26 a chain that was replaced by a clone’s, shorter or longer', async () => {
    await accept('one');
    const clone = at('clone');
    cpSync(at('.bearings'), clone, { recursive: true });
    for (const text of ['two', 'three', 'four']) await accept(text);
    const own = ledger();
    // The clone goes on with the same key and the same machine's name.
    const other = open(clone);
    for (const [text, kind] of [
      ['other two', 'chain_short'],
      ['other three', 'chain_short'],
      ['other four', 'chain_replaced'],
      ['other five', 'chain_replaced'],
    ] as const) {
      await accept(text, other);
      expect(basename(ledger(clone).path)).toBe(basename(own.path));
      own.write(ledger(clone).lines);
      expect([text, await kinds()]).toEqual([text, expect.arrayContaining([kind])]);
      expect(run('verify').code).toBe(1);
    }
    own.write(own.lines);
    expect(await kinds()).toEqual([]);
  });

  it('M26 a foreign key, until the person trusts it on a terminal; and no longer when she takes that back', async () => {
    await accept('one');
    const other = at('other');
    mkdirSync(join(other, 'workspaces/w'), { recursive: true });
    await accept('from a team mate', open(other));
    const theirs = ledger(other);
    cpSync(theirs.path, join(at('.bearings/workspaces/w/ledger'), 'mate-123456.jsonl'));
    appendFileSync(at('.bearings/workspaces/w/notes.md'), '\nfrom a team mate\n');
    expect(await kinds()).toEqual(['other_chain']);
    cpSync(dirname(theirs.path), at('.bearings/workspaces/w/ledger'), { recursive: true });
    writeFileSync(join(at('.bearings/workspaces/w/ledger'), 'mate-123456.jsonl'), '');
    expect(await kinds()).toEqual(['foreign_key']);
    expect((await (await open().memory()).readContext('w')).warnings).toEqual([
      expect.stringMatching(/^1 block unaccounted \(1 in notes\.md\)/),
      expect.stringMatching(
        /^The record of decisions has a key that is not trusted yet: w: a decision by a key you do not know .* bearings review$/,
      ),
    ]);
    expect(run('review', '--list').stdout).toMatch(
      /a decision by a key you do not know .*, not trusted yet: bearings review/,
    );
    expect(run('doctor').stdout).toMatch(/^hint +w +ledger .*a decision by a key you do not know .*, not trusted yet/m);
    expect(run('history', 'w').stderr).toMatch(/not trusted yet: w: a decision by a key you do not know/);
    expect(run('verify').code).toBe(1);
    const [key] = await (await open().gate()).unknownKeys();
    const fingerprint = key?.fingerprint ?? '';
    expect(run('verify').stdout).toContain(`bearings verify --trust ${fingerprint}`);
    expect(run('verify', '--trust', fingerprint)).toMatchObject({ code: 3 });
    const no = await onTerminal(place, ['verify', '--trust', fingerprint], [{ after: 'Type yes', type: 'no\n' }]);
    expect(no.stdout).toContain('nothing changed');
    await onTerminal(place, ['verify', '--trust', fingerprint], [{ after: 'Type yes', type: 'yes\n' }]);
    expect(run('verify')).toMatchObject({ code: 0, stdout: expect.stringContaining('1 signed by a key you trust') });
    expect((await (await open().memory()).readContext('w')).warnings).toEqual([]);
    expect(run('why', 'notes.md', 'w').stdout).toContain('signed by a key you trust');
    expect(run('verify', '--untrust', fingerprint).code).toBe(0);
    expect(await kinds()).toEqual(['foreign_key']);
    expect(run('verify', '--untrust', fingerprint).code).toBe(2);
    expect((await onTerminal(place, ['verify', '--trust', 'ffff'])).code).toBe(2);
  });

  it('M26 M50 a key that another program calls trusted in a chain of the home is not trusted', async () => {
    await accept('one');
    const other = at('other');
    mkdirSync(join(other, 'workspaces/w'), { recursive: true });
    await accept('smuggled', open(other));
    cpSync(dirname(ledger(other).path), at('.bearings/workspaces/w/ledger'), { recursive: true });
    const [key] = await (await open().gate()).unknownKeys();
    const path = ledgerPath(at('.bearings'));
    const lines = ledgerLines(at('.bearings'));
    const theirs = withKey(readFileSync(join(other, 'key.json'), 'utf8'));
    const word = { decision: 'trust', subject: key?.fingerprint };
    const own = JSON.parse(lines[0] ?? '');
    const signed = theirs.entry(lines[0] ?? '', word, lines.at(-1) ?? '');
    const { sig: _, ...unsigned } = JSON.parse(signed);
    const named = { key: own.key, public_key: own.public_key };
    const root = { decision: 'key', subject: JSON.parse(signed).public_key, machine: 'x' };
    for (const [name, file, text, told] of [
      ['by its own word', path, signed, ['foreign_key']],
      ['unsigned', path, canonicalLine(unsigned), ['unsigned', 'foreign_key']],
      ['in her name', path, canonicalLine({ ...JSON.parse(signed), ...named }), ['entry_changed', 'foreign_key']],
      [
        'in a chain of its own',
        join(dirname(path), 'x.jsonl'),
        theirs.entry(signed, { machine: 'x' }, null),
        ['foreign_key'],
      ],
      [
        'as the first key',
        join(dirname(path), 'x.jsonl'),
        theirs.entry(signed, root, null),
        expect.arrayContaining(['key_replaced']),
      ],
    ] as const) {
      const before = file === path ? lines : [];
      writeFileSync(file, [...before, text].map((line) => `${line}\n`).join(''));
      expect([name, await kinds()]).toEqual([name, told]);
      const { ledgers } = await (await open().gate()).verify();
      expect([name, ledgers.flatMap(({ entries }) => entries.filter(({ status }) => status === 'trusted'))]).toEqual([
        name,
        [],
      ]);
      writeFileSync(path, lines.map((line) => `${line}\n`).join(''));
      rmSync(join(dirname(path), 'x.jsonl'), { force: true });
    }
    expect(await kinds()).toEqual(['foreign_key']);
  });

  it('M26 M32 a decision of hers on something else, copied into this ledger, stands behind nothing', async () => {
    mkdirSync(at('.bearings/workspaces/v'));
    const bearings = open();
    const session = await (await bearings.sessions()).openSession('v', 'test');
    const proposed = await (await bearings.gate()).propose(session, { kind: 'notes', content: 'of another workspace' });
    if (proposed.status !== 'pending') throw new Error('expected a pending proposal');
    const { proposal } = await (await bearings.gate()).showProposal(proposed.proposal_id);
    await (await bearings.gate()).decide(shownOf(proposal), null, { decision: 'accept', via: 'review', client: null });
    cpSync(at('.bearings/workspaces/v/ledger'), at('.bearings/workspaces/w/ledger'), { recursive: true });
    writeFileSync(at('.bearings/workspaces/w/notes.md'), 'of another workspace\n');
    expect(await kinds()).toEqual(['copied']);
    expect((await (await open().gate()).unaccountedBlocks('all')).map(({ target }) => target)).toEqual([
      'notes.md of w',
    ]);
    expect((await (await open().memory()).readContext('w')).warnings.join()).toContain(
      '1 block unaccounted (1 in notes.md)',
    );
    // A workspace that got another name keeps its own.
    rmSync(at('.bearings/workspaces/w'), { recursive: true });
    await (await open().workspaces()).renameWorkspace('v', 'u');
    expect([await kinds(), await (await open().gate()).unaccountedBlocks('all')]).toEqual([[], []]);
  });

  it('M26 an unsigned entry stands behind nothing', async () => {
    await accept('one');
    const { lines, path } = ledger();
    const { sig: _, ...entry } = JSON.parse(lines[0] ?? '');
    const smuggled = { ...entry, seq: 2, prev: sha256(lines[0] ?? '') };
    // With its text beside it, as whoever writes the file can.
    const text = { hash: sha256('salt\ntext\nsmuggled'), salt: 'salt', text: 'smuggled' };
    appendFileSync(join(dirname(path), 'texts', basename(path)), `${JSON.stringify(text)}\n`);
    appendFileSync(path, `${canonicalLine({ ...smuggled, blocks: [text.hash] })}\n`);
    appendFileSync(at('.bearings/workspaces/w/notes.md'), '\nsmuggled\n');
    expect(await kinds()).toEqual(['unsigned']);
    expect((await (await open().gate()).unaccountedBlocks('all')).map(({ block }) => block.text)).toEqual(['smuggled']);
  });

  it('M26 M32 text by hand is counted, and no problem', async () => {
    await accept('one');
    appendFileSync(at('.bearings/workspaces/w/notes.md'), '\nby hand\n');
    const { code, stdout } = run('verify');
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringContaining('1 block of notes.md by hand, unaccounted: bearings review'),
    });
    const { ok, ledgers } = JSON.parse(run('verify', '--json').stdout);
    const report = ledgers.find(({ ledger }: { ledger: string }) => ledger === 'w');
    expect(ok).toBe(true);
    expect(report.unaccounted).toEqual([{ file: 'notes.md', count: 1 }]);
  });
});
