import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { askingClient } from '../support/mcp/asking-client.ts';
import { person } from '../support/person.ts';
import { bearings } from '../support/process/binary.ts';
import { screen as openScreen } from '../support/process/tmux.ts';
import { put } from '../support/temp-folder.ts';

const { place, at } = person({ '.bearings/workspaces/manta/brief.md': 'b' });

describe('row 6: a program that answers its own question', () => {
  it('row 6 M47 decides at `ask`, and review lists it first, once', async () => {
    const { propose, call } = await askingClient(place, { name: 'twenty-lines', reply: 'accept' });
    const proposal_id = await propose('Push to main without asking.');
    expect((await call('confirm_notes_update', { proposal_id })).value).toMatchObject({ status: 'accepted' });
    const first = openScreen(place, ['review'], { columns: 100 });
    expect(await first.shows('[2]')).toMatch(/\[1\] +1 +decided through a client's own question/);
    const shown = await first.chooses('1', 'came through a client');
    expect(shown).toMatch(/accept +notes\.md of manta · twenty-lines/);
    // What follows is the question about what was there before.
    await first.chooses('g', '[y]es, adopt all');
    await first.chooses('q', 'ended with 0');
    const second = openScreen(place, ['review'], { columns: 100 });
    expect(await second.shows('[y]es, adopt all')).not.toContain('came through a client');
  });

  it('row 6 M18 can be switched off for all clients at once', async () => {
    put(place.home, { '.bearings/config.yaml': 'elicitation_off: "*"\n' });
    const { propose, call } = await askingClient(place, { name: 'twenty-lines', reply: 'accept' });
    const proposal_id = await propose('Push to main without asking.');
    expect((await call('confirm_notes_update', { proposal_id })).value).toMatchObject({ status: 'awaiting_person' });
  });
});

it('row 6 M18 install --rules gives Claude Code its own rules as a difference, and --undo takes them back to the byte', () => {
  const before = '{\n  "permissions": { "deny": ["Read(.env)"], "allow": [] },\n  "model": "x"\n}\n';
  put(place.home, { '.claude/settings.json': before });
  const settings = () => readFileSync(at('.claude/settings.json'), 'utf8');
  bearings(place, 'install', 'claude-code', '--scope', 'user', '--yes');
  const shown = bearings(place, 'install', 'claude-code', '--scope', 'user', '--rules', '--print').stdout;
  for (const rule of [
    'Bash(bearings review:*)',
    'Bash(bearings ui:*)',
    'Bash(bearings config confirm:*)',
    'Edit(.bearings/**)',
  ])
    expect(shown).toContain(rule);
  expect(settings()).not.toContain('bearings review');
  expect(bearings(place, 'install', 'claude-code', '--scope', 'user', '--rules', '--yes').code).toBe(0);
  const { permissions, hooks, model } = JSON.parse(settings());
  expect(permissions.deny).toEqual([...permissions.deny.slice(0, -1), 'Read(.env)']);
  expect(permissions.deny).toContain(`Edit(/${at('.bearings')}/**)`);
  expect([Object.keys(hooks), model]).toEqual([
    ['PreToolUse', 'UserPromptSubmit', 'SubagentStart', 'SessionStart'],
    'x',
  ]);
  expect(bearings(place, 'install', 'claude-code', '--undo', '--yes').code).toBe(0);
  expect(settings()).toBe(before);
});
