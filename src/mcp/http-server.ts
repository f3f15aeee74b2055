import { createHash, randomUUID, timingSafeEqual } from 'node:crypto';
import { toNodeHandler } from '@modelcontextprotocol/node';
import {
  createMcpHandler,
  isLegacyRequest,
  type McpServer,
  type ServerContext,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { Rooms } from '../bearings.ts';
import type { ListenerLimits, Refusal, RequestHead } from '../clients/io/mcp-listener.ts';
import { type ClientSession, clientSession, endClientSession, interruptClientSession } from './client-session.ts';

export interface HttpServerOptions {
  bearings: Rooms;
  /** A server for one client session; for clients of 2026 one is known only once a call says whose it is. */
  create(clientSessionOf: (client: string, context: ServerContext) => ClientSession): McpServer;
  port: number;
  limits?: Partial<ListenerLimits & SessionLimits>;
}

export const DEFAULT_PORT = 7391;
const SESSIONS: SessionLimits = { sessions: 256, idleMs: 30 * 60_000 };
const BODY_BYTES = 1024 * 1024;
const SUBSCRIPTIONS = 256;
const SWEEP_MS = 60_000;

// One endpoint, two ways: a session of the transport for clients up to 2025-11-25, each request by itself for those of 2026.
export async function openHttpServer(options: HttpServerOptions) {
  const { bearings, create } = options;
  const limits = { ...SESSIONS, bodyBytes: BODY_BYTES, ...options.limits };
  const mcpHttp = await bearings.mcpHttp();
  const { token, shownPath } = await mcpHttp.mcpToken();
  const sessions = httpSessions(options, limits);
  const sessionOf = (client: string, { http }: ServerContext): ClientSession =>
    sessions.of(`${new URL(http?.req?.url ?? 'http://localhost/mcp').pathname} ${client}`);
  const modern = createMcpHandler(() => create(sessionOf), {
    legacy: 'reject',
    maxSubscriptions: SUBSCRIPTIONS,
    maxRequestBodySize: limits.bodyBytes,
  });
  const fetch = async (request: Request): Promise<Response> =>
    (await isLegacyRequest(request, undefined, { maxRequestBodySize: limits.bodyBytes }))
      ? sessions.handle(request)
      : modern.fetch(request);

  const listener = await mcpHttp.listenForMcp({
    port: options.port,
    admit: guard(token, limits.bodyBytes),
    handle: toNodeHandler({ fetch }, { maxRequestBodySize: limits.bodyBytes }),
    tooLarge: TOO_LARGE,
    limits,
  });
  const sweep = setInterval(sessions.expire, Math.min(SWEEP_MS, limits.idleMs));
  sweep.unref();
  return {
    port: listener.port,
    url: `http://127.0.0.1:${listener.port}/mcp`,
    /** The token's file in the person's words. */
    tokenPath: shownPath,
    async close() {
      clearInterval(sweep);
      sessions.stop();
      await modern.close();
      await listener.close();
    },
  };
}

const PATH = /^\/mcp(?:\/[A-Za-z0-9_-]{1,40})?$/;
const METHODS = ['POST', 'GET', 'DELETE'];
const NAMES = ['127.0.0.1', 'localhost', '[::1]'];

const TOO_LARGE: Refusal = refusal(413, 'The request is too large.');

// Asked before a byte of the body is read. A browser's page fails at Host, Origin or the token, each by itself: the token
// is a header that no form, image or cookie can carry.
function guard(token: string, maxBytes: number): (head: RequestHead, port: number) => Refusal | null {
  const expected = digest(token);
  return ({ method = 'GET', url = '/', headersDistinct }, port) => {
    // A header that is repeated is seen as such.
    const all = (name: string) => headersDistinct[name] ?? [];
    const one = (name: string) => (all(name).length === 1 ? all(name)[0] : undefined);
    const hosts = NAMES.map((name) => `${name}:${port}`);
    const host = one('host')?.toLowerCase();
    if (host === undefined || !hosts.includes(host)) return refusal(403, 'This Host is not served here.');
    const origins = hosts.map((name) => `http://${name}`);
    if (all('origin').some((origin) => !origins.includes(origin)))
      return refusal(403, 'This Origin is not served here.');
    if (all('sec-fetch-site').some((site) => site !== 'same-origin' && site !== 'none'))
      return refusal(403, 'Requests from another site are not served here.');
    const [, shown = ''] = /^Bearer ([\x21-\x7e]+)$/i.exec(one('authorization') ?? '') ?? [];
    if (!timingSafeEqual(digest(shown), expected))
      return refusal(401, 'The token is missing or wrong.', { 'www-authenticate': 'Bearer realm="bearings"' });
    if (!PATH.test(url.split('?')[0] ?? '')) return refusal(404, 'Nothing is here. MCP is at /mcp.');
    if (!METHODS.includes(method)) return refusal(405, 'Method not allowed.', { allow: METHODS.join(', ') });
    if (method === 'POST' && !/^application\/json\s*(?:;|$)/i.test(one('content-type') ?? ''))
      return refusal(415, 'Content-Type must be application/json.');
    if (Number(one('content-length') ?? 0) > maxBytes) return TOO_LARGE;
    return null;
  };
}

function refusal(status: number, message: string, headers: Record<string, string> = {}): Refusal {
  return { status, headers, body: JSON.stringify({ jsonrpc: '2.0', error: { code: -32000, message }, id: null }) };
}

// Digests have one length, so that the comparison tells nothing about it.
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

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
function httpSessions({ bearings, create }: HttpServerOptions, limits: SessionLimits & { bodyBytes: number }) {
  const known = new Map<string, OpenSession>();
  const unused = () => [...known].filter(([, { streams }]) => streams === 0);
  const keep = (name: string, open: Pick<OpenSession, 'session' | 'connection'>): void =>
    void known.set(name, { ...open, lastUsed: performance.now(), streams: 0 });
  const interrupt = (name: string, reason: 'expired' | 'stopped'): void => {
    const open = known.get(name);
    known.delete(name);
    if (open) interruptClientSession(open.session, reason);
    open?.connection?.server.close().catch(() => undefined);
  };
  // False: all of them are in use.
  const makeRoom = (): boolean => {
    if (known.size < limits.sessions) return true;
    const [oldest] = unused().sort(([, a], [, b]) => a.lastUsed - b.lastUsed);
    if (oldest) interrupt(oldest[0], 'expired');
    return oldest !== undefined;
  };

  // Clients up to 2025-11-25: a session of the transport each, and with it a server and a client session of their own.
  const begin = async (request: Request): Promise<Response> => {
    if (!makeRoom()) return problem(503, -32000, 'Too many sessions are open.');
    const session = clientSession();
    const server = create(() => session);
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      maxRequestBodySize: limits.bodyBytes,
      onsessioninitialized: (id) => keep(id, { session, connection: { transport, server } }),
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
    async handle(request: Request): Promise<Response> {
      const id = request.headers.get('mcp-session-id');
      if (id === null && request.method === 'POST') return begin(request);
      if (id === null) return problem(400, -32000, 'Mcp-Session-Id is missing.');
      const open = known.get(id);
      if (!open?.connection) return problem(404, -32001, 'Session not found');
      open.lastUsed = performance.now();
      const response = await open.connection.transport.handleRequest(request);
      if (request.method === 'GET' && response.ok) watchStream(open, request.signal);
      return response;
    },
    // Clients of 2026-07-28: each request is complete in itself and says whose it is. Who says the same at the same address is
    // the same client.
    of(client: string): ClientSession {
      if (!known.has(client)) makeRoom();
      const session = known.get(client)?.session ?? clientSession();
      keep(client, { session });
      return session;
    },
    expire(): void {
      const before = performance.now() - limits.idleMs;
      for (const [name, { lastUsed }] of unused()) if (lastUsed < before) interrupt(name, 'expired');
    },
    stop(): void {
      for (const name of [...known.keys()]) interrupt(name, 'stopped');
    },
  };
}

// A client that listens is there, also when it asks for nothing.
function watchStream(open: OpenSession, gone: AbortSignal): void {
  open.streams += 1;
  const leave = () => {
    open.streams -= 1;
    open.lastUsed = performance.now();
  };
  if (gone.aborted) leave();
  else gone.addEventListener('abort', leave, { once: true });
}

function problem(status: number, code: number, message: string): Response {
  return Response.json({ jsonrpc: '2.0', error: { code, message }, id: null }, { status });
}
