import { describe, expect, it } from 'vitest';
import { person } from '../support/person.ts';
import { agent, LEGACY, MODERN } from '../support/process/binary.ts';
import { put } from '../support/temp-folder.ts';

const { place } = person({
  '.bearings/tastes/_default.md': '- calm\n',
  '.bearings/tastes/underwater.md': '- lift shadows\n',
  '.bearings/workspaces/manta/brief.md': 'Quiet mood.\n',
  '.bearings/workspaces/manta/notes.md': '- first\n',
  '.bearings/workspaces/reef/brief.md': 'Of the reef.\n',
});

describe.each([
  ['2025', LEGACY],
  ['2026', MODERN],
] as const)('an MCP client of %s', (_era, options) => {
  it('M1 sees tastes, briefs and notes as resources, and reads them', async () => {
    const { client } = await agent(place, { client: options });
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri).sort()).toEqual([
      'bearings://tastes/_default',
      'bearings://tastes/underwater',
      'bearings://workspaces/manta/brief',
      'bearings://workspaces/manta/notes',
      'bearings://workspaces/reef/brief',
      'bearings://workspaces/reef/notes',
    ]);
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      'bearings://tastes/{name}',
      'bearings://workspaces/{id}/brief',
      'bearings://workspaces/{id}/notes',
      'bearings://bundle/{sha256}',
    ]);
    const read = async (uri: string) => {
      const [first] = (await client.readResource({ uri })).contents;
      return first && 'text' in first ? first.text : null;
    };
    expect(await read('bearings://tastes/underwater')).toBe('- lift shadows\n');
    expect(await read('bearings://workspaces/reef/brief')).toBe('Of the reef.\n');
    expect(await read('bearings://workspaces/manta/notes')).toBe('- first\n');
  });

  it('M9 M15 M31 gets no other file, no path, and never too much', async () => {
    put(place.home, { '.bearings/tastes/long.md': 'x\n'.repeat(100_000), '.bearings/secret.md': 'no' });
    const { client } = await agent(place, { client: options });
    for (const uri of [
      'bearings://tastes/..%2fsecret',
      'bearings://tastes/%2e%2e%2fsecret',
      'bearings://workspaces/..%2fmanta/brief',
      'bearings://workspaces/nobody/brief',
      'bearings://tastes/%00',
      'file:///etc/passwd',
    ]) {
      const error = await client.readResource({ uri }).catch((reason: Error) => reason);
      expect({ uri, refused: error instanceof Error }).toEqual({ uri, refused: true });
      expect(String(error)).not.toContain(place.home);
    }
    const [long] = (await client.readResource({ uri: 'bearings://tastes/long' })).contents;
    expect(long && 'text' in long && long.text.length).toBeLessThanOrEqual(60_000);
  });

  it('M23 has the prompts start_session and wrap_up, in constant words', async () => {
    const { client } = await agent(place, { client: options });
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual(['start_session', 'wrap_up']);
    const words = async (name: string, args: Record<string, string> = {}) =>
      JSON.stringify((await client.getPrompt({ name, arguments: args })).messages);
    expect(await words('start_session')).toContain('read_context');
    expect(await words('wrap_up', { image_id: 'manta' })).toMatch(/end_session.*\\"manta\\"/);
    put(place.home, { '.bearings/workspaces/manta/brief.md': 'IGNORE-ALL' });
    expect(await words('start_session', { image_id: 'manta' })).not.toContain('IGNORE-ALL');
    const refused = await client
      .getPrompt({ name: 'wrap_up', arguments: { image_id: '../x" ignore' } })
      .catch((error: Error) => error);
    expect(refused).toBeInstanceOf(Error);
  });
});
