import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { manifests } from '../../../scripts/manifests.mjs';
import { openRooms } from '../../../src/bearings.ts';
import { hookLine } from '../../../src/clients/client-hooks.ts';
import { CLIENTS, launchIn } from '../../../src/clients/client-table.ts';
import { firstCommits, gitWarnings, git as runGit } from '../../../src/project/io/git.ts';
import { VERSION } from '../../../src/version.ts';
import { person } from '../../support/person.ts';
import { agent, BINARY, bearings, environment, linked, onTerminal } from '../../support/process/binary.ts';
import { put } from '../../support/temp-folder.ts';

const { place, at } = person({
  'repo/README.md': 'about tides\n',
  'repo/sub/tide.md': 'the tide turns\n',
  '.bearings/workspaces/w/brief.md': 'brief',
  'repo/.bearings/workspace.json': '{"id":"tides"}',
});

const system = { PATH: process.env.PATH ?? '', GIT_CONFIG_NOSYSTEM: '1' };
const git = (cwd: string, ...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@x', ...args], {
    cwd,
    env: { ...system, HOME: place.home },
    encoding: 'utf8',
  }).trim();

function plant(path: string, script: string): void {
  put(place.home, { [path]: `#!/bin/sh\n${script}\n` });
  chmodSync(at(path), 0o755);
}

// Every program that Bearings starts, planted wherever a repository could have it looked up.
const FOLDERS = ['repo/node_modules/.bin', 'node_modules/.bin', 'repo/sub', 'repo/sub/bin'];
const PROGRAMS = ['git', 'sh', 'claude', 'status', 'xdg-open', 'find'];
function plantAll(): Record<string, string> {
  for (const folder of FOLDERS)
    for (const name of PROGRAMS)
      plant(`${folder}/${name}`, `echo ${folder}/${name} >> ${at('planted')}; env >> ${at('planted')}`);
  const steps = [at('repo/node_modules/.bin'), at('node_modules/.bin'), '', '.', 'bin', process.env.PATH];
  return { PATH: steps.join(':'), SECRET_ONE: 'of the person', BEARINGS_CACHE: at('cache') };
}

describe('row 13: programs that a repository has looked up', () => {
  it('row 13 L21 none of git, the shell, the model or the browser comes from the repository or a relative step', async () => {
    git(at('repo'), 'init', '-q');
    git(at('repo'), 'add', '-A');
    git(at('repo'), 'commit', '-qm', 'x');
    // A repository elsewhere, asked for from inside this one.
    put(place.home, { 'other/tide.md': 'tide\n' });
    git(at('other'), 'init', '-q');
    put(place.home, {
      '.bearings/config.yaml': 'model_command: claude -p\neditor: "true"\n',
      'repo/sub/task.xml': '<task type="atomic" model="command"><description>hello</description></task>',
    });
    const variables = plantAll();
    const inside = { ...place, cwd: at('repo/sub'), variables };
    for (const args of [
      ['match', 'tide'],
      ['doctor', 'index', 'rebuild'],
      ['load', '--task', 'tide', '--receipt', at('receipt.json')],
      ['run', 'task.xml'],
      ['workspaces', 'list'],
      ['eval', '--commits', '1'],
      ['match', 'tide', at('other')],
      ['load', at('other'), '--task', 'tide'],
    ])
      bearings(inside, ...args);
    const call = JSON.stringify({ session_id: 's', prompt: 'the tide is wrong', cwd: at('other') });
    bearings({ ...inside, input: call }, 'hook', 'prompt');
    await onTerminal(inside, ['edit', 'brief', 'w']);
    bearings({ ...inside, variables: { ...variables, PATH: '' } }, 'match', 'tide');
    expect(existsSync(at('planted')) ? readFileSync(at('planted'), 'utf8') : '').toBe('');
  });

  it('row 13 L21 the model command sees the usual variables and those that the home names, no more', () => {
    plant('bin/claude', `cat > /dev/null; env | cut -d= -f1 > ${at('seen')}; echo hello`);
    put(place.home, {
      '.bearings/config.yaml': 'model_command: claude -p\nmodel_command_env: GIVEN\n',
      'repo/task.xml': '<task type="atomic" model="command"><description>hello</description></task>',
    });
    const variables = {
      PATH: `${at('bin')}:${process.env.PATH}`,
      SECRET_ONE: 'x',
      GIVEN: 'y',
      AWS_SECRET_ACCESS_KEY: 'z',
    };
    expect(bearings({ ...place, cwd: at('repo'), variables }, 'run', 'task.xml')).toMatchObject({ code: 0 });
    const seen = readFileSync(at('seen'), 'utf8').split('\n');
    expect(seen).toContain('GIVEN');
    expect(seen).not.toContain('SECRET_ONE');
    expect(seen).not.toContain('AWS_SECRET_ACCESS_KEY');
  });
});

describe('row 14: an adapter of the home that runs what the clone brings', () => {
  it('row 14 L21 runs in a project only once the person allowed it there; an agent’s call runs nothing', async () => {
    // What `npm run status` does, without npm: the script is the project's, the command line names no file of it.
    plant('bin/runner', `. ./scripts.sh`);
    put(place.home, {
      '.bearings/adapters.yaml': JSON.stringify({
        adapters: [{ name: 'status', kind: 'command', command: ['runner', 'status'] }],
      }),
      'repo/scripts.sh': `touch ${at('ran')}; echo '[{"id":"theirs"}]'\n`,
      'repo/.bearings/workspace.json': '{"id":"repo"}',
    });
    const variables = { PATH: `${at('bin')}:${process.env.PATH}` };
    const inside = { ...place, cwd: at('repo'), variables };
    const { call } = await agent(inside);
    const asked = await call('load_context', { task: 'x', adapters: ['status'] });
    expect(existsSync(at('ran'))).toBe(false);
    expect(asked.texts.join()).toContain('bearings policy allow status');
    const yes = await onTerminal(inside, ['policy', 'allow', 'status'], [{ after: '[y/n] ', type: 'y\n' }]);
    expect(yes.stdout).toContain('allowed');
    expect((await call('load_context', { task: 'x', adapters: ['status'] })).texts.join()).toContain('theirs');
    // Another project is another question.
    put(place.home, { 'other/scripts.sh': `touch ${at('other-ran')}\n`, 'other/AGENTS.md': 'x' });
    bearings({ ...inside, cwd: at('other') }, 'load', '--adapter', 'status');
    expect(existsSync(at('other-ran'))).toBe(false);
  });

  it('row 14 L21 no project can say of its own adapter that it needs no word', () => {
    put(place.home, {
      'repo/.bearings/policy.yaml': `extends: repo\nadapters:\n  - {name: a, kind: command, anywhere: true, command: [touch, ${at('ran')}]}\n`,
    });
    const { code, stderr } = bearings({ ...place, cwd: at('repo') }, 'load', '--adapter', 'a');
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('anywhere is allowed only in adapters.yaml of the home'),
    ]);
    expect(existsSync(at('ran'))).toBe(false);
  });
});

describe('row 18: what git would do for a repository', () => {
  it('row 18 L21 a lost object is fetched by no helper that the repository’s settings name', () => {
    const repo = at('repo');
    git(repo, 'init', '-q');
    git(repo, 'add', '-A');
    git(repo, 'commit', '-qm', 'x');
    const tree = git(repo, 'rev-parse', 'HEAD^{tree}');
    rmSync(join(repo, '.git/objects', tree.slice(0, 2), tree.slice(2)));
    writeFileSync(
      join(repo, '.git/config'),
      `[core]\n\trepositoryformatversion = 1\n[extensions]\n\tpartialClone = evil\n[protocol "ext"]\n\tallow = always\n[remote "evil"]\n\turl = ext::touch ${at('fetched')}\n\tpromisor = true\n\tpartialclonefilter = blob:none\n`,
    );
    // A git of before 2.39.4 does not know that variable.
    const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
    plant('bin/git', `unset GIT_NO_LAZY_FETCH; exec ${real} "$@"`);
    const variables = { PATH: `${at('bin')}:${process.env.PATH}`, BEARINGS_CACHE: at('cache') };
    expect(bearings({ ...place, cwd: repo, variables }, 'match', 'tide').stdout).toContain('sub/tide.md');
    expect(existsSync(at('fetched'))).toBe(false);
  });

  it('row 18 L21 a bare repository among the files of a project is not the project’s', async () => {
    git(at('repo'), 'init', '-q', '--bare', 'sub/planted.git');
    const bare = at('repo/sub/planted.git');
    const commit = git(bare, 'commit-tree', '-m', 'planted', git(bare, 'hash-object', '-w', '-t', 'tree', '/dev/null'));
    git(bare, 'update-ref', 'HEAD', commit);
    expect(await firstCommits(bare)).toEqual([]);
  });

  it('L21 L26 no setting of the person’s or the clone’s runs a program when eval and replay write past states', async () => {
    const repo = at('repo');
    plant('run', `echo "$0 $@" >> ${at('ran')}; cat`);
    const settings = [
      `[core]\n\thooksPath = ${at('hooks')}\n\tfsmonitor = ${at('run')} monitor\n\tsshCommand = ${at('run')} ssh\n\tpager = ${at('run')} pager`,
      `\taskPass = ${at('run')} ask\n\tattributesFile = ${at('attributes')}\n\tautocrlf = true`,
      `[init]\n\ttemplateDir = ${at('template')}\n[submodule]\n\trecurse = true\n[credential]\n\thelper = ${at('run')} credential`,
      `[filter "mine"]\n\tsmudge = ${at('run')} smudge\n\tclean = ${at('run')} clean\n\trequired = true`,
      `[filter "long"]\n\tprocess = ${at('run')} process\n\trequired = true`,
      `[diff]\n\texternal = ${at('run')} external\n[diff "mine"]\n\ttextconv = ${at('run')} textconv\n\tcommand = ${at('run')} command`,
      `[hook "mine"]\n\tevent = post-checkout\n\tcommand = ${at('run')} hook\n[gpg]\n\tprogram = ${at('run')} gpg`,
    ].join('\n');
    for (const hook of ['post-checkout', 'post-index-change', 'reference-transaction'])
      for (const folder of ['hooks', 'template/hooks', 'repo/.git/hooks'])
        plant(`${folder}/${hook}`, `echo ${hook} >> ${at('ran')}`);
    const attributes = '*.ts filter=mine diff=mine\n*.md filter=long\n';
    put(place.home, { attributes, 'template/info/attributes': attributes, 'repo/.gitattributes': attributes });
    const body = (value: number) => `export const tideLimit = ${value};\nexport const other = 1;\n`;
    git(repo, 'init', '-q');
    for (const value of [1, 2, 3]) {
      put(place.home, { 'repo/sub/limit.ts': body(value) });
      git(repo, 'add', '-A');
      git(repo, 'commit', '-qm', `raise the limit of the tide to ${value}`);
    }
    const inside = { ...place, cwd: repo };
    const { call, client } = await agent(inside);
    await call('load_context', { task: 'the limit of the tide' });
    await client.close();
    // From here on all of it would run: in the person's own settings, and in those of the repository.
    rmSync(at('ran'), { force: true });
    put(place.home, { '.gitconfig': settings, '.config/git/attributes': attributes });
    writeFileSync(join(repo, '.git/config'), `[core]\n\trepositoryformatversion = 0\n${settings}`);
    const { code, stdout } = bearings(inside, 'eval', '--json');
    expect([code, JSON.parse(stdout).cases.length]).toEqual([0, 2]);
    bearings(inside, 'load', '--task', 'tide', '--receipt', 'pre_mutation');
    bearings(inside, 'match', 'tide');
    expect(existsSync(at('ran')) ? readFileSync(at('ran'), 'utf8') : '').toBe('');
  });

  it('L31 a link in a past state is no way out for the policy that eval brings there', () => {
    const repo = at('repo');
    put(place.home, { 'repo/.bearings/policy.yaml': 'extends: repo\n', '.profile': 'mine\n', 'own/x': '' });
    const body = (value: number) => `export const tideLimit = ${value};\nexport const other = 1;\n`;
    const policy = at('repo/.bearings/policy.yaml');
    git(repo, 'init', '-q');
    const commit = (value: number) => {
      put(place.home, { 'repo/sub/limit.ts': body(value) });
      git(repo, 'add', '-A');
      git(repo, 'commit', '-qm', `raise the limit of the tide to ${value}`);
    };
    rmSync(policy);
    symlinkSync(at('.profile'), policy);
    commit(1);
    rmSync(at('repo/.bearings'), { recursive: true });
    symlinkSync(at('own'), at('repo/.bearings'));
    commit(2);
    rmSync(at('repo/.bearings'));
    commit(3);
    put(place.home, { 'repo/.bearings/policy.yaml': 'extends: repo\n' });
    const { code, stdout } = bearings({ ...place, cwd: repo }, 'eval', '--json');
    expect([readFileSync(at('.profile'), 'utf8'), readdirSync(at('own'))]).toEqual(['mine\n', ['x']]);
    expect([code, JSON.parse(stdout).cases.length]).toEqual([0, 2]);
  });

  // Wherever git opens a file that a clone, an archive or the person's settings can name.
  const PIPES: [string, string[]][] = [
    ['.git/HEAD', ['rev-parse', 'HEAD']],
    ['.git/config', ['rev-parse', 'HEAD']],
    ['.git/index', ['ls-files']],
    ['.git/packed-refs', ['rev-parse', '--verify', 'HEAD']],
    ['.git/info/exclude', ['ls-files', '--others', '--exclude-standard']],
    ['.git/info/attributes', ['check-attr', '-a', 'README.md']],
    ['.git/objects/info/alternates', ['rev-parse', '--verify', 'HEAD^{commit}']],
    ['.git/objects/pack/pack-1.idx', ['cat-file', '-t', 'HEAD']],
    ['.git/refs/heads/other', ['for-each-ref']],
    ['.git/commondir', ['rev-parse', 'HEAD']],
    ['.git/shallow', ['rev-list', 'HEAD']],
    ['.gitignore', ['ls-files', '--others', '--exclude-standard']],
    ['.gitattributes', ['check-attr', '-a', 'README.md']],
  ];
  it.each(PIPES)('row 18 L21 L31 a pipe in place of %s is not waited for', async (name, args) => {
    const repo = at('repo');
    git(repo, 'init', '-q');
    git(repo, 'add', '-A');
    git(repo, 'commit', '-qm', 'x');
    rmSync(join(repo, name), { force: true });
    if (name === '.git/packed-refs') rmSync(join(repo, '.git/refs/heads'), { recursive: true });
    execFileSync('mkfifo', [join(repo, name)]);
    // No limit of ours ends this: git is not started.
    expect(await runGit(repo, args, { timeoutMs: 2 ** 31 - 1 })).toBeNull();
    expect(gitWarnings(repo)).toEqual([
      `git is left out, its history and its settings: ${name} is not a regular file.`,
    ]);
    expect(await firstCommits(repo)).toEqual([]);
    const rooms = openRooms({ home: at('.bearings'), cwd: repo, variables: {} });
    await expect((await rooms.evaluation()).evaluate()).rejects.toMatchObject({
      code: 'not_found',
      message: expect.stringContaining('is not a regular file'),
    });
  });

  it('row 18 L21 where git waits for good, the product goes on without it, with a warning', async () => {
    const repo = at('repo');
    git(repo, 'init', '-q');
    git(repo, 'add', '-A');
    git(repo, 'commit', '-qm', 'x');
    execFileSync('mkfifo', [at('pipe')]);
    writeFileSync(join(repo, '.git/config'), `[include]\n\tpath = ${at('pipe')}\n`);
    const inside = { ...place, cwd: repo, variables: { BEARINGS_CACHE: at('cache') } };
    const late = expect.stringContaining('git did not answer in time');
    expect(bearings(inside, 'match', 'tide')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('sub/tide.md'),
      stderr: late,
    });
    // In this process, where the wait is short.
    await runGit(repo, ['rev-parse', 'HEAD'], { timeoutMs: 200 });
    const rooms = openRooms({ home: at('.bearings'), cwd: repo, variables: inside.variables });
    expect((await (await rooms.loader()).loadContext({ task: 'tide' })).warnings).toEqual([late]);
    await expect((await rooms.evaluation()).evaluate()).rejects.toMatchObject({ code: 'not_found', message: late });
  });
});

describe('what a client starts in a clone', () => {
  // Every way in which npm, node or a shell would let the folder it is started in say what runs.
  function plantClone(): void {
    const evil = `require('node:fs').appendFileSync(${JSON.stringify(at('ran'))}, __filename + '\\n');\n`;
    const own = (name: string) =>
      JSON.stringify({ name, version: VERSION, main: 'evil.js', bin: { bearings: 'evil.js' } });
    git(at('repo'), 'init', '-q');
    put(at('repo'), {
      'package.json': own('bearings'),
      'evil.js': `#!/usr/bin/env node\n${evil}`,
      '.npmrc': 'registry=http://127.0.0.1:9/\nnode-options=--require ./evil.js\nscript-shell=./bearings\nprefix=.\n',
      '.env': 'NODE_OPTIONS=--require ./evil.js\n',
      'node.config.json': JSON.stringify({ nodeOptions: { require: './evil.js' } }),
      '.bearings/workspace.json': '{"id":"repo"}',
    });
    for (const name of ['bearings', 'libsql', 'saxes', 'pg', '@opentelemetry/api', '@dbos-inc/dbos-sdk'])
      put(at(`repo/node_modules/${name}`), { 'package.json': own(name), 'evil.js': `#!/usr/bin/env node\n${evil}` });
    for (const name of [
      'bearings',
      'node',
      'npx',
      'node_modules/.bin/bearings',
      'node_modules/.bin/node',
      'bin/bearings',
    ])
      plant(`repo/${name}`, `echo ${name} >> ${at('ran')}`);
    chmodSync(at('repo/node_modules/bearings/evil.js'), 0o755);
  }
  const ran = () => (existsSync(at('ran')) ? readFileSync(at('ran'), 'utf8') : '');
  const greeting = `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } } })}\n`;

  it('L21 of all that install writes and all that a plugin holds, nothing runs what the clone brings', () => {
    plantClone();
    const inside = linked({ ...place, cwd: at('repo') });
    const written: Record<string, string> = {};
    for (const { id, files, hooks, format } of CLIENTS)
      for (const scope of ['user', 'project'] as const) {
        if (files[scope] === null || format === 'toml') continue;
        const shown = bearings(inside, 'install', id, '--scope', scope, '--workspace', 'repo', '--yes');
        expect([id, scope, shown.stderr]).toEqual([id, scope, '']);
        const base = scope === 'project' ? 'repo/' : '';
        for (const spot of [files[scope], hooks?.[scope]])
          if (spot && spot.base !== 'application' && spot.base !== 'zed' && spot.base !== 'opencode') {
            const folder = { claude: '.claude/', copilot: '.copilot/' }[spot.base as string] ?? '';
            written[`${id} ${spot.path} ${scope}`] = readFileSync(at(`${base}${folder}${spot.path}`), 'utf8');
          }
      }
    const all = { ...(manifests() as Record<string, string>), ...written };
    const env = environment(inside);
    // Many of them hold the very same line: each is started once.
    const outputs = new Map<string, string>();
    const outputOf = (command: string, args: readonly string[], input: string): string => {
      const line = JSON.stringify([command, args]);
      const stdout =
        outputs.get(line) ?? spawnSync(command, args, { cwd: at('repo'), env, encoding: 'utf8', input }).stdout;
      outputs.set(line, stdout);
      return stdout;
    };
    let servers = 0;
    let lines = 0;
    for (const [file, text] of Object.entries(all).filter(([, text]) => text.startsWith('{'))) {
      const { hooks = {}, ...rest } = JSON.parse(text);
      for (const value of [rest.mcpServers, rest.servers, rest.context_servers, rest.mcp].filter(
        (each) => typeof each === 'object',
      )) {
        const { command, args } = launchIn(value.bearings);
        const stdout = outputOf(command, args, greeting);
        expect([file, ran(), stdout.includes('"serverInfo":{"name":"bearings"')]).toEqual([file, '', true]);
        servers += 1;
      }
      for (const list of Object.values(typeof hooks === 'object' ? hooks : {}) as unknown[][])
        for (const entry of list)
          for (const command of [hookLine(entry)]) {
            const stdout = outputOf('sh', ['-c', command], '{}');
            // The start of a session always has something to say; an empty prompt has not.
            const isStart = / session-start /.test(`${command} `);
            expect([file, ran(), !isStart || /additional_?context/i.test(stdout)]).toEqual([file, '', true]);
            lines += 1;
          }
    }
    expect(servers).toBeGreaterThan(12);
    expect(lines).toBeGreaterThan(5);
  });

  it('L21 a bearings of the clone sends no client to itself: neither its path nor its name on the PATH is written', () => {
    plantClone();
    const variables = { PATH: `${at('repo/node_modules/.bin')}:${at('repo/bin')}:.:${process.env.PATH}` };
    const inside = { ...place, cwd: at('repo'), variables };
    const shared = bearings(inside, 'install', 'cursor', '--scope', 'project', '--yes');
    expect(shared).toMatchObject({ code: 2, stderr: expect.stringContaining('none on your PATH') });
    expect(bearings(inside, 'install', 'cursor', '--scope', 'user', '--yes').code).toBe(0);
    expect(readFileSync(at('.cursor/mcp.json'), 'utf8')).not.toContain(at('repo'));
    // The very program that runs lies in the project: by npx, or as one of its packages.
    const pack = at('repo/node_modules/bearings/dist');
    cpSync(dirname(dirname(BINARY)), pack, { recursive: true });
    const local = bearings(
      { ...inside, binary: join(pack, 'bin/main.cjs') },
      'install',
      'zed',
      '--scope',
      'user',
      '--yes',
    );
    expect(local).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('came from npx or from the project itself'),
    });
    expect(ran()).toBe('');
  });
});
