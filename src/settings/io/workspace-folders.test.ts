import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { put, tempFolder } from '../../../test/support/temp-folder.ts';
import {
  createHomeWorkspace,
  createRepositoryWorkspace,
  findWorkspace,
  gitRoot,
  listWorkspaces,
  nearestWorkspace,
  removeWorkspace,
  renameWorkspace,
} from './workspace-folders.ts';

const root = tempFolder();
let count = 0;

function makePlaces() {
  count += 1;
  const person = join(root, `person${count}`);
  const home = join(person, '.bearings');
  mkdirSync(join(home, 'workspaces'), { recursive: true });
  return { person, folders: { home, homes: [home], workspaces: join(home, 'workspaces') } };
}

describe('workspace folders', () => {
  it('M2 finds the nearest .bearings upwards, and never a home', () => {
    const { person, folders } = makePlaces();
    put(person, { 'repo/.bearings/workspace.json': '{"id":"mine"}', 'repo/a/b/x': '', 'plain/x': '' });
    expect(nearestWorkspace(folders, join(person, 'repo/a/b'))).toMatchObject({ id: 'mine', kind: 'repository' });
    expect(nearestWorkspace(folders, join(person, 'plain'))).toBeNull();
    expect(nearestWorkspace(folders, join(folders.home, 'workspaces'))).toBeNull();
    expect(nearestWorkspace(folders, join(person, 'none'))).toBeNull();
    const elsewhere = { ...folders, home: join(root, 'other'), homes: [join(root, 'other'), folders.home] };
    expect(nearestWorkspace(elsewhere, join(person, 'plain'))).toBeNull();
  });

  it('M2 never takes a linked home for a workspace', () => {
    const { person, folders } = makePlaces();
    mkdirSync(join(person, 'project'));
    symlinkSync(folders.home, join(person, 'project/.bearings'));
    expect(nearestWorkspace(folders, join(person, 'project'))).toBeNull();
  });

  it.each(['', '{', 'null', '[]', '{"id":5}', '{"id":"../x"}', '{"id":""}', '{"id":"a/b"}', '{"id":".hidden"}'])(
    'M2 takes the name of the folder where workspace.json holds %j',
    (content) => {
      const { person, folders } = makePlaces();
      put(person, { 'repo/.bearings/workspace.json': content });
      expect(nearestWorkspace(folders, join(person, 'repo'))?.id).toBe('repo');
    },
  );

  it('M12 takes any bytes in workspace.json and repositories.json', () => {
    const { person, folders } = makePlaces();
    fc.assert(
      fc.property(
        fc.oneof(
          fc.uint8Array(),
          fc.json().map((text) => Buffer.from(text)),
        ),
        (bytes) => {
          put(person, { 'repo/.bearings/workspace.json': bytes, '.bearings/repositories.json': bytes });
          expect(nearestWorkspace(folders, join(person, 'repo'))?.id).toBeTypeOf('string');
          expect(listWorkspaces(folders, nearestWorkspace(folders, join(person, 'repo')))).toHaveLength(1);
        },
      ),
    );
  });

  it('M13 lists and finds by id: the home first, then the one here, then those remembered', () => {
    const { person, folders } = makePlaces();
    createHomeWorkspace(folders, 'b');
    mkdirSync(join(person, 'far'));
    mkdirSync(join(person, 'near'));
    createRepositoryWorkspace(folders, 'a', join(person, 'far'));
    put(person, { 'near/.bearings/workspace.json': '{"id":"b"}' });
    const near = join(person, 'near');
    expect(listWorkspaces(folders, nearestWorkspace(folders, near)).map(({ id, kind }) => [id, kind])).toEqual([
      ['a', 'repository'],
      ['b', 'home'],
    ]);
    expect(findWorkspace(folders, 'b', () => nearestWorkspace(folders, near))?.kind).toBe('home');
    expect(findWorkspace(folders, 'a')?.kind).toBe('repository');
    expect(findWorkspace(folders, 'c', () => nearestWorkspace(folders, near))).toBeNull();
    expect(readdirSync(join(person, 'far/.bearings')).sort()).toEqual([
      '.gitattributes',
      '.gitignore',
      'workspace.json',
    ]);
  });

  it.each(['..', '.', '', 'a/../b', '/etc', '.removed', 'b\0', 'B'])('M13 finds nothing by the id %j', (id) => {
    const { folders } = makePlaces();
    createHomeWorkspace(folders, 'b');
    expect(findWorkspace(folders, id)).toBeNull();
  });

  it('M9 opens no workspace through a link out of the folder', () => {
    const { person, folders } = makePlaces();
    put(person, { 'outside/brief.md': 'SECRET', '.bearings/workspaces-not/brief.md': 'SECRET' });
    symlinkSync(join(person, 'outside'), join(folders.workspaces, 'out'));
    symlinkSync('../workspaces-not', join(folders.workspaces, 'sibling'));
    createHomeWorkspace(folders, 'in');
    symlinkSync('in', join(folders.workspaces, 'alias'));
    expect(findWorkspace(folders, 'out')).toBeNull();
    expect(findWorkspace(folders, 'sibling')).toBeNull();
    expect(findWorkspace(folders, 'alias')?.id).toBe('alias');
    expect(() => createHomeWorkspace(folders, 'out')).toThrow(expect.objectContaining({ code: 'io_error' }));
  });

  it('M13 renames and removes without losing a byte', () => {
    const { person, folders } = makePlaces();
    const made = createHomeWorkspace(folders, 'old');
    put(made.folder, { 'notes.md': 'kept' });
    const renamed = renameWorkspace(folders, made, 'new');
    expect(readFileSync(join(renamed.folder, 'notes.md'), 'utf8')).toBe('kept');
    const aside = removeWorkspace(folders, renamed, 'stamp');
    expect(readFileSync(join(aside, 'notes.md'), 'utf8')).toBe('kept');
    expect(listWorkspaces(folders, null)).toEqual([]);
    mkdirSync(join(person, 'repo'));
    const own = createRepositoryWorkspace(folders, 'r', join(person, 'repo'));
    expect(renameWorkspace(folders, own, 's').id).toBe('s');
    expect(listWorkspaces(folders, null).map(({ id }) => id)).toEqual(['s']);
    removeWorkspace(folders, { ...own, id: 's' }, 'stamp');
    expect(listWorkspaces(folders, null)).toEqual([]);
    expect(existsSync(join(person, 'repo/.bearings/workspace.json'))).toBe(true);
  });

  it('M9 renames no repository through a link that leads out of it', () => {
    const { person, folders } = makePlaces();
    put(person, { victim: 'MINE', 'repo/.bearings/brief.md': '' });
    symlinkSync('../../victim', join(person, 'repo/.bearings/workspace.json'));
    const workspace = nearestWorkspace(folders, join(person, 'repo'));
    if (!workspace) throw new Error('not found');
    expect(() => renameWorkspace(folders, workspace, 'x')).toThrow(expect.objectContaining({ code: 'conflict' }));
    expect(readFileSync(join(person, 'victim'), 'utf8')).toBe('MINE');
  });

  it('M2 finds the root of a repository, also where .git is a file', () => {
    const { person } = makePlaces();
    put(person, { 'work/.git': 'gitdir: elsewhere', 'work/a/b/x': '' });
    expect(gitRoot(join(person, 'work/a/b'))).toBe(join(person, 'work'));
    expect(gitRoot(join(person, 'none'))).toBeNull();
  });
});
