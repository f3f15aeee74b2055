import { createHash, timingSafeEqual } from 'node:crypto';
import type { Refusal, RequestHead } from '../clients/mcp-http.ts';

const PATH = /^\/mcp(?:\/[A-Za-z0-9_-]{1,40})?$/;
const METHODS = ['POST', 'GET', 'DELETE'];
const NAMES = ['127.0.0.1', 'localhost', '[::1]'];

export const TOO_LARGE: Refusal = refusal(413, 'The request is too large.');

// Asked before a byte of the body is read. A browser's page fails at Host, Origin or the token, each by itself: the token
// is a header that no form, image or cookie can carry.
export function guard(token: string, maxBytes: number): (head: RequestHead) => Refusal | null {
  const expected = digest(token);
  return (head) => {
    const one = (name: string) => (head.header(name).length === 1 ? (head.header(name)[0] ?? '') : null);
    const hosts = NAMES.map((name) => `${name}:${head.port}`);
    const host = one('host')?.toLowerCase();
    if (host === undefined || !hosts.includes(host)) return refusal(403, 'This Host is not served here.');
    const origins = hosts.map((name) => `http://${name}`);
    if (head.header('origin').some((origin) => !origins.includes(origin)))
      return refusal(403, 'This Origin is not served here.');
    if (head.header('sec-fetch-site').some((site) => site !== 'same-origin' && site !== 'none'))
      return refusal(403, 'Requests from another site are not served here.');
    const [, shown = ''] = /^Bearer ([\x21-\x7e]+)$/i.exec(one('authorization') ?? '') ?? [];
    if (!timingSafeEqual(digest(shown), expected))
      return refusal(401, 'The token is missing or wrong.', { 'www-authenticate': 'Bearer realm="bearings"' });
    if (!PATH.test(head.path)) return refusal(404, 'Nothing is here. MCP is at /mcp.');
    if (!METHODS.includes(head.method)) return refusal(405, 'Method not allowed.', { allow: METHODS.join(', ') });
    if (head.method === 'POST' && !/^application\/json\s*(?:;|$)/i.test(one('content-type') ?? ''))
      return refusal(415, 'Content-Type must be application/json.');
    if (Number(one('content-length') ?? 0) > maxBytes) return TOO_LARGE;
    return null;
  };
}

function refusal(status: number, message: string, headers: Record<string, string> = {}): Refusal {
  return { status, headers, body: JSON.stringify({ jsonrpc: '2.0', error: { code: -32000, message }, id: null }) };
}

// Digests have one length, so that the comparison tells nothing about it.
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
