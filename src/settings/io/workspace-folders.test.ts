import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { put, tempFolder } from '../../../test/temp-folder.ts';
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
  return { person, places: { home, homes: [home], workspaces: join(home, 'workspaces') } };
}

describe('workspace folders', () => {
  it('M2 finds the nearest .bearings upwards, and never a home', () => {
    const { person, places } = makePlaces();
    put(person, { 'repo/.bearings/workspace.json': '{"id":"mine"}', 'repo/a/b/x': '', 'plain/x': '' });
    expect(nearestWorkspace(places, join(person, 'repo/a/b'))).toMatchObject({ id: 'mine', kind: 'repository' });
    expect(nearestWorkspace(places, join(person, 'plain'))).toBeNull();
    expect(nearestWorkspace(places, join(places.home, 'workspaces'))).toBeNull();
    expect(nearestWorkspace(places, join(person, 'none'))).toBeNull();
    const elsewhere = { ...places, home: join(root, 'other'), homes: [join(root, 'other'), places.home] };
    expect(nearestWorkspace(elsewhere, join(person, 'plain'))).toBeNull();
  });

  it('M2 never takes a linked home for a workspace', () => {
    const { person, places } = makePlaces();
    mkdirSync(join(person, 'project'));
    symlinkSync(places.home, join(person, 'project/.bearings'));
    expect(nearestWorkspace(places, join(person, 'project'))).toBeNull();
  });

  it.each(['', '{', 'null', '[]', '{"id":5}', '{"id":"../x"}', '{"id":""}', '{"id":"a/b"}', '{"id":".hidden"}'])(
    'M2 takes the name of the folder where workspace.json holds %j',
    (content) => {
      const { person, places } = makePlaces();
      put(person, { 'repo/.bearings/workspace.json': content });
      expect(nearestWorkspace(places, join(person, 'repo'))?.id).toBe('repo');
    },
  );

  it('M12 takes any bytes in workspace.json and repositories.json', () => {
    const { person, places } = makePlaces();
    fc.assert(
      fc.property(
        fc.oneof(
          fc.uint8Array(),
          fc.json().map((text) => Buffer.from(text)),
        ),
        (bytes) => {
          put(person, { 'repo/.bearings/workspace.json': bytes, '.bearings/repositories.json': bytes });
          expect(nearestWorkspace(places, join(person, 'repo'))?.id).toBeTypeOf('string');
          expect(listWorkspaces(places, nearestWorkspace(places, join(person, 'repo')))).toHaveLength(1);
        },
      ),
    );
  });

  it('M13 lists and finds by id: the home first, then the one here, then those remembered', () => {
    const { person, places } = makePlaces();
    createHomeWorkspace(places, 'b');
    mkdirSync(join(person, 'far'));
    mkdirSync(join(person, 'near'));
    createRepositoryWorkspace(places, 'a', join(person, 'far'));
    put(person, { 'near/.bearings/workspace.json': '{"id":"b"}' });
    const near = join(person, 'near');
    expect(listWorkspaces(places, nearestWorkspace(places, near)).map(({ id, kind }) => [id, kind])).toEqual([
      ['a', 'repository'],
      ['b', 'home'],
    ]);
    expect(findWorkspace(places, 'b', () => nearestWorkspace(places, near))?.kind).toBe('home');
    expect(findWorkspace(places, 'a')?.kind).toBe('repository');
    expect(findWorkspace(places, 'c', () => nearestWorkspace(places, near))).toBeNull();
    expect(readdirSync(join(person, 'far/.bearings')).sort()).toEqual([
      '.gitattributes',
      '.gitignore',
      'workspace.json',
    ]);
  });

  it.each(['..', '.', '', 'a/../b', '/etc', '.removed', 'b\0', 'B'])('M13 finds nothing by the id %j', (id) => {
    const { places } = makePlaces();
    createHomeWorkspace(places, 'b');
    expect(findWorkspace(places, id)).toBeNull();
  });

  it('M9 opens no workspace through a link out of the folder', () => {
    const { person, places } = makePlaces();
    put(person, { 'outside/brief.md': 'SECRET', '.bearings/workspaces-not/brief.md': 'SECRET' });
    symlinkSync(join(person, 'outside'), join(places.workspaces, 'out'));
    symlinkSync('../workspaces-not', join(places.workspaces, 'sibling'));
    createHomeWorkspace(places, 'in');
    symlinkSync('in', join(places.workspaces, 'alias'));
    expect(findWorkspace(places, 'out')).toBeNull();
    expect(findWorkspace(places, 'sibling')).toBeNull();
    expect(findWorkspace(places, 'alias')?.id).toBe('alias');
    expect(() => createHomeWorkspace(places, 'out')).toThrow(expect.objectContaining({ code: 'io_error' }));
  });

  it('M13 renames and removes without losing a byte', () => {
    const { person, places } = makePlaces();
    const made = createHomeWorkspace(places, 'old');
    put(made.folder, { 'notes.md': 'kept' });
    const renamed = renameWorkspace(places, made, 'new');
    expect(readFileSync(join(renamed.folder, 'notes.md'), 'utf8')).toBe('kept');
    const aside = removeWorkspace(places, renamed, 'stamp');
    expect(readFileSync(join(aside, 'notes.md'), 'utf8')).toBe('kept');
    expect(listWorkspaces(places, null)).toEqual([]);
    mkdirSync(join(person, 'repo'));
    const own = createRepositoryWorkspace(places, 'r', join(person, 'repo'));
    expect(renameWorkspace(places, own, 's').id).toBe('s');
    expect(listWorkspaces(places, null).map(({ id }) => id)).toEqual(['s']);
    removeWorkspace(places, { ...own, id: 's' }, 'stamp');
    expect(listWorkspaces(places, null)).toEqual([]);
    expect(existsSync(join(person, 'repo/.bearings/workspace.json'))).toBe(true);
  });

  it('M9 renames no repository through a link that leads out of it', () => {
    const { person, places } = makePlaces();
    put(person, { victim: 'MINE', 'repo/.bearings/brief.md': '' });
    symlinkSync('../../victim', join(person, 'repo/.bearings/workspace.json'));
    const workspace = nearestWorkspace(places, join(person, 'repo'));
    if (!workspace) throw new Error('not found');
    expect(() => renameWorkspace(places, workspace, 'x')).toThrow(expect.objectContaining({ code: 'conflict' }));
    expect(readFileSync(join(person, 'victim'), 'utf8')).toBe('MINE');
  });

  it('M2 finds the root of a repository, also where .git is a file', () => {
    const { person } = makePlaces();
    put(person, { 'work/.git': 'gitdir: elsewhere', 'work/a/b/x': '' });
    expect(gitRoot(join(person, 'work/a/b'))).toBe(join(person, 'work'));
    expect(gitRoot(join(person, 'none'))).toBeNull();
  });
});
