import type { Transport } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { openRooms } from '../bearings.ts';
import type { BearingsOptions } from '../settings/bearings-options.ts';
import { openQuestions } from './open-questions.ts';
import { serveClient } from './serve.ts';
import { createMcpServer, type ServerOptions, TOOLS } from './server.ts';

/** What carries messages. The shape of the SDK's own transports, of which no type can be named here: the SDK is inside. */
export interface McpTransport {
  start(): Promise<void>;
  send(message: object, options?: object): Promise<void>;
  close(): Promise<void>;
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: the SDK's own message type can't be named, and no narrower one fits both ways.
  onmessage?: ((message: any, extra?: any) => void) | undefined;
}

export interface McpServer {
  connect(transport: McpTransport): Promise<void>;
  close(): Promise<void>;
}

/** The names of the tools that a server offers, in their order. */
export const TOOL_NAMES: readonly string[] = TOOLS.map(({ name }) => name);

/** A factory, because a transport may need several servers for one client; what was asked in one is answered in another. */
export function mcpServerFactory(options: BearingsOptions = {}): () => McpServer {
  const server = serverOptions(options, 'mcpServerFactory');
  return () => createMcpServer(server);
}

function serverOptions(options: BearingsOptions, method: string): ServerOptions {
  const hasStandingWorkspace = options.workspace !== undefined;
  // As `bearings mcp --workspace`: who names one serves it alone.
  const bearings = openRooms({ ...options, only: options.only ?? hasStandingWorkspace }, method);
  return { bearings, hasStandingWorkspace, questions: openQuestions() };
}

/** Serves one client, of 2025 or 2026, on standard input and output or on a transport of one's own. */
export function serveMcp(
  options: BearingsOptions = {},
  transport: McpTransport = new StdioServerTransport(),
): { close(): Promise<void> } {
  return serveClient(serverOptions(options, 'serveMcp'), transport as Transport).serving;
}
