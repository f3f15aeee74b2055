import { fileURLToPath } from 'node:url';
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type ClientCapabilities,
  type Implementation,
  inputResponse,
  type McpServer,
  ResourceNotFoundError,
  ResourceTemplate,
  type ServerContext,
  type Transport,
} from '@modelcontextprotocol/server';
import type { Rooms } from '../bearings.ts';
import { orNull } from '../errors.ts';
import type { Session } from '../gate/sessions/sessions.ts';

/** What lasts from call to call of one client: its session in each workspace, and what it loaded. */
export interface ClientSession {
  sessions: Map<string, Session>;
  /** The workspace it named last: tastes and questions belong to it. */
  workspace: string | null;
  bundles: BundleShelf;
}

export function clientSession(): ClientSession {
  return { sessions: new Map(), workspace: null, bundles: new Map() };
}

// The client said goodbye: what the person was shown and has not decided is discarded, in every workspace it was in.
export async function endClientSession(bearings: Rooms, clientSession: ClientSession): Promise<void> {
  const sessions = [...clientSession.sessions.values()];
  clientSession.sessions.clear();
  await endSessions(bearings, sessions, 'client_ended');
}

/** The proposals that were discarded. */
export async function endSessions(bearings: Rooms, sessions: readonly Session[], reason: string): Promise<string[]> {
  const discarded: string[] = [];
  for (const session of sessions) {
    // A workspace that is gone by now keeps no other from its end.
    discarded.push(...(await (await bearings.gate()).endSession(session).catch(() => [])));
    session.end(reason);
  }
  return discarded;
}

// A client ends by closing its side. In the middle of a call it was cut off instead: what it asked for waits for the person.
export function endWithTransport(bearings: Rooms, session: ClientSession, transport: Transport): void {
  const { onmessage, onclose } = transport;
  const send = transport.send.bind(transport);
  const calls = new Set<unknown>();
  transport.onmessage = (message, extra) => {
    if ('method' in message && message.method === 'tools/call' && 'id' in message) calls.add(message.id);
    if ('method' in message && message.method === 'notifications/cancelled') calls.delete(message.params?.requestId);
    onmessage?.(message, extra);
  };
  transport.send = (message, options) => {
    if ('id' in message && !('method' in message)) calls.delete(message.id);
    return send(message, options);
  };
  transport.onclose = () => {
    onclose?.();
    if (calls.size === 0) void endClientSession(bearings, session);
    else interruptClientSession(session, 'interrupted');
  };
}

// It went away without a word: its proposals wait for the person.
export function interruptClientSession(
  clientSession: ClientSession,
  reason: 'expired' | 'stopped' | 'interrupted',
): void {
  for (const session of clientSession.sessions.values()) session.end(reason);
  clientSession.sessions.clear();
}

/** The last bundles that `load_context` gave a client, whole, by their addresses. */
export type BundleShelf = Map<string, { name: string; text: string; session: Session | null }>;

const MAX_BUNDLES = 8;
const URI = 'bearings://bundle/';

export function shelve(
  shelf: BundleShelf,
  bundle: { task_key: string; bundle_sha256: string },
  session: Session | null,
): string {
  const uri = `${URI}${bundle.bundle_sha256}`;
  shelf.delete(uri);
  shelf.set(uri, { name: bundle.task_key, text: JSON.stringify(bundle), session });
  const [oldest = uri] = shelf.keys();
  if (shelf.size > MAX_BUNDLES) shelf.delete(oldest);
  return uri;
}

// Its own bundles and nobody else's: a client can name only what it loaded.
export function registerBundles(server: McpServer, shelfOf: (context: ServerContext) => BundleShelf): void {
  const mimeType = 'application/json';
  const template = new ResourceTemplate(`${URI}{sha256}`, {
    list: (context) => ({ resources: [...shelfOf(context)].map(([uri, { name }]) => ({ uri, name, mimeType })) }),
  });
  const about = {
    title: 'Bundle',
    description: 'A bundle that load_context gave in this session, whole: budget, reasons, what was left out.',
    mimeType,
  };
  server.registerResource('bundle', template, about, async (uri, _, context) => {
    const found = shelfOf(context).get(uri.href);
    if (!found) throw new ResourceNotFoundError(uri.href);
    found.session?.served(found.text);
    return { contents: [{ uri: uri.href, mimeType, text: found.text }] };
  });
}

// 2026-era requests carry the client's words with them; before, they came once with the handshake.
interface Envelope {
  [CLIENT_CAPABILITIES_META_KEY]?: ClientCapabilities;
  [CLIENT_INFO_META_KEY]?: Implementation;
}

export function capabilitiesOf({ server }: McpServer, { mcpReq }: ServerContext): ClientCapabilities | undefined {
  return (mcpReq.envelope as Envelope | undefined)?.[CLIENT_CAPABILITIES_META_KEY] ?? server.getClientCapabilities();
}

function clientInfoOf({ server }: McpServer, { mcpReq }: ServerContext): Implementation | undefined {
  return (mcpReq.envelope as Envelope | undefined)?.[CLIENT_INFO_META_KEY] ?? server.getClientVersion();
}

// Whole, so that two clients are never taken for one because of what a shortened name leaves out.
export function clientIdentity(server: McpServer, context: ServerContext): string {
  const { name = '', version = '' } = clientInfoOf(server, context) ?? {};
  return JSON.stringify([name, version]);
}

export function clientName(server: McpServer, context: ServerContext): string {
  const name = clientInfoOf(server, context)?.name ?? 'unknown';
  return [...name.replace(/[^\p{L}\p{N} ._@/-]/gu, '')].slice(0, 60).join('').trim() || 'unknown';
}

const ROOTS_TIMEOUT_MS = 5_000;

// A client of 2025 is asked directly. One that fails to answer has no root, and still gets its context.
export async function askForRoots(server: McpServer, { mcpReq }: ServerContext): Promise<string[]> {
  const options = { timeout: ROOTS_TIMEOUT_MS, signal: mcpReq.signal, relatedRequestId: mcpReq.id };
  try {
    return foldersOf((await server.server.listRoots(undefined, options)).roots);
  } catch {
    return [];
  }
}

// Folders the client works in; null when it has not been asked yet.
export function rootsOf(context: ServerContext): string[] | null {
  const response = inputResponse(context.mcpReq.inputResponses, 'roots');
  if (response.kind !== 'roots') return context.mcpReq.inputResponses === undefined ? null : [];
  return foldersOf(response.roots);
}

function foldersOf(roots: readonly { uri: string }[]): string[] {
  return roots.flatMap(({ uri }) => orNull(() => (uri.startsWith('file:') ? [fileURLToPath(uri)] : [])) ?? []);
}
