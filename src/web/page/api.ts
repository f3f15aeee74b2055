import { useEffect, useRef, useState } from 'preact/hooks';
import type { Api } from '../handle.ts';
import type { Unsigned } from '../routes/sign.ts';
import { TOKEN_HEADER } from '../wire.ts';

const STORED = 'bearings-token';

type PathOf<Method extends string> = keyof Api extends infer Key
  ? Key extends `${Method} ${infer P}`
    ? P
    : never
  : never;
type GetPath = PathOf<'GET'>;
export type PostPath = PathOf<'POST'>;

/** What the server gives for a path: declared once, by the route itself. */
export type Got<P extends GetPath> = Awaited<ReturnType<Api[`GET ${P}`]>>;
export type Posted<P extends PostPath> = Exclude<Awaited<ReturnType<Api[`POST ${P}`]>>, Unsigned>;

export type Queue = Got<'/api/queue'>;
export type QueueRow = Queue['main']['rows'][number];
export type Item = Got<'/api/item'>;

/** Which earlier text is asked for; an undo without a name is that of the last decision. */
export interface Asked extends Values {
  what: 'undo' | 'restore';
  decision?: string | undefined;
  file?: string | undefined;
  id?: string | undefined;
}

export class ApiError extends Error {
  readonly code: string;
  readonly status: number;

  constructor(code: string, message: string, status: number) {
    super(message);
    this.code = code;
    this.status = status;
  }
}

export type Values = Record<string, string | number | undefined>;

export async function get<P extends GetPath>(path: P, values: Values = {}): Promise<Got<P>> {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) if (value !== undefined) query.set(name, String(value));
  return read<Got<P>>(query.size > 0 ? `${path}?${query}` : path, { headers: credentials() });
}

export async function post<P extends PostPath>(path: P, body: unknown): Promise<Posted<P> | Unsigned> {
  return read(path, posted(body));
}

// The code is used once and forgotten; the token stays in this browser, for this port only.
export async function enter(code: string): Promise<void> {
  const { token } = await read<{ token: string }>('/api/enter', posted({ code }));
  localStorage.setItem(STORED, token);
}

/**
 * What is at a path; asked for again when one of `again` changes, and after as many milliseconds as `pause` says. A failure
 * leaves what was there.
 */
export function useGet<P extends GetPath>(
  path: P,
  values: Values = {},
  again: readonly unknown[] = [],
  pause: (found: Got<P>) => number | null = () => null,
) {
  const [state, setState] = useState<{ found: Got<P> | null; problem: string }>({ found: null, problem: '' });
  const [asked, setAsked] = useState(0);
  useEffect(() => {
    let isHere = true;
    get(path, values).then(
      (found) => isHere && setState({ found, problem: '' }),
      (error: Error) => isHere && setState(({ found }) => ({ found, problem: error.message })),
    );
    return () => {
      isHere = false;
    };
  }, [asked, ...again]);
  const reload = () => setAsked((count) => count + 1);
  useEffect(() => {
    const wait = state.found && pause(state.found);
    if (wait === null) return;
    const timer = setTimeout(reload, wait);
    return () => clearTimeout(timer);
  }, [state]);
  return { ...state, reload };
}

/** What the person started: one at a time, and what went wrong with it. */
export function useWork() {
  const [state, setState] = useState({ busy: false, problem: '' });
  const run = (work: () => Promise<unknown>): void => {
    if (state.busy) return;
    setState({ busy: true, problem: '' });
    work().then(
      () => setState({ busy: false, problem: '' }),
      (error: Error) => setState({ busy: false, problem: error.message }),
    );
  };
  return { ...state, run };
}

// Looking may cost a twentieth of the time; but one slow look on a busy machine must not leave the page behind for long.
const LOOK_MS = { least: 500, most: 5_000, perCost: 20 };

/** How often something changed, since the page began to look. */
export function useChanges(onClosed: () => void) {
  const [state, setState] = useState({ changes: 0, connected: true });
  useEffect(() => {
    let known: string | null = null;
    let timer = 0;
    const look = async (): Promise<void> => {
      const started = performance.now();
      const found = await get('/api/stamp').catch((error: ApiError) => error);
      const connected = !(found instanceof ApiError);
      if (!connected && found.status === 401) return onClosed();
      const stamp = connected ? found.stamp : null;
      // The first look tells too: what began between the page's first question and now would else be missed.
      const isNew = stamp !== null && stamp !== known;
      known = stamp ?? known;
      setState(({ changes }) => ({ changes: changes + Number(isNew), connected }));
      const pause = (performance.now() - started) * LOOK_MS.perCost;
      timer = window.setTimeout(look, Math.min(LOOK_MS.most, Math.max(LOOK_MS.least, pause)));
    };
    void look();
    return () => clearTimeout(timer);
  }, []);
  return state;
}

/** What waits. Of answers that cross on their way the one that was asked for last counts: it knows of what came before. */
export function useQueue(first: Queue) {
  const [queue, setQueue] = useState(first);
  const order = useRef({ asked: 0, shown: 0 });
  const load = async (key: string | null): Promise<Queue> => {
    order.current.asked += 1;
    const own = order.current.asked;
    const found = await get('/api/queue', { key: key ?? undefined });
    if (own > order.current.shown) {
      order.current.shown = own;
      setQueue(found);
    }
    return found;
  };
  return { queue, load };
}

function credentials(): Record<string, string> {
  return { [TOKEN_HEADER]: localStorage.getItem(STORED) ?? '' };
}

function posted(body: unknown): RequestInit {
  const headers = { ...credentials(), 'content-type': 'application/json' };
  return { method: 'POST', headers, body: JSON.stringify(body) };
}

async function read<T>(path: string, init: RequestInit): Promise<T> {
  const answer = await fetch(path, { ...init, credentials: 'same-origin', redirect: 'error' }).catch(() => null);
  if (answer === null) throw new ApiError('unreachable', 'The page’s server is gone. Start it again: bearings ui', 0);
  const value = (await answer.json().catch(() => null)) as { error?: { code: string; message: string; hint?: string } };
  if (answer.ok) return value as T;
  const { code = 'unknown', message = 'Something went wrong.', hint } = value?.error ?? {};
  throw new ApiError(code, hint ? `${message} ${hint}` : message, answer.status);
}
