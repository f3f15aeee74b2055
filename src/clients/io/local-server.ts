import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { cantListen } from './cant-listen.ts';

/** A request as a face sees it. */
export interface LocalRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  header(name: string): string | undefined;
  /** Null: longer than this. */
  body(maxBytes: number): Promise<string | null>;
}

/** Lines that go on for as long as the reader stays. */
interface LocalStream {
  send(text: string): void;
  close(): void;
  onClose(work: () => void): void;
}

export interface LocalAnswer {
  status: number;
  headers: Record<string, string>;
  body: string | Uint8Array | ((stream: LocalStream) => void);
}

export interface LocalServer {
  port: number;
  close(): Promise<void>;
}

export const LOOPBACK = '127.0.0.1';
const MOST_CONNECTIONS = 256;
const MOST_UNREAD_BYTES = 1024 * 1024;

// On this machine only. Whoever holds connections open without asking for anything makes room for who comes next.
export async function listenLocally(
  port: number,
  handle: (request: LocalRequest) => Promise<LocalAnswer>,
): Promise<LocalServer> {
  const open = new Set<Socket>();
  const streaming = new Set<Socket>();
  const server = createServer(
    {
      headersTimeout: 10_000,
      requestTimeout: 30_000,
      keepAliveTimeout: 5_000,
      connectionsCheckingInterval: 2_000,
      maxHeaderSize: 16 * 1024,
    },
    (incoming, outgoing) => {
      void answer(incoming, outgoing, { handle, streaming });
    },
  );
  server.on('connection', (socket) => {
    open.add(socket);
    socket.on('close', () => {
      open.delete(socket);
      streaming.delete(socket);
    });
    if (open.size > MOST_CONNECTIONS) [...open].find((each) => !streaming.has(each))?.destroy();
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(cantListen(port, error, 'Leave --port out, or name another one.')));
    server.listen(port, LOOPBACK, () => resolve());
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of open) socket.destroy();
      }),
  };
}

async function answer(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { handle, streaming }: { handle(request: LocalRequest): Promise<LocalAnswer>; streaming: Set<Socket> },
): Promise<void> {
  incoming.on('error', () => outgoing.destroy());
  outgoing.on('error', () => outgoing.destroy());
  try {
    const { status, headers, body } = await handle(asRequest(incoming));
    // What was not read to its end would be taken for the next request.
    if (!incoming.complete) outgoing.setHeader('connection', 'close');
    outgoing.writeHead(status, headers);
    if (typeof body !== 'function') {
      outgoing.end(body);
      return;
    }
    streaming.add(incoming.socket);
    incoming.socket.setTimeout(0);
    body({
      send(text) {
        outgoing.write(text);
        // A reader that does not read must not fill our memory.
        if (outgoing.writableLength > MOST_UNREAD_BYTES) outgoing.destroy();
      },
      close: () => outgoing.destroy(),
      onClose: (work) => outgoing.once('close', work),
    });
  } catch {
    if (!outgoing.headersSent) outgoing.writeHead(500, { 'content-type': 'text/plain' });
    outgoing.end();
  }
}

function asRequest(incoming: IncomingMessage): LocalRequest {
  const target = incoming.url ?? '/';
  const at = target.indexOf('?');
  return {
    method: incoming.method ?? 'GET',
    path: at === -1 ? target : target.slice(0, at),
    query: new URLSearchParams(at === -1 ? '' : target.slice(at + 1)),
    header(name) {
      const value = incoming.headers[name];
      return Array.isArray(value) ? value.join(', ') : value;
    },
    async body(maxBytes) {
      const parts: Buffer[] = [];
      let size = 0;
      for await (const part of incoming as AsyncIterable<Buffer>) {
        size += part.length;
        if (size > maxBytes) return null;
        parts.push(part);
      }
      return Buffer.concat(parts).toString('utf8');
    },
  };
}
