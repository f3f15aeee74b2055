import { fileURLToPath } from 'node:url';
import { inputResponse, type McpServer, type ServerContext } from '@modelcontextprotocol/server';

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
