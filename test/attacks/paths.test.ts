import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { openBearings } from '../../src/index.ts';
import { agent, BINARY, bearings, environment, onTerminal, type Place } from '../binary.ts';
import { assertContextShape } from '../context-shape.ts';
import { put, tempFolder } from '../temp-folder.ts';

const SECRET = 'SECRET-MARKER-7f3a';
const root = tempFolder();
let count = 0;
let place: Place;
let said: string[];
const at = (name: string) => join(place.home, name);
const library = (cwd = place.home) => openBearings({ cwd, variables: { HOME: place.home } });

// Every word that left the house in this test; none may hold the planted secret.
function heard<T>(answer: T): T {
  said.push(JSON.stringify(answer));
  return answer;
}
const run = (...args: string[]) => heard(bearings(place, ...args));

beforeEach(() => {
  count += 1;
  said = [];
  place = { home: join(root, `person${count}`) };
  put(place.home, {
    secret: SECRET,
    'secret.md': SECRET,
    'outside/brief.md': SECRET,
    'outside/notes.md': SECRET,
    '.bearings/tastes/_default.md': 'default',
    '.bearings/tastes-not/secret.md': SECRET,
    '.bearings/workspaces/w/brief.md': 'brief',
    '.bearings/workspaces-not/brief.md': SECRET,
  });
});

function expectNothingLeaked(): void {
  for (const words of said) expect(words).not.toContain(SECRET);
}

const HOSTILE_IDS = [
  ...['..', '.', '../outside', '../../outside', '..\\outside', '/etc', 'w/../../outside', './w', 'w/', '//etc'],
  ...['%2e%2e%2foutside', '%2e%2e', '..%2foutside', '%252e%252e%252foutside', '..%5coutside', 'w%00'],
  ...['con', 'NUL', 'aux.txt', 'C:', 'c:\\windows', 'a:b'.slice(0, 2), '.removed', '.hidden', ' w', 'w ', 'w.'],
  ...['w\u202e', 'w\u200b', 'w\n', '\ufeffw', 'x'.repeat(256), 'é'.repeat(200), '🐋'.repeat(70), '~', '~/x'],
];

describe('paths in ids', () => {
  it('M9 M13 are refused by the library, and nothing outside is read', async () => {
    for (const id of [...HOSTILE_IDS, 'w\0', '']) {
      for (const call of [
        () => library().readContext(id),
        () => library().readFullNotes({ id }),
        () => library().readBrief({ id }),
        () => library().renameWorkspace('w', id),
        () => library().removeWorkspace(id),
        () => library().createWorkspace({ id }),
      ]) {
        const outcome = heard(
          await call().then(
            (value: unknown) => ({ value }),
            (error: { code: string; message: string }) => ({ code: error.code, message: error.message }),
          ),
        );
        // `~` is a plain name: it must stay one folder among the workspaces.
        if (id === '~') continue;
        expect({ id, outcome }).toMatchObject({ id, outcome: { code: 'invalid_input' } });
        expect(JSON.stringify(outcome)).not.toContain(root);
      }
    }
    expectNothingLeaked();
    expect(readdirSync(place.home).sort()).toEqual(['.bearings', 'outside', 'secret', 'secret.md']);
  });

  it('M9 M13 are refused by the command line with exit code 2', () => {
    for (const id of ['..', '../outside', '/etc', '%2e%2e%2foutside', 'C:', 'x'.repeat(256), 'w\u202e', '.removed']) {
      for (const args of [
        ['read', id],
        ['notes', id],
        ['brief', id],
        ['init', id],
        ['workspaces', 'rename', 'w', id],
      ]) {
        expect(run(...args)).toMatchObject({ code: 2, stdout: '' });
      }
    }
    expectNothingLeaked();
  });

  it('M9 M13 M31 are refused over MCP', async () => {
    const { call } = await agent(place);
    for (const image_id of [...HOSTILE_IDS, 'w\0', ''].filter((id) => id !== '~')) {
      for (const tool of ['read_context', 'read_full_notes']) {
        const answer = heard(await call(tool, { image_id }));
        expect({ image_id, answer }).toMatchObject({
          answer: { isError: true, value: { error: { code: 'invalid_input' } } },
        });
        expect(answer.texts.join()).not.toContain(root);
      }
    }
    for (const workspace of ['../outside', '..']) {
      const started = await agent(place, { args: ['--workspace', workspace] });
      expect(heard(await started.call('read_context'))).toMatchObject({ isError: true });
    }
    expectNothingLeaked();
  });

  it('M13 lead nowhere where only the case differs', async () => {
    await expect(library().readContext('W')).rejects.toMatchObject({ code: 'not_found' });
    await expect(library().createWorkspace({ id: 'W' })).rejects.toMatchObject({ code: 'conflict' });
  });
});

describe('paths in genres', () => {
  it('M9 are refused with a warning, through every face', async () => {
    const names = [
      '../secret',
      '../../secret',
      '/etc/passwd',
      at('secret'),
      '..',
      '..\\secret',
      '%2e%2e%2fsecret',
      'sub/x',
      'a\0b',
      'C:\\x',
      'x'.repeat(300),
    ];
    put(place.home, { '.bearings/tastes/sub/x.md': SECRET });
    for (const name of names) {
      put(place.home, { '.bearings/workspaces/w/brief.md': `Tastes: "${name}"\nfine` });
      const { context, warnings } = heard(await library().readContext('w'));
      expect(context.brief.tastes).toEqual([]);
      expect(context.tastes.genres).toEqual({});
      expect(warnings).toHaveLength(1);
    }
    expect(run('read', 'w', '--json').stderr).toMatch(/^warning: brief\.md names the taste/m);
    for (const name of ['../secret', '/etc/passwd', 'sub/x', '%2e%2e%2fsecret'])
      for (const verb of ['show', 'new']) expect(run('tastes', verb, name)).toMatchObject({ code: 2, stdout: '' });
    expectNothingLeaked();
  });

  it('M9 follow no link out of the folder: to a file, a sibling with the same beginning, through a folder', async () => {
    symlinkSync('../../secret.md', at('.bearings/tastes/out.md'));
    symlinkSync('../tastes-not/secret.md', at('.bearings/tastes/sibling.md'));
    symlinkSync('/etc/passwd', at('.bearings/tastes/abs.md'));
    symlinkSync('out.md', at('.bearings/tastes/twice.md'));
    symlinkSync('loop.md', at('.bearings/tastes/loop.md'));
    symlinkSync('/dev/zero', at('.bearings/tastes/zero.md'));
    put(place.home, { '.bearings/workspaces/w/brief.md': 'Tastes: out, sibling, abs, twice, loop, zero' });
    const { call } = await agent(place);
    const answer = heard(await call('read_context', { image_id: 'w' }));
    expect(answer.value).toMatchObject({ tastes: { genres: {} } });
    expect(answer.texts[1]?.match(/can't be read/g)).toHaveLength(6);
    for (const name of ['out', 'sibling', 'abs', 'twice', 'loop', 'zero'])
      expect(run('tastes', 'show', name).code).toBe(1);
    expect(run('tastes').code).toBe(0);
    expect(JSON.stringify(said)).not.toContain('root:');
    expectNothingLeaked();
  });

  it('M9 are safe when the default taste is a link out', () => {
    unlinkSync(at('.bearings/tastes/_default.md'));
    symlinkSync('../../secret.md', at('.bearings/tastes/_default.md'));
    const { stdout, stderr } = run('read', 'w', '--json');
    expect(JSON.parse(stdout).tastes.default).toBe('');
    expect(stderr).toContain('leads out of the folder');
    expectNothingLeaked();
  });
});

describe('links in place of workspaces and their files', () => {
  it('M9 a workspace folder that leads out of the workspaces is none', async () => {
    symlinkSync('../../outside', at('.bearings/workspaces/out'));
    symlinkSync('../workspaces-not', at('.bearings/workspaces/sibling'));
    symlinkSync('/', at('.bearings/workspaces/slash'));
    const { call } = await agent(place);
    for (const id of ['out', 'sibling', 'slash']) {
      await expect(library().readContext(id)).rejects.toMatchObject({ code: 'not_found' });
      expect(heard(await call('read_context', { image_id: id }))).toMatchObject({ isError: true });
      expect(run('read', id).code).toBe(2);
    }
    expect(run('workspaces').stdout).not.toMatch(/out|sibling|slash/);
    expectNothingLeaked();
  });

  it('M9 a repository’s files follow no link out of it, in no face', async () => {
    put(place.home, { 'repo/.bearings/workspace.json': '{"id":"hostile"}' });
    const files = ['brief.md', 'notes.md', 'log.jsonl', 'vocabulary_gaps.jsonl'];
    writeFileSync(at('secret.jsonl'), `{"op":"${SECRET}"}\n`);
    for (const name of files)
      symlinkSync(name.endsWith('.md') ? '../../secret' : '../../secret.jsonl', at(`repo/.bearings/${name}`));
    const inside = { ...place, cwd: at('repo') };
    const { stdout, stderr } = heard(bearings(inside, 'read', '--json'));
    assertContextShape(JSON.parse(stdout));
    for (const name of files) expect(stderr).toContain(`${name} can't be read: its link leads out of the folder`);
    const { call } = await agent(inside);
    heard(await call('read_context'));
    expect(heard(await call('read_full_notes'))).toMatchObject({ isError: true });
    for (const command of ['brief', 'notes', 'read']) heard(bearings(inside, command));
    expectNothingLeaked();
  });

  it('M9 a repository’s whole .bearings that is a link leads nowhere', async () => {
    mkdirSync(at('repo'));
    symlinkSync('../outside', at('repo/.bearings'));
    const { context } = heard(await library(at('repo')).readContext());
    expect(context.brief.raw).toBe('');
    expect(heard(bearings({ ...place, cwd: at('repo') }, 'brief')).code).toBe(1);
    expectNothingLeaked();
  });

  it('M9 nothing is written or edited through a repository’s links', async () => {
    mkdirSync(at('repo/.bearings'), { recursive: true });
    for (const name of ['workspace.json', 'brief.md', 'notes.md'])
      symlinkSync('../../secret', at(`repo/.bearings/${name}`));
    symlinkSync('../../planted', at('repo/.bearings/new.md'));
    writeFileSync(at('editor.sh'), '#!/bin/sh\necho changed >> "$1"\n', { mode: 0o755 });
    const inside = { ...place, cwd: at('repo'), variables: { EDITOR: at('editor.sh') } };
    expect(heard(bearings(inside, 'workspaces', 'rename', 'repo', 'other')).code).toBe(2);
    expect(heard(bearings(inside, 'init')).code).toBe(2);
    for (const what of ['brief', 'notes']) expect(heard(await onTerminal(inside, ['edit', what])).code).toBe(2);
    expect(readFileSync(at('secret'), 'utf8')).toBe(SECRET);
    expectNothingLeaked();
  });

  it('M9 a link swapped while it is read never brings what is outside', () => {
    mkdirSync(at('repo/.bearings'), { recursive: true });
    writeFileSync(at('repo/.bearings/inside'), 'inside');
    const swapper = `const fs = require('node:fs'); const end = Date.now() + 1500; let i = 0;
      while (Date.now() < end) { const t = 'tmp' + (i % 4); try { fs.symlinkSync(i++ % 2 ? 'inside' : '../../secret', t); fs.renameSync(t, 'brief.md'); } catch {} }`;
    const reader = `import { openBearings } from ${JSON.stringify(new URL('../../dist/index.js', import.meta.url).href)};
      const { spawn } = await import('node:child_process');
      const swap = spawn(process.execPath, ['-e', ${JSON.stringify(swapper)}], { cwd: ${JSON.stringify(at('repo/.bearings'))} });
      let done = false; swap.on('exit', () => { done = true; });
      const bearings = openBearings(); const seen = {};
      while (!done) { const { context } = await bearings.readContext(); seen[context.brief.raw] = (seen[context.brief.raw] ?? 0) + 1; await new Promise((r) => setImmediate(r)); }
      console.log(JSON.stringify(seen));`;
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', reader], {
      cwd: at('repo'),
      env: environment(place),
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    expect(Object.keys(JSON.parse(stdout)).sort()).toEqual(['', 'inside']);
  });

  it('M9 a person’s own workspace may link anywhere: that is the person’s word', async () => {
    unlinkSync(at('.bearings/workspaces/w/brief.md'));
    writeFileSync(at('mine.md'), 'mine');
    symlinkSync('../../../mine.md', at('.bearings/workspaces/w/brief.md'));
    expect((await library().readContext('w')).context.brief.raw).toBe('mine');
  });

  it('M9 a hard link reads as the file it is: the system lets only those make one who may write the file', async () => {
    mkdirSync(at('repo/.bearings'), { recursive: true });
    writeFileSync(at('shared.md'), 'shared');
    linkSync(at('shared.md'), at('repo/.bearings/brief.md'));
    expect((await library(at('repo')).readContext()).context.brief.raw).toBe('shared');
  });
});

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
      timeout: 30_000,
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
    expect(asNobody('brief', 'w')).toMatchObject({ code: 1, stdout: '' });
    expect(asNobody('notes', 'w')).toMatchObject({ code: 1, stdout: '' });
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
      ['tastes', 'new', 'x'],
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
    expect(asNobodyIn(at('shared/mine'), 'read')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('there is none here'),
    });
  });
});

describe('a hostile repository', () => {
  it('M2 that claims the id of a person’s workspace gets neither its place nor its files', async () => {
    put(place.home, { 'repo/.bearings/workspace.json': '{"id":"w"}', 'repo/.bearings/brief.md': 'of the repository' });
    const inside = library(at('repo'));
    expect((await inside.readContext('w')).context.brief.raw).toBe('brief');
    expect((await inside.readContext()).context.brief.raw).toBe('of the repository');
    expect((await inside.listWorkspaces()).map(({ id, kind }) => [id, kind])).toEqual([['w', 'home']]);
  });

  it('M34 sets no folder and no program, and runs nothing', async () => {
    for (const line of [
      'editor: touch pwned #',
      'tastes: /',
      'workspaces: ../..',
      'tastes: &a x',
      'max_chars: !!js/function "f"',
    ]) {
      put(place.home, { 'repo/.bearings/config.yaml': `${line}\n` });
      const inside = { ...place, cwd: at('repo'), variables: { EDITOR: 'true' } };
      for (const args of [['read', 'w'], ['tastes'], ['config']])
        expect(heard(bearings(inside, ...args))).toMatchObject({ code: 2, stdout: '' });
      expect(heard(bearings(inside, 'config', 'check')).code).toBe(1);
      expect(heard(await onTerminal(inside, ['edit', 'brief', 'w'])).code).toBe(2);
      const { call } = await agent(inside);
      expect(heard(await call('read_context', { image_id: 'w' }))).toMatchObject({ isError: true });
    }
    expect(readdirSync(at('repo')).sort()).toEqual(['.bearings']);
    expectNothingLeaked();
  });

  it('M34 hides no terminal escape in the name of a setting', () => {
    put(place.home, { 'repo/.bearings/config.yaml': '"\\e]0;title\\a\\e[2J": 1\n' });
    for (const args of [['read'], ['config', 'check']]) {
      const { stdout, stderr } = heard(bearings({ ...place, cwd: at('repo') }, ...args));
      expect(stdout + stderr).not.toContain('\u001b');
    }
  });

  it('M9 moved to another place keeps its scope', async () => {
    put(place.home, { 'repo/.bearings/brief.md': 'brief', 'repo/sub/x': '' });
    symlinkSync('../../secret', at('repo/.bearings/notes.md'));
    renameSync(at('repo'), at('moved'));
    const { context, warnings } = heard(await library(at('moved/sub')).readContext());
    expect(context.notes.summary).toBe('');
    expect(warnings).toEqual([expect.stringContaining('leads out')]);
    expectNothingLeaked();
  });
});
