import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import type { Client } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { askingClient, filesBelow, pendingBelow } from '../support/mcp/asking-client.ts';
import { decided, openLibrary, proposed, sha256 } from '../support/open-library.ts';
import { person } from '../support/person.ts';
import { BINARY, environment, MODERN, onTerminal, STARTED } from '../support/process/binary.ts';
import { put } from '../support/temp-folder.ts';

const MANTA = '.bearings/workspaces/manta';
const { place, at, run } = person({
  [`${MANTA}/notes.md`]: '# Manta\n\nfirst\n',
  [`${MANTA}/brief.md`]: 'Quiet.\n',
  '.bearings/tastes/_default.md': '- calm\n',
});

/** What lasts: everything but the waiting room, its records and what is derived. */
const lasting = () =>
  Object.fromEntries(
    Object.entries(filesBelow(at('.bearings'))).filter(
      ([path]) => !/(?:^|\/)sessions\/|^machine$|^key\.json$|^config\.yaml$/.test(path),
    ),
  );
const waits = async (content = 'Only the person may write this.') => {
  const id = await proposed(openLibrary(place.home), content);
  return { id, before: lasting() };
};
const stillWaits = (id: string, before: Record<string, string>) =>
  expect([lasting(), pendingBelow(at('.bearings'))]).toEqual([before, [id]]);

describe('the agent confirms its own proposal', () => {
  it('M18 through any tool and any argument', async () => {
    const { id, before } = await waits();
    const { call, client } = await askingClient(place, { elicits: false });
    const wishes = {
      proposal_id: id,
      accept: true,
      confirm: true,
      confirmed: true,
      decision: 'accept',
      yes: true,
      force: true,
    };
    const inner = { inputResponses: { decision: { action: 'accept' } }, requestState: 'x', _meta: { accept: true } };
    const { tools } = await client.listTools();
    for (const { name } of tools) {
      if (name === 'end_session' || name === 'withdraw_proposal') continue;
      const more = { image_id: 'manta', content: 'x', category: 'value', op: 'x', description: 'x' };
      if (name.startsWith('propose') || name.startsWith('log')) continue;
      await call(name, { ...more, ...wishes, ...inner }).catch(() => undefined);
    }
    stillWaits(id, before);
  });

  it('M18 by answers to a question that was never put, or about another proposal, or a second time', async () => {
    const { id, before } = await waits();
    const { client } = await askingClient(place, { era: { ...MODERN, inputRequired: { autoFulfill: false } } });
    const confirm = (proposal_id: string, more: object) => rawConfirm(client, proposal_id, more);
    const yes = { inputResponses: { decision: { action: 'accept' } } };
    for (const requestState of [undefined, '', 'x'.repeat(32), '__proto__', id])
      await confirm(id, { ...yes, ...(requestState === undefined ? {} : { requestState }) }).catch(() => undefined);
    stillWaits(id, before);
    const other = await proposed(openLibrary(place.home), 'Another one.');
    const { requestState } = (await confirm(other, {})) as { requestState: string };
    expect(requestState).toMatch(/^[0-9a-f]{64}$/);
    await confirm(id, { ...yes, requestState });
    expect([lasting(), pendingBelow(at('.bearings')).sort()]).toEqual([before, [id, other].sort()]);
    const asked = (await confirm(id, {})) as { requestState: string };
    expect(
      await confirm(id, { inputResponses: { decision: { action: 'cancel' } }, requestState: asked.requestState }),
    ).toMatchObject({
      structuredContent: { status: 'awaiting_person' },
    });
    await confirm(id, { ...yes, requestState: asked.requestState });
    expect([lasting(), pendingBelow(at('.bearings')).sort()]).toEqual([before, [id, other].sort()]);
  });

  it('M18 by any flag, variable or setting of the command line', async () => {
    const { id, before } = await waits();
    for (const flag of [
      '--yes',
      '-y',
      '--accept',
      '--all',
      '--force',
      '--no-input',
      '--decision=accept',
      '--passphrase=x',
    ])
      expect([flag, run('review', flag).code]).toEqual([flag, 2]);
    for (const words of [['review'], ['review', 'manta'], ['review', '--json']]) expect(run(...words).code).toBe(3);
    const variables = {
      BEARINGS_YES: '1',
      BEARINGS_CONFIRM: 'never',
      BEARINGS_ACCEPT: id,
      CI: '1',
      FORCE_TTY: '1',
      TERM: 'xterm',
    };
    const forced = spawnSync(process.execPath, [...STARTED, BINARY, 'review'], {
      env: { ...environment(place), ...variables },
      input: 'a\n',
    });
    expect(forced.status).toBe(3);
    for (const setting of ['confirm: auto', 'auto_accept: true', 'confirm: none']) {
      put(place.home, { '.bearings/config.yaml': `${setting}\n` });
      expect([setting, run('review').code]).toEqual([setting, 2]);
    }
    rmSync(at('.bearings/config.yaml'));
    stillWaits(id, before);
  });

  it('M18 by feeding review from a pipe, a file or nothing', async () => {
    const { id, before } = await waits();
    const bearings = `'${process.execPath}' '${BINARY}' review`;
    for (const line of [
      `yes a | ${bearings}`,
      `${bearings} </dev/null`,
      `printf 'a\\na\\n' | ${bearings}`,
      `${bearings} <<< a`,
      `${bearings} 0<&-`,
    ]) {
      const { status, stdout } = spawnSync('bash', ['-c', line], {
        env: environment(place),
        cwd: place.home,
        encoding: 'utf8',
      });
      expect([line, status, stdout]).toEqual([line, 3, '']);
    }
    stillWaits(id, before);
  });

  it('M18 by the editor setting', async () => {
    const { id, before } = await waits();
    const trick = `touch '${at('ran')}'; echo evil >>`;
    const variables = { EDITOR: trick, VISUAL: trick, PAGER: trick, GIT_EDITOR: trick };
    for (const words of [['edit', 'notes', 'manta'], ['edit', 'tastes'], ['review'], ['review', '--show', id]])
      spawnSync(process.execPath, [...STARTED, BINARY, ...words], {
        env: { ...environment(place), ...variables },
        cwd: place.home,
        input: 'a\n',
      });
    expect(existsSync(at('ran'))).toBe(false);
    stillWaits(id, before);
  });
});

function rawConfirm(client: Client, proposal_id: string, more: object): Promise<unknown> {
  const params = { name: 'confirm_notes_update', arguments: { proposal_id }, ...more };
  return client.callTool(params, { allowInputRequired: true } as object).catch((error: unknown) => error);
}

describe('a forged pending file', () => {
  type Change = Record<string, unknown>;
  const forged = (change: Change) => ({
    version: 1,
    proposal_id: 'p_0123456789abcdef',
    kind: 'notes',
    file: 'notes.md',
    content: 'Forged.',
    category: null,
    reason: null,
    replaces: null,
    image_id: 'manta',
    content_sha256: sha256(String(change.content ?? 'Forged.')),
    session_id: 'abc',
    client: 'studio',
    created_at: '2026-01-01T00:00:00.000Z',
    ...change,
  });
  const plant = (folder: string, change: Change) =>
    put(at(folder), { 'sessions/abc/p_0123456789abcdef.json': JSON.stringify(forged(change)) });

  it.each([
    ['another file of the workspace', { file: 'brief.md' }],
    ['a file outside', { file: '../../../outside.md' }],
    ['an absolute file', { file: '/tmp/outside.md' }],
    ['a taste outside of its folder', { kind: 'taste', category: 'value', file: '../config.yaml' }],
    ['a taste that is no Markdown', { kind: 'taste', category: 'value', file: 'x.yaml' }],
    ['text the eye does not see', { content: 'calm\u200b\u202e text' }],
    ['terminal escapes', { content: '\u001b]0;x\u0007\u001b[2Jhello' }],
    ['escapes in the reason', { reason: '\u001b[2J' }],
    ['escapes in the client', { client: '\u001b[2Jstudio' }],
    ['two lines in the client', { client: 'studio\nTarget: x' }],
    ['a text too long', { content: 'x'.repeat(20_001) }],
    ['no text', { content: 5 }],
    ['another version', { version: 2 }],
    ['the hash of another text', { content_sha256: sha256('Harmless.') }],
    ['an id that is a path', { proposal_id: '../x' }],
  ])('M22 M28 with %s is no proposal, and nobody can be asked about it', async (_, change) => {
    plant(MANTA, change);
    const bearings = openLibrary(place.home);
    expect(await (await bearings.gate()).listProposals('all')).toEqual([]);
    await expect((await bearings.gate()).showProposal('p_0123456789abcdef')).rejects.toMatchObject({
      code: 'not_found',
    });
    const shown = {
      proposal_id: 'p_0123456789abcdef',
      content_sha256: sha256('Forged.'),
      target: 'notes.md of manta',
      replaces: null,
    };
    await expect(
      (await bearings.gate()).decide(shown, null, { decision: 'accept', via: 'review', client: null }),
    ).rejects.toMatchObject({ code: 'not_found' });
  });

  it('M19 M22 belongs to the folder it lies in, whatever workspace it names; with the hash of another text it is none', async () => {
    put(place.home, { '.bearings/workspaces/other/brief.md': 'x' });
    plant('.bearings/workspaces/other', { image_id: 'manta' });
    const bearings = openLibrary(place.home);
    const { proposal, target } = await (await bearings.gate()).showProposal('p_0123456789abcdef');
    expect([target, proposal.content_sha256]).toEqual(['notes.md of other', sha256('Forged.')]);
    plant('.bearings/workspaces/other', { image_id: 'manta', content_sha256: sha256('Harmless.') });
    expect(await (await bearings.gate()).listProposals('all')).toEqual([]);
    await expect(decided(bearings, 'p_0123456789abcdef')).rejects.toMatchObject({ code: 'not_found' });
  });

  it('M21 with a text that the person declined does not wait again, under whatever id', async () => {
    const bearings = openLibrary(place.home);
    await decided(bearings, await proposed(bearings, 'Forged.'), { decision: 'decline' });
    plant(MANTA, {});
    expect(await (await bearings.gate()).listProposals('all')).toEqual([]);
    await expect(decided(bearings, 'p_0123456789abcdef')).rejects.toMatchObject({ code: 'not_found' });
  });

  it('M47 planted past the tool is listed within the same bounds, and what waited before stays in the list', async () => {
    const bearings = openLibrary(place.home);
    const own = await proposed(bearings, 'Proposed in the usual way.');
    for (let client = 0; client < 5; client += 1)
      for (let count = 0; count < 60; count += 1) {
        const content = `Number ${count} of ${client}.`;
        const id = `p_${client}_${count}`;
        const change = { proposal_id: id, content, client: `client ${client}`, created_at: '2126-01-01T00:00:00.000Z' };
        put(at(MANTA), { [`sessions/standing/${id}.json`]: JSON.stringify(forged(change)) });
      }
    const list = await (await bearings.gate()).listProposals('all');
    expect(list.filter(({ client }) => client === 'client 0').length).toBe(50);
    expect([list.length, list.some(({ proposal_id }) => proposal_id === own)]).toEqual([200, true]);
  });

  it('M22 by a link is not followed', async () => {
    plant('elsewhere', {});
    mkdirSync(at(`${MANTA}/sessions/own`), { recursive: true });
    symlinkSync(at('elsewhere/sessions/abc'), at(`${MANTA}/sessions/linked`));
    symlinkSync(
      at('elsewhere/sessions/abc/p_0123456789abcdef.json'),
      at(`${MANTA}/sessions/own/p_0123456789abcdef.json`),
    );
    expect(await (await openLibrary(place.home).gate()).listProposals('all')).toEqual([]);
  });
});

describe('text that nobody said yes to', () => {
  it('M18 M21 is never served: not pending, not declined, not withdrawn, not set aside', async () => {
    const { call, propose } = await askingClient(place, { reply: 'decline' });
    const ids = [await propose('SECRET-DECLINED'), await propose('SECRET-PENDING'), await propose('SECRET-WITHDRAWN')];
    await call('propose_taste_update', { content: 'SECRET-TASTE', category: 'value' });
    await call('confirm_notes_update', { proposal_id: ids[0] });
    await call('withdraw_proposal', { proposal_id: ids[2] });
    const served = async () => {
      const context = await call('read_context', { image_id: 'manta' });
      const notes = await call('read_full_notes', { image_id: 'manta' });
      return JSON.stringify([context.texts, context.structured, notes.texts]);
    };
    expect(await served()).not.toContain('SECRET');
    await call('end_session', { image_id: 'manta' });
    // The log names what was set aside, as evidence and in full; memory does not hold it.
    const { tastes, brief, notes } = (await call('read_context', { image_id: 'manta' })).value;
    expect(JSON.stringify([tastes, brief, notes])).not.toContain('SECRET');
    for (const name of ['notes.md', 'brief.md'])
      expect(readFileSync(at(`${MANTA}/${name}`), 'utf8')).not.toContain('SECRET');
  });

  it('M27 a failed apply leaves it pending and serves nothing of it', async () => {
    const bearings = openLibrary(place.home);
    const id = await proposed(bearings, 'SECRET-FAILED');
    put(place.home, { '.bearings/machine': 'desk-1\n' });
    mkdirSync(at(`${MANTA}/ledger/desk-1.jsonl`), { recursive: true });
    await expect(decided(bearings, id)).rejects.toMatchObject({ code: 'io_error' });
    expect(readFileSync(at(`${MANTA}/notes.md`), 'utf8')).toBe('# Manta\n\nfirst\n');
    expect(JSON.stringify(await (await bearings.memory()).readContext('manta'))).not.toContain('SECRET');
    expect(pendingBelow(at('.bearings'))).toEqual([id]);
  });
});

describe('what the eye does not see, on the person’s screen', () => {
  const RAW = /[\u200b\u202e\u2066]|\u001b(?!\[\d*(?:;\d+)*[mKJGHABCD]|\[\?\d+[hl])|\u0007|\u009b/;

  it('M28 escapes around a proposal, in file, reason and client, are shown and not obeyed', async () => {
    const evil = 'x\u001b]0;owned\u0007\u202etxt\u200b\u009b31m';
    put(place.home, { [`${MANTA}/notes.md`]: `${evil}\n` });
    const { call, propose, asked } = await askingClient(place, {
      name: `evil\u001b]0;owned\u0007\u202e`,
      reply: 'cancel',
    });
    const id = await propose('Plain text.');
    expect((await call('confirm_notes_update', { proposal_id: id })).value).toMatchObject({
      status: 'awaiting_person',
    });
    expect(asked[0]).not.toMatch(RAW);
    expect(asked[0]).toContain('\\u{1b}]0;owned');
    for (const words of [
      ['review', '--list'],
      ['review', '--show', id],
    ]) {
      const { stdout } = run(...words);
      expect(stdout).not.toMatch(RAW);
      expect((await onTerminal(place, words)).stdout).not.toMatch(RAW);
    }
    const { stdout } = await onTerminal(
      place,
      ['review'],
      [
        { after: '[a]ccept', type: 'o' },
        { after: '[y]es, adopt all', type: 'q' },
      ],
    );
    expect(stdout).toContain('\\u{202e}txt\\u{200b}');
    expect(stdout).not.toMatch(RAW);
  });

  it('M26 escapes in a ledger are shown and not obeyed', async () => {
    const entry = { seq: 1, prev: '', machine: 'x\u001b]0;owned\u0007\u202e', decision: '\u001b[2J', at: '\u001b[2J' };
    put(at(MANTA), { 'ledger/far.jsonl': `${JSON.stringify(entry)}\n` });
    const { code, stdout } = run('verify');
    expect(code).toBe(1);
    expect(stdout).not.toMatch(RAW);
  });
});

it('M18 M29 no record of a session holds a way to decide', async () => {
  const { call, propose } = await askingClient(place, { era: MODERN });
  await call('confirm_notes_update', { proposal_id: await propose('Plain.') });
  const records = Object.entries(filesBelow(at('.bearings'))).filter(([path]) => path.includes('sessions/'));
  expect(records.length).toBeGreaterThan(0);
  for (const [, text] of records) expect(text).not.toMatch(/requestState|inputResponses|passphrase|private_key/);
});
