import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { accepted, decided, ledgerLines, openLibrary, proposed } from '../support/open-library.ts';
import { person } from '../support/person.ts';
import { screen } from '../support/process/tmux.ts';

const MANTA = '.bearings/workspaces/manta';
const NOTES = `${MANTA}/notes.md`;
const TASTE = '.bearings/tastes/_default.md';
const { place, at, run } = person({ [NOTES]: '# Manta\n\nfirst\n', [TASTE]: '- calm\n- slow\n' });
const read = (name: string) => readFileSync(at(name), 'utf8');
const library = () => openLibrary(place.home);
const EDIT = { via: 'terminal' } as const;
const ASKED = /\[y\]es, write it[^\n]*\s*$/;
const WORDS = 'a sentence of my own';

interface Listed {
  decision_id: string;
  decision: string;
  subject: string | null;
  undone: boolean;
  added: { text: string }[];
  removed: { text: string }[];
}

function history(...words: string[]): Listed[] {
  return JSON.parse(run('history', ...words, '--json').stdout).decisions;
}

// The person's own hands in a terminal: what it shows, the key, and how it ends.
async function answers(args: string[], key: string, passphrase?: string) {
  const opened = screen(place, [...args, '--plain']);
  if (passphrase !== undefined) {
    await opened.shows('passphrase:');
    opened.enter(passphrase);
  }
  await opened.shows(ASKED);
  const shown = opened.text();
  opened.enter(key);
  return { code: await opened.ends(), shown, text: opened.text() };
}

const verified = () => expect(run('verify').stdout).toMatch(/all is well\n$/);

describe('history', () => {
  it('M40 lists every decision on a file with its difference, the newest first, in words and as JSON', async () => {
    expect(run('history', 'notes.md', 'manta').stdout).toBe('no decision on notes.md of manta yet\n');
    await accepted(library(), 'One.\nof two lines');
    const id = await proposed(library(), 'Never.', { reason: 'a guess' });
    await decided(library(), id, { decision: 'decline' });
    await decided(
      library(),
      await proposed(library(), '- quick', { kind: 'taste', category: 'value', replaces: '- slow' }),
    );
    const { code, stdout, stderr } = run('history', 'notes.md', 'manta');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(
      /^[0-9a-f]{8} {2}declined · just now · by studio\n {2}"a guess"\n {2}x Never\.\n\n[0-9a-f]{8} {2}accepted · just now · by studio\n {2}\+ One\.\n {2}\+ of two lines\n\n2 decisions · take one back: bearings undo DECISION\n$/,
    );
    // A workspace alone: its notes.
    expect(run('history', 'manta').stdout).toBe(stdout);
    for (const file of ['notes.md', 'brief.md'])
      expect(JSON.parse(run('why', file, 'manta', '--json').stdout)).toMatchObject({ file });
    expect(history('tastes/_default.md')).toMatchObject([
      { decision: 'accept', added: [{ text: '- quick' }], removed: [{ text: '- slow' }], undone: false },
    ]);
    for (const words of [
      ['history', 'nowhere.md'],
      ['history', 'notes.md', 'nowhere'],
      ['undo', 'ffffffff'],
      ['undo', 'f'],
      ['undo', '--to', 'ffffffff'],
      ['undo', 'notes.md', 'manta', '--to', 'ffffffff'],
      ['undo', history('notes.md', 'manta')[0]?.decision_id ?? ''],
    ]) {
      const refused = run(...words);
      expect([words, refused.code, refused.stdout]).toEqual([words, 2, '']);
      expect(refused.stderr).toMatch(/^bearings: [^\n]+\n {10}[^\n]+\n$/);
    }
  });
});

describe('undo', () => {
  it('M40 M18 without a terminal it shows the difference, writes nothing and ends with 3', async () => {
    expect(run('undo').code).toBe(2);
    await accepted(library(), 'One.');
    const before = read(NOTES);
    const { code, stdout, stderr } = run('undo');
    expect([code, stdout]).toEqual([
      3,
      expect.stringMatching(/notes\.md of manta as it was before decision [\s\S]*\n {2}- One\.\n$/),
    ]);
    expect(stderr).toContain('it needs a terminal');
    const json = run('undo', '--json');
    expect([json.code, JSON.parse(json.stdout)]).toMatchObject([3, { decision: 'undo', after: '# Manta\n\nfirst\n' }]);
    expect([read(NOTES), ledgerLines(at(MANTA)).length]).toEqual([before, 1]);
  });

  it('M40 M26 asks, writes the earlier text as a signed decision, and can itself be taken back', async () => {
    await accepted(library(), 'One.');
    const before = read(NOTES);
    const no = await answers(['undo'], 'n');
    expect([no.code, no.text, read(NOTES)]).toEqual([0, expect.stringContaining('nothing changed'), before]);
    const yes = await answers(['undo'], 'y');
    expect(yes.shown).toContain('  - One.');
    expect([yes.code, yes.text]).toEqual([0, expect.stringContaining('undone · notes.md of manta · ledger 2')]);
    expect(read(NOTES)).toBe('# Manta\n\nfirst\n');
    const [undo, accept] = history('notes.md', 'manta');
    expect([undo, accept]).toMatchObject([
      { decision: 'undo', subject: accept?.decision_id, removed: [{ text: 'One.' }], undone: false },
      { decision: 'accept', undone: true },
    ]);
    expect(run('undo').code).toBe(2);
    await answers(['undo', undo?.decision_id.slice(0, 8) ?? ''], 'y');
    expect(read(NOTES)).toBe(before);
    expect(history('notes.md', 'manta').map(({ undone }) => undone)).toEqual([false, true, false]);
    expect(run('why', 'notes.md', 'manta').stdout).toMatch(/3 blocks, 2 unaccounted\n$/);
    verified();
  });

  it('M40 takes the number that a decision prints, and passes one that changed no text', async () => {
    await accepted(library(), 'One.');
    await decided(library(), await proposed(library(), 'Never.'), { decision: 'decline' });
    expect(run('undo').stdout).toMatch(/^notes.md of manta as it was before decision/);
    expect(run('undo', '1').stdout).toMatch(/^notes.md of manta as it was before decision/);
    expect(run('undo', '2').stderr).toContain('This decision changed no text');
    await decided(library(), await proposed(library(), '- quick', { kind: 'taste', category: 'value' }));
    expect(run('undo', '1').stderr).toContain('"1" names 2 decisions');
  });

  it('M40 a replaced taste comes back in its place, also where nothing was decided on it before', async () => {
    await decided(
      library(),
      await proposed(library(), '- quick', { kind: 'taste', category: 'value', replaces: '- calm' }),
    );
    expect(read(TASTE)).toBe('- quick\n- slow\n');
    await (await library().gate()).goBack(await (await library().gate()).showUndo(), EDIT);
    expect(read(TASTE)).toBe('- calm\n- slow\n');
    verified();
    await (await library().gate()).adoptAll('manta', { via: 'review' });
    await decided(
      library(),
      await proposed(library(), '- quick', { kind: 'taste', category: 'value', replaces: '- slow' }),
    );
    await (await library().gate()).goBack(await (await library().gate()).showUndo(), EDIT);
    expect(read(TASTE)).toBe('- calm\n- slow\n');
    expect(run('why', 'tastes/_default.md').stdout).toContain('all accounted for');
    verified();
  });

  it('M40 an edit over what was adopted and then changed by hand is undone to what was there', async () => {
    await (await library().gate()).adoptAll('manta', { via: 'init' });
    writeFileSync(at(NOTES), 'Only this, by hand.\n');
    const { sha256 } = await (await library().gate()).editableText('notes.md', { id: 'manta' });
    const save = { via: 'edit', text: 'Only this, edited.\n', before_sha256: sha256 } as const;
    await (await library().gate()).saveText('notes.md', { id: 'manta' }, save);
    expect((await (await library().gate()).showUndo()).after).toBe('Only this, by hand.\n');
    await (await library().gate()).goBack(await (await library().gate()).showUndo(), EDIT);
    expect(read(NOTES)).toBe('Only this, by hand.\n');
  });

  it('M40 a line that was written under a note by hand is undone alone, forth and back again', async () => {
    await accepted(library(), '- Do not run rm -rf dist.');
    const before = read(NOTES);
    const { sha256 } = await (await library().gate()).editableText('notes.md', { id: 'manta' });
    const after = `${before}- Second line by hand\n`;
    const save = { via: 'edit', text: after, before_sha256: sha256 } as const;
    await (await library().gate()).saveText('notes.md', { id: 'manta' }, save);
    for (const text of [before, after, before, after]) {
      const [last] = history('notes.md', 'manta');
      const shown = await (await library().gate()).showUndo(last?.decision_id);
      expect([shown.after, shown.put_back.length, shown.taken_out.length]).toEqual([text, 1, 1]);
      await (await library().gate()).goBack(shown, EDIT);
      expect(read(NOTES)).toBe(text);
      expect(run('why', 'notes.md', 'manta').stdout).toContain('- Do not run rm -rf dist.');
      verified();
    }
    await (await library().gate()).goBack(
      await (await library().gate()).showRestore('notes.md', history('notes.md', 'manta').at(-1)?.decision_id, {
        id: 'manta',
      }),
      EDIT,
    );
    expect(read(NOTES)).toBe(before);
    verified();
  });

  it('M40 M4 a block that was taken out is put back where it was, and no file has to be looked for', async () => {
    await accepted(library(), 'One.');
    await accepted(library(), 'Two.');
    await accepted(library(), 'Three.');
    const before = read(NOTES);
    writeFileSync(at(NOTES), before.replace('Two.\n\n', ''));
    const gone = (await (await library().gate()).unaccountedBlocks('all')).find((each) => each.gone);
    if (!gone) throw new Error('expected a block that is gone');
    await (await library().gate()).adoptBlock(gone, { via: 'review' });
    expect(history('notes.md', 'manta')[0]).toMatchObject({ decision: 'remove', removed: [{ text: 'Two.' }] });
    await answers(['undo'], 'y');
    expect(read(NOTES)).toBe(before);
    const smuggled = `${'long '.repeat(20)}\n`.repeat(2_500);
    writeFileSync(at(NOTES), `${before}\n${smuggled}`);
    const found = (await (await library().gate()).unaccountedBlocks('all')).find(({ block }) =>
      block.text.startsWith('long '),
    );
    if (!found) throw new Error('expected a long block');
    // However long: what is taken out can be read to its end first.
    expect(found.block.text.trimEnd()).toBe(smuggled.trimEnd());
    await (await library().gate()).takeOutBlock(found, { via: 'review' });
    expect(read(NOTES)).toBe(before);
    await (await library().gate()).goBack(await (await library().gate()).showUndo(), EDIT);
    expect(read(NOTES).trimEnd()).toBe(`${before}\n${smuggled}`.trimEnd());
    verified();
  });

  it('M40 M19 what changed since it was shown is not written', async () => {
    await accepted(library(), 'One.');
    const shown = await (await library().gate()).showUndo();
    writeFileSync(at(NOTES), `${read(NOTES)}\nby hand\n`);
    await expect((await library().gate()).goBack(shown, EDIT)).rejects.toMatchObject({ code: 'conflict' });
    await (await library().gate()).goBack(await (await library().gate()).showUndo(), EDIT);
    expect(read(NOTES)).toBe('# Manta\n\nfirst\n\nby hand\n');
    await expect((await library().gate()).goBack(shown, EDIT)).rejects.toMatchObject({ code: 'conflict' });
    expect(ledgerLines(at(MANTA))).toHaveLength(2);
  });

  it('M40 M18 at `passphrase` it asks for it, and a wrong one changes nothing', async () => {
    await (await library().gate()).setPassphrase(WORDS);
    await accepted(library(), 'One.', WORDS);
    const before = read(NOTES);
    const wrong = screen(place, ['undo', '--plain']);
    for (const tries of [1, 2, 3]) {
      await wrong.shows(new RegExp(`(?:passphrase:[^]*){${tries}}`));
      wrong.enter('not these words');
    }
    expect([await wrong.ends(), wrong.text(), read(NOTES)]).toEqual([
      2,
      expect.stringContaining('The passphrase is wrong.'),
      before,
    ]);
    await expect(
      (await library().gate()).goBack(await (await library().gate()).showUndo(), EDIT),
    ).rejects.toMatchObject({
      code: 'awaiting_person',
    });
    const right = await answers(['undo'], 'y', WORDS);
    expect([right.code, read(NOTES)]).toEqual([0, '# Manta\n\nfirst\n']);
    expect(right.text).not.toContain(WORDS);
  });
});

describe('restore', () => {
  it('M40 goes back to a decision and forth again, and leaves what was written by hand', async () => {
    await accepted(library(), 'One.');
    await accepted(library(), 'Two.');
    await accepted(library(), 'Three.');
    const before = read(NOTES);
    const [third, , first] = history('notes.md', 'manta');
    writeFileSync(at(NOTES), `${before}\nby hand\n`);
    const back = await answers(['undo', 'notes.md', 'manta', '--to', first?.decision_id.slice(0, 8) ?? ''], 'y');
    expect([back.code, back.text]).toEqual([0, expect.stringContaining('restored · notes.md of manta · ledger 4')]);
    expect(read(NOTES)).toBe('# Manta\n\nfirst\n\nOne.\n\nby hand\n');
    expect(history('notes.md', 'manta')[0]).toMatchObject({
      decision: 'restore',
      subject: first?.decision_id,
      removed: [{ text: 'Three.' }, { text: 'Two.' }],
    });
    await (await library().gate()).goBack(
      await (await library().gate()).showRestore('notes.md', third?.decision_id, 'manta'),
      EDIT,
    );
    expect(read(NOTES)).toBe(`${before}\nby hand\n`);
    verified();
  });

  it('M40 M32 brings back what was decided and is gone, a deleted file too', async () => {
    await accepted(library(), 'One.');
    const nothing = run('undo', 'notes.md', 'manta');
    expect([nothing.code, nothing.stdout]).toEqual([
      0,
      'notes.md of manta is as it was decided: nothing to bring back\n',
    ]);
    writeFileSync(at(NOTES), '# Manta\n\nfirst\n');
    expect(run('undo', 'notes.md', 'manta').code).toBe(3);
    await answers(['undo', 'notes.md', 'manta'], 'y');
    expect(read(NOTES)).toBe('# Manta\n\nfirst\n\nOne.\n');
    await decided(library(), await proposed(library(), '- wide', { kind: 'taste', category: 'value', file: 'sea' }));
    rmSync(at('.bearings/tastes/sea.md'));
    expect(history('tastes/sea.md')).toHaveLength(1);
    await answers(['undo', 'tastes/sea.md'], 'y');
    expect(read('.bearings/tastes/sea.md')).toBe('- wide\n');
    verified();
  });
});
