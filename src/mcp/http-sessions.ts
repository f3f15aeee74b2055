import { randomUUID } from 'node:crypto';
import { type McpServer, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import { type ClientSession, clientSession } from './client-session.ts';

export interface SessionLimits {
  /** At once; the one unused for the longest makes room. */
  sessions: number;
  /** Without a request and without an open stream. */
  idleMs: number;
}

export interface HttpSessionsOptions {
  create(session: ClientSession): McpServer;
  /** The client ended it by DELETE. */
  ended(session: ClientSession): Promise<void>;
  /** It expired, or the server stops. */
  interrupted(session: ClientSession, reason: 'expired' | 'stopped'): void;
  limits: SessionLimits;
  maxBodyBytes: number;
  now(): number;
}

interface OpenSession {
  transport: WebStandardStreamableHTTPServerTransport;
  server: McpServer;
  session: ClientSession;
  streams: number;
  lastUsed: number;
}

// Clients up to 2025-11-25: a session of the transport each, and with it a server and a client session of their own.
export function httpSessions(options: HttpSessionsOptions) {
  const { limits, now } = options;
  const open = new Map<string, OpenSession>();

  const interrupt = (id: string, reason: 'expired' | 'stopped'): void => {
    const session = open.get(id);
    if (!session) return;
    open.delete(id);
    options.interrupted(session.session, reason);
    session.server.close().catch(() => undefined);
  };

  const begin = async (request: Request): Promise<Response> => {
    if (!makeRoom()) return problem(503, -32000, 'Too many sessions are open.');
    const session = clientSession();
    const server = options.create(session);
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      maxRequestBodySize: options.maxBodyBytes,
      onsessioninitialized: (id) => {
        open.set(id, { transport, server, session, streams: 0, lastUsed: now() });
      },
      onsessionclosed: async (id) => {
        open.delete(id);
        await options.ended(session);
      },
    });
    await server.connect(transport);
    const response = await transport.handleRequest(request);
    if (transport.sessionId === undefined) await server.close();
    return response;
  };

  const makeRoom = (): boolean => {
    if (open.size < limits.sessions) return true;
    const [unused] = [...open]
      .filter(([, { streams }]) => streams === 0)
      .sort(([, a], [, b]) => a.lastUsed - b.lastUsed);
    if (!unused) return false;
    interrupt(unused[0], 'expired');
    return true;
  };

  return {
    async handle(request: Request): Promise<Response> {
      const id = request.headers.get('mcp-session-id');
      if (id === null && request.method === 'POST') return begin(request);
      if (id === null) return problem(400, -32000, 'Mcp-Session-Id is missing.');
      const session = open.get(id);
      if (!session) return problem(404, -32001, 'Session not found');
      session.lastUsed = now();
      const response = await session.transport.handleRequest(request);
      if (request.method === 'GET' && response.ok) watchStream(session, request.signal, now);
      return response;
    },

    expire(): void {
      const before = now() - limits.idleMs;
      for (const [id, { streams, lastUsed }] of [...open])
        if (streams === 0 && lastUsed < before) interrupt(id, 'expired');
    },

    stop(): void {
      for (const id of [...open.keys()]) interrupt(id, 'stopped');
    },

    count: () => open.size,
  };
}

// A client that listens is there, also when it asks for nothing.
function watchStream(session: OpenSession, gone: AbortSignal, now: () => number): void {
  session.streams += 1;
  const leave = () => {
    session.streams -= 1;
    session.lastUsed = now();
  };
  if (gone.aborted) leave();
  else gone.addEventListener('abort', leave, { once: true });
}

function problem(status: number, code: number, message: string): Response {
  return Response.json({ jsonrpc: '2.0', error: { code, message }, id: null }, { status });
}

// Clients of 2026-07-28: each request is complete in itself and says whose it is. Who says the same at the same address is
// the same client.
export function clientSessions(options: {
  limits: SessionLimits;
  interrupted(session: ClientSession, reason: 'expired' | 'stopped'): void;
  now(): number;
}) {
  const { limits, now } = options;
  const known = new Map<string, { session: ClientSession; lastUsed: number }>();
  const interrupt = (key: string, reason: 'expired' | 'stopped'): void => {
    const found = known.get(key);
    known.delete(key);
    if (found) options.interrupted(found.session, reason);
  };
  return {
    of(key: string): ClientSession {
      const { session } = known.get(key) ?? { session: clientSession() };
      // Put last again: the first in line is the one unused for the longest.
      known.delete(key);
      known.set(key, { session, lastUsed: now() });
      const [first] = known.keys();
      if (known.size > limits.sessions && first !== undefined) interrupt(first, 'expired');
      return session;
    },
    expire(): void {
      const before = now() - limits.idleMs;
      for (const [key, { lastUsed }] of [...known]) if (lastUsed < before) interrupt(key, 'expired');
    },
    stop(): void {
      for (const key of [...known.keys()]) interrupt(key, 'stopped');
    },
  };
}
