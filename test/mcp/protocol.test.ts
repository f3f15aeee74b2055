import { describe, expect, it } from 'vitest';
import { type RawServer, rawServer } from '../support/mcp/raw-stdio.ts';
import { person } from '../support/person.ts';

const { place } = person({
  '.bearings/tastes/_default.md': '- calm\n',
  '.bearings/tastes/zebra.md': '- stripes\n',
  '.bearings/tastes/ant.md': '- small\n',
  '.bearings/workspaces/manta/brief.md': 'Quiet mood.\n',
  '.bearings/workspaces/bee/brief.md': 'Busy.\n',
});

const answerOf = async (line: Promise<string>) =>
  JSON.parse(await line) as { result: Record<string, unknown>; error: { code: number; data?: unknown } };

describe('the protocol of 2026-07-28, as it goes over the wire', () => {
  const LISTS = ['server/discover', 'tools/list', 'prompts/list', 'resources/list', 'resources/templates/list'];

  it('lists are the same bytes from two processes, and from one asked twice', async () => {
    const [one, other] = [rawServer(place), rawServer(place)];
    const all = async (server: RawServer) => {
      const lines: string[] = [];
      for (const method of LISTS) lines.push(await server.ask(method));
      return lines;
    };
    const first = await all(one);
    expect(first.every((line) => line.includes('"result"'))).toBe(true);
    expect(await all(other)).toEqual(first);
    const bodies = (lines: string[]) => lines.map((line) => JSON.stringify(JSON.parse(line).result));
    expect(bodies(await all(one))).toEqual(bodies(first));
  });

  it('M1 says how long each answer holds: what the server says of itself an hour, memory not at all', async () => {
    const server = rawServer(place);
    const held = async (method: string, params = {}) => {
      const { ttlMs, cacheScope } = (await answerOf(server.ask(method, params))).result;
      return [ttlMs, cacheScope];
    };
    for (const method of ['server/discover', 'tools/list', 'prompts/list', 'resources/templates/list'])
      expect([method, ...(await held(method))]).toEqual([method, 3_600_000, 'private']);
    expect(await held('resources/list')).toEqual([0, 'private']);
    expect(await held('resources/read', { uri: 'bearings://workspaces/manta/brief' })).toEqual([0, 'private']);
  });

  it('has none of the methods that the version took away', async () => {
    const server = rawServer(place);
    for (const method of ['tasks/list', 'tasks/result', 'ping', 'logging/setLevel'])
      expect([method, (await answerOf(server.ask(method, {}))).error?.code]).toEqual([method, -32_601]);
  });
});
