import { EventEmitter } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { openRooms } from '../../../src/bearings.ts';
import { sha256 } from '../../../src/files/file-fingerprint.ts';
import { openHttpServer } from '../../../src/mcp/http-server.ts';
import { openQuestions } from '../../../src/mcp/open-questions.ts';
import { createMcpServer } from '../../../src/mcp/server.ts';
import { runPlaces } from '../../../src/tasks/run-places.ts';
import { openGuard } from '../../../src/web/guard.ts';
import { pageHandler } from '../../../src/web/handle.ts';
import { scratch } from '../scratch.ts';
import { type FuzzTarget, hold, holdPlain } from '../target.ts';

const files = scratch();
const PORT = 7391;
const HOST = `127.0.0.1:${PORT}`;
// What grows by requests (proposals, logs, sessions) is thrown away after so many.
const LIFE = 400;

interface WrittenRequest {
  method: string;
  target: string;
  headers: [name: string, value: string][];
  body: string;
}

// A request as text: method and target, headers, an empty line, the body. Words in braces stand for what only the server knows.
function requestIn(bytes: Buffer, known: Readonly<Record<string, string>>): WrittenRequest {
  const text = bytes.toString('utf8').replace(/\{(\w+)\}/g, (all, name: string) => known[name] ?? all);
  const end = text.indexOf('\n\n');
  const [first = '', ...lines] = (end === -1 ? text : text.slice(0, end)).split('\n');
  const [method = '', target = ''] = first.split(' ');
  const headers = lines.flatMap((line): [string, string][] => {
    const at = line.indexOf(':');
    // What Node's own parser would never let through.
    return at > 0 && !/[^\t\x20-\x7e]/.test(line) && /^[\w-]+$/.test(line.slice(0, at))
      ? [[line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()]]
      : [];
  });
  return { method, target: target || '/', headers, body: end === -1 ? '' : text.slice(end + 2) };
}

function freshHome(name: string): string {
  const home = join(files.folder(), name);
  rmSync(home, { recursive: true, force: true });
  const workspace = join(home, '.bearings/workspaces/manta');
  mkdirSync(join(home, '.bearings/tastes'), { recursive: true });
  mkdirSync(workspace, { recursive: true });
  writeFileSync(join(home, '.bearings/tastes/_default.md'), '- calm\n');
  writeFileSync(join(workspace, 'brief.md'), 'Tastes: sea\n\nQuiet mood.\n');
  writeFileSync(join(workspace, 'notes.md'), 'first light\n\nsecond light\n');
  writeFileSync(join(home, 'README.md'), '# Project\n\nText of it.\n');
  return home;
}

function holdWhole(status: number, text: string): void {
  hold(
    Number.isInteger(status) && status >= 200 && status < 500,
    `an answer, and no fault of ours: ${status} ${text.slice(0, 200)}`,
  );
  hold(!/\n\s+at .*\.[cm]?[jt]s/.test(text) && !text.includes(files.folder()), 'no stack and no place of this machine');
}

async function openPage() {
  const home = freshHome('page');
  const bearings = openRooms({ cwd: home, variables: { HOME: home } });
  const session = await (await bearings.sessions()).openSession('manta', 'fuzz');
  const proposed = await (await bearings.gate()).propose(session, { kind: 'notes', content: 'third light' });
  hold(proposed.status === 'pending', 'it waits');
  const { proposal_id } = proposed;
  const guard = openGuard(
    () => Date.now(),
    () => undefined,
  );
  const entered = guard.enter(guard.newCode());
  hold(entered !== null, 'the code opens');
  const handle = pageHandler({
    bearings: {
      ...bearings,
      page: async () => ({ ...(await bearings.page()), servedFile: () => new Uint8Array() }),
    },
    ...{
      guard,
      runs: runPlaces(bearings, null),
      id: 'page',
      folder: 'project',
      port: () => PORT,
      host: '127.0.0.1',
      task: null,
      onTaskDone: () => undefined,
      onEntered: () => undefined,
    },
  });
  const cookie = `bearings_page_${PORT}=${entered.cookie}`;
  const known = {
    host: HOST,
    origin: `http://${HOST}`,
    cookie,
    token: entered.token,
    proposal: proposal_id,
    sha: sha256('third light'),
  };
  return { home, handle, known, left: LIFE };
}

let page: Awaited<ReturnType<typeof openPage>> | null = null;
const IN = 'host: {host}\ncookie: {cookie}\nx-bearings-token: {token}\n';
const POST = `${IN}origin: {origin}\ncontent-type: application/json\n\n`;
const OPEN_TO_ALL = ['/api/alive', '/api/enter'];

const pageHttp: FuzzTarget = {
  name: 'page-http',
  words: [
    ...['GET ', 'POST ', 'HEAD ', 'DELETE ', '/api/queue?from=0&count=5', '/api/item?key=p/{proposal}', '/api/act'],
    ...[
      '/api/build',
      '/api/file?file=notes.md&id=manta',
      '/api/file?file=notes.md&id=manta&from=1',
      '/api/session?id=',
    ],
    ...[
      '/api/run?id=20261115-100000-abcdef',
      '/api/step?id=',
      '/api/run-text?id=',
      '/api/cancel',
      '/api/undo',
      '/api/bundle-file?at=',
    ],
    ...[
      '/../',
      '%2e%2e',
      'host: {host}\n',
      'origin: {origin}\n',
      'cookie: {cookie}\n',
      'x-bearings-token: {token}\n',
      '\n\n',
    ],
    ...[
      'content-type: application/json\n',
      'sec-fetch-site: cross-site\n',
      '{"binding":',
      '"action":"decline"',
      '"text":"',
    ],
  ],
  seeds: [
    `GET /api/queue?from=0&count=5\n${IN}\n`,
    `GET /api/item?key=p/{proposal}\n${IN}\n`,
    `GET /api/file?file=notes.md&id=manta\n${IN}\n`,
    `GET /api/memory\n${IN}\n`,
    `GET /api/sessions\n${IN}\n`,
    `GET /api/workspace?id=manta\n${IN}\n`,
    `POST /api/act\n${POST}{"binding":{"type":"proposal","shown":{"proposal_id":"{proposal}","content_sha256":"{sha}","target":"manta/notes.md","replaces":null}},"action":"decline"}`,
    `POST /api/build\n${POST}{"task":"text","max_files":3,"max_total_chars":null}`,
    `POST /api/enter\n${POST}{"code":"AAAAA-AAAAA"}`,
    'GET /memory\nhost: {host}\n\n',
  ],
  async run(bytes) {
    page = page && page.left > 0 ? page : await openPage();
    page.left -= 1;
    const { known, handle } = page;
    const { method, target, headers, body } = requestIn(bytes, known);
    const at = target.indexOf('?');
    const path = at === -1 ? target : target.slice(0, at);
    const header = (name: string) =>
      headers
        .filter(([key]) => key === name)
        .map(([, value]) => value)
        .join(', ') || undefined;
    const query = new URLSearchParams(at === -1 ? '' : target.slice(at + 1));
    const {
      status,
      headers: sent,
      body: answered,
    } = await handle({
      ...{ method, path, query, header },
      body: async (most) => (Buffer.byteLength(body) > most ? null : body),
    });
    const text = Buffer.from(answered).toString('utf8');
    holdWhole(status, text);
    hold(
      sent['content-security-policy']?.includes("default-src 'none'") === true,
      'every answer has the strict policy',
    );
    if (status >= 400) holdPlain(text, `${[...query.values()].join(' ')} ${body}`);
    if (status !== 200) return;
    // Who is let in, by the plain words of the contract.
    hold(header('host') === HOST, 'only as its own name');
    hold(header('origin') === undefined || header('origin') === known.origin, 'no other site');
    if (!path.startsWith('/api/') || OPEN_TO_ALL.includes(path)) return;
    hold(
      header('x-bearings-token') === known.token && header('cookie')?.includes(known.cookie) === true,
      'only who came in',
    );
    hold(method === 'GET' || header('origin') === known.origin, 'only the page itself sends');
    if (method === 'POST' && path !== '/api/build') page.left = 0;
  },
};

type McpOptions = Parameters<Awaited<ReturnType<ReturnType<typeof openRooms>['mcpHttp']>>['listenForMcp']>[0];

async function openMcp() {
  const home = freshHome('mcp');
  const own = openRooms({ cwd: home, variables: { HOME: home } });
  const seen: { options?: McpOptions } = {};
  const bearings = {
    ...own,
    mcpHttp: async () => ({
      ...(await own.mcpHttp()),
      listenForMcp: async (options: McpOptions) => {
        seen.options = options;
        return { port: PORT, close: async () => undefined };
      },
    }),
  };
  const questions = openQuestions();
  const server = await openHttpServer({
    bearings,
    port: PORT,
    create: (clientSessionOf) => createMcpServer({ bearings, questions, hasStandingWorkspace: false, clientSessionOf }),
  });
  const { options } = seen;
  hold(options !== undefined, 'it listens');
  const { token } = await (await own.mcpHttp()).mcpToken();
  const known = { host: HOST, token, session: '' };
  const begun = await askMcp(
    options,
    requestIn(
      Buffer.from(
        `${MCP}{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"f","version":"1"}}}`,
      ),
      known,
    ),
  );
  return { home, server, options, known: { ...known, session: begun.headers['mcp-session-id'] ?? '' }, left: LIFE };
}

interface McpAnswer {
  status: number;
  headers: Record<string, string>;
  text: string;
}

// The listener's own way, without its socket: first the head, then the body, an answer that may stream.
async function askMcp(options: McpOptions, { method, target, headers, body }: WrittenRequest): Promise<McpAnswer> {
  const headersDistinct: Record<string, string[]> = Object.create(null);
  for (const [name, value] of headers) headersDistinct[name] = [...(headersDistinct[name] ?? []), value];
  const refusal = options.admit({ method, url: target, headersDistinct }, PORT);
  if (refusal) return { status: refusal.status, headers: refusal.headers ?? {}, text: refusal.body };
  const events = new EventEmitter();
  const answer: McpAnswer = { status: 0, headers: {}, text: '' };
  let ended = false;
  const isStream = () => method === 'GET' && /event-stream/.test(answer.headers['content-type'] ?? '');
  const response = {
    writeHead(status: number, sent: Record<string, string> = {}) {
      answer.status = status;
      answer.headers = Object.fromEntries(
        Object.entries(sent).map(([name, value]) => [name.toLowerCase(), String(value)]),
      );
      if (isStream()) events.emit('settled');
    },
    write(chunk: string | Uint8Array) {
      answer.text += Buffer.from(chunk as string).toString('utf8');
      return true;
    },
    end(chunk?: string | Uint8Array) {
      if (chunk !== undefined) answer.text += Buffer.from(chunk as string).toString('utf8');
      ended = true;
      events.emit('settled');
    },
    on: (event: string, listener: () => void) => events.on(event, listener),
    get destroyed() {
      return ended;
    },
  };
  const bytes = Buffer.from(body);
  const read = {
    async *[Symbol.asyncIterator]() {
      if (bytes.length > 0) yield bytes;
    },
  };
  await new Promise<void>((resolve, reject) => {
    events.once('settled', resolve);
    options
      .handle(
        { method, url: target, headers: Object.fromEntries(headers), ...read },
        response as unknown as ServerResponse,
      )
      .catch(reject);
  });
  ended = true;
  events.emit('close');
  return answer;
}

const MCP =
  'POST /mcp\nhost: {host}\nauthorization: Bearer {token}\ncontent-type: application/json\naccept: application/json, text/event-stream\n\n';
const SESSION = MCP.replace('\n\n', '\nmcp-session-id: {session}\nmcp-protocol-version: 2025-11-25\n\n');
const call = (name: string, input: unknown) =>
  `${SESSION}${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } })}`;
const MODERN = MCP.replace('\n\n', '\nmcp-protocol-version: 2026-07-28\nmcp-method: tools/list\n\n');
let mcp: Awaited<ReturnType<typeof openMcp>> | null = null;

const mcpHttp: FuzzTarget = {
  name: 'mcp-http',
  words: [
    ...[
      'POST /mcp',
      'GET /mcp',
      'DELETE /mcp',
      '/mcp/a',
      'host: {host}\n',
      'authorization: Bearer {token}\n',
      'origin: http://evil.example\n',
    ],
    ...[
      'mcp-session-id: {session}\n',
      'content-type: application/json\n',
      'content-length: 99\n',
      '\n\n',
      '"jsonrpc":"2.0"',
      '"id":null',
    ],
    ...[
      '"method":"tools/call"',
      '"method":"resources/read"',
      '"method":"prompts/get"',
      '"method":"completion/complete"',
      '"params":{',
    ],
    ...[
      '"name":"read_context"',
      '"name":"confirm_notes_update"',
      '"arguments":{',
      '"image_id":"manta"',
      '"proposal_id":"p_0"',
      '[',
      ']',
    ],
    ...['"uri":"bearings://', '"_meta":{', '"progressToken":1', 'io.modelcontextprotocol/', '__proto__', '"cursor":"'],
  ],
  seeds: [
    `${SESSION}{"jsonrpc":"2.0","id":1,"method":"tools/list"}`,
    `${SESSION}{"jsonrpc":"2.0","method":"notifications/initialized"}`,
    `${SESSION}{"jsonrpc":"2.0","id":1,"method":"resources/list"}`,
    `${SESSION}{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"start_session","arguments":{"image_id":"manta"}}}`,
    `${MODERN}{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"f","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}}`,
    call('read_context', { image_id: 'manta' }),
    call('read_full_notes', { image_id: 'manta', offset: 0, limit: 5 }),
    call('propose_notes_update', { image_id: 'manta', content: 'a new line', reason: 'r' }),
    call('propose_taste_update', { content: '- sharp', category: 'value', file: '_default.md' }),
    call('confirm_notes_update', { proposal_id: 'p_0123456789abcdef' }),
    call('log_operation', { image_id: 'manta', op: 'x', details: { a: 1 } }),
    call('log_vocabulary_gap', { image_id: 'manta', description: 'd', satisfaction: 1 }),
    call('load_context', { task: 'read' }),
    SESSION.replace('POST', 'GET'),
    'POST /mcp\nhost: {host}\norigin: http://evil.example\n\n{}',
  ],
  async run(bytes) {
    if (mcp && mcp.left <= 0) {
      await mcp.server.close();
      mcp = null;
    }
    mcp ??= await openMcp();
    mcp.left -= 1;
    const { home, options, known } = mcp;
    const request = requestIn(bytes, known);
    const { status, text } = await askMcp(options, request);
    holdWhole(status, text);
    if (!request.headers.some(([name, value]) => name === 'authorization' && value.includes(known.token)))
      hold(status >= 400, 'nothing without the token');
    // Guarantee 1: whatever an agent sends, lasting memory is as it was.
    const lasting = (name: string) => readFileSync(join(home, '.bearings', name), 'utf8');
    hold(lasting('workspaces/manta/notes.md') === 'first light\n\nsecond light\n', 'an agent writes no notes');
    hold(lasting('tastes/_default.md') === '- calm\n', 'an agent writes no tastes');
    hold(!existsSync(join(home, '.bearings/workspaces/manta/ledger')), 'an agent decides nothing');
    if (request.method === 'DELETE' && status === 200) mcp.left = 0;
  },
};

export const HTTP_TARGETS = [pageHttp, mcpHttp];
