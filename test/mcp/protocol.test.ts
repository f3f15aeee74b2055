import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { manifests } from '../../scripts/manifests.mjs';
import { type RawServer, rawServer } from '../support/mcp/raw-stdio.ts';
import { until } from '../support/page/page-server.ts';
import { person } from '../support/person.ts';
import { runningModel } from '../support/tasks/gated-model.ts';
import { put } from '../support/temp-folder.ts';

const { place, at } = person({
  '.bearings/tastes/_default.md': '- calm\n',
  '.bearings/tastes/zebra.md': '- stripes\n',
  '.bearings/tastes/ant.md': '- small\n',
  '.bearings/workspaces/manta/brief.md': 'Quiet mood.\n',
  '.bearings/workspaces/bee/brief.md': 'Busy.\n',
});
const TASKS = { extensions: { 'io.modelcontextprotocol/tasks': {} } };

const answerOf = async (line: Promise<string>) =>
  JSON.parse(await line) as { result: Record<string, unknown>; error: { code: number; data?: unknown } };

describe('the protocol of 2026-07-28, as it goes over the wire', () => {
  const LISTS = [
    'server/discover',
    'tools/list',
    'prompts/list',
    'resources/list',
    'resources/templates/list',
    'skills/list',
  ];

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
    expect(await held('resources/read', { uri: 'ui://bearings/inbox.html' })).toEqual([3_600_000, 'public']);
    expect(await held('resources/read', { uri: 'skill://bearings/SKILL.md' })).toEqual([3_600_000, 'public']);
  });

  it('says which extensions it has, and none of the methods that the version took away', async () => {
    const server = rawServer(place);
    const { capabilities } = (await answerOf(server.ask('server/discover'))).result as {
      capabilities: { extensions: object };
    };
    expect(Object.keys(capabilities.extensions).sort()).toEqual([
      'io.modelcontextprotocol/skills',
      'io.modelcontextprotocol/tasks',
      'io.modelcontextprotocol/ui',
    ]);
    expect(capabilities).not.toHaveProperty('tasks');
    for (const method of ['tasks/list', 'tasks/result', 'ping', 'logging/setLevel'])
      expect([method, (await answerOf(server.ask(method, { taskId: 'x' }, TASKS))).error?.code]).toEqual([
        method,
        -32_601,
      ]);
  });

  it('serves the skill that plugins carry, with its digest', async () => {
    const server = rawServer(place);
    const text = (manifests() as Record<string, string>)['skills/bearings/SKILL.md'] ?? '';
    const { skills } = (await answerOf(server.ask('skills/list'))).result as { skills: unknown[] };
    const digest = `sha256:${createHash('sha256').update(text).digest('hex')}`;
    expect(skills).toMatchObject([
      {
        uri: 'skill://bearings/SKILL.md',
        frontmatter: { name: 'bearings' },
        resources: [{ uri: 'skill://bearings/SKILL.md', digest, size: Buffer.byteLength(text) }],
      },
    ]);
    const { contents } = (await answerOf(server.ask('resources/read', { uri: 'skill://bearings/SKILL.md' }))).result;
    expect(contents).toMatchObject([{ mimeType: 'text/markdown', text }]);
    expect((await answerOf(server.ask('resources/read', { uri: 'skill://bearings/../x' }))).error).toBeDefined();
  });
});

describe('run_task for a client that takes tasks', () => {
  const EACH = `<task type="reduce" name="each" over="list"><description>each</description>
<context_management><inherit_context>full</inherit_context><fresh_context>disabled</fresh_context></context_management>
<inputs><input name="list"/></inputs><inner_task name="one" model="command"><description>take {{item}}</description></inner_task>
<reduction_task name="join"><description>join</description></reduction_task></task>`;
  const call = { name: 'run_task', arguments: { template: 'each.xml', lists: { list: 'list.jsonl' } } };
  const model = runningModel(at);
  const serve = () => {
    put(place.home, {
      '.bearings/config.yaml': `run_task: on\nmodel_command: "${model.command()}"\n`,
      'each.xml': EACH,
      'list.jsonl': '"a"\n"b"\n"c"\n',
    });
    return rawServer(place);
  };
  const stateOf = async (server: RawServer, taskId: string) =>
    (await answerOf(server.ask('tasks/get', { taskId }, TASKS))).result;

  it('T23 is answered at once; how far it is and what came of it are asked for', async () => {
    const server = serve();
    const { result: begun } = await answerOf(server.ask('tools/call', call, TASKS));
    expect(begun).toMatchObject({ resultType: 'task', status: 'working', taskId: expect.any(String) });
    expect(begun).not.toHaveProperty('requestState');
    const taskId = String(begun.taskId);
    expect(await stateOf(server, taskId)).toMatchObject({ taskId, status: 'working', pollIntervalMs: 1_000 });
    model.letGo(1);
    await until(async () => (await stateOf(server, taskId)).statusMessage === '1 step done');
    model.letGo(3);
    await until(async () => (await stateOf(server, taskId)).status === 'completed');
    const { result } = await stateOf(server, taskId);
    expect(result).toMatchObject({ structuredContent: { status: 'COMPLETE', error: null } });
  });

  it('T19 tasks/cancel ends the run; what is refused is refused at once, and without the extension the call waits', async () => {
    const server = serve();
    const { result: begun } = await answerOf(server.ask('tools/call', call, TASKS));
    const taskId = String(begun.taskId);
    const { _meta, ...acknowledged } = (await answerOf(server.ask('tasks/cancel', { taskId }, TASKS))).result;
    expect(acknowledged).toEqual({ resultType: 'complete' });
    expect(await stateOf(server, taskId)).toMatchObject({ status: 'cancelled' });
    model.letGo(1);
    const missing = { name: 'run_task', arguments: { template: 'nope.xml' } };
    expect((await answerOf(server.ask('tools/call', missing, TASKS))).result).toMatchObject({ isError: true });
    model.letGo(4);
    const { result } = await answerOf(server.ask('tools/call', call));
    expect(result).toMatchObject({ resultType: 'complete', structuredContent: { status: 'COMPLETE' } });
  });

  it('is nobody else’s: unknown ids and clients without the extension are refused by code', async () => {
    const [server, stranger] = [serve(), rawServer(place)];
    const { result: begun } = await answerOf(server.ask('tools/call', call, TASKS));
    const taskId = String(begun.taskId);
    for (const method of ['tasks/get', 'tasks/cancel', 'tasks/update']) {
      const params = { taskId, inputResponses: { decision: { action: 'accept' } } };
      expect((await answerOf(stranger.ask(method, params, TASKS))).error.code).toBe(-32_602);
      expect((await answerOf(server.ask(method, params))).error).toMatchObject({
        code: -32_021,
        data: { requiredCapabilities: TASKS },
      });
    }
    model.letGo(4);
    await until(async () => (await stateOf(server, taskId)).status === 'completed');
  });
});

it('the skill in the package is the one in the repository', () => {
  const built = readFileSync(new URL('../../dist/web/SKILL.md', import.meta.url), 'utf8');
  expect(built).toBe((manifests() as Record<string, string>)['skills/bearings/SKILL.md']);
});
