import { connect, type Socket } from 'node:net';

export interface RawAnswer {
  /** 0: the connection ended without an answer; -1: none came in time. */
  status: number;
  head: string;
  body: string;
}

export interface RawRequest {
  method?: string;
  path?: string;
  headers?: readonly (readonly [string, string])[];
  body?: string;
}

// Byte by byte as an attacker would: no library adds, corrects or refuses a header.
export function rawText({ method = 'POST', path = '/mcp', headers = [], body = '' }: RawRequest): string {
  return [`${method} ${path} HTTP/1.1`, ...headers.map(([name, value]) => `${name}: ${value}`), '', body].join('\r\n');
}

export function sendRaw(port: number, text: string, waitMs = 10_000): Promise<RawAnswer> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let got = '';
    const done = (without = 0) => {
      clearTimeout(timer);
      socket.destroy();
      const [head = '', body = ''] = got.split('\r\n\r\n');
      resolve({ status: Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? without), head, body });
    };
    const timer = setTimeout(() => done(-1), waitMs);
    socket.on('connect', () => socket.write(text));
    socket.setEncoding('utf8').on('data', (part: string) => {
      got += part;
      const length = Number(/content-length: (\d+)/i.exec(got)?.[1] ?? -1);
      const at = got.indexOf('\r\n\r\n');
      if (at !== -1 && length >= 0 && Buffer.byteLength(got.slice(at + 4)) >= length) done();
      else if (got.endsWith('\r\n0\r\n\r\n')) done();
      else if (at !== -1 && /text\/event-stream/.test(got) && got.includes('\n\n', at + 4)) done();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => done());
  });
}

export function openIdle(port: number, first = ''): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      if (first) socket.write(first);
      resolve(socket);
    });
    socket.once('error', reject);
  });
}
