import { fileURLToPath } from 'node:url';
import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  inputRequired,
  inputResponse,
  McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { Bearings } from '../bearings.ts';
import { VERSION } from '../version.ts';
import { failure, type Tool } from './tool.ts';
import { loadContextTool } from './tools/load-context.ts';
import { readContextTool } from './tools/read-context.ts';
import { readFullNotesTool } from './tools/read-full-notes.ts';

export interface ServerOptions {
  bearings: Bearings;
  /** True when the server was started for one workspace, so that a client's root need not be asked for. */
  hasStandingWorkspace: boolean;
}

const TOOLS: readonly Tool[] = [readContextTool, readFullNotesTool, loadContextTool];

// Constant words: nothing from a file, an adapter or memory ever enters them.
const INSTRUCTIONS =
  "Start every session with read_context: it returns the person's tastes, the brief, notes and recent evidence in one call.";

// A factory apart from the transport: stdio today, HTTP tomorrow, and the fixture of the conformance suite.
export function createMcpServer(options: ServerOptions): McpServer {
  const server = new McpServer(
    { name: 'bearings', version: VERSION },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
  );
  for (const tool of TOOLS) register(server, tool, options);
  return server;
}

function register(server: McpServer, tool: Tool, { bearings, hasStandingWorkspace }: ServerOptions): void {
  const config = {
    title: tool.title,
    description: tool.description,
    inputSchema: tool.input,
    outputSchema: tool.output,
    annotations: { readOnlyHint: tool.readOnly, openWorldHint: false },
  };
  server.registerTool(tool.name, config, async (input, context) => {
    try {
      const namesWorkspace = 'image_id' in input && input.image_id !== undefined;
      const needsRoot = 'image_id' in tool.input.shape && !namesWorkspace && !hasStandingWorkspace;
      if (needsRoot && clientHasRoots(server, context) && rootsOf(context) === null) {
        return inputRequired({ inputRequests: { roots: inputRequired.listRoots() } });
      }
      const root = rootsOf(context)?.[0];
      return await tool.run({ input, bearings, context, target: (id) => ({ id, root }) });
    } catch (error) {
      return failure(error);
    }
  });
}

function clientHasRoots(server: McpServer, context: ServerContext): boolean {
  const envelope = context.mcpReq.envelope as { [CLIENT_CAPABILITIES_META_KEY]?: ClientCapabilities } | undefined;
  return (envelope?.[CLIENT_CAPABILITIES_META_KEY] ?? server.server.getClientCapabilities())?.roots !== undefined;
}

// Folders the client works in; null when it has not been asked yet.
function rootsOf(context: ServerContext): string[] | null {
  const response = inputResponse(context.mcpReq.inputResponses, 'roots');
  if (response.kind !== 'roots') return context.mcpReq.inputResponses === undefined ? null : [];
  return response.roots.flatMap(({ uri }) => {
    try {
      return uri.startsWith('file:') ? [fileURLToPath(uri)] : [];
    } catch {
      return [];
    }
  });
}
