import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { askingClient } from '../support/mcp/asking-client.ts';
import { person } from '../support/person.ts';
import { onTerminal } from '../support/process/binary.ts';
import { put } from '../support/temp-folder.ts';

const WORKSPACE = '.bearings/workspaces/manta';
const { place, at, run } = person({
  [`${WORKSPACE}/brief.md`]: 'Quiet mood for the whole series.\n',
  '.bearings/tastes/_default.md': 'Short captions.\n',
});

const sessions = () =>
  JSON.parse(run('sessions', 'list', 'manta', '--json').stdout) as { session_id: string; client: string }[];
const shown = (id: string) => JSON.parse(run('sessions', 'show', id, 'manta', '--json').stdout);

describe('M49 what was served can be seen again', () => {
  it('the very bytes that the client received, by MCP and by the hook', async () => {
    const { client, call } = await askingClient(place, { args: ['--workspace', 'manta'] });
    const { texts } = await call('read_context');
    await client.close();
    const hook = JSON.parse(run('hook', 'session-start', '--workspace', 'manta').stdout).hookSpecificOutput
      .additionalContext;
    const served = sessions().flatMap(({ session_id }) => Object.values(shown(session_id).served));
    expect(served).toContain(hook);
    expect(served.some((text) => String(text).includes(texts[0] ?? '?'))).toBe(true);
    const [agents] = sessions().filter(({ client: name }) => name === 'studio');
    expect(run('sessions', 'show', agents?.session_id ?? '', 'manta', '--served').stdout).toContain('Quiet mood');
    expect(existsSync(at(`${WORKSPACE}/served`))).toBe(false);
  });

  it('keep_served: 0 keeps none, and show says so', async () => {
    put(place.home, { '.bearings/config.yaml': 'keep_served: 0\n' });
    run('hook', 'session-start', '--workspace', 'manta');
    const [hook] = sessions();
    expect(Object.values(shown(hook?.session_id ?? '').served)).toEqual([null]);
    expect(run('sessions', 'show', hook?.session_id ?? '', 'manta', '--served').stdout).toContain('no longer stored');
    expect(existsSync(at('.bearings/served'))).toBe(false);
  });

  it('why names the decision, the file or the record behind a line, and who got it', async () => {
    const { client, call, propose } = await askingClient(place, { args: ['--workspace', 'manta'] });
    await call('confirm_notes_update', { proposal_id: await propose('The manta turns left.') });
    await call('log_operation', { op: 'crop', details: { why: 'the frame was crooked' } });
    await call('log_vocabulary_gap', { description: 'No way to say that' });
    await call('read_context');
    await client.close();
    appendFileSync(at(`${WORKSPACE}/notes.md`), '\nWritten past the gate.\n');
    const why = (text: string) => JSON.parse(run('why', text, 'manta', '--json').stdout);
    expect(why('turns left').sources).toMatchObject([
      { kind: 'notes', file: 'notes.md', line: 1, origin: { decision: 'accept', proposed_by: 'studio' } },
    ]);
    expect(why('turns left').served).toMatchObject([{ client: 'studio', image_id: 'manta' }]);
    expect(why('Short captions').sources).toMatchObject([{ kind: 'taste', line: 1 }]);
    expect(why('whole series').sources).toMatchObject([{ kind: 'brief', file: 'brief.md', line: 1 }]);
    expect(why('frame was crooked').sources).toMatchObject([{ kind: 'log', record: { op: 'crop' } }]);
    expect(why('No way to say').sources).toMatchObject([{ kind: 'gap' }]);
    expect(why('past the gate').sources).toMatchObject([{ kind: 'notes', origin: null }]);
    expect(run('why', 'turns left', 'manta').stdout).toMatch(
      /notes\.md:1 {2}accepted .*proposed by studio.*\nserved .* to studio/,
    );
    expect(run('why', 'never seen anywhere', 'manta')).toMatchObject({ code: 1 });
    expect(run('why')).toMatchObject({ code: 2 });
  });
});

describe('M48 gaps', () => {
  const gaps = [
    { timestamp: '2026-11-10T10:00:00.000Z', image_id: 'manta', description: 'No radial mask', satisfaction: -1 },
    { timestamp: '2026-11-11T10:00:00.000Z', image_id: 'manta', description: 'no radial mask!', satisfaction: -1 },
    { timestamp: '2026-11-12T10:00:00.000Z', image_id: 'manta', description: 'Grain by hand', satisfaction: 1 },
  ];
  const write = () =>
    put(place.home, { [`${WORKSPACE}/vocabulary_gaps.jsonl`]: gaps.map((gap) => `${JSON.stringify(gap)}\n`).join('') });

  it('ranked by how often, how recent and how badly; list by time; show every record', () => {
    write();
    const ranked = JSON.parse(run('sessions', 'gaps', 'rank', 'manta', '--json').stdout);
    expect(
      ranked.map(({ description, count }: { description: string; count: number }) => [description, count]),
    ).toEqual([
      ['no radial mask!', 2],
      ['Grain by hand', 1],
    ]);
    expect(run('sessions', 'gaps', 'list', 'manta').stdout.split('\n')[0]).toContain('Grain by hand');
    expect(run('sessions', 'gaps', 'show', '1', 'manta').stdout).toContain('2026-11-10 10:00:00');
    expect(run('sessions', 'gaps', 'show', '9', 'manta')).toMatchObject({ code: 2 });
    for (const line of run('sessions', 'gaps', 'rank', 'manta').stdout.split('\n'))
      expect(line.length).toBeLessThanOrEqual(80);
  });

  it('from a gap to a proposal in one step', () => {
    write();
    expect(run('sessions', 'gaps', 'propose', '1', 'manta').code).toBe(0);
    const [proposal] = JSON.parse(run('review', 'manta', '--list', '--json').stdout);
    expect(proposal).toMatchObject({ kind: 'notes', content: 'Missing: no radial mask!' });
    expect(proposal.reason).toContain('2 times');
  });

  it('M48 clear asks until it has an answer, sets records aside and leaves the others where they are', async () => {
    write();
    expect(run('sessions', 'gaps', 'clear', '1', 'manta').code).toBe(3);
    const said = await onTerminal(
      place,
      ['sessions', 'gaps', 'clear', '1', 'manta'],
      [
        { after: '[y/n]', type: 'yse\n' },
        { after: 'Type y or n.', type: '' },
        { after: '[y/n]', type: 'y\n' },
      ],
    );
    expect(said.stdout).toContain('2 records set aside');
    expect(readFileSync(at(`${WORKSPACE}/vocabulary_gaps.jsonl`), 'utf8')).toBe(`${JSON.stringify(gaps[2])}\n`);
    expect(
      readFileSync(at(`${WORKSPACE}/vocabulary_gaps_cleared.jsonl`), 'utf8')
        .trim()
        .split('\n'),
    ).toHaveLength(2);
    expect(JSON.parse(run('read', 'manta', '--json').stdout).recent_gaps).toHaveLength(1);
  });

  it('what a broken off clear left aside is not lost', () => {
    write();
    put(place.home, {
      [`${WORKSPACE}/vocabulary_gaps.jsonl.aside`]: `${JSON.stringify({ ...gaps[0], description: 'Left aside' })}\n`,
    });
    expect(run('sessions', 'gaps', 'clear', '2', 'manta', '--yes').code).toBe(0);
    expect(readFileSync(at(`${WORKSPACE}/vocabulary_gaps.jsonl`), 'utf8')).toContain('Left aside');
  });

  it('a gap names the commit that is checked out, read without git', async () => {
    put(place.home, {
      'repo/.git/HEAD': 'ref: refs/heads/main\n',
      'repo/.git/refs/heads/main': `${'a'.repeat(40)}\n`,
      'repo/.bearings/workspace.json': '{"id":"reef"}',
    });
    const { client, call } = await askingClient({ ...place, cwd: at('repo') });
    await call('log_vocabulary_gap', { description: 'x', image_id: 'reef' });
    await client.close();
    expect(JSON.parse(readFileSync(at('repo/.bearings/vocabulary_gaps.jsonl'), 'utf8')).snapshot_hash).toBe(
      'a'.repeat(40),
    );
  });
});
