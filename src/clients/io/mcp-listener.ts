import type { IncomingMessage, ServerResponse } from 'node:http';
import { type LoopbackServer, listenOnLoopback } from './loopback-server.ts';

/** What is known of a request before a byte of its body is read. */
export interface RequestHead {
  method: string;
  path: string;
  /** The port we listen on: a Host or Origin with another one is not ours. */
  port: number;
  /** All values a header came with; a repeated one is seen as such. */
  header(name: string): readonly string[];
}

export interface Refusal {
  status: number;
  headers?: Record<string, string>;
  body: string;
}

/** The shape of Node's own request, with the body already read. */
export interface ReadRequest extends AsyncIterable<Uint8Array> {
  method: string;
  url: string;
  headers: Record<string, string | string[] | undefined>;
}

/** The shape of Node's own response; a reader that does not read loses it. */
export interface BoundedResponse {
  writeHead(status: number, headers?: Record<string, string>): unknown;
  write(chunk: string | Uint8Array): boolean;
  end(chunk?: string | Uint8Array): unknown;
  on(event: string, listener: (...args: unknown[]) => void): unknown;
  readonly destroyed: boolean;
}

export interface ListenerLimits {
  /** Open connections. Beyond it, one that asks for nothing makes room for the one that comes. */
  connections: number;
  bodyBytes: number;
  headersMs: number;
  /** For the whole request, body included. */
  requestMs: number;
  keepAliveMs: number;
  /** How long written bytes may wait for their reader. */
  unreadMs: number;
  unreadBytes: number;
}

export const LISTENER_LIMITS: ListenerLimits = {
  connections: 512,
  bodyBytes: 1024 * 1024,
  headersMs: 10_000,
  requestMs: 30_000,
  keepAliveMs: 60_000,
  unreadMs: 30_000,
  unreadBytes: 8 * 1024 * 1024,
};

export interface ListenerOptions {
  port: number;
  /** Null: the request may go on. Asked before its body is read. */
  admit(head: RequestHead): Refusal | null;
  handle(request: ReadRequest, response: BoundedResponse): Promise<void>;
  tooLarge: Refusal;
  limits: ListenerLimits;
}

// A refused client gets this much time and room to finish its sentence, so that it hears the answer.
const LINGER_MS = 5_000;
const LINGER_BYTES = 4 * 1024 * 1024;

export function listenForMcp(options: ListenerOptions): Promise<LoopbackServer> {
  const { limits } = options;
  return listenOnLoopback({
    port: options.port,
    hint: 'Name another one: bearings mcp --http --port 0 takes any that is free.',
    connections: limits.connections,
    timeouts: {
      headersTimeout: limits.headersMs,
      requestTimeout: limits.requestMs,
      keepAliveTimeout: limits.keepAliveMs,
      connectionsCheckingInterval: Math.min(1_000, limits.headersMs),
    },
    async answer({ request, response, port, expectsContinue, hold }) {
      const refusal = options.admit(headOf(request, port));
      if (refusal) return refuse(request, response, refusal);
      hold();
      if (expectsContinue) response.writeContinue();
      const body = await readBody(request, limits.bodyBytes);
      if (body === null) return refuse(request, response, options.tooLarge);
      const { method = 'GET', url = '/', headers } = request;
      await options.handle({ method, url, headers, ...iterable(body) }, bounded(response, limits));
    },
  });
}

function headOf(request: IncomingMessage, port: number): RequestHead {
  const [path = '/'] = (request.url ?? '/').split('?');
  const { headersDistinct } = request;
  return { method: request.method ?? 'GET', path, port, header: (name) => headersDistinct[name] ?? [] };
}

// Null: too long. The rest is left unread, for `refuse` to let pass.
function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer | null> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let size = 0;
    request.on('data', (part: Buffer) => {
      size += part.length;
      if (size <= maxBytes) {
        parts.push(part);
        return;
      }
      request.removeAllListeners('data').pause();
      parts.length = 0;
      resolve(null);
    });
    request.once('end', () => resolve(Buffer.concat(parts)));
    request.once('close', () => reject(new Error('the client went away')));
  });
}

function iterable(body: Buffer): AsyncIterable<Uint8Array> {
  return {
    async *[Symbol.asyncIterator]() {
      if (body.length > 0) yield body;
    },
  };
}

function refuse(request: IncomingMessage, response: ServerResponse, { status, headers, body }: Refusal): void {
  const length = String(Buffer.byteLength(body));
  response.writeHead(status, {
    'content-type': 'application/json',
    ...headers,
    'content-length': length,
    connection: 'close',
  });
  response.write(body);
  const end = () => {
    clearTimeout(timer);
    response.end();
  };
  const timer = setTimeout(end, LINGER_MS);
  let size = 0;
  request.on('data', (part: Buffer) => {
    size += part.length;
    if (size > LINGER_BYTES) response.destroy();
  });
  request.once('end', end);
  request.once('close', end);
  if (request.complete) end();
  request.resume();
}

function bounded(response: ServerResponse, limits: ListenerLimits): BoundedResponse {
  let deadline: NodeJS.Timeout | undefined;
  const expectReader = () => {
    deadline ??= setTimeout(() => response.destroy(), limits.unreadMs);
  };
  const wasRead = () => {
    clearTimeout(deadline);
    deadline = undefined;
  };
  response.on('drain', wasRead).on('finish', wasRead).on('close', wasRead);
  return {
    writeHead: (status, headers) => response.writeHead(status, headers),
    write(chunk) {
      const taken = response.write(chunk);
      if (!taken) expectReader();
      if (response.writableLength > limits.unreadBytes) response.destroy();
      return taken;
    },
    end(chunk) {
      if (!response.destroyed) expectReader();
      return response.end(chunk);
    },
    on: (event, listener) => response.on(event, listener),
    get destroyed() {
      return response.destroyed;
    },
  };
}
