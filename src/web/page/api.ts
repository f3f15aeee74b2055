import { useEffect, useState } from 'preact/hooks';
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
export type QueueRow = Queue['rows'][number];
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
  return read<Got<P>>(await reach(query.size > 0 ? `${path}?${query}` : path, { headers: credentials() }));
}

export async function post<P extends PostPath>(path: P, body: unknown): Promise<Posted<P> | Unsigned> {
  return read(await reach(path, posted(body)));
}

// The code is used once and forgotten; the token stays in this browser, for this port only.
export async function enter(code: string): Promise<void> {
  const { token } = await read<{ token: string }>(await reach('/api/enter', posted({ code })));
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

// Not EventSource: it can't send our header.
export function onChanges(work: () => void, onState: (connected: boolean) => void): () => void {
  const stop = new AbortController();
  const listen = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      try {
        const answer = await fetch('/api/events', { headers: credentials(), signal: stop.signal });
        if (!answer.ok || !answer.body) throw new Error('no stream');
        onState(true);
        const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
        for (let part = await reader.read(); !part.done; part = await reader.read())
          if (part.value.includes('event: changed')) work();
      } catch {
        // tried again below
      }
      if (stop.signal.aborted) return;
      onState(false);
      await new Promise((resolve) => setTimeout(resolve, 2_000));
      work();
    }
  };
  void listen();
  return () => stop.abort();
}

function credentials(): Record<string, string> {
  return { [TOKEN_HEADER]: localStorage.getItem(STORED) ?? '' };
}

function posted(body: unknown): RequestInit {
  const headers = { ...credentials(), 'content-type': 'application/json' };
  return { method: 'POST', headers, body: JSON.stringify(body) };
}

async function reach(path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(path, { ...init, credentials: 'same-origin', redirect: 'error' });
  } catch {
    throw new ApiError('unreachable', 'The page’s server is gone. Start it again: bearings ui', 0);
  }
}

async function read<T>(answer: Response): Promise<T> {
  const value = (await answer.json().catch(() => null)) as { error?: { code: string; message: string; hint?: string } };
  if (answer.ok) return value as T;
  const { code = 'unknown', message = 'Something went wrong.', hint } = value?.error ?? {};
  throw new ApiError(code, hint ? `${message} ${hint}` : message, answer.status);
}
