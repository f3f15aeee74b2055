import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { assertContextShape } from '../support/context-shape.ts';
import { agent, BINARY, bearings, environment } from '../support/process/binary.ts';
import { put } from '../support/temp-folder.ts';
import { SECRET, victim } from './victim.ts';

const { root, place, at, heard, run, expectNothingLeaked } = victim();

describe('something else in place of a file', () => {
  const FILES = [
    '.bearings/tastes/_default.md',
    '.bearings/tastes/g.md',
    '.bearings/workspaces/w/brief.md',
    '.bearings/workspaces/w/notes.md',
    '.bearings/workspaces/w/log.jsonl',
    '.bearings/workspaces/w/vocabulary_gaps.jsonl',
  ];
  const PLANTS: [string, (path: string) => void][] = [
    ['a FIFO', (path) => void execFileSync('mkfifo', [path])],
    ['a directory', (path) => mkdirSync(path)],
    ['a link to a device', (path) => symlinkSync('/dev/zero', path)],
    ['a link to a terminal', (path) => symlinkSync('/dev/tty', path)],
    ['a dangling link', (path) => symlinkSync('nowhere', path)],
    ['a link to itself', (path) => symlinkSync(path, path)],
  ];

  it.each(PLANTS)('M12 %s is told, never waited for, never taken for an empty file in silence', async (_, plant) => {
    put(place.home, { '.bearings/tastes/g.md': 'g' });
    const { call } = await agent(place);
    for (const name of FILES) {
      put(place.home, { '.bearings/workspaces/w/brief.md': 'Tastes: g' });
      rmSync(at(name), { force: true });
      plant(at(name));
      const base = name.split('/').at(-1) ?? '';
      const { value, texts, isError } = heard(await call('read_context', { image_id: 'w' }));
      expect(isError).toBe(false);
      assertContextShape(value);
      expect(texts[1]).toContain(`${base} can't be read: `);
      expect(texts.join()).not.toContain(root);
      expect(run('read', 'w', '--json')).toMatchObject({
        code: 0,
        stderr: expect.stringContaining(`${base} can't be read`),
      });
      rmSync(at(name), { recursive: true });
      put(place.home, { [name]: '' });
    }
  });

  it.each(PLANTS)('M34 %s in place of a settings file is told', (_, plant) => {
    plant(at('.bearings/config.yaml'));
    expect(run('config', 'check')).toMatchObject({
      code: 1,
      stdout: expect.stringContaining("the file can't be read"),
    });
    expect(run('read', 'w')).toMatchObject({ code: 2, stdout: '' });
  });

  it.each(PLANTS)('M2 %s in place of workspace.json or repositories.json stops nothing', (_, plant) => {
    put(place.home, { 'repo/.bearings/brief.md': 'of repo' });
    plant(at('repo/.bearings/workspace.json'));
    plant(at('.bearings/repositories.json'));
    const { code, stdout } = heard(bearings({ ...place, cwd: at('repo') }, 'read', '--json'));
    expect({ code, raw: JSON.parse(stdout).brief.raw }).toEqual({ code: 0, raw: 'of repo' });
    expect(run('workspaces').code).toBe(0);
  });

  it('M12 a file in place of a folder is told', () => {
    rmSync(at('.bearings/tastes'), { recursive: true });
    put(place.home, { '.bearings/tastes': 'a file', '.bearings/workspaces/x': 'a file' });
    expect(run('read', 'w', '--json')).toMatchObject({ code: 0, stderr: expect.stringContaining('_default.md') });
    expect(run('read', 'x').code).toBe(2);
    expect(run('init', 'x')).toMatchObject({ code: 1, stderr: expect.stringContaining('it is already there') });
  });
});

// As root every file can be read, so the binary runs as another user.
describe.runIf(process.getuid?.() === 0)('no permission', () => {
  const NOBODY = 65_534;
  const asNobody = (...args: string[]) => asNobodyIn(place.home, ...args);
  const asNobodyIn = (cwd: string, ...args: string[]) => {
    const code = `process.setgroups([]); process.setgid(${NOBODY}); process.setuid(${NOBODY}); process.argv.splice(1, 0, ${JSON.stringify(BINARY)}); import(${JSON.stringify(BINARY)});`;
    const { status, stdout, stderr } = spawnSync(process.execPath, ['-e', code, ...args], {
      cwd,
      env: environment(place),
      encoding: 'utf8',
      timeout: 120_000,
    });
    return heard({ code: status, stdout, stderr });
  };
  const own = (path: string) => {
    chownSync(path, NOBODY, NOBODY);
    for (const entry of readdirSync(path, { withFileTypes: true }))
      if (entry.isDirectory()) own(join(path, entry.name));
      else chownSync(join(path, entry.name), NOBODY, NOBODY);
  };

  beforeEach(() => {
    chmodSync(root, 0o755);
    own(place.home);
  });

  it('M12 a file that may not be read gives a warning and the empty struct, never silence', () => {
    for (const name of ['brief.md', 'notes.md', 'log.jsonl', 'vocabulary_gaps.jsonl']) {
      const path = at(`.bearings/workspaces/w/${name}`);
      writeFileSync(path, SECRET, { mode: 0o000 });
      chmodSync(path, 0o000);
      const { code, stdout, stderr } = asNobody('read', 'w', '--json');
      expect(code).toBe(0);
      assertContextShape(JSON.parse(stdout));
      expect(stderr).toContain(`${name} can't be read: there is no permission to open it.`);
      expect(stderr).not.toContain(root);
    }
    expect(asNobody('show', 'brief', 'w')).toMatchObject({ code: 1, stdout: '' });
    expect(asNobody('show', 'notes', 'w')).toMatchObject({ code: 1, stdout: '' });
    expectNothingLeaked();
  });

  it('M12 a folder that may not be entered gives warnings, not an empty context in silence', () => {
    chmodSync(at('.bearings/tastes'), 0o000);
    chmodSync(at('.bearings/workspaces/w'), 0o000);
    const { code, stderr } = asNobody('read', 'w', '--json');
    expect(code).toBe(0);
    for (const name of ['_default.md', 'brief.md', 'notes.md', 'log.jsonl', 'vocabulary_gaps.jsonl'])
      expect(stderr).toContain(`${name} can't be read: there is no permission`);
  });

  it('M31 writing without permission is said in one sentence', () => {
    chownSync(at('.bearings'), 0, 0);
    chownSync(at('.bearings/tastes'), 0, 0);
    chownSync(at('.bearings/workspaces'), 0, 0);
    for (const args of [
      ['init', 'new'],
      ['edit', 'tastes', 'x'],
      ['workspaces', 'rename', 'w', 'v'],
    ]) {
      const { code, stderr } = asNobody(...args);
      expect({ args, code }).toEqual({ args, code: 1 });
      expect(stderr).toMatch(/^bearings: [^\n]+\.\n {10}[^\n]+\n$/);
      expect(stderr).not.toMatch(/went wrong inside|EACCES|SQLITE/);
      expect(stderr).not.toContain(root);
    }
  });

  it('M2 a .bearings that another user planted above is not taken', () => {
    mkdirSync(at('shared/mine'), { recursive: true });
    put(place.home, { 'shared/.bearings/brief.md': 'planted' });
    chownSync(at('shared/.bearings'), 1234, 1234);
    chownSync(at('shared/mine'), NOBODY, NOBODY);
    const { code, stdout, stderr } = asNobodyIn(at('shared/mine'), 'read');
    expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining('There is no workspace here') });
    expect(stdout).not.toContain('planted');
  });
});
