import { randomUUID } from 'node:crypto';
import { type McpServer, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import type { Rooms } from '../bearings.ts';
import { type ClientSession, clientSession, endClientSession, interruptClientSession } from './client-session.ts';

export interface SessionLimits {
  /** At once; the one unused for the longest makes room. */
  sessions: number;
  /** Without a request and without an open stream. */
  idleMs: number;
}

interface OpenSession {
  session: ClientSession;
  lastUsed: number;
  streams: number;
  /** Of a client up to 2025-11-25. */
  connection?: { transport: WebStandardStreamableHTTPServerTransport; server: McpServer };
}

// Sessions by name, for as long as their clients come back.
function sessionsByName({ sessions, idleMs }: SessionLimits) {
  const known = new Map<string, OpenSession>();
  const unused = () => [...known].filter(([, { streams }]) => streams === 0);
  const interrupt = (name: string, reason: 'expired' | 'stopped'): void => {
    const open = known.get(name);
    known.delete(name);
    if (open) interruptClientSession(open.session, reason);
    open?.connection?.server.close().catch(() => undefined);
  };
  return {
    known,
    /** False: all of them are in use. */
    makeRoom(): boolean {
      if (known.size < sessions) return true;
      const [oldest] = unused().sort(([, a], [, b]) => a.lastUsed - b.lastUsed);
      if (oldest) interrupt(oldest[0], 'expired');
      return oldest !== undefined;
    },
    expire(): void {
      const before = performance.now() - idleMs;
      for (const [name, { lastUsed }] of unused()) if (lastUsed < before) interrupt(name, 'expired');
    },
    stop(): void {
      for (const name of [...known.keys()]) interrupt(name, 'stopped');
    },
  };
}

export interface HttpSessionsOptions {
  bearings: Rooms;
  create(session: ClientSession): McpServer;
  limits: SessionLimits;
  maxBodyBytes: number;
}

// Clients up to 2025-11-25: a session of the transport each, and with it a server and a client session of their own.
export function httpSessions({ bearings, create, limits, maxBodyBytes }: HttpSessionsOptions) {
  const { known, makeRoom, ...ends } = sessionsByName(limits);

  const begin = async (request: Request): Promise<Response> => {
    if (!makeRoom()) return problem(503, -32000, 'Too many sessions are open.');
    const session = clientSession();
    const server = create(session);
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      maxRequestBodySize: maxBodyBytes,
      onsessioninitialized: (id) => {
        known.set(id, { session, lastUsed: performance.now(), streams: 0, connection: { transport, server } });
      },
      onsessionclosed: async (id) => {
        known.delete(id);
        await endClientSession(bearings, session);
      },
    });
    await server.connect(transport);
    const response = await transport.handleRequest(request);
    if (transport.sessionId === undefined) await server.close();
    return response;
  };

  return {
    ...ends,
    async handle(request: Request): Promise<Response> {
      const id = request.headers.get('mcp-session-id');
      if (id === null && request.method === 'POST') return begin(request);
      if (id === null) return problem(400, -32000, 'Mcp-Session-Id is missing.');
      const session = known.get(id);
      if (!session?.connection) return problem(404, -32001, 'Session not found');
      session.lastUsed = performance.now();
      const response = await session.connection.transport.handleRequest(request);
      if (request.method === 'GET' && response.ok) watchStream(session, request.signal);
      return response;
    },
  };
}

// A client that listens is there, also when it asks for nothing.
function watchStream(session: OpenSession, gone: AbortSignal): void {
  session.streams += 1;
  const leave = () => {
    session.streams -= 1;
    session.lastUsed = performance.now();
  };
  if (gone.aborted) leave();
  else gone.addEventListener('abort', leave, { once: true });
}

function problem(status: number, code: number, message: string): Response {
  return Response.json({ jsonrpc: '2.0', error: { code, message }, id: null }, { status });
}

// Clients of 2026-07-28: each request is complete in itself and says whose it is. Who says the same at the same address is
// the same client.
export function clientSessions(limits: SessionLimits) {
  const { known, makeRoom, ...ends } = sessionsByName(limits);
  return {
    ...ends,
    of(client: string): ClientSession {
      const found = known.get(client);
      if (!found) makeRoom();
      const { session } = found ?? { session: clientSession() };
      known.set(client, { session, lastUsed: performance.now(), streams: 0 });
      return session;
    },
  };
}
