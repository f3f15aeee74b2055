import { chmodSync, existsSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { openRooms } from '../../../src/bearings.ts';
import { openHttpServer } from '../../../src/mcp/http-server.ts';
import { openQuestions } from '../../../src/mcp/open-questions.ts';
import { createMcpServer } from '../../../src/mcp/server.ts';
import { effort } from '../../support/effort.ts';
import { filesBelow, pendingBelow } from '../../support/mcp/asking-client.ts';
import { httpClient, httpServer, sharedHttpServer } from '../../support/mcp/http-server.ts';
import { openIdle, type RawRequest, rawText, sendRaw } from '../../support/mcp/raw-http.ts';
import { until } from '../../support/page/page-server.ts';
import { person } from '../../support/person.ts';
import { LEGACY } from '../../support/process/binary.ts';
import { put } from '../../support/temp-folder.ts';

const IDLE = effort(10_000, 600);
const { place, at, run } = person({ '.bearings/workspaces/manta/notes.md': '# Manta\n' });
const call = (name: string, args: object, id: number | string = 1) =>
  JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } });
const HELLO = JSON.stringify({
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
});

/** A request that would be served; an attack changes one thing about it. */
async function door() {
  const server = await sharedHttpServer(place);
  const usual: Record<string, string> = {
    Host: `127.0.0.1:${server.port}`,
    Authorization: `Bearer ${server.token}`,
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
  };
  const send = (change: Record<string, string | null>, request: RawRequest = {}) => {
    const headers = Object.entries({ ...usual, ...change }).filter((entry): entry is [string, string] => !!entry[1]);
    const body = request.body ?? HELLO;
    const length = Buffer.byteLength(body);
    const sized = headers.some(([name]) => /^(content-length|transfer-encoding)$/i.test(name))
      ? headers
      : [...headers, ['Content-Length', String(length)] as const];
    return sendRaw(server.port, rawText({ ...request, headers: sized, body }));
  };
  return { server, usual, send };
}

const opened: { close(): unknown }[] = [];
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close();
});

/** The same server inside the test, with limits that a test can wait for. */
async function impatient(limits: Parameters<typeof openHttpServer>[0]['limits']) {
  const bearings = openRooms({ cwd: place.home, variables: { HOME: place.home } });
  const questions = openQuestions();
  const create: Parameters<typeof openHttpServer>[0]['create'] = (clientSessionOf) =>
    createMcpServer({ bearings, questions, hasStandingWorkspace: false, clientSessionOf });
  const server = await openHttpServer({ bearings, create, port: 0, ...(limits ? { limits } : {}) });
  opened.push(server);
  return { ...server, token: readFileSync(at('.bearings/mcp-token'), 'utf8').trim() };
}

const readsContext = async (server: { url: string; token: string }) => {
  const { client } = await httpClient(server, { client: LEGACY });
  const result = await client.callTool({ name: 'read_context', arguments: { image_id: 'manta' } });
  expect(result.isError).not.toBe(true);
};

describe('the local server: who may ask', () => {
  it('serves the usual request, so that what follows fails for its own reason', async () => {
    const { send } = await door();
    const answer = await send({});
    expect(answer).toMatchObject({ status: 200, head: expect.stringContaining('mcp-session-id') });
    expect(answer.head).not.toMatch(/access-control/i);
  });

  it('a name that was rebound to this machine', async () => {
    const { send, server, usual } = await door();
    const { port } = server;
    for (const host of [
      'evil.example',
      `evil.example:${port}`,
      `localhost.evil.example:${port}`,
      `127.0.0.1:${port}.evil.example`,
      `127.0.0.1@evil.example:${port}`,
      '127.0.0.1',
      'localhost:80',
      `0.0.0.0:${port}`,
      `127.0.0.2:${port}`,
      `[::ffff:127.0.0.1]:${port}`,
      `127.1:${port}`,
      `localhost.:${port}`,
    ])
      expect([host, (await send({ Host: host })).status]).toEqual([host, 403]);
    const two = Object.entries({ ...usual, 'Content-Length': String(HELLO.length) });
    const evil: [string, string] = ['Host', 'evil.example'];
    for (const headers of [
      [...two, evil],
      [evil, ...two],
    ])
      expect((await sendRaw(port, rawText({ headers, body: HELLO }))).status).toBe(403);
    expect((await send({ Host: null })).status).toBe(400);
    expect((await send({ Host: `evil.example:${port}` }, { path: `http://127.0.0.1:${port}/mcp` })).status).toBe(403);
    for (const host of [`localhost:${port}`, `LOCALHOST:${port}`, `[::1]:${port}`])
      expect([host, (await send({ Host: host })).status]).toEqual([host, 200]);
  });

  it('a page of another origin, also on another port of this machine', async () => {
    const { send, server } = await door();
    for (const origin of [
      'https://evil.example',
      'null',
      'file://',
      'http://localhost:3000',
      'http://127.0.0.1',
      `https://127.0.0.1:${server.port}`,
      `http://127.0.0.1:${server.port}.evil.example`,
      `http://127.0.0.1:${server.port}, https://evil.example`,
    ]) {
      const answer = await send({ Origin: origin });
      expect([origin, answer.status]).toEqual([origin, 403]);
      const asked = { Origin: origin, 'Access-Control-Request-Method': 'POST', Authorization: null };
      const preflight = await send(asked, { method: 'OPTIONS', body: '' });
      expect([preflight.status, /access-control/i.test(preflight.head + answer.head)]).toEqual([403, false]);
    }
    for (const site of ['cross-site', 'same-site']) expect((await send({ 'Sec-Fetch-Site': site })).status).toBe(403);
    expect((await send({ Origin: `http://127.0.0.1:${server.port}` })).status).toBe(200);
  });

  it('a form: content types that need no preflight, and empty bodies', async () => {
    const { send } = await door();
    const write = call('log_operation', { image_id: 'manta', op: 'forged' });
    const types = [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'text/json',
      null,
    ];
    for (const type of types) {
      for (const body of [write, HELLO, '']) {
        expect([type, (await send({ 'Content-Type': type }, { body })).status]).toEqual([type, 415]);
        expect((await send({ 'Content-Type': type, Authorization: null }, { body })).status).toBe(401);
      }
    }
    for (const type of ['application/json', 'application/json; charset=utf-8'])
      expect((await send({ 'Content-Type': type }, { body: '' })).status).toBe(400);
    expect((await send({ 'Content-Type': 'application/jsonp' })).status).toBe(415);
    expect(Object.keys(filesBelow(at('.bearings/workspaces')))).toEqual(['manta/notes.md']);
  });

  it('without the token, with a guessed one, or with the right one in another place', async () => {
    const { send, server } = await door();
    const { token } = server;
    const flipped = `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`;
    for (const value of [
      null,
      '',
      'Bearer',
      'Bearer ',
      token,
      `Basic ${token}`,
      `Bearer ${flipped}`,
      `Bearer ${token.slice(0, -1)}`,
      `Bearer ${token}A`,
      `Bearer ${token.toLowerCase()}`,
      `Bearer ${token} ${token}`,
      `Bearer ${'A'.repeat(43)}`,
      `Bearer ${'x'.repeat(8000)}`,
      'Bearer undefined',
      'Bearer null',
    ]) {
      const answer = await send({ Authorization: value });
      expect([value, answer.status]).toEqual([value, 401]);
      expect(answer.head).toMatch(/www-authenticate: Bearer/i);
      expect(answer.head + answer.body).not.toContain(token);
      expect(answer.body).not.toContain(place.home);
    }
    for (const path of [`/mcp?token=${token}`, `/mcp?access_token=${token}`, `/mcp/${token}`])
      expect((await send({ Authorization: null }, { path })).status).toBe(401);
  });

  it('with a cookie instead of the token: a page’s session opens nothing here', async () => {
    const { send, server } = await door();
    for (const name of ['session', 'bearings', 'bearings_session', '__Host-bearings', 'token', 'Authorization'])
      for (const value of [server.token, `Bearer ${server.token}`, 'x'])
        expect((await send({ Authorization: null, Cookie: `${name}=${value}` })).status).toBe(401);
    const answer = await send({});
    expect(answer.head).not.toMatch(/set-cookie/i);
  });

  it('from another machine: it listens on loopback, and nothing can make it listen elsewhere', async () => {
    const { server } = await door();
    const listening = readFileSync('/proc/net/tcp', 'utf8')
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .filter(
        ([, local, , state]) =>
          state === '0A' && local?.endsWith(`:${server.port.toString(16).toUpperCase().padStart(4, '0')}`),
      );
    expect(listening.map(([, local]) => local?.split(':')[0])).toEqual(['0100007F']);
    const outside = Object.values(networkInterfaces())
      .flat()
      .filter((each) => each && !each.internal);
    for (const { address, family } of outside as { address: string; family: string }[]) {
      const host = family === 'IPv6' ? `[${address}]` : address;
      await expect(fetch(`http://${host}:${server.port}/mcp`)).rejects.toThrow();
    }
    for (const flag of ['--host', '--hostname', '--bind', '--address', '--listen'])
      expect([flag, run('mcp', '--http', flag, '0.0.0.0').code]).toEqual([flag, 2]);
    for (const port of ['0.0.0.0:80', '-1', '65536', 'x', ''])
      expect([port, run('mcp', '--http', `--port=${port}`).code]).toEqual([port, 2]);
    const variables = { HOST: '0.0.0.0', BEARINGS_HOST: '0.0.0.0', MCP_HOST: '0.0.0.0' };
    expect((await httpServer({ ...place, variables })).url).toMatch(/^http:\/\/127\.0\.0\.1:/);
  });

  it('an event stream or a WebSocket from a page, also one that knows a session', async () => {
    const { send } = await door();
    const { head } = await send({});
    const id = /mcp-session-id: (\S+)/i.exec(head)?.[1] ?? '';
    const stream = { Accept: 'text/event-stream', 'Mcp-Session-Id': id };
    const get = { method: 'GET', body: '' };
    expect((await send({ ...stream, Authorization: null }, get)).status).toBe(401);
    expect((await send({ ...stream, Origin: 'https://evil.example' }, get)).status).toBe(403);
    expect((await send({ ...stream, 'Sec-Fetch-Site': 'cross-site' }, get)).status).toBe(403);
    expect((await send({ 'Mcp-Session-Id': id, Authorization: null }, { method: 'DELETE', body: '' })).status).toBe(
      401,
    );
    const socket = {
      Connection: 'Upgrade',
      Upgrade: 'websocket',
      'Sec-WebSocket-Version': '13',
      'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
    };
    expect((await send({ ...socket, Origin: 'https://evil.example' }, get)).status).toBe(403);
    expect((await send({ ...socket, Authorization: null }, get)).status).toBe(401);
    expect((await send({ ...socket, Accept: null }, get)).status).not.toBe(101);
    for (const method of ['PUT', 'PATCH', 'OPTIONS', 'TRACE']) expect((await send({}, { method })).status).toBe(405);
    for (const path of ['/', '/mcp/', '/mcp/a/b', '/mcp/..', '/mcpx', '/MCP', '//mcp', '/api/accept'])
      expect([path, (await send({}, { path })).status]).toEqual([path, 404]);
  });

  it('M18 another client answers the question of the first', async () => {
    const server = await sharedHttpServer(place);
    const asked: string[] = [];
    const { client } = await httpClient(server, {
      client: { capabilities: { elicitation: { form: {} } } },
      prepare: (one) =>
        one.setRequestHandler('elicitation/create', ({ params }) => {
          asked.push(params.message);
          return new Promise<never>(() => undefined);
        }),
    });
    const proposal = { image_id: 'manta', content: 'Not by a stranger.' };
    const { structuredContent } = await client.callTool({ name: 'propose_notes_update', arguments: proposal });
    const { proposal_id } = structuredContent as { proposal_id: string };
    client.callTool({ name: 'confirm_notes_update', arguments: { proposal_id } }).catch(() => undefined);
    while (asked.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    const { transport } = await httpClient(server, { name: 'stranger', client: LEGACY });
    for (let id = 0; id < 20; id += 1)
      await transport.send({ jsonrpc: '2.0', id, result: { action: 'accept', content: {} } }).catch(() => undefined);
    expect(pendingBelow(at('.bearings'))).toEqual([proposal_id]);
    expect(readFileSync(at('.bearings/workspaces/manta/notes.md'), 'utf8')).toBe('# Manta\n');
  });

  it('a token that others can read, that is a link, or that is none is not used', async () => {
    const { server } = await door();
    const path = at('.bearings/mcp-token');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(server.said).not.toContain(server.token);
    for (const [text, mode] of [
      [`${server.token}\n`, 0o644],
      ['short\n', 0o600],
      ['', 0o600],
      [`${server.token}\nmore\n`, 0o600],
    ] as const) {
      const other = { home: at(`other${mode}${text.length}`) };
      put(other.home, { '.bearings/mcp-token': text });
      chmodSync(join(other.home, '.bearings/mcp-token'), mode);
      await expect(httpServer(other)).rejects.toThrow('ended with 1');
      expect(statSync(join(other.home, '.bearings/mcp-token')).mode & 0o777).toBe(0o600);
    }
    const linked = { home: at('linked') };
    put(linked.home, { '.bearings/x': '' });
    symlinkSync(path, join(linked.home, '.bearings/mcp-token'));
    await expect(httpServer(linked)).rejects.toThrow('ended with 1');
  });
});

describe('the local server: who takes too much', () => {
  const usual = (server: { port: number; token: string }) =>
    `Host: 127.0.0.1:${server.port}\r\nAuthorization: Bearer ${server.token}\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n`;

  it('heads and bodies that come drop by drop are ended; others are served meanwhile', async () => {
    const server = await impatient({ headersMs: 1_000, requestMs: 2_000 });
    const head = `POST /mcp HTTP/1.1\r\n${usual(server)}`;
    const slow = await Promise.all([
      openIdle(server.port, 'POST /mcp HTTP/1.1\r\n'),
      openIdle(server.port, head),
      openIdle(server.port, `${head}Content-Length: 1000\r\n\r\n{`),
      openIdle(server.port, `${head}Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n`),
    ]);
    const drops = slow.map((socket, i) =>
      setInterval(() => socket.write(i < 2 ? 'X' : i === 2 ? ' ' : '1\r\n \r\n'), 100),
    );
    const ended = slow.map(closed);
    await readsContext(server);
    await Promise.all(ended);
    for (const drop of drops) clearInterval(drop);
    await readsContext(server);
  });

  it('bodies without an end, or longer than they may be, are refused and not kept', async () => {
    const server = await impatient({ bodyBytes: 64 * 1024 });
    const head = `POST /mcp HTTP/1.1\r\n${usual(server)}`;
    const said = await sendRaw(server.port, `${head}Content-Length: 10737418240\r\n\r\n{`);
    expect(said.status).toBe(413);
    const exact = `${head}Content-Length: ${64 * 1024 + 1}\r\n\r\n${'x'.repeat(64 * 1024 + 1)}`;
    expect((await sendRaw(server.port, exact)).status).toBe(413);
    const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
    const endless = await openIdle(server.port, `${head}Transfer-Encoding: chunked\r\n\r\n`);
    let answer = '';
    endless.setEncoding('utf8').on('data', (part: string) => {
      answer += part;
    });
    const ended = closed(endless);
    const pour = () => {
      while (!endless.destroyed && endless.write(chunk));
    };
    endless.on('drain', pour);
    pour();
    await ended;
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    // Nobody is told to go on before the token was seen.
    const expecting = `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nExpect: 100-continue\r\nContent-Length: 10\r\n\r\n`;
    expect((await sendRaw(server.port, expecting)).status).toBe(401);
    await readsContext(server);
  });

  it('JSON that blows up, and heads that are too long', async () => {
    const { send, server } = await door();
    const wrapped = (inner: string) => `{"jsonrpc":"2.0","id":1,"method":"initialize","params":${inner}}`;
    for (const body of [
      '['.repeat(500_000),
      wrapped(`${'['.repeat(200_000)}${']'.repeat(200_000)}`),
      wrapped(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`),
      `[${Array.from({ length: 20_000 }, () => HELLO.slice(0, 40)).join(',')}]`,
      `[${Array.from({ length: 3_000 }, () => HELLO).join(',')}]`,
      '{"__proto__":{"method":"initialize"},"jsonrpc":"2.0","id":1}',
      '\u0000\ufffe',
      'null',
      '1e999',
    ])
      expect([body.slice(0, 40), (await send({}, { body })).status]).toEqual([body.slice(0, 40), 400]);
    expect((await send({ 'X-Long': 'x'.repeat(20_000) })).status).toBe(431);
    expect((await send({}, { path: `/mcp?${'x'.repeat(20_000)}` })).status).toBe(431);
    await readsContext(server);
  });

  it('readers that never read lose their answer, and others are served', async () => {
    const server = await impatient({ unreadMs: 500 });
    const { transport } = await httpClient(server, { client: LEGACY });
    writeFileSync(at('.bearings/workspaces/manta/notes.md'), `${'x'.repeat(200)}\n`.repeat(280));
    const socket = await openIdle(server.port);
    socket.pause();
    // Many answers on one connection, none of them read: the system's own buffers fill first.
    for (let id = 1; id <= 250; id += 1) {
      const ask = call('read_full_notes', { image_id: 'manta' }, id);
      const head = `${usual(server)}Mcp-Session-Id: ${transport.sessionId}\r\nContent-Length: ${ask.length}`;
      socket.write(`POST /mcp HTTP/1.1\r\n${head}\r\n\r\n${ask}`);
    }
    const ended = closed(socket);
    await readsContext(server);
    // Its end comes to light as soon as it reads on: what was in flight, then nothing more.
    await letGo(server.port, Number(socket.localPort));
    let bytes = 0;
    socket.on('data', (part: Buffer) => {
      bytes += part.length;
    });
    socket.resume();
    await ended;
    expect(bytes).toBeLessThan(250 * 56_000);
    await readsContext(server);
  });

  it(`${IDLE} idle connections do not lock out the next`, async () => {
    const server = await httpServer(place);
    const early = await httpClient(server, { name: 'early', client: LEGACY });
    const idle: Socket[] = [];
    const partial = `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\n`;
    for (let i = 0; i < IDLE; i += 100) {
      const some = Array.from({ length: Math.min(100, IDLE - i) }, (_, j) =>
        openIdle(server.port, j % 2 ? partial : ''),
      );
      idle.push(...(await Promise.all(some)));
    }
    for (const socket of idle) socket.on('error', () => undefined);
    // A connection that this process keeps was idle too: ended at the very moment it is used, who uses it asks once more.
    const twice = <T>(ask: () => Promise<T>): Promise<T> => ask().catch(ask);
    for (let i = 0; i < 6; i += 1) await twice(() => readsContext(server));
    const again = await twice(() => early.client.callTool({ name: 'read_context', arguments: { image_id: 'manta' } }));
    expect(again.isError).not.toBe(true);
    for (const socket of idle) socket.destroy();
    await twice(() => readsContext(server));
  });
});

function closed(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    if (socket.destroyed) resolve();
    socket.on('error', () => undefined);
    socket.once('close', () => resolve());
  });
}

// Waits until the server has ended its side of a connection, as the system tells it; elsewhere only time does.
async function letGo(serverPort: number, clientPort: number): Promise<void> {
  if (!existsSync('/proc/net/tcp')) return new Promise((resolve) => setTimeout(resolve, 5_000));
  const hex = (port: number) => port.toString(16).toUpperCase().padStart(4, '0');
  const open = new RegExp(`:${hex(serverPort)} [0-9A-F]+:${hex(clientPort)} 01 `);
  await until(() => !open.test(readFileSync('/proc/net/tcp', 'utf8')));
}
