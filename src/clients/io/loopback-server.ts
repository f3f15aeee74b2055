import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { BearingsError, codeOf } from '../../errors.ts';

export const LOOPBACK = '127.0.0.1';
/** What a browser may mean by localhost as well. */
const LOOPBACK_SIX = '::1';

const REASONS: Record<string, string> = {
  EADDRINUSE: 'another program uses it',
  EACCES: 'it needs more rights than you have',
};

export interface LoopbackOptions {
  port: number;
  /** As localhost: on both addresses of that name, so that no other program can answer to it. */
  asLocalhost?: boolean;
  /** What to do where the port can't be opened. */
  hint: string;
  limits?: Partial<ConnectionLimits> | undefined;
  answer(exchange: Exchange): Promise<void>;
}

export interface ConnectionLimits {
  /** Open ones. Beyond it, one that asks for nothing makes room for the one that comes. */
  connections: number;
  headersMs: number;
  /** For the whole request, body included. */
  requestMs: number;
  keepAliveMs: number;
}

const LIMITS: ConnectionLimits = { connections: 512, headersMs: 10_000, requestMs: 30_000, keepAliveMs: 60_000 };

export interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  port: number;
  /** A client that waits for a word before it sends the body gets it. */
  proceed(): void;
  /** From here to the end of the response its connection is never the one that makes room. */
  hold(): void;
}

// On loopback and nowhere else: there is no option for another address.
export async function listenOnLoopback(options: LoopbackOptions) {
  // How many admitted requests each connection has; those that have none in the order in which they fell idle.
  const connections = new Map<Socket, number>();
  const limits = { ...LIMITS, ...options.limits };
  let port = options.port;

  // A connection with an admitted request keeps its place; one without is the first to go, the longest idle before others.
  const hold = (socket: Socket): (() => void) => {
    connections.set(socket, (connections.get(socket) ?? 0) + 1);
    return () => {
      const left = (connections.get(socket) ?? 1) - 1;
      connections.delete(socket);
      if (!socket.destroyed) connections.set(socket, left);
    };
  };
  const answer = (request: IncomingMessage, response: ServerResponse, expectsContinue: boolean): void => {
    request.on('error', () => response.destroy());
    response.on('error', () => response.destroy());
    const exchange: Exchange = {
      request,
      response,
      port,
      proceed: () => expectsContinue && response.writeContinue(),
      hold: () => response.once('close', hold(request.socket)),
    };
    options.answer(exchange).catch(() => response.destroy());
  };

  const listen = async (address: string): Promise<Server> => {
    const server = createServer(
      {
        headersTimeout: limits.headersMs,
        requestTimeout: limits.requestMs,
        keepAliveTimeout: limits.keepAliveMs,
        connectionsCheckingInterval: Math.min(1_000, limits.headersMs),
        maxHeaderSize: 16 * 1024,
      },
      (request, response) => answer(request, response, false),
    );
    server.on('checkContinue', (request, response) => answer(request, response, true));
    server.on('connection', (socket) => {
      connections.set(socket, 0);
      socket.once('close', () => connections.delete(socket));
      if (connections.size <= limits.connections) return;
      const [longestIdle] = [...connections].find(([, held]) => held === 0) ?? [];
      longestIdle?.destroy();
    });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, address, resolve);
    });
    return server;
  };

  const servers: Server[] = [];
  const close = async (): Promise<void> => {
    const closed = servers.map((server) => new Promise<void>((resolve) => server.close(() => resolve())));
    for (const socket of connections.keys()) socket.destroy();
    await Promise.all(closed);
  };
  try {
    const first = await listen(LOOPBACK);
    servers.push(first);
    port = (first.address() as AddressInfo).port;
    const six = options.asLocalhost ? await listen(LOOPBACK_SIX).catch(orNobody) : null;
    if (six) servers.push(six);
  } catch (error) {
    await close();
    const reason = REASONS[codeOf(error)];
    if (reason === undefined) throw error;
    const { hint } = options;
    throw new BearingsError('io_error', `Port ${port} can't be opened: ${reason}.`, { hint, cause: error });
  }
  return { port, close };
}

// A machine without the second address has nobody on it either.
function orNobody(error: unknown): null {
  if (codeOf(error) in REASONS) throw error;
  return null;
}

/** Null: too long. The rest is left unread. */
export function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer | null> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let size = 0;
    request.on('data', (part: Buffer) => {
      size += part.length;
      parts.push(part);
      if (size <= maxBytes) return;
      request.removeAllListeners('data').pause();
      parts.length = 0;
      resolve(null);
    });
    request.once('end', () => resolve(Buffer.concat(parts)));
    request.once('close', () => reject(new Error('the client went away')));
  });
}
