import { TOKEN_HEADER } from '../wire.ts';

const STORED = 'bearings-token';

export class ApiError extends Error {
  readonly code: string;
  readonly status: number;

  constructor(code: string, message: string, status: number) {
    super(message);
    this.code = code;
    this.status = status;
  }
}

type Values = Record<string, string | number | undefined>;

export async function get<T>(path: string, values: Values = {}): Promise<T> {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) if (value !== undefined) query.set(name, String(value));
  const asked = query.size > 0 ? `${path}?${query}` : path;
  return read(await reach(asked, { headers: credentials() }));
}

export async function post<T>(path: string, body: unknown): Promise<T> {
  const headers = { ...credentials(), 'content-type': 'application/json' };
  return read(await reach(path, { method: 'POST', headers, body: JSON.stringify(body) }));
}

// The code is used once and forgotten; the token stays in this browser, for this port only.
export async function enter(code: string): Promise<void> {
  const { token } = await post<{ token: string }>('/api/enter', { code });
  localStorage.setItem(STORED, token);
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
