import type { IncomingMessage } from 'node:http';
import { type Exchange, listenOnLoopback, readBody } from './loopback-server.ts';

/** A request as a face sees it. */
export interface LocalRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  header(name: string): string | undefined;
  /** Null: longer than this. */
  body(maxBytes: number): Promise<string | null>;
}

export interface LocalAnswer {
  status: number;
  headers: Record<string, string>;
  body: string | Uint8Array;
}

// One person's browser: half as many connections as clients of MCP may have.
const LIMITS = { connections: 256, keepAliveMs: 5_000 };

export function listenLocally(
  { port, asLocalhost }: { port: number; asLocalhost: boolean },
  handle: (request: LocalRequest) => Promise<LocalAnswer>,
) {
  const hint = asLocalhost
    ? 'Your authenticator signs on this port alone: end the other program.'
    : 'Leave --port out, or name another one.';
  return listenOnLoopback({ port, asLocalhost, hint, limits: LIMITS, answer: (exchange) => answer(exchange, handle) });
}

async function answer(
  { request: incoming, response: outgoing, proceed }: Exchange,
  handle: (request: LocalRequest) => Promise<LocalAnswer>,
): Promise<void> {
  proceed();
  try {
    const { status, headers, body } = await handle(asRequest(incoming));
    // What was not read to its end would be taken for the next request.
    if (!incoming.complete) outgoing.setHeader('connection', 'close');
    outgoing.writeHead(status, headers);
    outgoing.end(body);
  } catch {
    if (!outgoing.headersSent) outgoing.writeHead(500, { 'content-type': 'text/plain' });
    outgoing.end();
  }
}

function asRequest(incoming: IncomingMessage): LocalRequest {
  const [path = '/', ...query] = (incoming.url ?? '/').split('?');
  return {
    method: incoming.method ?? 'GET',
    path,
    query: new URLSearchParams(query.join('?')),
    header: (name) => incoming.headers[name]?.toString(),
    body: async (maxBytes) => (await readBody(incoming, maxBytes))?.toString('utf8') ?? null,
  };
}
