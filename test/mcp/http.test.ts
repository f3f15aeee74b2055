import { execFileSync } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, writeSync } from 'node:fs';
import type { Client } from '@modelcontextprotocol/client';
import { afterEach, describe, expect, it } from 'vitest';
import { openRooms } from '../../src/bearings.ts';
import { openHttpServer } from '../../src/mcp/http-server.ts';
import { openQuestions } from '../../src/mcp/open-questions.ts';
import { createMcpServer } from '../../src/mcp/server.ts';
import { filesBelow, pendingBelow } from '../support/mcp/asking-client.ts';
import { httpClient, httpServer, sharedHttpServer } from '../support/mcp/http-server.ts';
import { openLibrary } from '../support/open-library.ts';
import { person } from '../support/person.ts';
import { LEGACY, MODERN, bearings as runBinary } from '../support/process/binary.ts';
import { put } from '../support/temp-folder.ts';

const { place, at, run } = person({
  '.bearings/tastes/_default.md': '- calm\n',
  '.bearings/workspaces/manta/brief.md': 'Quiet mood.\n',
  '.bearings/workspaces/other/brief.md': 'Another one.\n',
  'repo/.bearings/workspace.json': '{"id":"repo-id"}',
  'repo/README.md': '# A project\n\nIt has docs.\n',
});
const pending = () => pendingBelow(at('.bearings'));
const transcripts = () =>
  Object.entries(filesBelow(place.home))
    .filter(([path]) => /sessions\/[^/]+\.jsonl$/.test(path))
    .map(([, text]) =>
      text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    );
const propose = async (client: Client, content: string, image_id = 'manta') => {
  const result = await client.callTool({ name: 'propose_notes_update', arguments: { image_id, content } });
  return (result.structuredContent as { proposal_id: string }).proposal_id;
};
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const until = async (holds: () => boolean | Promise<boolean>) => {
  while (!(await holds())) await pause(50);
};

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const server of opened.splice(0)) await server.close();
});

/** Inside the test, with limits that a test can wait for. */
async function shortLived(limits: { idleMs?: number; sessions?: number }) {
  const bearings = openRooms({ cwd: place.home, variables: { HOME: place.home } });
  const questions = openQuestions();
  const create: Parameters<typeof openHttpServer>[0]['create'] = (clientSessionOf) =>
    createMcpServer({ bearings, questions, hasStandingWorkspace: false, clientSessionOf });
  const server = await openHttpServer({ bearings, create, port: 0, limits });
  opened.push(server);
  const token = readFileSync(at('.bearings/mcp-token'), 'utf8').trim();
  const statusOf = async (sessionId: string | undefined) => {
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-session-id': sessionId ?? '',
    };
    const answer = await fetch(server.url, {
      method: 'POST',
      headers,
      body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
    });
    await answer.text();
    return answer.status;
  };
  return { ...server, token, statusOf };
}

const EACH =
  '<task type="reduce" concurrency="1"><description>each</description><inputs><input name="list"/></inputs><inner_task model="command"><description>take {{item}}</description></inner_task><reduction_task model="command"><description>join</description></reduction_task></task>';

describe.each([
  ['2025', LEGACY],
  ['2026', MODERN],
])('a client of %s over HTTP', (_, client) => {
  it('M2 M5 reads the context of the workspace it names, or of its root', async () => {
    const server = await sharedHttpServer(place);
    const { client: one } = await httpClient(server, { client });
    const result = await one.callTool({ name: 'read_context', arguments: { image_id: 'manta' } });
    expect(result.structuredContent).toMatchObject({ brief: { intent: 'Quiet mood.' } });
    const rooted = await httpClient(server, {
      name: 'rooted',
      client: { ...client, capabilities: { roots: {} } },
      prepare: (two) => two.setRequestHandler('roots/list', () => ({ roots: [{ uri: `file://${at('repo')}` }] })),
    });
    await rooted.client.callTool({ name: 'log_operation', arguments: { op: 'here' } });
    expect(filesBelow(at('repo/.bearings'))['log.jsonl']).toContain('"here"');
  });

  it('M29 has a session of its own, however many there are', async () => {
    const server = await sharedHttpServer(place);
    const names = ['left', 'right', 'third'];
    const clients = await Promise.all(names.map(async (name) => (await httpClient(server, { name, client })).client));
    await Promise.all(
      clients.flatMap((one, i) =>
        Array.from({ length: 5 }, () =>
          one.callTool({ name: 'log_operation', arguments: { image_id: 'manta', op: names[i] ?? '' } }),
        ),
      ),
    );
    const records = transcripts();
    expect(records.map(([start]) => start.client).sort()).toEqual(names);
    for (const [start, ...entries] of records) {
      const ops = entries.filter(({ type }) => type === 'tool_call').map((entry) => entry.arguments.op);
      expect(ops).toEqual(Array(5).fill(start.client));
    }
  });

  it('T23 T19 hears how far a run is, in numbers that only grow, and ends it by calling off the call', async () => {
    // The model answers once for each byte in the gate, so that every step waits for the word about the one before.
    const gate = at('gate');
    if (!existsSync(gate)) execFileSync('mkfifo', [gate]);
    const opener = openSync(gate, 'r+');
    const letOneGo = () => writeSync(opener, 'x');
    put(place.home, {
      '.bearings/config.yaml': `run_task: on\nmodel_command: "dd bs=1 count=1 if='${gate}' 2>/dev/null >/dev/null; echo done"\n`,
      'each.xml': EACH,
      'list.jsonl': '"a"\n"b"\n"c"\n"d"\n"e"\n',
      'long.jsonl': '"x"\n'.repeat(200),
    });
    const server = await httpServer(place);
    const { client: agent } = await httpClient(server, { client });
    const told: { progress: number; message?: string | undefined }[] = [];
    const runTask = (list: string) => ({ name: 'run_task', arguments: { template: 'each.xml', lists: { list } } });
    letOneGo();
    const result = await agent.callTool(runTask('list.jsonl'), {
      onprogress(news) {
        const isNew = /^\d+ steps? done$/.test(news.message ?? '') && news.message !== told.at(-1)?.message;
        told.push(news);
        if (isNew) letOneGo();
      },
    });
    expect(result.structuredContent).toMatchObject({ status: 'COMPLETE', error: null });
    const numbers = told.map(({ progress }) => progress);
    expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
    const messages = [...new Set(told.map(({ message }) => message))].filter((message) => message?.endsWith('done'));
    expect(messages.slice(0, 5)).toEqual(['1 step done', ...[2, 3, 4, 5].map((count) => `${count} steps done`)]);

    const stop = new AbortController();
    const calling = agent.callTool(runTask('long.jsonl'), {
      signal: stop.signal,
      onprogress: () => stop.abort(),
    });
    letOneGo();
    await expect(calling).rejects.toThrow();
    closeSync(opener);
    const newest = () => JSON.parse(runBinary(place, 'runs', 'show', 'last', '--json').stdout);
    await until(() => newest().state === 'stopped');
    expect(newest().steps).toBeLessThan(200);
  });

  it('reads its bundles again, and nobody else’s', async () => {
    const server = await httpServer({ ...place, cwd: at('repo') });
    const { client: one } = await httpClient(server, { client });
    const loaded = await one.callTool({ name: 'load_context', arguments: { task: 'write the docs' } });
    const { bundle_sha256 } = loaded.structuredContent as { bundle_sha256: string };
    const uri = `bearings://bundle/${bundle_sha256}`;
    expect(loaded.content.at(-1)).toMatchObject({ type: 'resource_link', uri });
    expect((await one.listResources()).resources.map((each) => each.uri)).toContain(uri);
    const { contents } = await one.readResource({ uri });
    const [{ text }] = contents as unknown as [{ text: string }];
    expect(JSON.parse(text)).toMatchObject({ bundle_sha256, task: 'write the docs', budget: expect.any(Object) });
    expect(text).not.toContain(place.home);
    const served = transcripts()
      .flat()
      .filter(({ type }) => type === 'context_served');
    expect(served.map(({ chars }) => chars)).toContain(text.length);
    const { client: stranger } = await httpClient(server, { name: 'stranger', client });
    await expect(stranger.readResource({ uri })).rejects.toThrow(/not found/i);
    expect((await stranger.listResources()).resources.map((each) => each.uri)).not.toContain(uri);
    for (let i = 0; i < 9; i += 1) await one.callTool({ name: 'load_context', arguments: { task: `docs ${i}` } });
    expect(
      (await one.listResources()).resources.filter((each) => each.uri.startsWith('bearings://bundle/')),
    ).toHaveLength(8);
    await expect(one.readResource({ uri })).rejects.toThrow(/not found/i);
  });
});

describe('a session over HTTP', () => {
  it('M23 ends cleanly when its client ends it: proposals are discarded with their text, in every workspace', async () => {
    const server = await sharedHttpServer(place);
    const { client, transport } = await httpClient(server, { client: LEGACY });
    const ids = [await propose(client, 'First.'), await propose(client, 'Second.', 'other')];
    const { client: other } = await httpClient(server, { name: 'other', client: LEGACY });
    const kept = await propose(other, 'Of another client.');
    const person = openLibrary(place.home);
    for (const id of [...ids, kept]) await (await person.gate()).markShown(id, 'page');
    await transport.terminateSession();
    expect(pending()).toEqual([kept]);
    const ended = transcripts().filter((entries) => entries.at(-1).type === 'session_end');
    expect(ended.map((entries) => entries.at(-1).reason)).toEqual(['client_ended', 'client_ended']);
    expect(
      ended
        .flat()
        .filter(({ type }) => type === 'discarded')
        .map((entry) => entry.proposal_id)
        .sort(),
    ).toEqual(ids.sort());
    expect(readFileSync(at('.bearings/workspaces/manta/log.jsonl'), 'utf8')).toContain('proposal_discarded');
    await expect(client.ping()).rejects.toThrow();
  });

  it('M23 keeps what waits when the person wants it so', async () => {
    put(place.home, { '.bearings/config.yaml': 'on_session_end: keep\n' });
    const { client, transport } = await httpClient(await sharedHttpServer(place), { client: LEGACY });
    const id = await propose(client, 'Stays.');
    await transport.terminateSession();
    expect(pending()).toEqual([id]);
  });

  it.each([
    ['2025', LEGACY],
    ['2026', MODERN],
  ])('M23 a lost connection, a stopped or killed server is an interruption for a client of %s', async (_, era) => {
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      const server = await httpServer(place);
      const { client } = await httpClient(server, { client: era });
      const before = pending();
      const id = await propose(client, `Left by ${signal}.`);
      await client.close();
      expect(await server.stop(signal)).toBe(signal === 'SIGTERM' ? 0 : null);
      expect(pending().sort()).toEqual([...before, id].sort());
    }
    expect(
      transcripts()
        .map((entries) => entries.at(-1).type === 'session_end' && entries.at(-1).reason)
        .sort(),
    ).toEqual([false, 'stopped']);
  });

  it('M23 expires after a while without a request and without a stream; its proposals wait', async () => {
    // A busy machine takes its time between two requests.
    const idleMs = 2_500;
    const server = await shortLived({ idleMs });
    const { client, transport } = await httpClient(server, { client: LEGACY });
    const id = await propose(client, 'Forgotten.');
    const { sessionId } = transport;
    // It listens: that is a progress message.
    await pause(2 * idleMs);
    expect(await server.statusOf(sessionId)).toBe(200);
    await client.close();
    await until(async () => {
      await pause(2 * idleMs);
      return (await server.statusOf(sessionId)) === 404;
    });
    const { client: modern } = await httpClient(server, { name: 'modern', client: MODERN });
    const other = await propose(modern, 'Forgotten as well.');
    await until(() => transcripts().filter((entries) => entries.at(-1).reason === 'expired').length === 2);
    expect(pending().sort()).toEqual([id, other].sort());
    const next = await propose(modern, 'Another stay.');
    expect(pending()).toContain(next);
    expect(transcripts()).toHaveLength(3);
  });

  it('gives way to new ones when there are too many, the longest unused first', async () => {
    const server = await shortLived({ sessions: 3 });
    const ids: (string | undefined)[] = [];
    for (let i = 0; i < 5; i += 1) {
      const { client, transport } = await httpClient(server, { name: `c${i}`, client: LEGACY });
      ids.push(transport.sessionId);
      await client.close();
      await pause(50);
    }
    const statuses = [];
    for (const id of ids) statuses.push(await server.statusOf(id));
    expect(statuses).toEqual([404, 404, 200, 200, 200]);
  });

  it('M29 two clients of 2026 that say the same of themselves are told apart by their addresses', async () => {
    const server = await sharedHttpServer(place);
    for (const path of ['', '/left', '/right', '/left'])
      await propose((await httpClient(server, { client: MODERN, path })).client, `From ${path}.`);
    expect(transcripts()).toHaveLength(3);
  });

  it('M18 a call that its client cancels is over: its stream ends, and what waited still waits', async () => {
    const server = await sharedHttpServer(place);
    let asked = 0;
    const { client, transport } = await httpClient(server, {
      client: { capabilities: { elicitation: { form: {} } } },
      prepare: (one) => one.setRequestHandler('elicitation/create', () => new Promise<never>(() => undefined)),
    });
    const proposal_id = await propose(client, 'Called off.');
    const answer = await fetch(server.url, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${server.token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-session-id': transport.sessionId ?? '',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 'by hand',
        method: 'tools/call',
        params: { name: 'confirm_notes_update', arguments: { proposal_id } },
      }),
    });
    let text = '';
    for await (const part of answer.body ?? []) {
      text += Buffer.from(part).toString();
      if (!text.includes('elicitation/create') || asked > 0) continue;
      asked += 1;
      await transport.send({
        jsonrpc: '2.0',
        method: 'notifications/cancelled',
        params: { requestId: 'by hand' },
      });
    }
    expect(asked).toBe(1);
    expect(text).not.toContain('"result"');
    expect(pending()).toEqual([proposal_id]);
  });

  it('M18 shows a progress message while the person is asked, and tells warnings from the level on that is wanted', async () => {
    put(place.home, { '.bearings/workspaces/manta/log.jsonl': 'broken\n' });
    const server = await sharedHttpServer(place);
    const { client } = await httpClient(server, {
      client: { capabilities: { elicitation: { form: {} } } },
      prepare: (one) =>
        one.setRequestHandler('elicitation/create', async () => {
          await pause(11_000);
          return { action: 'decline' };
        }),
    });
    const proposal_id = await propose(client, 'Wait for it.');
    const steps: number[] = [];
    const onprogress = ({ progress }: { progress: number }) => steps.push(progress);
    const asked = { name: 'confirm_notes_update', arguments: { proposal_id } };
    // The client's own patience is shorter than the person's.
    const result = await client.callTool(asked, { onprogress, timeout: 10_000, resetTimeoutOnProgress: true });
    expect(result.structuredContent).toMatchObject({ status: 'declined' });
    expect(steps.slice(0, 2)).toEqual([1, 2]);

    const told: unknown[] = [];
    client.setNotificationHandler('notifications/message', ({ params }) => {
      told.push(params);
    });
    const read = { name: 'read_context', arguments: { image_id: 'manta' } };
    await client.setLoggingLevel('error');
    await client.callTool(read);
    await client.setLoggingLevel('warning');
    await client.callTool(read);
    await until(() => told.length > 0);
    expect(told).toMatchObject([{ level: 'warning', logger: 'bearings', data: { tool: 'read_context' } }]);
  });
});

describe('bearings mcp --http', () => {
  it('says where it serves and where the token lies, not the token', async () => {
    const { said, token, url } = await httpServer(place);
    expect(said).toContain(`Serving MCP at ${url} on this machine only.`);
    expect(said).toContain('~/.bearings/mcp-token');
    expect(said).not.toContain(token);
    const second = await httpServer(place);
    expect(second.token).toBe(token);
  });

  it('refuses a port that is taken, and options that make no sense, with a way out', async () => {
    const { port } = await httpServer(place);
    const taken = runBinary(place, 'mcp', '--http', '--port', String(port));
    expect(taken).toMatchObject({ code: 1, stdout: '' });
    expect(taken.stderr).toBe(
      `bearings: Port ${port} can't be opened: another program uses it.\n          Name another one: bearings mcp --http --port 0 takes any that is free.\n`,
    );
    expect(run('mcp', '--port', '0')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--port goes with --http.'),
    });
    expect(run('mcp', '--help').stdout).toContain('bearings mcp --http [--port N]');
  });
});
