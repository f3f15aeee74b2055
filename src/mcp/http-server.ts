import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, isLegacyRequest, type McpServer, type ServerContext } from '@modelcontextprotocol/server';
import type { Rooms } from '../bearings.ts';
import type { ListenerLimits } from '../clients/mcp-http.ts';
import { type ClientSession, endClientSession, interruptClientSession } from './client-session.ts';
import { clientSessions } from './client-sessions.ts';
import { guard, TOO_LARGE } from './http-guard.ts';
import { httpSessions, type SessionLimits } from './http-sessions.ts';
import { uriOf } from './resources.ts';

export interface HttpServerOptions {
  bearings: Rooms;
  /** A server for one client session; for clients of 2026 one is known only once a call says whose it is. */
  create(clientSessionOf: (client: string, context: ServerContext) => ClientSession, watches: boolean): McpServer;
  port: number;
  limits?: Partial<ListenerLimits & SessionLimits>;
}

export interface HttpServer {
  port: number;
  url: string;
  /** The token's file in the person's words. */
  tokenPath: string;
  close(): Promise<void>;
}

export const DEFAULT_PORT = 7391;
const SESSIONS: SessionLimits = { sessions: 256, idleMs: 30 * 60_000 };
const BODY_BYTES = 1024 * 1024;
const SUBSCRIPTIONS = 256;
const SWEEP_MS = 60_000;

// One endpoint, two ways: a session of the transport for clients up to 2025-11-25, each request by itself for those of 2026.
export async function openHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const { bearings, create } = options;
  const limits = { ...SESSIONS, bodyBytes: BODY_BYTES, ...options.limits };
  const mcpHttp = await bearings.mcpHttp();
  const { token, shownPath } = await mcpHttp.mcpToken();
  const now = () => performance.now();
  const common = { limits, now, interrupted: interruptClientSession };
  const sessions = httpSessions({
    ...common,
    create: (session) => create(() => session, true),
    ended: (session) => endClientSession(bearings, session),
    maxBodyBytes: limits.bodyBytes,
  });
  const stays = clientSessions(common);
  const modern = createMcpHandler(
    () => create((client, context) => stays.of(`${addressOf(context)} ${client}`), false),
    {
      legacy: 'reject',
      maxSubscriptions: SUBSCRIPTIONS,
      maxRequestBodySize: limits.bodyBytes,
    },
  );
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
  const unwatch = await (await bearings.clients()).watchMemory((changed, listChanged) => {
    if (listChanged) modern.notify.resourcesChanged();
    for (const of of changed) modern.notify.resourceUpdated(uriOf(of));
  });
  const sweep = setInterval(
    () => {
      sessions.expire();
      stays.expire();
    },
    Math.min(SWEEP_MS, limits.idleMs),
  );
  sweep.unref();
  return {
    port: listener.port,
    url: `http://127.0.0.1:${listener.port}/mcp`,
    tokenPath: shownPath,
    async close() {
      clearInterval(sweep);
      unwatch();
      sessions.stop();
      stays.stop();
      await modern.close();
      await listener.close();
    },
  };
}

function addressOf(context: ServerContext): string {
  return new URL(context.http?.req?.url ?? 'http://localhost/mcp').pathname;
}
