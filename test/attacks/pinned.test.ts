import { existsSync, readFileSync } from 'node:fs';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { beforeEach, describe, expect, it } from 'vitest';
import { mcpServerFactory } from '../../src/mcp/embed.ts';
import { person } from '../support/person.ts';
import { agent, bearings, onTerminal } from '../support/process/binary.ts';
import { put } from '../support/temp-folder.ts';

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
    for (const file of ['log.jsonl', 'vocabulary_gaps.jsonl', 'sessions'])
      expect(existsSync(at(`.bearings/workspaces/other/${file}`))).toBe(false);
    expect((await pinned.call('read_context', { image_id: 'mine' })).texts.join()).toContain('brief of mine');
  });

  it('row 10 M39 a server in a program that names a workspace serves it alone, too', async () => {
    const [ours, theirs] = InMemoryTransport.createLinkedPair();
    const options = { home: at('.bearings'), cwd: place.home, variables: {}, workspace: 'mine' };
    const server = mcpServerFactory(options)();
    await server.connect(ours as never);
    const client = new Client({ name: 'x', version: '1' });
    await client.connect(theirs);
    const read = async (id: string) =>
      JSON.stringify(await client.callTool({ name: 'read_context', arguments: { image_id: id } }));
    expect(await read('mine')).toContain('brief of mine');
    expect(await read('other')).not.toContain('SECRET-OF-OTHER');
    await client.close();
  });

  it('row 10 M39 M21 shows, asks about and withdraws no proposal of another', async () => {
    const free = await agent(place);
    const { value } = await free.call('propose_notes_update', { image_id: 'other', content: 'Of the other.' });
    const proposal_id = String(value.proposal_id);
    expect(JSON.stringify((await pinned.call('list_proposals')).value)).not.toContain(proposal_id);
    for (const tool of ['withdraw_proposal', 'confirm_notes_update'])
      expect((await pinned.call(tool, { proposal_id })).value).toMatchObject({ error: { code: 'not_found' } });
    expect(bearings(place, 'review', '--list', '--json').stdout).toContain(proposal_id);
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

describe('M39 M50 tastes that the brief of the one workspace does not declare', () => {
  const SECRET = 'Never name the client Ottilie in public.';
  beforeEach(() => {
    put(place.home, {
      '.bearings/workspaces/mine/brief.md': 'A brief.\n\nTastes: wide\n',
      '.bearings/tastes/_default.md': 'Keep answers short.\n',
      '.bearings/tastes/wide.md': 'Use wide lines.\n',
      '.bearings/tastes/hidden.md': `${SECRET}\n\nKeep answers long.\n`,
    });
  });

  it('M39 M50 nothing of them reaches the agent in the answer to a proposal, or as a resource', async () => {
    const { call, client } = await agent(place, { args: ['--workspace', 'mine'] });
    const taste = (input: object) => call('propose_taste_update', { category: 'value', ...input });
    const answers = [
      await taste({ content: 'Something new.', file: 'hidden.md' }),
      await taste({ content: 'Name the client Ottilie in public.' }),
      await call('propose_notes_update', { content: 'Name the client Ottilie in public, always.' }),
    ];
    for (const { value, texts } of answers) {
      expect(value).toMatchObject({ status: 'pending' });
      expect(texts.join()).not.toMatch(/Never name|answers long/);
      expect(value.contradicts ?? []).toEqual([]);
    }
    // That a text is there is told of none of them either.
    expect((await taste({ content: SECRET })).value).toMatchObject({ status: 'pending' });
    expect((await taste({ content: SECRET, file: 'hidden.md' })).value).toMatchObject({ status: 'pending' });
    const there = await taste({ content: 'X.', file: 'hidden.md', replaces: SECRET });
    const absent = await taste({ content: 'X.', file: 'hidden.md', replaces: 'Nobody ever said this.' });
    expect([there.isError, there.texts.join()]).toEqual([true, absent.texts.join()]);
    // What is declared is told as ever.
    expect((await taste({ content: 'Use wide lines.' })).value).toMatchObject({ status: 'already_present' });
    expect((await taste({ content: 'Never use wide lines.' })).value).toMatchObject({
      contradicts: [{ place: 'tastes/wide.md' }],
    });
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri).filter((uri) => uri.includes('tastes'))).toEqual([
      'bearings://tastes/_default',
      'bearings://tastes/wide',
    ]);
    await expect(client.readResource({ uri: 'bearings://tastes/hidden' })).rejects.toThrow('There is no taste');
    expect(JSON.stringify(await client.readResource({ uri: 'bearings://tastes/wide' }))).toContain('wide lines');
  });

  it('M24 M39 the person sees all of it', async () => {
    const { call } = await agent(place, { args: ['--workspace', 'mine'] });
    await call('propose_taste_update', {
      category: 'value',
      content: 'Name the client Ottilie in public.',
      file: 'hidden.md',
    });
    const shown = bearings(place, 'review', '--list', '--json').stdout + bearings(place, 'proposals', '--json').stdout;
    expect(shown).toContain('Name the client Ottilie in public.');
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
  await onTerminal(inside, ['workspaces', 'link', 'other'], [{ after: '[y/n] ', type: 'y\n' }]);
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
    JSON.parse(bearings(place, 'review', '--list', '--json').stdout).proposals ??
    JSON.parse(bearings(place, 'review', '--list', '--json').stdout);
  await call('withdraw_proposal', { proposal_id: first.proposal_id });
  expect((await call('propose_notes_update', { content: 'One thing more.' })).value.status).toBe('pending');
});

it('row 12 M15 an argument that is too long is refused before anything looks through it; a task is cut', async () => {
  const { call } = await agent(place, { args: ['--workspace', 'mine'] });
  const long = 'an ordinary word '.repeat(20_000);
  for (const [tool, argument, more] of [
    ['propose_notes_update', 'content', {}],
    ['log_operation', 'op', {}],
    ['withdraw_proposal', 'proposal_id', {}],
    ['read_full_notes', 'query', {}],
    ['log_operation', 'details', { op: 'x' }],
  ] as const) {
    const { value } = await call(tool, { ...more, [argument]: argument === 'details' ? { long } : long });
    expect(value).toMatchObject({ error: { code: 'invalid_input', argument } });
    expect(JSON.stringify(value)).toContain(`${argument} is longer than 250000 characters.`);
  }
  expect((await call('load_context', { task: long })).isError).toBe(false);
});
