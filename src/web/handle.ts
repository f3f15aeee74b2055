import type { LocalAnswer, LocalRequest } from '../bearings.ts';
import { isRecord } from '../json.ts';
import { type Ask, answer, askOf, bodyOf, failure, ICON, jsonAnswer, type Page, refusal, SHELL } from './answers.ts';
import { bundleRoutes } from './routes/bundles.ts';
import { memoryRoutes } from './routes/memory.ts';
import { queueRoutes } from './routes/queue.ts';
import { runRoutes } from './routes/runs.ts';
import { sessionRoutes } from './routes/sessions.ts';
import { signRoutes } from './routes/sign.ts';
import { TOKEN_HEADER } from './wire.ts';

// Every address of the page itself: the same shell, which then asks for what it shows.
const PLACES = /^\/(?:$|p\/|memory(?:\/|$)|bundles(?:\/|$)|sessions(?:\/|$)|runs(?:\/|$)|gaps(?:\/|$)|task$)/;

/** What the page may ask for, and what it gets: the one declaration of both. */
export type Api = ReturnType<typeof routesOf>;

// Host, Origin, credentials, then the route: in this order, for every request.
export function pageHandler(page: Page): (request: LocalRequest) => Promise<LocalAnswer> {
  const routes: Record<string, (ask: Ask) => Promise<unknown>> = routesOf(page);
  const api = async (request: LocalRequest, hasOrigin: boolean): Promise<LocalAnswer> => {
    const { method, path } = request;
    if (method === 'GET' && path === '/api/alive') return jsonAnswer({ page: page.id });
    // A form of another site can send neither this type nor, across origins, any header of ours.
    const isJson = /^application\/json(?:;|$)/.test(request.header('content-type') ?? '');
    if (method === 'POST' && (!hasOrigin || !isJson))
      return refusal(403, 'wrong_origin', 'Only the page itself may send this.');
    if (method === 'POST' && path === '/api/enter') return enter(page, request);
    const visitor = page.guard.visitor(cookieOf(request, page.port()), request.header(TOKEN_HEADER));
    if (!visitor) return refusal(401, 'not_entered', 'This browser was not let in.');
    const route = Object.hasOwn(routes, `${method} ${path}`) ? routes[`${method} ${path}`] : undefined;
    if (!route) return NOTHING;
    try {
      return jsonAnswer(await route(askOf(request, visitor)));
    } catch (error) {
      return failure(error);
    }
  };
  return async (request) => {
    const own = `${page.host}:${page.port()}`;
    // A name that a foreign site points at this machine is not ours.
    if (request.header('host') !== own) return refusal(421, 'wrong_host', `This page answers only as http://${own}/`);
    const origin = request.header('origin');
    const from = request.path.startsWith('/api/') ? request.header('sec-fetch-site') : undefined;
    if ((origin !== undefined && origin !== `http://${own}`) || (from !== undefined && from !== 'same-origin'))
      return refusal(403, 'wrong_origin', 'Another site asked. It gets nothing.');
    if (request.path.startsWith('/api/')) return api(request, origin !== undefined);
    if (request.method !== 'GET' && request.method !== 'HEAD') return refusal(405, 'wrong_method', 'Only GET.');
    return still(page, request);
  };
}

async function still({ bearings }: Page, { path }: LocalRequest): Promise<LocalAnswer> {
  const served = async (type: string, name: 'page.js' | 'page.css') =>
    answer(200, `${type}; charset=utf-8`, await (await bearings.page()).servedFile(name));
  if (path === '/page.js') return served('text/javascript', 'page.js');
  if (path === '/page.css') return served('text/css', 'page.css');
  if (path === '/icon.svg') return answer(200, 'image/svg+xml', ICON);
  if (PLACES.test(path)) return answer(200, 'text/html; charset=utf-8', SHELL);
  return NOTHING;
}

const NOTHING = refusal(404, 'not_found', 'There is nothing here.');

function routesOf(page: Page) {
  return {
    ...queueRoutes(page),
    ...signRoutes(page),
    ...memoryRoutes(page),
    ...sessionRoutes(page),
    ...bundleRoutes(page),
    ...runRoutes(page),
  };
}

async function enter(page: Page, request: LocalRequest): Promise<LocalAnswer> {
  const body = await bodyOf(request).catch(() => null);
  const code = isRecord(body) ? body.code : null;
  const entered = typeof code === 'string' && code.length <= 100 ? page.guard.enter(code) : null;
  if (!entered) return refusal(401, 'wrong_code', 'This code is wrong, was used, or is too old.');
  page.onEntered();
  const cookie = `${cookieName(page.port())}=${entered.cookie}; HttpOnly; SameSite=Strict; Path=/api/`;
  const { headers, ...rest } = jsonAnswer({ token: entered.token });
  return { ...rest, headers: { ...headers, 'set-cookie': cookie } };
}

// Cookies of all ports share one jar: the port in its name keeps two pages apart.
const cookieName = (port: number): string => `bearings_page_${port}`;

function cookieOf(request: LocalRequest, port: number): string | undefined {
  const start = `${cookieName(port)}=`;
  const found = (request.header('cookie') ?? '').split('; ').filter((part) => part.startsWith(start));
  return found.length === 1 ? found[0]?.slice(start.length) : undefined;
}
