import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { linkSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CLIENTS } from '../../../src/clients/client-table.ts';
import { readText } from '../../../src/files/read-file.ts';
import { appendLine } from '../../../src/files/write-file.ts';
import { filesBelow, pendingBelow } from '../../support/mcp/asking-client.ts';
import { decided, endedUndecided, openLibrary, proposed } from '../../support/open-library.ts';
import { person } from '../../support/person.ts';
import { agent, bearings, linked as linkedBinary } from '../../support/process/binary.ts';
import { put } from '../../support/temp-folder.ts';

const TOKEN = 'OUTSIDE-MARKER-93be';
const ENV = `DATABASE=${TOKEN}\n`;
const CONFIG = `[core]\n\tbare = false # ${TOKEN}\n`;
const FILES = {
  'clone/.env': ENV,
  'clone/.git/config': CONFIG,
  'clone/.git/hooks/keep': TOKEN,
  'clone/real/brief.md': TOKEN,
  'clone/real/notes.md': TOKEN,
  'clone/real/log.jsonl': `{"op":"${TOKEN}"}\n`,
  'clone/.bearings/workspace.json': '{"id":"clone"}\n',
};
const { place, at } = person(FILES);
const own = (name: string) => at(join('clone/.bearings', name));
const inClone = () => openLibrary(place.home, { cwd: at('clone') });
const linked = (target: string, name: string) => {
  mkdirSync(dirname(own(name)), { recursive: true });
  symlinkSync(target, own(name));
};
// Nothing but what the test itself put there.
const untouched = () => {
  for (const [name, text] of Object.entries(FILES))
    if (!name.startsWith('clone/.bearings')) expect(readFileSync(at(name), 'utf8')).toBe(text);
  expect(readdirSync(at('clone/.git')).sort()).toEqual(['config', 'hooks']);
  expect(readdirSync(at('clone/.git/hooks'))).toEqual(['keep']);
  expect(readdirSync(at('clone/real')).sort()).toEqual(['brief.md', 'log.jsonl', 'notes.md']);
};

describe('links inside a cloned repository’s .bearings', () => {
  it('M37 that lead to other files of the same repository are read by no face', async () => {
    linked('../.env', 'brief.md');
    linked('../.git/config', 'notes.md');
    linked('../real/log.jsonl', 'log.jsonl');
    linked('../real/log.jsonl', 'vocabulary_gaps.jsonl');
    linked('../real/log.jsonl', 'receipts.jsonl');
    linked('../.env', 'policy.yaml');
    linked('../.env', 'config.yaml');
    const settings = inClone();
    const said: unknown[] = [];
    const ask = async (work: Promise<unknown>) => said.push(await work.catch((error) => [error.code, error.message]));
    await ask((await settings.memory()).readContext());
    await ask((await settings.memory()).readContext({}, { forAgent: true }));
    await ask((await settings.memory()).overview());
    await ask((await settings.memory()).readBrief());
    await ask((await settings.memory()).readNotes());
    await ask((await settings.hooks()).hookContext(undefined, JSON.stringify({ cwd: at('clone') })));
    await ask((await settings.clients()).memoryText({ kind: 'brief', id: 'clone' }));
    await ask((await settings.clients()).memoryText({ kind: 'notes', id: 'clone' }));
    await ask(
      (await settings.loader()).loadContext({ task: 'x', tactical: true, max_files: 36, max_total_chars: 90_000 }),
    );
    await ask((await settings.gate()).editableText('notes.md', {}));
    await ask((await settings.gate()).editableText('brief.md', {}));
    await ask((await settings.receipts()).listReceipts({}));
    await ask((await settings.loader()).showPolicy('.bearings/policy.yaml'));
    await ask((await settings.settings()).checkSettings());
    await ask((await settings.gate()).blame('notes.md', {}));
    for (const answer of said) expect(JSON.stringify(answer)).not.toContain(TOKEN);
    const { context, warnings } = await (await settings.memory()).readContext();
    expect([context.brief.raw, context.notes.summary, context.recent_log, context.recent_gaps]).toEqual([
      '',
      '',
      [],
      [],
    ]);
    for (const name of ['brief.md', 'notes.md', 'log.jsonl', 'vocabulary_gaps.jsonl'])
      expect(warnings).toContainEqual(
        `${name} can't be read: links are not followed in a repository's .bearings. It counts as empty.`,
      );
    expect(bearings({ ...place, cwd: at('clone') }, 'read', '--json').stdout).not.toContain(TOKEN);
  });

  it('M37 an accepted note is not written through a link: refused in a sentence, the proposal stays', async () => {
    linked('../.git/config', 'notes.md');
    const settings = inClone();
    const id = await proposed(settings, 'A note.', { id: 'clone' });
    await expect(decided(settings, id)).rejects.toMatchObject({
      message:
        "notes.md can't be written: links are not followed in a repository's .bearings. The proposal still waits.",
    });
    expect(pendingBelow(at('clone'))).toEqual([id]);
    untouched();
    rmSync(own('notes.md'));
    expect(await decided(settings, id)).toMatchObject({ status: 'accepted' });
    expect(readFileSync(own('notes.md'), 'utf8')).toBe('A note.\n');
  });

  it.each([
    ['log.jsonl', '../real/log.jsonl'],
    ['vocabulary_gaps.jsonl', '../real/log.jsonl'],
    ['brief.md', '../real/brief.md'],
    ['notes.md', '../real/notes.md'],
    ['sessions', '../.git/hooks'],
    ['sessions/standing', '../../.git/hooks'],
    ['sessions/.lock', '../../.env'],
    ['ledger', '../.git/hooks'],
    ['receipts.jsonl', '../real/log.jsonl'],
    ['workspace.json', '../real/brief.md'],
    ['.gitignore', '../.git/config'],
  ])('M37 nothing is written through %s that is a link to %s', async (name, target) => {
    rmSync(own(name), { force: true });
    linked(target, name);
    const settings = inClone();
    const quietly = (work: Promise<unknown>) => work.catch((error) => expect(error.code).toMatch(/^[a-z_]+$/));
    const id = (await (await settings.workspaces()).listWorkspaces())[0]?.id ?? '';
    const session = await (await settings.gate()).standingSession({ id }, 'command line');
    session.record({ type: 'note', text: 'x' });
    await quietly((await settings.gate()).propose(session, { kind: 'notes', content: 'A note.' }));
    await quietly(proposed(settings, 'Another note.', { id }).then((proposal) => decided(settings, proposal)));
    await quietly((await settings.gate()).endSession(session));
    await quietly((await settings.sessions()).logOperation({ id }, 'op', { a: 1 }));
    await quietly((await settings.sessions()).logGap({ id }, null, { description: 'gap' }));
    await quietly((await settings.workspaces()).writeFirstBrief({ id }, 'First.'));
    for (const file of ['brief.md', 'notes.md'])
      await quietly(
        (await settings.gate()).saveText(file, { id }, { text: 'Mine.', before_sha256: null, via: 'page' }),
      );
    await quietly((await settings.loader()).loadContext({ receipt: 'new_session', task: 'x' }));
    await quietly((await settings.workspaces()).renameWorkspace(id, 'other'));
    await quietly((await settings.gate()).adoptAll('all', { via: 'init' }));
    untouched();
  });

  it('M37 a .bearings that is itself a link is not used, to read or to write', async () => {
    rmSync(own(''), { recursive: true });
    symlinkSync('real', at('clone/.bearings'));
    const settings = inClone();
    const { context, warnings } = await (await settings.memory()).readContext();
    expect(JSON.stringify(context)).not.toContain(TOKEN);
    expect(warnings.join('\n')).toContain('links are not followed');
    const { id } = (await (await settings.workspaces()).listWorkspaces())[0] ?? { id: '' };
    for (const work of [
      (await settings.sessions()).logOperation({ id }, 'op', {}),
      (await settings.sessions()).logGap({ id }, null, { description: 'gap' }),
      (await settings.sessions())
        .openSession({ id }, 's')
        .then(async (session) => (await settings.gate()).propose(session, { kind: 'notes', content: 'A note.' })),
      (await settings.workspaces()).createWorkspace({ id: 'fresh', here: true }),
    ])
      await expect(work).rejects.toMatchObject({ code: expect.stringMatching(/^(?:conflict|io_error)$/) });
    untouched();
  });

  it('M37 links inside sessions bring no proposal, no transcript and no place to set one aside', async () => {
    put(place.home, { 'clone/real2/t_x.jsonl': `{"type":"note","text":"${TOKEN}"}\n` });
    linked('../../real2/t_x.jsonl', 'sessions/t_x.jsonl');
    const settings = inClone();
    expect(JSON.stringify(await (await settings.gate()).searchSessions(TOKEN))).toBe('[]');
    expect(JSON.stringify(await (await settings.gate()).readSession('x', 'clone'))).not.toContain(TOKEN);
    const session = await (await settings.sessions()).openSession({ id: 'clone' }, 'studio');
    await (await settings.gate()).propose(session, { kind: 'notes', content: 'A note.' });
    symlinkSync('../../../.git/hooks', own(`sessions/${session.session_id}/discarded`));
    await expect(endedUndecided(settings, session)).rejects.toMatchObject({ code: 'conflict' });
    expect(pendingBelow(at('clone'))).toHaveLength(1);
    expect(await (await settings.gate()).discardedProposals()).toEqual([]);
  });

  it('M37 a file with a second name elsewhere is not written, so that a note lands in no other file', async () => {
    linkSync(at('clone/.git/config'), own('notes.md'));
    linkSync(at('clone/.env'), own('log.jsonl'));
    const settings = inClone();
    const id = await proposed(settings, 'A note.', { id: 'clone' });
    await expect(decided(settings, id)).rejects.toMatchObject({ message: expect.stringContaining('a second name') });
    await expect((await settings.sessions()).logOperation({ id: 'clone' }, 'op', {})).rejects.toMatchObject({
      code: 'io_error',
    });
    expect([readFileSync(at('clone/.git/config'), 'utf8'), readFileSync(at('clone/.env'), 'utf8')]).toEqual([
      CONFIG,
      ENV,
    ]);
    expect(pendingBelow(at('clone'))).toEqual([id]);
  });

  it('M37 a folder that is swapped for a link again and again is never read or written elsewhere', async () => {
    put(place.home, { 'clone/.bearings/sub/notes.md': 'plain', 'clone/away/notes.md': TOKEN });
    const swapper = `
      const { renameSync, symlinkSync } = require('node:fs');
      symlinkSync('../away', 'link');
      process.stdout.write('begun');
      for (;;) { renameSync('sub', 'aside'); renameSync('link', 'sub'); renameSync('sub', 'link'); renameSync('aside', 'sub'); }
    `;
    const swap = spawn(process.execPath, ['-e', swapper], { cwd: own('') });
    await once(swap.stdout, 'data');
    const [path, scope] = [own('sub/notes.md'), at('clone')];
    let [read, written] = [0, 0];
    for (let tries = 0; tries < 20_000 && (tries < 3000 || read === 0 || written === 0); tries += 1) {
      const file = readText(path, scope);
      if (file.status === 'ok') expect(file.value.text).not.toContain(TOKEN);
      read += file.status === 'ok' ? 1 : 0;
      try {
        appendLine(path, 'mine', { mode: 0o644, scope });
        written += 1;
      } catch {
        // it was a link at that moment
      }
    }
    swap.kill('SIGKILL');
    await once(swap, 'exit');
    expect([read > 0, written > 0]).toEqual([true, true]);
    expect(readFileSync(at('clone/away/notes.md'), 'utf8')).toBe(TOKEN);
  });

  it('M24 M37 the person’s own workspaces in the home may still link their notes', async () => {
    put(place.home, { '.bearings/workspaces/manta/brief.md': 'b', 'dropbox/notes.md': 'Kept.\n' });
    symlinkSync(at('dropbox/notes.md'), at('.bearings/workspaces/manta/notes.md'));
    const settings = openLibrary(place.home);
    expect((await (await settings.memory()).readContext('manta')).context.notes.summary).toBe('Kept.\n');
    await decided(settings, await proposed(settings, 'A note.'));
    expect(readFileSync(at('dropbox/notes.md'), 'utf8')).toBe('Kept.\n\nA note.\n');
  });
});

describe('secrets in the memory that a repository serves', () => {
  const KEY = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`;
  const PEM = [
    '-----BEGIN RSA PRIVATE KEY-----',
    ...Array.from({ length: 12 }, (_, line) => `MIIEowIBAAKCAQEA${line}x7Qz`.padEnd(64, 'Kd93hZpL')),
    '-----END RSA PRIVATE KEY-----',
  ].join('\n');

  it('L25 M37 are replaced by their class in brief, notes, log and gaps, with file and line told; other text stays', async () => {
    put(place.home, {
      'clone/.bearings/brief.md': `Plain a@example.org.\nToken ${KEY} here.\n`,
      'clone/.bearings/notes.md': `First.\n\n${PEM}\n\nLast.\n`,
      'clone/.bearings/log.jsonl': `${JSON.stringify({ timestamp: 't', op: 'push', remote: `https://x/${KEY}` })}\n`,
      'clone/.bearings/vocabulary_gaps.jsonl': `${JSON.stringify({ description: `with ${KEY}`, notes: KEY })}\n`,
    });
    const settings = inClone();
    const { context, warnings } = await (await settings.memory()).readContext();
    expect(context.brief.raw).toMatch(/^Plain a@example\.org\.\nToken \[redacted:\w+\] here\.\n$/);
    expect(context.notes.summary).toMatch(/^First\.\n\n\[redacted:private_key\]\n+Last\.\n$/);
    expect(warnings).toContainEqual(expect.stringMatching(/^brief\.md:2: \w+ is replaced by its class\.$/));
    expect(warnings).toContainEqual('notes.md:3: private_key is replaced by its class.');
    const told = warnings.join('\n');
    expect(told).toMatch(/log\.jsonl, record 1 from the end: /);
    expect(told).toMatch(/vocabulary_gaps\.jsonl, record 1 from the end: /);
    const session = await (await settings.sessions()).openSession({ id: 'clone' }, 'studio');
    const answers = [
      ...[
        context,
        warnings,
        await (await settings.memory()).overview(),
        await (await settings.memory()).readBrief(),
        await (await settings.memory()).readNotes(),
      ],
      ...[
        await (await settings.memory()).readNotes({}, { offset: 6, limit: 2 }),
        await (await settings.hooks()).hookContext('clone', ''),
      ],
      ...[
        await (await settings.clients()).memoryText({ kind: 'brief', id: 'clone' }),
        await (await settings.clients()).memoryText({ kind: 'notes', id: 'clone' }),
      ],
      await (await settings.loader()).loadContext({
        task: 'x',
        tactical: true,
        max_files: 36,
        max_total_chars: 90_000,
      }),
      await (await settings.gate()).propose(session, { kind: 'notes', content: 'A note.' }),
    ];
    for (const answer of answers) {
      expect(JSON.stringify(answer)).not.toContain(KEY);
      expect(JSON.stringify(answer)).not.toContain('MIIEowIBAAKCAQEA');
    }
    expect((await (await settings.memory()).readNotes()).total_lines).toBe(18);
    // The files themselves are the person's to change.
    expect(readFileSync(own('brief.md'), 'utf8')).toContain(KEY);
  });

  it('L25 what only might be a secret is left as it is and told', async () => {
    put(place.home, { 'clone/.bearings/notes.md': 'password = horseBattery9\n' });
    const { context, warnings } = await (await inClone().memory()).readContext();
    expect(context.notes.summary).toBe('password = horseBattery9\n');
    expect(warnings).toContainEqual('notes.md:1: what may be a secret (password) is left as it is.');
  });

  it('L25 the person’s own workspaces are not scanned: what is there the person put there', async () => {
    put(place.home, { '.bearings/workspaces/manta/brief.md': KEY });
    expect((await (await openLibrary(place.home).memory()).readContext('manta')).context.brief.raw).toBe(KEY);
  });

  it('L25 M37 over MCP too', async () => {
    put(place.home, { 'clone/.bearings/brief.md': `Token ${KEY}.\n` });
    const { call } = await agent({ ...place, cwd: at('clone') });
    const { texts } = await call('read_context');
    expect(texts.join('\n')).not.toContain(KEY);
    expect(texts.join('\n')).toContain('brief.md:1:');
  });
});

describe('what is written for a person, in a clone', () => {
  const BEFORE = '{}\n';
  const inTheClone = () => linkedBinary({ ...place, cwd: at('clone') });
  // Everything that is neither the clone's nor the product's own.
  const outside = () =>
    Object.fromEntries(
      Object.entries(filesBelow(place.home)).filter(([name]) => !/^(?:clone|bin|\.bearings|\.cache)\//.test(name)),
    );
  const link = (target: string, name: string) => {
    rmSync(at(join('clone', name)), { recursive: true, force: true });
    mkdirSync(dirname(at(join('clone', name))), { recursive: true });
    symlinkSync(target, at(join('clone', name)));
  };
  const LOAD = ['load', '--task', 'x'];
  const project = CLIENTS.flatMap(({ id, files, hooks }) =>
    files.project === null
      ? []
      : [files.project.path, hooks?.project.path].flatMap((path) => (path ? [{ id, path }] : [])),
  );

  // Each: what the clone has a link in place of, and the command that would write there.
  const WAYS: [name: string, isFolder: boolean, command: string[], inside?: string][] = [
    ['out.json', false, [...LOAD, '--out', 'out.json']],
    ['out.json', false, [...LOAD, '--out', './sub/../out.json']],
    ['out.json', false, [...LOAD, '--out-file', 'out.json']],
    ['reports', true, [...LOAD, '--out', 'reports/b.json']],
    ['reports', true, [...LOAD, '--out', '../reports/b.json'], 'sub'],
    ['reports', true, ['load', '..', '--task', 'x', '--out-file', 'reports/b.json'], 'sub'],
    ['a/b', true, [...LOAD, '--out', 'a/b/c.json']],
    ['.cortex/reports', true, [...LOAD, '--out', '.cortex/reports/agent_context_bundle_v0.json']],
    ['exported', true, ['export', 'agents', '--out', 'exported']],
    ['reports', true, ['export', 'agents', '--out', 'reports/exported']],
    ['reports', true, ['export', 'agents', '--out', 'reports/new/exported']],
    ['.bearings/.gitignore', false, ['init']],
    ['.bearings/.gitattributes', false, ['init']],
    ['.bearings/workspace.json', false, ['init']],
    ['.bearings/config.yaml', false, ['config', 'set', 'max_chars', '5000', '--project']],
    ['examples', true, ['demo', '--examples']],
    ['.claude/settings.local.json', false, ['install', 'claude-code', '--scope', 'project', '--rules', '--yes']],
    ...project.flatMap(({ id, path }): [string, boolean, string[]][] => {
      const command = ['install', id, '--scope', 'project', '--yes'];
      const [folder = path] = path.split('/');
      return [
        [path, false, command],
        ...(folder === path ? [] : [[folder, true, command] as [string, boolean, string[]]]),
      ];
    }),
  ];

  it.each(WAYS)(
    'L31 no link of it in place of %s leads a writer out of it: %o %o',
    (name, isFolder, command, inside = '.') => {
      const from = { ...inTheClone(), cwd: join(at('clone'), inside) };
      mkdirSync(from.cwd, { recursive: true });
      if (command[0] === 'init') rmSync(own('workspace.json'));
      for (const target of isFolder ? ['empty', 'gone'] : ['mine.json', 'gone.json']) {
        put(place.home, { 'mine.json': BEFORE, 'empty/.keep': '' });
        if (command[0] === 'export') rmSync(at('empty/.keep'));
        link(at(target), name);
        const before = outside();
        const { code, stdout, stderr } = bearings(from, ...command);
        expect([target, outside(), code, stdout + stderr]).toEqual([
          target,
          before,
          2,
          expect.stringMatching(/link|already|left alone|not used|not there/),
        ]);
        expect(stderr).not.toContain('    at ');
      }
    },
  );

  it('L31 an undo in a clone takes nothing out of a file that a link put in place of ours', () => {
    expect(bearings(inTheClone(), 'install', 'cursor', '--scope', 'project', '--yes').code).toBe(0);
    const ours = readFileSync(at('clone/.cursor/mcp.json'), 'utf8');
    put(place.home, { 'theirs/mcp.json': ours });
    link(at('theirs'), '.cursor');
    const { code, stderr } = bearings(inTheClone(), 'install', 'cursor', '--undo', '--yes');
    expect([code, stderr]).toEqual([2, expect.stringContaining('its link leads out of the folder')]);
    expect(readFileSync(at('theirs/mcp.json'), 'utf8')).toBe(ours);
  });

  it('L31 a file that is not of our making is left alone, or the change to it is shown', () => {
    const mine = { 'mine.lock': 'my own words\n', 'data.json': '{"mine": 1}\n', '.exported.draft/keep': 'mine\n' };
    put(at('clone'), { ...mine, '.bearings/.gitignore': 'mine\n' });
    for (const name of ['mine.lock', 'data.json'])
      for (const form of ['--json', '--markdown', '--xml']) {
        const { code, stderr } = bearings(inTheClone(), ...LOAD, '--out', name, form);
        expect([code, stderr]).toEqual([2, expect.stringContaining(`${name} is there already and is not a bundle`)]);
      }
    expect(bearings(inTheClone(), 'export', 'agents', '--out', 'exported').code).toBe(0);
    for (const [name, text] of Object.entries(mine)) expect(readFileSync(at(join('clone', name)), 'utf8')).toBe(text);
    rmSync(own('workspace.json'));
    expect(bearings(inTheClone(), 'init').stdout).toContain('.bearings/.gitignore + sessions/\n');
    expect(readFileSync(own('.gitignore'), 'utf8')).toBe('mine\nsessions/\nreceipts.jsonl\n');
    writeFileSync(own('.gitignore'), Buffer.from([0xff, 0xfe, 0x00]));
    rmSync(own('workspace.json'));
    expect(bearings(inTheClone(), 'init').code).toBe(2);
    expect(readFileSync(own('.gitignore'))).toEqual(Buffer.from([0xff, 0xfe, 0x00]));
  });

  it('L31 a link that stays in the clone stays a link, and a person’s own may lead anywhere', () => {
    put(at('clone'), { 'shared.json': BEFORE, 'bundles/.keep': '' });
    link('../shared.json', '.cursor/mcp.json');
    link('bundles', 'reports');
    expect(bearings(inTheClone(), 'install', 'cursor', '--scope', 'project', '--yes').code).toBe(0);
    expect(lstatSync(at('clone/.cursor/mcp.json')).isSymbolicLink()).toBe(true);
    expect(readFileSync(at('clone/shared.json'), 'utf8')).toContain('bearings');
    expect(bearings(inTheClone(), ...LOAD, '--out', 'reports/b.json').code).toBe(0);
    expect(readFileSync(at('clone/bundles/b.json'), 'utf8')).toContain('bundle_sha256');
    expect(bearings(inTheClone(), ...LOAD, '--out', join(place.home, 'elsewhere.json')).code).toBe(0);
  });
});
