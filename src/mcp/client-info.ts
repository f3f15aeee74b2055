import { fileURLToPath } from 'node:url';
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type ClientCapabilities,
  type Implementation,
  inputResponse,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';

// Asked first: Unicode classes are slow, and most names never need them.
const PLAIN_NAME = /^\w[\w._@/-]{0,59}$/;

// 2026-era requests carry the client's words with them; before, they came once with the handshake.
export function capabilitiesOf(server: McpServer, context: ServerContext): ClientCapabilities | undefined {
  const envelope = context.mcpReq.envelope as { [CLIENT_CAPABILITIES_META_KEY]?: ClientCapabilities } | undefined;
  return envelope?.[CLIENT_CAPABILITIES_META_KEY] ?? server.server.getClientCapabilities();
}

function clientInfoOf(server: McpServer, context: ServerContext): Implementation | undefined {
  const envelope = context.mcpReq.envelope as { [CLIENT_INFO_META_KEY]?: Implementation } | undefined;
  return envelope?.[CLIENT_INFO_META_KEY] ?? server.server.getClientVersion();
}

// Whole, so that two clients are never taken for one because of what a shortened name leaves out.
export function clientIdentity(server: McpServer, context: ServerContext): string {
  const { name = '', version = '' } = clientInfoOf(server, context) ?? {};
  return JSON.stringify([name, version]);
}

export function clientName(server: McpServer, context: ServerContext): string {
  const name = clientInfoOf(server, context)?.name ?? 'unknown';
  if (PLAIN_NAME.test(name)) return name;
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
  return roots.flatMap(({ uri }) => {
    try {
      return uri.startsWith('file:') ? [fileURLToPath(uri)] : [];
    } catch {
      return [];
    }
  });
}
