import { describe, expect, it } from 'vitest';
import { LEGACY, MODERN } from './binary.ts';
import { httpClient, httpServer } from './http-server.ts';
import { person } from './person.ts';

const { place } = person({
  '.bearings/tastes/_default.md': '- calm\n',
  '.bearings/workspaces/manta/brief.md': 'Quiet mood.\n',
});

describe.each([
  ['2025', LEGACY],
  ['2026', MODERN],
])('a client of %s over HTTP', (_, client) => {
  it('M5 reads its context', async () => {
    const server = await httpServer(place);
    const { client: one } = await httpClient(server, { client });
    const result = await one.callTool({ name: 'read_context', arguments: { image_id: 'manta' } });
    expect(JSON.stringify(result)).toContain('Quiet mood.');
  });
});
