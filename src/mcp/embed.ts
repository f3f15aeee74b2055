import type { Transport } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Bearings } from '../bearings.ts';
import { openQuestions } from './open-questions.ts';
import { createMcpServer, TOOLS } from './server.ts';

export interface McpServerOptions {
  bearings: Bearings;
  /** True where `bearings` was opened for one workspace: then a client is not asked for its root. Default: false. */
  hasStandingWorkspace?: boolean;
}

/** What carries messages. The shape of the SDK's own transports, of which no type can be named here: the SDK is inside. */
export interface McpTransport {
  start(): Promise<void>;
  send(message: object, options?: object): Promise<void>;
  close(): Promise<void>;
  onclose?(): void;
  onerror?(error: Error): void;
  onmessage?(message: object, extra?: object): void;
}

export interface McpServer {
  connect(transport: McpTransport): Promise<void>;
  close(): Promise<void>;
}

/** The names of the tools that a server offers, in their order. */
export const TOOL_NAMES: readonly string[] = TOOLS.map(({ name }) => name);

// A factory, because a transport may need several servers for one client; what was asked in one is answered in another.
export function mcpServerFactory({ bearings, hasStandingWorkspace = false }: McpServerOptions): () => McpServer {
  const questions = openQuestions();
  return () => createMcpServer({ bearings, hasStandingWorkspace, questions });
}

/** Serves one client, of 2025 or 2026, on standard input and output or on a transport of one's own. */
export function serveMcp(options: McpServerOptions & { transport?: McpTransport }): { close(): Promise<void> } {
  const { bearings, hasStandingWorkspace = false, transport = new StdioServerTransport() } = options;
  const questions = openQuestions();
  return serveStdio(() => createMcpServer({ bearings, hasStandingWorkspace, questions }), {
    transport: transport as Transport,
  });
}
