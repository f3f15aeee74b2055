import type { Transport } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Bearings as Opened } from '../bearings.ts';
import { invalidInput } from '../errors.ts';
import type { Bearings } from '../library.ts';
import { openQuestions } from './open-questions.ts';
import { createMcpServer, TOOLS } from './server.ts';

export interface McpServerOptions {
  /** What `openBearings()` gave. */
  bearings: Bearings;
  /** True where `bearings` was opened for one workspace: then a client is not asked for its root. Default: false. */
  hasStandingWorkspace?: boolean;
}

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

// A factory, because a transport may need several servers for one client; what was asked in one is answered in another.
export function mcpServerFactory({ bearings, hasStandingWorkspace = false }: McpServerOptions): () => McpServer {
  const questions = openQuestions();
  const opened = openedByUs(bearings);
  return () => createMcpServer({ bearings: opened, hasStandingWorkspace, questions });
}

/** Serves one client, of 2025 or 2026, on standard input and output or on a transport of one's own. */
export function serveMcp(options: McpServerOptions & { transport?: McpTransport }): { close(): Promise<void> } {
  const { bearings, hasStandingWorkspace = false, transport = new StdioServerTransport() } = options;
  const questions = openQuestions();
  const opened = openedByUs(bearings);
  return serveStdio(() => createMcpServer({ bearings: opened, hasStandingWorkspace, questions }), {
    transport: transport as Transport,
  });
}

// The server needs more than a program may call.
function openedByUs(bearings: Bearings): Opened {
  if (!('internal' in bearings))
    throw invalidInput('The server needs what openBearings() gives.', 'Pass it on whole: serveMcp({ bearings })');
  return bearings as Opened;
}
