import { describe, expect, it } from 'vitest';
import { shownOf } from '../../src/gate/proposals/proposal.ts';
import { askingClient } from '../support/mcp/asking-client.ts';
import { openLibrary } from '../support/open-library.ts';
import { person } from '../support/person.ts';
import { agent, bearings } from '../support/process/binary.ts';

const { place, at, run } = person({
  '.bearings/tastes/_default.md': '- calm over loud\n',
  '.bearings/workspaces/manta/notes.md': 'first\n',
  'elsewhere/x.txt': '',
});

describe('what the person declined', () => {
  it('M21 is not pending again one call later: the same text is answered with date and reason', async () => {
    const { call } = await askingClient(place);
    const { value } = await call('propose_notes_update', { image_id: 'manta', content: 'The manta turns left.' });
    const library = openLibrary(place.home);
    const { proposal } = await (await library.gate()).showProposal(String(value.proposal_id));
    const decision = { decision: 'decline', reason: 'It turned right.', via: 'review', client: null } as const;
    await (await library.gate()).decide(shownOf(proposal), null, decision);
    const again = await call('propose_notes_update', { image_id: 'manta', content: '  the MANTA\nturns left. ' });
    expect(again.value).toEqual({
      status: 'declined_before',
      target: 'notes.md of manta',
      declined_at: expect.stringMatching(/^\d{4}-/),
      reason: 'It turned right.',
    });
    expect(JSON.parse(run('review', '--list', '--json').stdout)).toEqual([]);
    expect(run('propose', 'notes', 'manta', '--content', 'The manta turns left.').stdout).toContain('It turned right.');
    const near = await call('propose_notes_update', { image_id: 'manta', content: 'The manta turns left at dusk.' });
    const shown = await (await library.gate()).showProposal(String(near.value.proposal_id));
    expect(shown.declined).toMatchObject({ reason: 'It turned right.', content: 'The manta turns left.' });
  });
});

describe('what likely contradicts memory', () => {
  it('M17 is told where it arises: in the answer to the agent and before the person, across files', async () => {
    const { call } = await askingClient(place);
    const content = 'Not calm over loud';
    const { value } = await call('propose_notes_update', { image_id: 'manta', content });
    const line = { place: 'tastes/_default.md', line: 1, text: '- calm over loud', why: 'negation' };
    expect(value).toMatchObject({ status: 'pending', contradicts: [line] });
    const shown = await (await openLibrary(place.home).gate()).showProposal(String(value.proposal_id));
    expect(shown.contradicts).toEqual([line]);
    const fine = await call('propose_notes_update', { image_id: 'manta', content: 'The boat is blue.' });
    expect(fine.value).not.toHaveProperty('contradicts');
  });
});

describe('a folder without a workspace', () => {
  it('M35 the tastes that hold for all work are read everywhere, with one line on how to make a workspace', async () => {
    const elsewhere = { ...place, cwd: at('elsewhere') };
    const { call } = await agent(elsewhere);
    const { isError, value, texts } = await call('read_context');
    expect(isError).toBe(false);
    expect(value).toEqual({
      tastes: { default: '- calm over loud\n', genres: {}, conflicts: [] },
      brief: { raw: '', intent: '', tastes: [] },
      notes: { summary: '', truncated: false },
      recent_log: [],
      recent_gaps: [],
    });
    expect(texts[1]).toContain('bearings init');
    expect(texts.at(-1)).toBe('Workspace: none');
    const json = bearings(elsewhere, 'read', '--json');
    expect([json.code, JSON.parse(json.stdout).tastes.default]).toEqual([0, '- calm over loud\n']);
    expect(json.stderr).toContain('There is no workspace here');
    expect(bearings(elsewhere, 'read', '--table').stdout).toMatch(/^no workspace/);
    const hook = bearings(elsewhere, 'hook', 'session-start').stdout;
    expect(hook).toContain('calm over loud');
    expect(hook).toContain('bearings init');
    expect(bearings(elsewhere, 'read', 'nobody').code).toBe(2);
  });
});
