import { execFileSync } from 'node:child_process';
import { appendFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Replay } from '../../src/loader/replay/replay.ts';
import { askingClient } from '../support/mcp/asking-client.ts';
import { person } from '../support/person.ts';
import { bearings, environment } from '../support/process/binary.ts';
import { put } from '../support/temp-folder.ts';

const MODULES = ['router', 'parser', 'cookie'];
const { place, at } = person({
  '.bearings/tastes/_default.md': 'Short captions.\n',
  'repo/README.md': '# Server\n\nA server with a router.\n',
  'repo/AGENTS.md': 'Be careful with the router.\n',
  'repo/.bearings/workspace.json': '{"id":"manta"}',
  'repo/.bearings/brief.md': 'A calm server.\n',
  'repo/.bearings/notes.md': '# Notes\n\nThe first note.\n',
  'repo/.bearings/.gitignore': 'sessions/\nledger/\nlog.jsonl\nvocabulary_gaps.jsonl\nreceipts.jsonl\nnotes.md\n',
  ...Object.fromEntries(MODULES.map((name) => [`repo/src/${name}.ts`, `export const ${name} = "${name} limit";\n`])),
});
const repo = () => at('repo');
const run = (...args: string[]) => bearings({ ...place, cwd: repo() }, ...args);
const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], {
    cwd: repo(),
    env: environment(place),
    encoding: 'utf8',
  });
const connect = () => askingClient({ ...place, cwd: repo() }, {});
const replayed = (session: string, ...words: string[]) => {
  const { code, stdout, stderr } = run(
    'sessions',
    'replay',
    session,
    'manta',
    '--compare',
    '--project',
    repo(),
    '--json',
    ...words,
  );
  return { code, stderr, ...(JSON.parse(stdout || '{}') as Replay) };
};
const newest = (): string =>
  (JSON.parse(run('sessions', 'list', 'manta', '--json').stdout) as { session_id: string; client: string }[]).find(
    ({ client }) => client === 'studio',
  )?.session_id ?? '';
const verdicts = ({ texts }: Replay) => texts.map(({ tool, verdict }) => `${tool} ${verdict}`);

beforeEach(() => {
  git('init', '-q');
  git('add', '-A');
  git('commit', '-qm', 'start');
});

describe('bearings sessions replay --compare', () => {
  it('M49 rebuilds what was served, through later decisions, records and commits, and touches no work tree', async () => {
    const { client, call, propose } = await connect();
    await call('read_context');
    await call('confirm_notes_update', { proposal_id: await propose('The router drops the last step.') });
    await call('log_operation', { op: 'crop', details: { why: 'x' } });
    await call('read_context');
    await call('load_context', { task: 'fix the router limit', tactical: true });
    await client.close();
    const session = newest();
    const later = await connect();
    await later.call('confirm_notes_update', { proposal_id: await later.propose('A later note.') });
    await later.call('confirm_taste_update', {
      proposal_id: (await later.call('propose_taste_update', { content: 'A later taste.', category: '_default' })).value
        .proposal_id,
    });
    await later.call('log_vocabulary_gap', { description: 'later' });
    await later.client.close();
    put(place.home, { 'repo/src/router.ts': 'export const router = "another router limit";\n' });
    git('commit', '-qam', 'raise the limit');
    put(place.home, { 'repo/src/parser.ts': 'not committed\n' });
    const before = git('status', '--porcelain');
    const found = replayed(session);
    expect(found.texts.flatMap(({ causes }) => causes)).toEqual([]);
    expect(verdicts(found)).toEqual(['read_context same', 'read_context same', 'load_context same']);
    expect(found.code).toBe(0);
    expect(git('status', '--porcelain')).toBe(before);
    expect(git('worktree', 'list').trim().split('\n')).toHaveLength(1);
    expect(readFileSync(at('repo/src/parser.ts'), 'utf8')).toBe('not committed\n');
    const { stdout } = run('sessions', 'replay', session, 'manta', '--compare', '--project', repo());
    expect(stdout).toContain('all 3 texts: the same bytes');
    git('checkout', '-q', '--', '.');
  });

  it('M49 M52 what a hook gave is made again too, with the warnings of its moment and the headings of elided notes', async () => {
    const first = await connect();
    const long = Array.from({ length: 60 }, (_, at) => (at % 9 ? `line ${at}` : `## Part ${at}`)).join('\n');
    await first.call('confirm_notes_update', { proposal_id: await first.propose(long) });
    await first.client.close();
    run('hook', 'session-start', '--workspace', 'manta');
    const later = await connect();
    await later.call('confirm_notes_update', { proposal_id: await later.propose('A later note.') });
    await later.client.close();
    const found = replayed('standing');
    expect(found.texts.flatMap(({ causes }) => causes)).toEqual([]);
    expect(verdicts(found)).toEqual(['hook session-start same']);
  });

  it('M49 what was not committed, and what changed without a decision, is named', async () => {
    put(place.home, { 'repo/src/cookie.ts': 'export const cookie = "a cookie limit that nobody committed";\n' });
    const { client, call } = await connect();
    await call('read_context');
    await call('load_context', { task: 'raise the cookie limit' });
    await client.close();
    const session = newest();
    git('checkout', '-q', '--', '.');
    appendFileSync(at('repo/.bearings/notes.md'), '\nWritten past the gate.\n');
    const found = replayed(session);
    expect(verdicts(found)).toEqual(['read_context differs', 'load_context differs']);
    expect(found.code).toBe(1);
    const [memory, bundle] = found.texts;
    expect(memory?.causes).toEqual(['notes.md: it changed since, and no stored decision says how']);
    expect(bundle?.causes).toEqual([
      `src/cookie.ts: not as in commit ${bundle?.head?.slice(0, 9)}; it had uncommitted changes`,
    ]);
    const { stdout } = run('sessions', 'replay', session, 'manta', '--compare', '--project', repo());
    expect(stdout).toContain('2 of 2 texts not the same');
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  });

  it('M49 where the text is no longer stored or the commit is gone, that is said', async () => {
    const { client, call } = await connect();
    await call('read_context');
    await call('load_context', { task: 'the parser' });
    await call('load_context', { task: 'the parser', adapters: [] });
    await client.close();
    const session = newest();
    expect(verdicts(replayed(session))).toEqual(['read_context same', 'load_context same', 'load_context same']);
    for (const name of readdirSync(at('.bearings/served'))) rmSync(at(`.bearings/served/${name}`));
    // The bytes are compared by their hash: the text itself is not needed.
    expect(replayed(session).code).toBe(0);
    writeFileSync(at('repo/.bearings/notes.md'), 'Another text.\n');
    expect(replayed(session).texts[0]).toMatchObject({
      verdict: 'differs',
      causes: ['the text that was served is no longer stored: only its hash is known'],
    });
    const elsewhere = at('elsewhere');
    put(elsewhere, { 'README.md': 'x' });
    const { code, stdout } = run('sessions', 'replay', session, 'manta', '--compare', '--project', elsewhere, '--json');
    expect(code).toBe(1);
    expect((JSON.parse(stdout) as Replay).texts[1]).toMatchObject({
      verdict: 'lost',
      causes: [expect.stringContaining('is not in this repository')],
    });
    expect(run('sessions', 'replay', '--compare')).toMatchObject({ code: 2 });
    expect(run('sessions', 'replay', 'nosuch', 'manta', '--compare')).toMatchObject({ code: 2 });
  });
});
