import type { LocalAnswer, LocalRequest, Rooms } from '../bearings.ts';
import type { PageTask } from '../clients/page-task.ts';
import { invalidInput } from '../errors.ts';
import { answer, failure, HEADERS, jsonAnswer, refusal } from './answers.ts';
import type { Guard, Visitor } from './guard.ts';
import type { Live } from './live.ts';
import { act, actAll } from './routes/act.ts';
import { bundleRoutes } from './routes/bundles.ts';
import { allGaps, gapPage, gapRows, proposeGap } from './routes/gaps.ts';
import { earlierView, erasureView, historyPage } from './routes/go-back.ts';
import { chunk, editable, filePage, memoryList, type Named, save, workspacePage } from './routes/memory.ts';
import { item, queue } from './routes/queue.ts';
import { runRoutes } from './routes/runs.ts';
import { servedView } from './routes/served.ts';
import { sawList, sessionListPage } from './routes/session-list.ts';
import { sessionPage, sessionRows } from './routes/sessions.ts';
import { sign, taskRoutes } from './routes/sign.ts';
import { today } from './routes/today.ts';
import type { RunSource } from './run-source.ts';
import { ICON, SHELL } from './shell.ts';
import { TOKEN_HEADER } from './wire.ts';

export interface Page {
  bearings: Rooms;
  guard: Guard;
  live: Live;
  runs: RunSource;
  /** Tells this page from another program on its port. */
  id: string;
  /** What the folder is called where the page was started. */
  folder: string;
  /** The one name it answers to: authenticators know no page but that of localhost. */
  host: '127.0.0.1' | 'localhost';
  port(): number;
  /** What a command has the person confirm. */
  task: PageTask | null;
  onTaskDone(): void;
  now(): Date;
  onEntered(): void;
}

const MOST_BODY_BYTES = 2 * 1024 * 1024;
const MOST_BUNDLE_BYTES = 32 * 1024 * 1024;
const MOST_STREAMS = 16;
const KEEP_ALIVE_MS = 20_000;
// Every address of the page itself: the same shell, which then asks for what it shows.
const PLACES = /^\/(?:$|p\/|memory(?:\/|$)|bundles(?:\/|$)|sessions(?:\/|$)|runs(?:\/|$)|gaps(?:\/|$)|task$)/;

type Route = (request: LocalRequest, visitor: Visitor) => Promise<unknown>;

// Host, Origin, credentials, then the route: in this order, for every request.
export function pageHandler(page: Page): (request: LocalRequest) => Promise<LocalAnswer> {
  const routes = routesOf(page);
  const streams = new Set<() => void>();
  return async (request) => {
    const own = `${page.host}:${page.port()}`;
    // A name that a foreign site points at this machine is not ours.
    if (request.header('host') !== own) return refusal(421, 'wrong_host', `This page answers only as http://${own}/`);
    const origin = request.header('origin');
    const isForeign = origin !== undefined && origin !== `http://${own}`;
    if (isForeign) return refusal(403, 'wrong_origin', 'Another site asked. It gets nothing.');
    if (request.path.startsWith('/api/')) {
      const from = request.header('sec-fetch-site');
      if (from !== undefined && from !== 'same-origin')
        return refusal(403, 'wrong_origin', 'Another site asked. It gets nothing.');
      return api(page, { request, routes, streams, hasOrigin: origin !== undefined });
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') return refusal(405, 'wrong_method', 'Only GET.');
    return still(page, request);
  };
}

async function still({ bearings }: Page, { path }: LocalRequest): Promise<LocalAnswer> {
  const page = await bearings.page();
  if (path === '/page.js') return answer(200, 'text/javascript; charset=utf-8', await page.servedFile('page.js'));
  if (path === '/page.css') return answer(200, 'text/css; charset=utf-8', await page.servedFile('page.css'));
  if (path === '/icon.svg') return answer(200, 'image/svg+xml', ICON);
  if (PLACES.test(path)) return answer(200, 'text/html; charset=utf-8', SHELL);
  return refusal(404, 'not_found', 'There is nothing here.');
}

interface ApiCall {
  request: LocalRequest;
  routes: Record<string, Route>;
  streams: Set<() => void>;
  hasOrigin: boolean;
}

async function api(page: Page, { request, routes, streams, hasOrigin }: ApiCall): Promise<LocalAnswer> {
  const { method, path } = request;
  if (method === 'GET' && path === '/api/alive') return jsonAnswer({ page: page.id });
  // A form of another site can send neither this type nor, across origins, any header of ours.
  const isJson = /^application\/json(?:;|$)/.test(request.header('content-type') ?? '');
  if (method === 'POST' && (!hasOrigin || !isJson))
    return refusal(403, 'wrong_origin', 'Only the page itself may send this.');
  if (method === 'POST' && path === '/api/enter') return enter(page, request);
  const visitor = page.guard.visitor(cookieOf(request, page.port()), request.header(TOKEN_HEADER));
  if (!visitor) return refusal(401, 'not_entered', 'This browser was not let in.');
  if (method === 'GET' && path === '/api/events') return events(page, streams);
  const route = Object.hasOwn(routes, `${method} ${path}`) ? routes[`${method} ${path}`] : undefined;
  if (!route) return refusal(404, 'not_found', 'There is nothing here.');
  try {
    return jsonAnswer(await route(request, visitor));
  } catch (error) {
    return failure(error);
  }
}

function routesOf(page: Page): Record<string, Route> {
  const { bearings, live, now, folder } = page;
  const bundles = bundleRoutes(bearings, folder);
  const runs = runRoutes(page.runs, () => now().getTime());
  const task = taskRoutes(page.task, page.port, page.onTaskDone);
  return {
    'GET /api/queue': ({ query }) =>
      queue(page, { from: numberOf(query, 'from'), count: numberOf(query, 'count'), key: query.get('key') }),
    'GET /api/item': ({ query }, visitor) => item({ ...page, visitor }, query.get('key') ?? ''),
    'GET /api/session-list': ({ query }, visitor) =>
      sessionListPage({ bearings, live, visitor }, query.get('session') ?? ''),
    'POST /api/session-list-seen': async (request, visitor) =>
      sawList({ bearings, live, visitor }, await bodyOf(request)),
    'POST /api/act': async (request, visitor) => act(page, visitor, await bodyOf(request)),
    'POST /api/act-all': async (request, visitor) => actAll(page, visitor, await bodyOf(request)),
    'POST /api/sign': async (request, visitor) => sign(visitor, await bodyOf(request)),
    'GET /api/task': () => task.show(bearings),
    'POST /api/task': async (request, visitor) => task.run({ bearings, visitor }, await bodyOf(request)),
    'GET /api/memory': () => memoryList(bearings),
    'GET /api/workspace': ({ query }) => workspacePage(bearings, live, query.get('id') ?? ''),
    'GET /api/file': ({ query }) => filePage(bearings, live, namedIn(query)),
    'GET /api/chunk': ({ query }) => chunk(bearings, live, { ...namedIn(query), at: numberOf(query, 'at') }),
    'GET /api/text': ({ query }) => editable(bearings, namedIn(query)),
    'POST /api/save': async (request, visitor) => save(bearings, visitor, await bodyOf(request)),
    'GET /api/history': ({ query }) =>
      historyPage(bearings, live, { ...namedIn(query), from: numberOf(query, 'from') }),
    'GET /api/earlier': ({ query }, visitor) =>
      earlierView(
        { bearings, visitor },
        { ...namedIn(query), what: query.get('what') ?? '', decision: query.get('decision') ?? undefined },
      ),
    'GET /api/erasure': ({ query }, visitor) =>
      erasureView({ bearings, visitor }, { ...namedIn(query), line: numberOf(query, 'line') }),
    'GET /api/sessions': ({ query }) => sessionRows(bearings, live, numberOf(query, 'from')),
    'GET /api/session': ({ query }) =>
      sessionPage(bearings, live, {
        id: query.get('id') ?? '',
        workspace: query.get('workspace'),
        from: numberOf(query, 'from'),
      }),
    'GET /api/served': ({ query }) =>
      servedView(bearings, { sha256: query.get('sha256') ?? '', workspace: query.get('workspace') }),
    'GET /api/today': () => today(page),
    'GET /api/gaps': async ({ query }) => gapRows(await allGaps(bearings, live, now()), numberOf(query, 'from')),
    'GET /api/gap': async ({ query }) =>
      gapPage(await allGaps(bearings, live, now()), {
        workspace: query.get('workspace') ?? '',
        key: query.get('key') ?? '',
      }),
    'POST /api/gap': async (request) => proposeGap(bearings, await bodyOf(request)),
    'GET /api/bundles': (_, visitor) => bundles.page(visitor),
    'POST /api/build': async (request, visitor) => bundles.build(visitor, await bodyOf(request)),
    'POST /api/rebuild': (_, visitor) => bundles.rebuild(visitor),
    'POST /api/open': async (request, visitor) => bundles.open(visitor, await bodyOf(request, MOST_BUNDLE_BYTES)),
    'GET /api/excerpt': ({ query }, visitor) =>
      bundles.excerpt(visitor, query.get('which') === 'opened' ? 'opened' : 'built', numberOf(query, 'at')),
    'GET /api/explain': ({ query }, visitor) => bundles.explain(visitor, query.get('path') ?? ''),
    'GET /api/drift': (_, visitor) => bundles.drift(visitor),
    'GET /api/runs': ({ query }) => runs.list(numberOf(query, 'from')),
    'GET /api/run': ({ query }) => runs.page(query.get('id') ?? '', numberOf(query, 'from')),
    'GET /api/step': ({ query }) => runs.step(query.get('id') ?? '', query.get('path') ?? ''),
    'GET /api/run-text': ({ query }) => runs.text(query.get('id') ?? '', query.get('sha256') ?? ''),
    'POST /api/cancel': async (request) => runs.cancel(await bodyOf(request)),
  };
}

async function enter(page: Page, request: LocalRequest): Promise<LocalAnswer> {
  const body = await bodyOf(request).catch(() => null);
  const code = typeof body === 'object' && body !== null && 'code' in body ? body.code : null;
  const entered = typeof code === 'string' && code.length <= 100 ? page.guard.enter(code) : null;
  if (!entered) return refusal(401, 'wrong_code', 'This code is wrong, was used, or is too old.');
  page.onEntered();
  const cookie = `${cookieName(page.port())}=${entered.cookie}; HttpOnly; SameSite=Strict; Path=/api/`;
  const { headers, ...rest } = jsonAnswer({ token: entered.token });
  return { ...rest, headers: { ...headers, 'set-cookie': cookie } };
}

// Word of changes only, never their content: the page asks again for what it shows.
function events({ live }: Page, streams: Set<() => void>): LocalAnswer {
  return {
    status: 200,
    headers: { ...HEADERS, 'content-type': 'text/event-stream' },
    body(stream) {
      const stop = live.onChange(() => stream.send('event: changed\ndata: {}\n\n'));
      const beat = setInterval(() => stream.send(': still here\n\n'), KEEP_ALIVE_MS).unref();
      streams.add(stream.close);
      const [oldest] = streams;
      if (streams.size > MOST_STREAMS) oldest?.();
      stream.onClose(() => {
        stop();
        clearInterval(beat);
        streams.delete(stream.close);
      });
      stream.send(': hello\n\n');
    },
  };
}

async function bodyOf(request: LocalRequest, most = MOST_BODY_BYTES): Promise<unknown> {
  const text = await request.body(most);
  if (text === null) throw invalidInput('This is too long.', 'Shorten it.');
  try {
    return JSON.parse(text);
  } catch {
    throw invalidInput('This is not valid JSON.', 'Reload the page.');
  }
}

function namedIn(query: URLSearchParams): Named {
  return { file: query.get('file') ?? '', id: query.get('id') ?? undefined };
}

function numberOf(query: URLSearchParams, name: string): number {
  const value = Number(query.get(name) ?? 0);
  return Number.isSafeInteger(value) && value >= 0 ? value : 0;
}

// Cookies of all ports share one jar: the port in its name keeps two pages apart.
function cookieName(port: number): string {
  return `bearings_page_${port}`;
}

function cookieOf(request: LocalRequest, port: number): string | undefined {
  const start = `${cookieName(port)}=`;
  const found = (request.header('cookie') ?? '').split('; ').filter((part) => part.startsWith(start));
  return found.length === 1 ? found[0]?.slice(start.length) : undefined;
}
