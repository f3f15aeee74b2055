import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bearings } from '../support/process/binary.ts';
import { put, tempFolder } from '../support/temp-folder.ts';

let count = 0;
const root = tempFolder();

const UNACCOUNTED = 'warning: 1 block unaccounted (1 in brief.md): it';
const NOT_CONFIRMED = ', and the person has not confirmed it. The person decides: bearings review\n';
const BY_HAND = `${UNACCOUNTED} was written by hand${NOT_CONFIRMED}`;

// A person with one repository that holds its own workspace; its `.bearings/` is not committed unless said.
function withRepository(options: { committed?: boolean } = {}) {
  count += 1;
  const home = join(root, `person${count}`);
  const at = (name: string) => join(home, name);
  mkdirSync(at('app'), { recursive: true });
  const git = (folder: string, ...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=P', '-c', 'user.email=p@example.org', ...args], {
      cwd: at(folder),
      env: { PATH: process.env.PATH ?? '', HOME: home, GIT_CONFIG_NOSYSTEM: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
      encoding: 'utf8',
    });
  const run = (folder: string, ...args: string[]) => bearings({ home, cwd: at(folder) }, ...args);
  const told = (warning: string, folder: string, ...args: string[]) => {
    const { code, stdout, stderr } = run(folder, ...args);
    expect(stderr).toBe(warning);
    expect(code).toBe(0);
    return stdout;
  };
  const ok = (folder: string, ...args: string[]) => told('', folder, ...args);
  // Written by hand, and told so wherever the workspace is read from.
  const briefIn = (folder: string, ...args: string[]) =>
    JSON.parse(told(BY_HAND, folder, 'read', ...args, '--json')).brief.raw;
  const begin = (folder: string, first: string) => {
    mkdirSync(at(folder), { recursive: true });
    git(folder, 'init', '-q');
    put(home, { [`${folder}/first.txt`]: first });
    git(folder, 'add', 'first.txt');
    git(folder, 'commit', '-qm', first);
  };
  begin('app', `first of app ${count}`);
  ok('app', 'init');
  put(home, { 'app/.bearings/brief.md': 'the brief of app' });
  if (options.committed) {
    git('app', 'add', '.bearings');
    git('app', 'commit', '-qm', 'memory');
  }
  return { home, at, git, run, ok, briefIn, begin };
}

describe('worktrees and clones', () => {
  it('M2 a worktree uses the workspace of its repository once the person links it, and no longer once unlinked', () => {
    const { git, at, run, ok, briefIn } = withRepository();
    git('app', 'worktree', 'add', '-q', '../tree');
    mkdirSync(at('tree/deep'));
    expect(run('tree', 'read').stderr).toContain('There is no workspace here');
    expect(ok('tree/deep', 'workspaces', 'link', 'app')).toBe('~/tree now uses app · ~/app/.bearings\n');
    expect(briefIn('tree')).toBe('the brief of app');
    expect(briefIn('tree/deep')).toBe('the brief of app');
    expect(existsSync(at('tree/.bearings'))).toBe(false);
    expect(git('tree', 'status', '--porcelain')).toBe('');
    expect(ok('tree', 'workspaces')).toBe('app  ~/app/.bearings\n     used by ~/tree\n');
    expect(JSON.parse(ok('app', 'workspaces', '--json'))).toEqual([
      { id: 'app', folder: '~/app/.bearings', kind: 'repository', links: ['~/tree'] },
    ]);
    expect(run('tree', 'init').stderr).toMatch(/This folder uses the workspace "app"/);
    expect(ok('tree', 'workspaces', 'unlink')).toContain('~/tree no longer uses app');
    expect(run('tree', 'read').stderr).toContain('There is no workspace here');
    expect(run('tree', 'workspaces', 'unlink').stderr).toMatch(/uses no workspace from elsewhere/);
  });

  it('M2 what is proposed in a linked worktree waits in the shared workspace', () => {
    const { git, run, ok } = withRepository();
    git('app', 'worktree', 'add', '-q', '../tree');
    ok('tree', 'workspaces', 'link', 'app');
    expect(run('tree', 'propose', 'notes', '--content', 'said in the tree').code).toBe(0);
    expect(ok('app', 'review', '--list', '--json')).toContain('said in the tree');
  });

  it('M2 a clone is linked by id or by folder; its own .bearings stays, and is told of', () => {
    const { git, at, home, run, ok, briefIn } = withRepository({ committed: true });
    git('.', 'clone', '-q', 'app', 'copy');
    put(home, { 'copy/.bearings/brief.md': 'the brief of the copy' });
    const own = run('copy', 'read', '--json');
    expect(JSON.parse(own.stdout).brief.raw).toBe('the brief of the copy');
    expect(own.stderr).toBe(`${UNACCOUNTED} came with the repository or was written by hand${NOT_CONFIRMED}`);
    expect(ok('copy', 'workspaces', 'link', '../app')).toContain('its own "app" stays in .bearings/');
    expect(briefIn('copy')).toBe('the brief of app');
    expect(briefIn('copy', 'app')).toBe('the brief of app');
    ok('copy', 'workspaces', 'unlink');
    expect(run('copy', 'read', '--json')).toEqual(own);
    ok('copy', 'workspaces', 'link', '../app');
    expect(briefIn('copy')).toBe('the brief of app');
    expect(readFileSync(at('copy/.bearings/brief.md'), 'utf8')).toBe('the brief of the copy');
  });

  it('M2 two repositories never share by name: not by folder, not by id, not by a link', () => {
    const { home, run, ok, briefIn, begin } = withRepository();
    begin('other/app', 'another first commit');
    expect(run('other/app', 'init').stderr).toMatch(/already a workspace "app"/);
    for (const word of ['app', '~/app']) {
      const { code, stderr } = run('other/app', 'workspaces', 'link', word);
      expect(code).toBe(2);
      expect(stderr).toMatch(/belongs to another repository/);
    }
    ok('other/app', 'init', 'second', '--here');
    put(home, { 'other/app/.bearings/brief.md': 'the second' });
    expect(briefIn('other/app')).toBe('the second');
  });

  it('M13 a clone that ships the id of another workspace gets neither its words nor its proposals', () => {
    const { home, run, ok, begin } = withRepository();
    ok('.', 'init', 'manta');
    put(home, { '.bearings/workspaces/manta/brief.md': 'the brief of manta' });
    begin('evil', 'evil');
    for (const id of ['manta', 'app']) {
      put(home, { 'evil/.bearings/workspace.json': JSON.stringify({ id }), 'evil/.bearings/brief.md': 'evil' });
      for (const args of [['read'], ['propose', 'notes', '--content', 'from the clone']]) {
        const { stdout, stderr } = run('evil', ...args);
        if (id === 'manta') expect(stderr).toMatch(/called "manta", and so is another of yours/);
        expect(stdout).not.toContain('the brief of');
      }
      expect(existsSync(join(home, '.bearings/workspaces/manta/sessions'))).toBe(false);
      expect(existsSync(join(home, 'app/.bearings/sessions'))).toBe(false);
    }
  });

  it('M13 a link holds for one repository in one place: not for what takes its place, nor for a copy of it', () => {
    const { git, at, home, run, ok, briefIn, begin } = withRepository();
    git('.', 'clone', '-q', 'app', 'copy');
    ok('copy', 'workspaces', 'link', 'app');
    cpSync(at('copy'), at('copied'), { recursive: true });
    expect(run('copied', 'read').stderr).toContain('There is no workspace here');
    renameSync(at('copy'), at('moved'));
    expect(run('moved', 'read').stderr).toContain('There is no workspace here');
    begin('copy', 'another in its place');
    expect(run('copy', 'read').stderr).toContain('There is no workspace here');
    expect(ok('.', 'workspaces')).toContain('~/copy is linked to app, which is not followed: another repository');
    rmSync(at('copy'), { recursive: true });
    expect(ok('.', 'workspaces')).toContain('folder gone');
    const doctor = run('.', 'doctor', '--json').stdout;
    expect(doctor).toContain(`bearings workspaces unlink ${at('copy')}`);
    ok('.', 'workspaces', 'unlink', '~/copy');
    expect(briefIn('app')).toBe('the brief of app');
    expect(readFileSync(join(home, '.bearings/links.json'), 'utf8')).toBe('[]\n');
  });

  it('M13 a git folder that does not name the folder in turn is not believed', () => {
    const { git, at, run } = withRepository();
    git('app', 'worktree', 'add', '-q', '../tree');
    mkdirSync(at('fake'));
    writeFileSync(at('fake/.git'), readFileSync(at('tree/.git')));
    mkdirSync(at('linked'));
    symlinkSync(at('app/.git'), at('linked/.git'));
    for (const folder of ['fake', 'linked']) {
      expect(run(folder, 'workspaces', 'link', 'app').stderr).toMatch(/This folder is no clone or work tree/);
    }
    for (const name of ['app/.git', 'app/.git/worktrees/tree'])
      expect(existsSync(at(`${name}/bearings-link`))).toBe(false);
  });

  it('M13 a renamed workspace keeps its links, a workspace of the home can be linked, one that is gone is told', () => {
    const { git, home, run, ok, briefIn } = withRepository();
    git('app', 'worktree', 'add', '-q', '../tree');
    ok('tree', 'workspaces', 'link', 'app');
    ok('.', 'workspaces', 'rename', 'app', 'newer');
    expect(briefIn('tree')).toBe('the brief of app');
    ok('.', 'init', 'manta');
    put(home, { '.bearings/workspaces/manta/brief.md': 'of manta' });
    ok('tree', 'workspaces', 'link', 'manta');
    expect(briefIn('tree')).toBe('of manta');
    ok('.', 'workspaces', 'rename', 'manta', 'ray');
    expect(briefIn('tree')).toBe('of manta');
    renameSync(join(home, '.bearings/workspaces/ray'), join(home, 'away'));
    const { code, stderr } = run('tree', 'read');
    expect(code).toBe(2);
    expect(stderr).toMatch(/uses the workspace "ray", which is gone/);
  });
});
