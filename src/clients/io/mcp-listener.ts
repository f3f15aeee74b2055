import { randomBytes } from 'node:crypto';
import { chmodSync, linkSync, lstatSync, mkdirSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { dirname, join } from 'node:path';
import { BearingsError } from '../../errors.ts';
import { readText } from '../../files/read-file.ts';
import { codeOf, reasonOf } from '../../files/system-error.ts';
import { removeQuietly } from '../../files/write-file.ts';
import type { AppContext } from '../../settings/app-context.ts';
import { type ConnectionLimits, listenOnLoopback, readBody } from './loopback-server.ts';

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

export interface ListenerLimits extends ConnectionLimits {
  bodyBytes: number;
  /** How long written bytes may wait for their reader. */
  unreadMs: number;
  unreadBytes: number;
}

const LIMITS: ListenerLimits = {
  connections: 512,
  bodyBytes: 1024 * 1024,
  headersMs: 10_000,
  requestMs: 30_000,
  keepAliveMs: 60_000,
  unreadMs: 30_000,
  unreadBytes: 8 * 1024 * 1024,
};

// A refused client gets this much time and room to finish its sentence, so that it hears the answer.
const LINGER_MS = 5_000;
const LINGER_BYTES = 4 * 1024 * 1024;

// What MCP over HTTP needs of the machine: a port on loopback, and the token that clients show.
export function mcpHttpUseCases(app: AppContext) {
  return {
    /** 256 bits that only the person's account can read, made once, so that clients stay set up; and where it lies in their words. */
    async mcpToken(): Promise<{ token: string; shownPath: string }> {
      const path = join(app.home, 'mcp-token');
      return { token: readToken(path) ?? createToken(path), shownPath: app.forPerson(path) };
    },
    listenForMcp,
  };
}

function listenForMcp(options: {
  port: number;
  /** Null: the request may go on. Asked before its body is read. */
  admit(head: RequestHead): Refusal | null;
  handle(request: ReadRequest, response: BoundedResponse): Promise<void>;
  tooLarge: Refusal;
  limits?: Partial<ListenerLimits>;
}) {
  const limits = { ...LIMITS, ...options.limits };
  return listenOnLoopback({
    port: options.port,
    hint: 'Name another one: bearings mcp --http --port 0 takes any that is free.',
    limits,
    async answer({ request, response, port, proceed, hold }) {
      const refusal = options.admit(headOf(request, port));
      if (refusal) return refuse(request, response, refusal);
      hold();
      proceed();
      const body = await readBody(request, limits.bodyBytes);
      if (body === null) return refuse(request, response, options.tooLarge);
      const { method = 'GET', url = '/', headers } = request;
      const bytes = {
        async *[Symbol.asyncIterator]() {
          if (body.length > 0) yield body;
        },
      };
      await options.handle({ method, url, headers, ...bytes }, bounded(response, limits));
    },
  });
}

function headOf(request: IncomingMessage, port: number): RequestHead {
  const [path = '/'] = (request.url ?? '/').split('?');
  const { headersDistinct } = request;
  return { method: request.method ?? 'GET', path, port, header: (name) => headersDistinct[name] ?? [] };
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

const TOKEN = /^[A-Za-z0-9_-]{43}$/;

function readToken(path: string): string | null {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found) return null;
  if (!found.isFile()) throw unusable('it is not a regular file');
  const file = readText(path, null);
  if (file.status !== 'ok') throw unusable(file.status === 'missing' ? 'it is not there' : file.reason);
  const token = file.value.text.trim();
  if (!TOKEN.test(token)) throw unusable('it holds no token of ours');
  // Whoever could read it until now may know it.
  if (process.platform !== 'win32' && (found.mode & 0o077) !== 0) {
    chmodSync(path, 0o600);
    throw unusable('others could read it (it is closed now)');
  }
  return token;
}

function createToken(path: string): string {
  const token = randomBytes(32).toString('base64url');
  // Two servers may be the first at once: a link never replaces, so one token wins and both use it.
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(draft, `${token}\n`, { mode: 0o600, flag: 'wx', flush: true });
    linkSync(draft, path);
    return token;
  } catch (error) {
    const winner = codeOf(error) === 'EEXIST' ? readToken(path) : null;
    if (winner) return winner;
    throw new BearingsError('io_error', `The token in the home can't be made: ${reasonOf(error)}.`, {
      hint: 'Check the permissions of the home; bearings doctor looks at them.',
      cause: error,
    });
  } finally {
    removeQuietly(draft);
  }
}

function unusable(why: string): BearingsError {
  return new BearingsError('io_error', `The token in the home (mcp-token) can't be used: ${why}.`, {
    hint: 'Remove the file mcp-token; the next start makes another, which your clients then need.',
  });
}
