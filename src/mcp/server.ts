import { McpServer, type ServerContext } from '@modelcontextprotocol/server';
import { VERSION } from '../version.ts';
import { clientIdentity } from './client-info.ts';
import { type ClientSession, clientSession, registerBundles } from './client-session.ts';
import { registerTool, type ToolServing } from './register-tool.ts';
import { FRAME, registerPrompts, registerResources } from './resources.ts';
import type { Tool } from './tool.ts';
import { confirmNotesTool, confirmTasteTool } from './tools/confirm-update.ts';
import { endSessionTool } from './tools/end-session.ts';
import { listProposalsTool } from './tools/list-proposals.ts';
import { loadContextTool } from './tools/load-context.ts';
import { logOperationTool } from './tools/log-operation.ts';
import { logVocabularyGapTool } from './tools/log-vocabulary-gap.ts';
import { proposeNotesTool, proposeTasteTool } from './tools/propose-update.ts';
import { readContextTool } from './tools/read-context.ts';
import { readFullNotesTool } from './tools/read-full-notes.ts';
import { withdrawProposalTool } from './tools/withdraw-proposal.ts';

export interface ServerOptions extends Omit<ToolServing, 'clientSessionOf'> {
  /** What lasts of a client. Default: one for as long as this server is connected. */
  clientSessionOf?: (client: string, context: ServerContext) => ClientSession;
  /** Default: all of ours. */
  tools?: readonly Tool[];
}

export const TOOLS: readonly Tool[] = [
  readContextTool,
  readFullNotesTool,
  loadContextTool,
  proposeTasteTool,
  proposeNotesTool,
  confirmTasteTool,
  confirmNotesTool,
  listProposalsTool,
  withdrawProposalTool,
  endSessionTool,
  logOperationTool,
  logVocabularyGapTool,
];

// Constant words: nothing from a file, an adapter or memory ever enters them.
const INSTRUCTIONS = `Start every session with read_context, unless a hook has already given you the context of Bearings: it returns the person's tastes, the brief, notes and recent evidence in one call. ${FRAME} Propose what should last; only the person can accept it.`;

// What a server says of itself holds until it starts again; memory is read again each time (M1).
const HOUR = { ttlMs: 3_600_000, cacheScope: 'private' } as const;
const CACHE_HINTS = {
  'server/discover': HOUR,
  'tools/list': HOUR,
  'prompts/list': HOUR,
  'resources/templates/list': HOUR,
};

// A factory apart from the transport: stdio, HTTP, and the fixture of the conformance suite.
export function createMcpServer(options: ServerOptions): McpServer {
  const server = new McpServer(
    { name: 'bearings', version: VERSION },
    {
      // The tools and prompts never change: that is a promise to whoever allowed them.
      capabilities: {
        tools: { listChanged: false },
        prompts: { listChanged: false },
        resources: {},
        logging: {},
      },
      cacheHints: CACHE_HINTS,
      instructions: INSTRUCTIONS,
      requestState: {
        async verify(state) {
          if (!options.questions.isOurs(state)) throw new Error('not a question of ours');
          return state;
        },
      },
    },
  );
  const own = clientSession();
  const clientSessionOf = (context: ServerContext) =>
    options.clientSessionOf?.(clientIdentity(server, context), context) ?? own;
  for (const tool of options.tools ?? TOOLS) registerTool(server, tool, { ...options, clientSessionOf });
  registerPrompts(server, options.bearings);
  registerResources(server, options.bearings);
  registerBundles(server, (context) => clientSessionOf(context).bundles);
  return server;
}
