import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { person } from '../support/person.ts';
import { BINARY, bearings, environment, onTerminal, STARTED } from '../support/process/binary.ts';
import { expectRefusal } from '../support/refusal.ts';
import { SAMPLE_FILES } from '../support/sample-files.ts';
import { put } from '../support/temp-folder.ts';

const { at, place, run } = person(SAMPLE_FILES);

describe('bearings init, workspaces', () => {
  it('M2 makes a workspace in the home by name', () => {
    const { code, stdout } = run('init', 'new_one', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({ id: 'new_one', folder: '~/.bearings/workspaces/new_one', kind: 'home' });
    expectRefusal(run, ['init', 'new_one'], /already a workspace "new_one"/);
    expectRefusal(run, ['init', 'NEW_ONE'], /already a workspace "new_one"/);
    expectRefusal(run, ['init', '../x'], /not a plain file name/);
    expectRefusal(run, ['init'], /Outside of a repository a workspace needs a name/);
  });

  it('M2 makes one in a repository, and finds it from below and by id from anywhere', () => {
    mkdirSync(at('project/.git'), { recursive: true });
    mkdirSync(at('project/deep/er'), { recursive: true });
    const inside = { ...place, cwd: at('project/deep/er') };
    expect(JSON.parse(bearings(inside, 'init', '--json').stdout)).toEqual({
      id: 'project',
      folder: '~/project/.bearings',
      kind: 'repository',
    });
    expect(JSON.parse(readFileSync(at('project/.bearings/workspace.json'), 'utf8'))).toEqual({
      id: 'project',
      made: expect.stringMatching(/^[0-9a-f]{16}$/),
    });
    put(place.home, { 'project/.bearings/brief.md': 'of the project' });
    expect(JSON.parse(bearings(inside, 'read', '--json').stdout).brief.raw).toBe('of the project');
    expect(JSON.parse(run('read', 'project', '--json').stdout).brief.raw).toBe('of the project');
    expect(bearings(inside, 'init').stderr).toMatch(/already has the workspace "project"/);
  });

  it('M2 never takes a home for a workspace', () => {
    mkdirSync(at('sub'));
    const below = { ...place, cwd: at('sub') };
    expect(bearings(below, 'show', 'notes').stderr).toMatch(/No workspace is named, and there is none here/);
    expect(bearings({ ...below, variables: { BEARINGS_HOME: at('other') } }, 'notes').code).toBe(2);
    expectRefusal(run, ['init', '--here'], /home of all workspaces/);
    mkdirSync(at('.git'));
    expectRefusal(run, ['init'], /home of all workspaces/);
    expect(existsSync(at('.bearings/workspace.json'))).toBe(false);
  });

  it('M2 looks in --workspaces, BEARINGS_WORKSPACES, configuration, home, in this order', () => {
    for (const name of ['option', 'variable', 'config']) put(place.home, { [`${name}/manta/brief.md`]: name });
    const variables: Record<string, string> = { BEARINGS_WORKSPACES: '~/variable' };
    put(place.home, { '.bearings/config.yaml': 'workspaces: ~/config\n' });
    const served = (...args: string[]) =>
      bearings({ ...place, variables }, 'show', 'brief', 'manta', ...args).stdout.split('\n')[0];
    expect(served('--workspaces', 'option')).toBe('option');
    expect(served()).toBe('variable');
    variables.BEARINGS_WORKSPACES = '';
    expect(served()).toBe('config');
    put(place.home, { '.bearings/config.yaml': '' });
    expect(served()).toBe('Tastes: underwater, macro, wildlife');
  });

  it('M13 lists, renames, and removes only on a terminal and only by moving aside', async () => {
    expect(JSON.parse(run('workspaces', '--json').stdout)).toEqual([
      { id: 'manta', folder: '~/.bearings/workspaces/manta', kind: 'home', links: [] },
    ]);
    expect(run('workspaces').stdout).toBe('manta  ~/.bearings/workspaces/manta\n');
    expect(run('workspaces', 'rename', 'manta', 'ray').stdout).toMatch(/^manta is now ray/);
    expectRefusal(run, ['workspaces', 'rename', 'none', 'x'], /no workspace "none"/);
    expectRefusal(run, ['workspaces', 'rename', 'ray'], /needs the new id/);
    expectRefusal(run, ['workspaces', 'rename', 'ray', 'a/b'], /not a plain file name/);
    expectRefusal(run, ['workspaces', 'remove'], /Which workspace/);
    expectRefusal(run, ['workspaces', 'remove', 'ray'], /needs a terminal/, 3);
    expectRefusal(run, ['workspaces', 'drop'], /list, rename, remove, link or unlink/);
    const kept = await onTerminal(place, ['workspaces', 'remove', 'ray'], [{ after: 'Type ray', type: 'no\n' }]);
    expect(kept.stdout).toContain('nothing changed');
    const gone = await onTerminal(place, ['workspaces', 'remove', 'ray'], [{ after: 'Type ray', type: 'ray\n' }]);
    expect(gone).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('moved to ~/.bearings/workspaces/.removed/ray_'),
    });
    const [aside = ''] = readdirSync(at('.bearings/workspaces/.removed'));
    expect(existsSync(at(`.bearings/workspaces/.removed/${aside}/notes.md`))).toBe(true);
    expect(JSON.parse(run('workspaces', '--json').stdout)).toEqual([]);
  });

  it('M8 asks for the brief at the first start, and takes pasted lines', async () => {
    const { code } = await onTerminal(
      place,
      ['init', 'asked'],
      [
        { after: 'skips it.', type: 'Clean water.\nQuiet mood.\n\n' },
        { after: 'Which tastes apply?', type: 'underwater\n' },
        { after: 'Type yes to adopt it', type: '\n' },
      ],
    );
    expect(code).toBe(0);
    expect(readFileSync(at('.bearings/workspaces/asked/brief.md'), 'utf8')).toBe(
      'Tastes: underwater\n\nClean water.\nQuiet mood.\n',
    );
    // What was typed is decided by that: nobody is asked once more whether it is theirs.
    expect(run('why', 'brief.md', 'asked').stdout).toContain('all accounted for');
    const again = await onTerminal(
      place,
      ['init', 'other'],
      [
        { after: 'skips it.', type: 'Warm light.\n\n' },
        { after: 'Which tastes apply?', type: '\n' },
        { after: 'Type yes to adopt it', type: 'yes\n' },
      ],
    );
    expect(again.stdout).not.toContain('brief.md of other');
    expect(run('why', 'brief.md', 'other').stdout).toContain('by hand');
  });
});

describe('bearings init over files that are there', () => {
  const inside = () => ({ ...place, cwd: at('project') });
  const files = {
    'project/.git/HEAD': '',
    'project/.bearings/notes.md': 'one\n\ntwo\n\nthree\n',
    'project/.bearings/brief.md': 'Mine already.\n',
    'project/.bearings/.gitignore': 'private/\n',
    'project/.bearings/.gitattributes': 'notes.md merge=union\n*.png binary',
  };

  it('M32 asks one question, adopts it all with one answer, and leaves every file as it was', async () => {
    put(place.home, files);
    const asked = await onTerminal(inside(), ['init'], [{ after: 'Type yes to adopt it', type: 'yes\n' }]);
    expect(asked.code).toBe(0);
    expect(asked.stdout.match(/\?/g)).toHaveLength(1);
    // What lies in the repository came with it, for all that anybody knows: it is asked about block by block, in review.
    expect(asked.stdout).not.toMatch(/notes\.md of project/);
    expect(asked.stdout).toMatch(/adopted · \d+ blocks · bearings why notes\.md project/);
    for (const name of ['notes.md', 'brief.md'] as const)
      expect(readFileSync(at(`project/.bearings/${name}`), 'utf8')).toBe(files[`project/.bearings/${name}`]);
    expect(readFileSync(at('project/.bearings/.gitignore'), 'utf8')).toBe('private/\nsessions/\nreceipts.jsonl\n');
    const attributes = readFileSync(at('project/.bearings/.gitattributes'), 'utf8');
    expect(attributes).toMatch(
      /^notes\.md merge=union\n\*\.png binary\nnotes-archive\.md merge=union\nlog\.jsonl merge=union\n/,
    );
    expect(attributes.match(/^notes\.md/gm)).toHaveLength(1);
    expect(bearings(inside(), 'why', 'tastes/_default.md').stdout.match(/by hand/g)).toHaveLength(1);
    expect(bearings(inside(), 'verify').code).toBe(0);
    expect(bearings(inside(), 'init').stderr).toMatch(/already has the workspace "project"/);
  });

  it('M32 adopts nothing by itself: not without a terminal, not without a yes', async () => {
    put(place.home, files);
    const piped = bearings(inside(), 'init');
    expect([piped.code, piped.stderr]).toEqual([0, '']);
    expect(piped.stdout).toMatch(/\d+ blocks already in tastes\/_default\.md, .+: is it yours\? bearings review/);
    expect(existsSync(at('project/.bearings/ledger'))).toBe(false);
    expect(existsSync(at('.bearings/key.json'))).toBe(false);
    put(place.home, { 'second/.git/HEAD': '', 'second/.bearings/notes.md': 'x\n', 'second/.bearings/brief.md': 'y\n' });
    const there = { ...place, cwd: at('second') };
    await onTerminal(there, ['init'], [{ after: 'Type yes to adopt it', type: 'no\n' }]);
    expect(existsSync(at('second/.bearings/ledger'))).toBe(false);
    expect(JSON.parse(bearings(there, 'read', '--json').stdout).notes.summary).toBe('x\n');
  });
});

describe('many at once', () => {
  const start = (cwd: string, ...args: string[]) =>
    promisify(execFile)(process.execPath, [...STARTED, BINARY, ...args], { cwd, env: environment(place) }).then(
      () => 0,
      (error: { code: number }) => error.code,
    );

  it('M2 make one workspace once, and remember every repository', async () => {
    const same = await Promise.all(Array.from({ length: 5 }, () => start(place.home, 'init', 'wanted')));
    expect(same.sort()).toEqual([0, 2, 2, 2, 2]);
    const names = ['a', 'b', 'c', 'd', 'e'];
    for (const name of names) mkdirSync(at(`${name}/.git`), { recursive: true });
    expect(await Promise.all(names.map((name) => start(at(name), 'init')))).toEqual([0, 0, 0, 0, 0]);
    const listed = JSON.parse(run('workspaces', '--json').stdout) as { id: string }[];
    expect(listed.map(({ id }) => id)).toEqual([...names, 'manta', 'wanted']);
  });
});

describe('bearings edit', () => {
  const editor = () => {
    writeFileSync(at('editor.sh'), '#!/bin/sh\nprintf "edited %s" "$1" >> "$2"\n');
    chmodSync(at('editor.sh'), 0o755);
    return { ...place, variables: { EDITOR: `${at('editor.sh')} "by hand"` } };
  };

  it('M1 opens brief, notes and tastes in the person’s editor, and the next read has it', async () => {
    const person = editor();
    for (const what of ['brief', 'notes']) {
      const { code, stdout } = await onTerminal(person, ['edit', what, 'manta']);
      expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining(`saved ${what}.md`) });
    }
    await onTerminal(person, ['edit', 'tastes', 'macro']);
    await onTerminal(person, ['edit', 'tastes']);
    const context = JSON.parse(run('read', 'manta', '--json').stdout);
    for (const text of [context.brief.raw, context.notes.summary, context.tastes.genres.macro, context.tastes.default])
      expect(text).toMatch(/edited by hand$/);
  });

  it('M31 needs a terminal, a known thing to edit and an editor that works', async () => {
    expectRefusal(run, ['edit', 'brief', 'manta'], /needs a terminal/, 3);
    expectRefusal(run, ['edit'], /brief, notes or tastes/);
    expectRefusal(run, ['edit', 'log'], /brief, notes or tastes/);
    expect(await onTerminal(editor(), ['edit', 'tastes', 'a/b'])).toMatchObject({ code: 2 });
    const failing = await onTerminal({ ...place, variables: { EDITOR: 'false' } }, ['edit', 'brief', 'manta']);
    expect(failing).toMatchObject({ code: 1, stdout: expect.stringContaining('failed. Nothing was changed.') });
    const missing = await onTerminal({ ...place, variables: { EDITOR: 'no-such-ed' } }, ['edit', 'brief', 'manta']);
    expect(missing).toMatchObject({ code: 1, stdout: expect.stringContaining('"no-such-ed" was not found. Nothing') });
    expect(existsSync(at('.bearings/unsaved'))).toBe(false);
  });

  it('M31 a failing editor changes nothing, and what was written stays in a file for the person alone', async () => {
    writeFileSync(at('failing.sh'), '#!/bin/sh\necho "an hour of work" >> "$1"\nexit 1\n');
    chmodSync(at('failing.sh'), 0o755);
    const before = run('show', 'brief', 'manta', '--json').stdout;
    const { code, stdout } = await onTerminal({ ...place, variables: { EDITOR: at('failing.sh') } }, [
      ...['edit', 'brief', 'manta'],
    ]);
    expect({ code, stdout }).toMatchObject({ code: 1, stdout: expect.stringContaining('Edit again') });
    const [, kept] =
      /Nothing was changed; what you wrote is in ~\/([\w./-]+)/.exec(stdout.replaceAll(/\s+/g, ' ')) ?? [];
    expect(readFileSync(at(kept ?? 'none'), 'utf8')).toMatch(/an hour of work\n$/);
    expect(statSync(at(kept ?? 'none')).mode & 0o777).toBe(0o600);
    expect(run('show', 'brief', 'manta', '--json').stdout).toBe(before);
  });
});
