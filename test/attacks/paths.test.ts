import { spawnSync } from 'node:child_process';
import { linkSync, mkdirSync, readdirSync, readFileSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { assertContextShape } from '../support/context-shape.ts';
import { agent, bearings, environment, onTerminal } from '../support/process/binary.ts';
import { put } from '../support/temp-folder.ts';
import { SECRET, victim } from './victim.ts';

const { root, place, at, said, heard, run, library, expectNothingLeaked } = victim();

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
        async () => (await library().memory()).readContext(id),
        async () => (await library().memory()).readNotes({ id }),
        async () => (await library().memory()).readBrief({ id }),
        async () => (await library().workspaces()).renameWorkspace('w', id),
        async () => (await library().workspaces()).removeWorkspace(id),
        async () => (await library().workspaces()).createWorkspace({ id }),
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
        ['show', 'notes', id],
        ['show', 'brief', id],
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
    await expect((await library().memory()).readContext('W')).rejects.toMatchObject({ code: 'not_found' });
    await expect((await library().workspaces()).createWorkspace({ id: 'W' })).rejects.toMatchObject({
      code: 'conflict',
    });
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
      const { context, warnings } = heard(await (await library().memory()).readContext('w'));
      expect(context.brief.tastes).toEqual([]);
      expect(context.tastes.genres).toEqual({});
      expect(warnings.filter((warning) => !warning.includes('unaccounted'))).toHaveLength(1);
    }
    expect(run('read', 'w', '--json').stderr).toMatch(/^warning: brief\.md names the taste/m);
    for (const name of ['../secret', '/etc/passwd', 'sub/x', '%2e%2e%2fsecret'])
      for (const verb of ['show', 'edit']) expect(run(verb, 'tastes', name)).toMatchObject({ code: 2, stdout: '' });
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
      expect(run('show', 'tastes', name).code).toBe(1);
    expect(run('show', 'tastes').code).toBe(0);
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
      await expect((await library().memory()).readContext(id)).rejects.toMatchObject({ code: 'not_found' });
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
    for (const name of files)
      expect(stderr).toContain(`${name} can't be read: links are not followed in a repository's .bearings`);
    const { call } = await agent(inside);
    heard(await call('read_context'));
    expect(heard(await call('read_full_notes'))).toMatchObject({ isError: true });
    for (const command of [['show', 'brief'], ['show', 'notes'], ['read']]) heard(bearings(inside, ...command));
    expectNothingLeaked();
  });

  it('M9 a repository’s whole .bearings that is a link leads nowhere', async () => {
    mkdirSync(at('repo'));
    symlinkSync('../outside', at('repo/.bearings'));
    const { context } = heard(await (await library(at('repo')).memory()).readContext());
    expect(context.brief.raw).toBe('');
    expect(heard(bearings({ ...place, cwd: at('repo') }, 'show', 'brief')).code).toBe(1);
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
      while (Date.now() < end) { const t = 'tmp' + (i % 4); try { if (i++ % 2) fs.writeFileSync(t, 'inside'); else fs.symlinkSync('../../secret', t); fs.renameSync(t, 'brief.md'); } catch {} }`;
    const reader = `import { openBearings } from ${JSON.stringify(new URL('../../dist/index.js', import.meta.url).href)};
      const { spawn } = await import('node:child_process');
      const swap = spawn(process.execPath, ['-e', ${JSON.stringify(swapper)}], { cwd: ${JSON.stringify(at('repo/.bearings'))} });
      let done = false; swap.on('exit', () => { done = true; });
      const bearings = openBearings(); const seen = {};
      while (!done) { const { context } = await bearings.memory.read(); seen[context.brief.raw] = (seen[context.brief.raw] ?? 0) + 1; await new Promise((r) => setImmediate(r)); }
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
    expect((await (await library().memory()).readContext('w')).context.brief.raw).toBe('mine');
  });

  it('M9 a hard link reads as the file it is: the system lets only those make one who may write the file', async () => {
    mkdirSync(at('repo/.bearings'), { recursive: true });
    writeFileSync(at('shared.md'), 'shared');
    linkSync(at('shared.md'), at('repo/.bearings/brief.md'));
    expect((await (await library(at('repo')).memory()).readContext()).context.brief.raw).toBe('shared');
  });
});
