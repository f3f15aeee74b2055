import { existsSync, readFileSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { agent, bearings, onTerminal } from '../binary.ts';
import { person } from '../person.ts';
import { put } from '../temp-folder.ts';

const { place, at } = person({
  '.bearings/workspaces/mine/brief.md': 'brief of mine',
  '.bearings/workspaces/other/brief.md': 'SECRET-OF-OTHER',
  '.bearings/workspaces/other/notes.md': 'SECRET-OF-OTHER',
});

describe('row 10: a server that was started for one workspace', () => {
  let pinned: Awaited<ReturnType<typeof agent>>;
  beforeEach(async () => {
    pinned = await agent(place, { args: ['--workspace', 'mine'] });
  });

  it('row 10 M39 reads, logs and proposes in no other, and lists none', async () => {
    const calls: [string, Record<string, unknown>][] = [
      ['read_context', {}],
      ['read_full_notes', {}],
      ['log_operation', { op: 'x', details: {} }],
      ['log_vocabulary_gap', { description: 'x' }],
      ['propose_notes_update', { content: 'Planted.' }],
      ['list_proposals', {}],
      ['end_session', {}],
    ];
    for (const [tool, input] of calls) {
      const { texts } = await pinned.call(tool, { ...input, image_id: 'other' });
      expect([tool, texts.join()]).toEqual([tool, expect.stringMatching(/not_found|image_id/)]);
      expect(texts.join()).not.toContain('SECRET-OF-OTHER');
    }
    const { resources } = await pinned.client.listResources();
    expect(JSON.stringify(resources)).not.toContain('other');
    for (const kind of ['brief', 'notes'])
      await expect(pinned.client.readResource({ uri: `bearings://workspaces/other/${kind}` })).rejects.toThrow();
    const ref = { type: 'ref/resource' as const, uri: 'bearings://workspaces/{id}/notes' };
    const { completion } = await pinned.client.complete({ ref, argument: { name: 'id', value: '' } });
    expect(completion.values).toEqual(['mine']);
    for (const file of ['log.jsonl', 'vocabulary_gaps.jsonl', 'sessions'])
      expect(existsSync(at(`.bearings/workspaces/other/${file}`))).toBe(false);
    expect((await pinned.call('read_context', { image_id: 'mine' })).texts.join()).toContain('brief of mine');
  });

  it('row 10 M39 M21 shows, asks about and withdraws no proposal of another', async () => {
    const free = await agent(place);
    const { value } = await free.call('propose_notes_update', { image_id: 'other', content: 'Of the other.' });
    const proposal_id = String(value.proposal_id);
    expect(JSON.stringify((await pinned.call('list_proposals')).value)).not.toContain(proposal_id);
    for (const tool of ['withdraw_proposal', 'confirm_notes_update'])
      expect((await pinned.call(tool, { proposal_id })).value).toMatchObject({ error: { code: 'not_found' } });
    expect(bearings(place, 'proposals', '--json').stdout).toContain(proposal_id);
  });

  it('row 10 M21 a client of the same name withdraws nothing of another session', async () => {
    const same = await agent(place, { args: ['--workspace', 'mine'] });
    const { value } = await pinned.call('propose_notes_update', { content: 'Mine.' });
    const proposal_id = String(value.proposal_id);
    expect((await same.call('withdraw_proposal', { proposal_id })).value).toMatchObject({
      error: { code: 'conflict' },
    });
    expect((await pinned.call('withdraw_proposal', { proposal_id })).value).toMatchObject({ status: 'withdrawn' });
  });
});

it('row 10 M39 a clone’s client file that names a workspace of the person’s is asked about once', async () => {
  const start = { command: 'bearings', args: ['mcp', '--workspace', 'other'] };
  put(place.home, {
    'clone/.git/HEAD': 'ref: refs/heads/main\n',
    'clone/.mcp.json': JSON.stringify({ mcpServers: { b: start } }),
  });
  const inside = { ...place, cwd: at('clone') };
  const refused = bearings(inside, 'mcp', '--workspace', 'other');
  expect([refused.code, refused.stderr]).toEqual([3, expect.stringContaining('bearings workspaces link other')]);
  expect(readFileSync(at('clone/.mcp.json'), 'utf8')).toContain('other');
  await onTerminal(inside, ['workspaces', 'link', 'other'], [{ after: '[y/N] ', type: 'y\n' }]);
  const { call } = await agent(inside, { args: ['--workspace', 'other'] });
  expect((await call('read_context')).isError).toBe(false);
});

it('row 12 M47 at most 50 proposals of one session wait at once', async () => {
  const { call } = await agent(place, { args: ['--workspace', 'mine'] });
  for (let n = 0; n < 50; n += 1) {
    const { value } = await call('propose_notes_update', { content: `Thing number ${n} that was seen.` });
    expect(value.status).toBe('pending');
  }
  const more = await call('propose_notes_update', { content: 'One thing more.' });
  expect(more.value).toMatchObject({ error: { code: 'too_many', hint: expect.stringContaining('Gather') } });
  const [first] =
    JSON.parse(bearings(place, 'proposals', '--json').stdout).proposals ??
    JSON.parse(bearings(place, 'proposals', '--json').stdout);
  await call('withdraw_proposal', { proposal_id: first.proposal_id });
  expect((await call('propose_notes_update', { content: 'One thing more.' })).value.status).toBe('pending');
});
