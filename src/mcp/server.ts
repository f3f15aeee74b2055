import { fileURLToPath } from 'node:url';
import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type ClientCapabilities,
  type Implementation,
  inputRequired,
  inputResponse,
  McpServer,
  type ServerContext,
  type StandardSchemaWithJSON,
} from '@modelcontextprotocol/server';
import type { z } from 'zod';
import type { Bearings } from '../bearings.ts';
import type { Target } from '../use-cases/house.ts';
import type { Place } from '../use-cases/memory.ts';
import type { Session } from '../use-cases/sessions.ts';
import { VERSION } from '../version.ts';
import type { OpenQuestions } from './open-questions.ts';
import { registerPrompts } from './prompts.ts';
import { registerResources } from './resources.ts';
import { failure, type Tool } from './tool.ts';
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

export interface ServerOptions {
  bearings: Bearings;
  /** True when the server was started for one workspace, so that a client's root need not be asked for. */
  hasStandingWorkspace: boolean;
  questions: OpenQuestions;
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

const ROOTS_TIMEOUT_MS = 5_000;

// Constant words: nothing from a file, an adapter or memory ever enters them.
const INSTRUCTIONS =
  "Start every session with read_context: it returns the person's tastes, the brief, notes and recent evidence in one call. Propose what should last; only the person can accept it.";

// A factory apart from the transport: stdio today, HTTP tomorrow, and the fixture of the conformance suite.
export function createMcpServer(options: ServerOptions): McpServer {
  const server = new McpServer(
    { name: 'bearings', version: VERSION },
    {
      capabilities: { tools: {}, prompts: {}, resources: { listChanged: true, subscribe: true } },
      instructions: INSTRUCTIONS,
    },
  );
  const sessions = new Map<string, Session>();
  for (const tool of TOOLS) register(server, tool, { ...options, sessions });
  registerPrompts(server, options.bearings);
  registerResources(server, options.bearings);
  return server;
}

// Our own answers have their shape by type and by test; checking each again would cost more than making it.
function trusted(schema: z.ZodObject): StandardSchemaWithJSON {
  const { jsonSchema } = schema['~standard'] as unknown as StandardSchemaWithJSON['~standard'];
  return { '~standard': { version: 1, vendor: 'bearings', validate: (value: unknown) => ({ value }), jsonSchema } };
}

function register(server: McpServer, tool: Tool, options: ServerOptions & { sessions: Map<string, Session> }): void {
  const { bearings, sessions, questions } = options;
  const config = {
    title: tool.title,
    description: tool.description,
    inputSchema: tool.input,
    outputSchema: trusted(tool.output),
    annotations: { readOnlyHint: tool.readOnly, destructiveHint: false, openWorldHint: false },
  };
  server.registerTool(tool.name, config, async (input, context) => {
    let roots = rootsOf(context);
    const id = 'image_id' in input && typeof input.image_id === 'string' ? input.image_id : undefined;
    const needsRoot = id === undefined && !options.hasStandingWorkspace && roots === null;
    if (needsRoot && capabilitiesOf(server, context)?.roots !== undefined) {
      const isModern = context.mcpReq.envelope !== undefined;
      if (isModern) return inputRequired({ inputRequests: { roots: inputRequired.listRoots() } });
      roots = await askForRoots(server);
    }
    const target: Target = { id, root: roots?.[0] };
    const client = clientName(server, context);
    const place = await bearings.placeOf(target).catch((error: unknown) => error);
    const key = isPlace(place) ? place.workspace.id : null;
    const session = async (): Promise<Session> => {
      // A tool that takes a workspace fails on an unknown one; a taste may be proposed outside of any.
      const outside = id === undefined && (!('image_id' in tool.input.shape) || tool.name === endSessionTool.name);
      if (key === null && !outside) return bearings.openSession(target, client);
      const known = sessions.get(key ?? '') ?? (await bearings.openSession(key === null ? null : target, client));
      sessions.set(key ?? '', known);
      return known;
    };
    const sessionWith = (id: string) => [...sessions.values()].find(({ session_id }) => session_id === id);
    const endSession = async (): Promise<void> => {
      sessions.get(key ?? '')?.end('end_session');
      sessions.delete(key ?? '');
    };
    const clientElicits = capabilitiesOf(server, context)?.elicitation !== undefined;
    // A session that can't begin (a workspace just gone) keeps nobody from reading; the tool itself says what is wrong.
    const transcript = key === null ? null : await session().catch(() => null);
    const asked = { type: 'tool_call', tool: tool.name, arguments: input } as const;
    // What only reads leaves its call and its answer in one write; anything else is told before it is done.
    if (!tool.servesContext) transcript?.record(asked);
    let result: CallToolResult;
    try {
      result = await tool.run({
        input,
        bearings,
        target,
        place: () => {
          if (isPlace(place)) return place;
          throw place;
        },
        session,
        sessionWith,
        endSession,
        client,
        clientElicits,
        questions,
        context,
      });
    } catch (error) {
      result = failure(error);
    }
    if (tool.servesContext && !result.isError)
      transcript?.served(textOf(result), asked, resultEntry(tool.name, result));
    else if (tool.servesContext) transcript?.record(asked, resultEntry(tool.name, result));
    else if (tool.name !== endSessionTool.name) transcript?.record(resultEntry(tool.name, result));
    return result;
  });
}

function isPlace(value: unknown): value is Place {
  return typeof value === 'object' && value !== null && 'workspace' in value;
}

// Sizes and codes, not texts: what was served is in the files, and its hash says which of it.
function resultEntry(tool: string, result: CallToolResult) {
  return { type: 'tool_result' as const, tool, ok: result.isError !== true, chars: textOf(result).length };
}

function textOf(result: CallToolResult): string {
  const [first] = result.content ?? [];
  return first?.type === 'text' ? first.text : '';
}

// 2026-era requests carry the client's words with them; before, they came once with the handshake.
function capabilitiesOf(server: McpServer, context: ServerContext): ClientCapabilities | undefined {
  const envelope = context.mcpReq.envelope as { [CLIENT_CAPABILITIES_META_KEY]?: ClientCapabilities } | undefined;
  return envelope?.[CLIENT_CAPABILITIES_META_KEY] ?? server.server.getClientCapabilities();
}

function clientName(server: McpServer, context: ServerContext): string {
  const envelope = context.mcpReq.envelope as { [CLIENT_INFO_META_KEY]?: Implementation } | undefined;
  const name = (envelope?.[CLIENT_INFO_META_KEY] ?? server.server.getClientVersion())?.name ?? 'unknown';
  return [...name.replace(/[^\p{L}\p{N} ._@/-]/gu, '')].slice(0, 60).join('').trim() || 'unknown';
}

// A client of 2025 is asked directly. One that fails to answer has no root, and still gets its context.
async function askForRoots(server: McpServer): Promise<string[]> {
  try {
    return foldersOf((await server.server.listRoots(undefined, { timeout: ROOTS_TIMEOUT_MS })).roots);
  } catch {
    return [];
  }
}

// Folders the client works in; null when it has not been asked yet.
function rootsOf(context: ServerContext): string[] | null {
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
