// bearings/mcp: our MCP server for a transport of one's own.
import type { McpServer } from '@modelcontextprotocol/server';
import type { Bearings } from '../bearings.ts';
import { openQuestions } from '../mcp/open-questions.ts';
import { createMcpServer, TOOLS } from '../mcp/server.ts';

export interface McpServerOptions {
  bearings: Bearings;
  /** True where `bearings` was opened for one workspace: then a client is not asked for its root. Default: false. */
  hasStandingWorkspace?: boolean;
}

/** The names of the tools that a server offers, in their order. */
export const TOOL_NAMES: readonly string[] = TOOLS.map(({ name }) => name);

// A factory, because a transport may need several servers for one client; what was asked in one is answered in another.
export function mcpServerFactory({ bearings, hasStandingWorkspace = false }: McpServerOptions): () => McpServer {
  const questions = openQuestions();
  return () => createMcpServer({ bearings, hasStandingWorkspace, questions });
}
