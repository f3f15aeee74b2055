import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openRooms } from '../../src/bearings.ts';
import { askingClient } from '../support/mcp/asking-client.ts';
import { accepted, decided, openLibrary, proposed } from '../support/open-library.ts';
import { person } from '../support/person.ts';
import { bearings, environment, onTerminal } from '../support/process/binary.ts';
import { put } from '../support/temp-folder.ts';

const MANTA = '.bearings/workspaces/manta';
const { place, at, run } = person({
  [`${MANTA}/notes.md`]: '# Manta\n\nfirst\n',
  '.bearings/tastes/_default.md': '- calm\n- slow\n',
});
const library = () => openLibrary(place.home);
const read = (name: string) => readFileSync(at(name), 'utf8');
const EDIT = { via: 'terminal' } as const;

describe('M4 M17 notes that are replaced or retired', () => {
  it('M4 M17 an agent proposes it, the person sees the difference, the old block goes to the archive', async () => {
    await accepted(library(), 'The lens is 35 mm.');
    await accepted(library(), 'Water is green.');
    const { call, asked } = await askingClient(place, { args: ['--workspace', 'manta'] });
    const replaced = await call('propose_notes_update', {
      content: 'The lens is 28 mm.',
      replaces: 'The lens is 35 mm.',
    });
    expect(String(replaced.value.diff)).toMatch(/- The lens is 35 mm\.\n\+ The lens is 28 mm\./);
    await call('confirm_notes_update', { proposal_id: replaced.value.proposal_id });
    expect(asked[0]).toContain('- The lens is 35 mm.');
    const retired = await call('propose_notes_update', { retires: 'Water is green.' });
    await call('confirm_notes_update', { proposal_id: retired.value.proposal_id });
    expect(read(`${MANTA}/notes.md`)).toBe('# Manta\n\nfirst\n\nThe lens is 28 mm.\n');
    expect(read(`${MANTA}/notes-archive.md`)).toBe('The lens is 35 mm.\n\nWater is green.\n');
    const { texts } = await call('read_context');
    const full = await call('read_full_notes', { query: 'green water lens 35' });
    expect(JSON.stringify([texts, full])).not.toMatch(/35 mm|Water is green/);
    expect(run('search', 'Water is green').stdout).toContain('notes-archive.md of manta line 3');
    for (const [input, field] of [
      [{ retires: 'Water is green.' }, 'retires'],
      [{ content: 'x', retires: 'first' }, 'retires'],
      [{ content: 'x', replaces: 'nowhere' }, 'replaces'],
      [{ content: '' }, 'content'],
      [{}, 'content'],
    ] as const) {
      const refused = await call('propose_notes_update', input);
      expect([refused.isError, refused.texts[0]]).toEqual([true, expect.stringContaining(field)]);
    }
    expect(run('verify').stdout).toContain('all is well');
    expect(run('read', 'manta', '--json').stderr).not.toContain('no longer there');
  });

  it('M4 M40 undo brings it back and out of the archive; undo of that the other way round', async () => {
    await accepted(library(), 'The lens is 35 mm.');
    await decided(library(), await proposed(library(), '', { retires: 'The lens is 35 mm.' }));
    expect([read(`${MANTA}/notes.md`), read(`${MANTA}/notes-archive.md`)]).toEqual([
      '# Manta\n\nfirst\n',
      'The lens is 35 mm.\n',
    ]);
    const history = async () => (await (await library().gate()).history('notes.md', 'manta')).decisions;
    expect(await history()).toMatchObject([
      { decision: 'retire', removed: [{ text: 'The lens is 35 mm.' }] },
      { decision: 'accept' },
    ]);
    expect((await history())[0]?.subject).toBe((await history())[1]?.decision_id);
    await (await library().gate()).goBack(await (await library().gate()).showUndo(), EDIT);
    expect([read(`${MANTA}/notes.md`), read(`${MANTA}/notes-archive.md`)]).toEqual([
      '# Manta\n\nfirst\n\nThe lens is 35 mm.\n',
      '',
    ]);
    await (await library().gate()).goBack(
      await (await library().gate()).showUndo((await history())[0]?.decision_id),
      EDIT,
    );
    expect([read(`${MANTA}/notes.md`), read(`${MANTA}/notes-archive.md`)]).toEqual([
      '# Manta\n\nfirst\n',
      'The lens is 35 mm.\n',
    ]);
    expect(run('verify').stdout).toContain('all is well');
  });

  it('M17 a line of a taste is retired; no archive is made for it; a declined retirement lasts', async () => {
    await (await library().gate()).adoptAll('all', EDIT);
    await decided(library(), await proposed(library(), '', { kind: 'taste', category: 'value', retires: '- slow' }));
    expect([read('.bearings/tastes/_default.md'), existsSync(at('.bearings/tastes/notes-archive.md'))]).toEqual([
      '- calm\n',
      false,
    ]);
    await decided(library(), await proposed(library(), '', { retires: 'first' }), { decision: 'decline' });
    await expect(proposed(library(), '', { retires: 'first' })).rejects.toThrow('declined_before');
    expect(run('propose', 'notes', 'manta', '--retires', '# Manta').code).toBe(0);
    expect(run('review', '--list').stdout).toContain('no longer holds: # Ma');
    expect(run('verify').stdout).toContain('all is well');
  });

  it('M4 M33 a union merge that brings a retired block back: told, and tidied away again', async () => {
    const git = (cwd: string, ...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], {
        cwd,
        env: environment(place),
        stdio: 'ignore',
      });
    put(place.home, { 'one/README.md': 'x\n' });
    const [one, two] = [at('one'), at('two')];
    const here = (cwd: string) => openRooms({ cwd, variables: { HOME: place.home } });
    git(one, 'init', '-q');
    bearings({ ...place, cwd: one }, 'init', 'reef', '--here');
    expect(readFileSync(join(one, '.bearings/.gitattributes'), 'utf8')).toContain('notes-archive.md merge=union');
    const says = async (cwd: string, content: string, more = {}) => {
      const session = await (await here(cwd).sessions()).openSession({ root: cwd }, 'studio');
      const answer = await (await here(cwd).gate()).propose(session, {
        kind: 'notes',
        ...(content ? { content } : {}),
        ...more,
      });
      if (answer.status !== 'pending') throw new Error(answer.status);
      await decided(here(cwd), answer.proposal_id);
    };
    await says(one, 'Old word.');
    git(one, 'add', '-A');
    git(one, 'commit', '-qm', 'start');
    git(place.home, 'clone', '-q', one, two);
    await says(one, '', { retires: 'Old word.' });
    await says(one, 'New here.');
    git(one, 'add', '-A');
    git(one, 'commit', '-qm', 'retired');
    put(two, { '.bearings/notes.md': `${readFileSync(join(two, '.bearings/notes.md'), 'utf8')}\nNew there.\n` });
    git(two, 'add', '-A');
    git(two, 'commit', '-qm', 'there');
    put(one, { '.bearings/ledger/other-1.jsonl': '' });
    git(one, 'pull', '-q', '--no-rebase', '--no-edit', two, 'HEAD');
    const notes = () => readFileSync(join(one, '.bearings/notes.md'), 'utf8');
    expect(notes()).toContain('Old word.');
    const [merged] = await (await here(one).gate()).mergedFiles('all');
    expect(merged).toMatchObject({ retired: 1 });
    if (merged) await (await here(one).gate()).tidyFile(merged, EDIT);
    expect(notes()).not.toContain('Old word.');
    expect(notes()).toContain('New here.');
    expect(notes()).toContain('New there.');
    expect(readFileSync(join(one, '.bearings/notes-archive.md'), 'utf8')).toBe('Old word.\n');
  });

  it('M4 M40 the terminal: `u` in review takes the last decision back', async () => {
    await (await library().gate()).adoptAll('all', EDIT);
    await accepted(library(), 'Said too early.');
    await proposed(library(), 'Still to decide.');
    const { stdout } = await onTerminal(
      { ...place, variables: { TERM: 'dumb' } },
      ['review', '--plain'],
      [
        { after: '[u]ndo', type: 'u\n' },
        { after: '[y]es, write it', type: 'y\n' },
        { after: '[a]ccept', type: 'q\n' },
      ],
    );
    expect(stdout).toContain('- Said too early.');
    expect(stdout).toContain('undone · notes.md of manta');
    expect(read(`${MANTA}/notes.md`)).toBe('# Manta\n\nfirst\n');
  });
});
