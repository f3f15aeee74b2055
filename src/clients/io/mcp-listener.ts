import { randomBytes } from 'node:crypto';
import { chmodSync, linkSync, mkdirSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { dirname, join } from 'node:path';
import { BearingsError, codeOf, reasonOf } from '../../errors.ts';
import { lstatOf } from '../../files/paths.ts';
import { textOf } from '../../files/read-file.ts';
import { removeQuietly } from '../../files/write-file.ts';
import type { AppContext } from '../../settings/app-context.ts';
import { type ConnectionLimits, listenOnLoopback, readBody } from './loopback-server.ts';

/** What is known of a request before a byte of its body is read. */
export type RequestHead = Pick<IncomingMessage, 'method' | 'url' | 'headersDistinct'>;

export interface Refusal {
  status: number;
  headers?: Record<string, string>;
  body: string;
}

export interface ListenerLimits extends ConnectionLimits {
  bodyBytes: number;
  /** How long written bytes may wait for their reader. */
  unreadMs: number;
}

const BODY_BYTES = 1024 * 1024;
const UNREAD_MS = 30_000;

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
  /** Null: the request may go on. Asked before its body is read; a Host or Origin with another port is not ours. */
  admit(head: RequestHead, port: number): Refusal | null;
  /** The body is read already. */
  handle(
    request: Pick<IncomingMessage, 'method' | 'url' | 'headers'> & AsyncIterable<Buffer>,
    response: ServerResponse,
  ): Promise<void>;
  tooLarge: Refusal;
  limits?: Partial<ListenerLimits>;
}) {
  const { bodyBytes = BODY_BYTES, unreadMs = UNREAD_MS } = options.limits ?? {};
  return listenOnLoopback({
    port: options.port,
    hint: 'Name another one: bearings mcp --http --port 0 takes any that is free.',
    limits: options.limits,
    async answer({ request, response, port, proceed, hold }) {
      const refusal = options.admit(request, port);
      if (refusal) return refuse(request, response, refusal);
      hold();
      proceed();
      const body = await readBody(request, bodyBytes);
      if (body === null) return refuse(request, response, options.tooLarge);
      boundUnread(request, response, unreadMs);
      const { method, url, headers } = request;
      const bytes = async function* () {
        yield body;
      };
      await options.handle({ method, url, headers, [Symbol.asyncIterator]: bytes }, response);
    },
  });
}

function refuse(request: IncomingMessage, response: ServerResponse, { status, headers, body }: Refusal): void {
  const shape = { 'content-length': Buffer.byteLength(body), connection: 'close' };
  response.writeHead(status, { 'content-type': 'application/json', ...headers, ...shape });
  response.write(body);
  const timer = setTimeout(() => response.end(), LINGER_MS);
  let size = 0;
  request.on('data', (part: Buffer) => {
    size += part.length;
    if (size > LINGER_BYTES) response.destroy();
  });
  for (const event of ['end', 'close']) request.once(event, () => response.end());
  response.once('close', () => clearTimeout(timer));
  request.resume();
}

// A reader that takes nothing for so long loses its answer.
function boundUnread({ socket }: IncomingMessage, response: ServerResponse, unreadMs: number): void {
  let before = -1;
  const watch = setInterval(() => {
    const taken = response.writableLength > 0 ? socket.bytesWritten - socket.writableLength : -1;
    if (taken !== -1 && taken === before) response.destroy();
    before = taken;
  }, unreadMs);
  response.once('close', () => clearInterval(watch));
}

const TOKEN = /^[A-Za-z0-9_-]{43}$/;

function readToken(path: string): string | null {
  const stat = lstatOf(path);
  if (!stat) return null;
  const token = stat.isFile() ? (textOf(path)?.trim() ?? '') : '';
  if (!TOKEN.test(token)) throw unusable('it is no file of yours with a token of ours');
  // Whoever could read it until now may know it.
  if (process.platform !== 'win32' && (stat.mode & 0o077) !== 0) {
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
