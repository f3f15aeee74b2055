import { request } from 'node:http';
import type { RunningUi } from './page-server.ts';

export interface Raw {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

export interface RawRequest {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

/** What any program may send: no browser keeps it from lying about Host or Origin. */
export function raw(
  ui: Pick<RunningUi, 'port'>,
  path: string,
  { method = 'GET', headers = {}, body }: RawRequest = {},
): Promise<Raw> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port: ui.port, path, method, headers, agent: false }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

export interface Credentials {
  cookie: string;
  token: string;
}

export const originOf = ({ address }: Pick<RunningUi, 'address'>) => new URL(address).origin;

export function post(ui: RunningUi, path: string, body: unknown, headers: Record<string, string> = {}): Promise<Raw> {
  const all = { host: new URL(ui.address).host, origin: originOf(ui), 'content-type': 'application/json', ...headers };
  return raw(ui, path, { method: 'POST', headers: all, body: JSON.stringify(body) });
}

/** In by the code, as the page does it. */
export async function enterRaw(ui: RunningUi, code = ui.code()): Promise<Credentials | null> {
  const { status, headers, text } = await post(ui, '/api/enter', { code });
  if (status !== 200) return null;
  const cookie = String(headers['set-cookie']).split(';')[0] ?? '';
  return { cookie, token: (JSON.parse(text) as { token: string }).token };
}

export function withCredentials({ cookie, token }: Credentials): Record<string, string> {
  return { cookie, 'x-bearings-token': token };
}
