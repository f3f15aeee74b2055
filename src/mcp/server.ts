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
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { z } from 'zod';
import type { Bearings } from '../bearings.ts';
import { BearingsError } from '../errors.ts';
import type { Session } from '../gate/sessions/sessions.ts';
import type { Target } from '../settings/meant-workspace.ts';
import { VERSION } from '../version.ts';
import { registerBundles } from './bundle-shelf.ts';
import { tellWarnings, withProgress } from './call-notices.ts';
import { type ClientSession, clientSession } from './client-session.ts';
import { APPS_EXTENSION, registerInboxApp } from './inbox-app.ts';
import type { OpenQuestions } from './open-questions.ts';
import { FRAME, registerPrompts } from './prompts.ts';
import { registerResources } from './resources.ts';
import { failure, type Tool, type ToolCall } from './tool.ts';
import { inputOf, namedInput, readInput, withoutDialect } from './tool-input.ts';
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
  /** What lasts of a client. Default: one for as long as this server is connected. */
  clientSessionOf?: (client: string, context: ServerContext) => ClientSession;
  /** Whether it watches memory to tell of changes; a server of one request has nobody to tell. Default: true. */
  watches?: boolean;
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

const ROOTS_TIMEOUT_MS = 5_000;

// Asked first: Unicode classes are slow, and most names never need them.
const PLAIN_NAME = /^\w[\w._@/-]{0,59}$/;

// Constant words: nothing from a file, an adapter or memory ever enters them.
const INSTRUCTIONS = `Start every session with read_context: it returns the person's tastes, the brief, notes and recent evidence in one call. ${FRAME} Propose what should last; only the person can accept it.`;

// A factory apart from the transport: stdio, HTTP, and the fixture of the conformance suite.
export function createMcpServer(options: ServerOptions): McpServer {
  const server = new McpServer(
    { name: 'bearings', version: VERSION },
    {
      // The tools and prompts never change: that is a promise to whoever allowed them.
      capabilities: {
        tools: { listChanged: false },
        prompts: { listChanged: false },
        resources: { listChanged: true, subscribe: true },
        logging: {},
        extensions: { [APPS_EXTENSION]: {} },
      },
      instructions: INSTRUCTIONS,
      requestState: { verify: (state) => verified(state, options.questions) },
    },
  );
  const own = clientSession();
  const clientSessionOf = (context: ServerContext) =>
    options.clientSessionOf?.(clientIdentity(server, context), context) ?? own;
  for (const tool of options.tools ?? TOOLS) register(server, tool, { ...options, clientSessionOf });
  registerPrompts(server, options.bearings);
  registerResources(server, options.bearings, options.watches ?? true);
  registerInboxApp(server, options.bearings);
  registerBundles(server, (context) => clientSessionOf(context).bundles);
  return server;
}

async function verified(state: string, questions: OpenQuestions): Promise<string> {
  if (!questions.isOurs(state)) throw new Error('not a question of ours');
  return state;
}

// Our own answers have their shape by type and by test; checking each again would cost more than making it.
function trusted(schema: z.ZodObject): StandardSchemaWithJSON {
  const { jsonSchema } = schema['~standard'] as unknown as StandardSchemaWithJSON['~standard'];
  return {
    '~standard': {
      version: 1,
      vendor: 'bearings',
      validate: (value: unknown) => ({ value }),
      jsonSchema: withoutDialect(jsonSchema),
    },
  };
}

type RegisterOptions = Omit<ServerOptions, 'clientSessionOf'> & {
  clientSessionOf(context: ServerContext): ClientSession;
};

function register(server: McpServer, tool: Tool, options: RegisterOptions): void {
  const { bearings, questions } = options;
  const schema = inputOf(tool);
  const config = {
    title: tool.title,
    description: tool.description,
    inputSchema: namedInput(schema),
    outputSchema: trusted(tool.output),
    // Whether it destroys is asked only of a tool that writes.
    annotations: tool.readOnly
      ? { readOnlyHint: true, openWorldHint: false }
      : { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
    ...(tool.app ? { _meta: { ui: { resourceUri: tool.app } } } : {}),
  };
  server.registerTool(tool.name, config, async (given, context) => {
    const read = readInput(given as Record<string, unknown>, Object.keys(schema.shape));
    if (read instanceof BearingsError) return failure(read);
    const { input, id } = read;
    const { sessions, bundles } = options.clientSessionOf(context);
    let roots = rootsOf(context);
    const needsRoot = id === undefined && !options.hasStandingWorkspace && roots === null;
    if (needsRoot && capabilitiesOf(server, context)?.roots !== undefined) {
      const isModern = context.mcpReq.envelope !== undefined;
      if (isModern) return inputRequired({ inputRequests: { roots: inputRequired.listRoots() } });
      roots = await askForRoots(server, context);
    }
    const target: Target = { id, root: roots?.[0] };
    const client = clientName(server, context);
    const key = await bearings.internal.workspaceKey(target);
    const session = async (): Promise<Session> => {
      // A tool that takes a workspace fails on an unknown one; a taste may be proposed outside of any.
      const outside = id === undefined && (!('image_id' in tool.input.shape) || tool.name === endSessionTool.name);
      if (key === null && !outside) return bearings.gate.openSession(target, client);
      const known = sessions.get(key ?? '');
      if (known) return known;
      const begun = await bearings.gate.openSession(key === null ? null : target, client);
      // Of calls that begin side by side, the first one's session is everybody's.
      const first = sessions.get(key ?? '') ?? begun;
      sessions.set(key ?? '', first);
      return first;
    };
    const sessionWith = (id: string) => [...sessions.values()].find(({ session_id }) => session_id === id);
    const endSession = async (): Promise<void> => {
      sessions.get(key ?? '')?.end('end_session');
      sessions.delete(key ?? '');
    };
    const elicitation = capabilitiesOf(server, context)?.elicitation;
    const clientOpens = elicitation?.url !== undefined;
    // Without a mode it is a form: so it was before there were two.
    const clientElicits = elicitation !== undefined && (elicitation.form !== undefined || !clientOpens);
    // A session that can't begin (a workspace just gone) keeps nobody from reading; the tool itself says what is wrong.
    const transcript = key === null ? null : await session().catch(() => null);
    const asked = { type: 'tool_call', tool: tool.name, arguments: input } as const;
    // What only reads leaves its call and its answer in one write; anything else is told before it is done.
    if (!tool.servesContext) transcript?.record(asked);
    let result: CallToolResult;
    try {
      const call = {
        input,
        bearings,
        target,
        session,
        sessionWith,
        endSession,
        client,
        clientElicits,
        clientOpens,
        questions,
        context,
      };
      const keepBundle: ToolCall<unknown>['keepBundle'] = (bundle) => bundles.keep(bundle, transcript);
      result = await withProgress(context, tool.title, (tellProgress) =>
        tool.run({ ...call, keepBundle, tellProgress }),
      );
    } catch (error) {
      result = failure(error);
    }
    if (result.isError || (result.content?.length ?? 0) > 1) await tellWarnings(context, tool.name, result);
    if (context.mcpReq.signal.aborted) closeStream(server, context);
    if (tool.servesContext && !result.isError)
      transcript?.served(textOf(result), {
        ...{ tool: tool.name, arguments: input },
        ...(tool.name === loadContextTool.name ? { root: target.root } : {}),
      });
    else if (tool.servesContext) transcript?.record(asked, resultEntry(tool.name, result));
    else if (tool.name !== endSessionTool.name) transcript?.record(resultEntry(tool.name, result));
    return 'image_id' in schema.shape && !result.isError ? namingWorkspace(result, key) : result;
  });
}

// Beside the answer, as warnings are: its own keys stay what they are.
function namingWorkspace(result: CallToolResult, id: string | null): CallToolResult {
  if (!Array.isArray(result.content)) return result;
  const text = id === null ? 'Workspace: none' : `Workspace: ${id}`;
  const links = result.content.filter(({ type }) => type === 'resource_link');
  const others = result.content.filter(({ type }) => type !== 'resource_link');
  // What can be read on stays last.
  return { ...result, content: [...others, { type: 'text', text }, ...links] };
}

// A cancelled call gets no answer, and over HTTP its stream would stay open for one.
function closeStream(server: McpServer, { mcpReq }: ServerContext): void {
  const { transport } = server.server;
  if (transport instanceof WebStandardStreamableHTTPServerTransport) transport.closeSSEStream(mcpReq.id);
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

function clientInfoOf(server: McpServer, context: ServerContext): Implementation | undefined {
  const envelope = context.mcpReq.envelope as { [CLIENT_INFO_META_KEY]?: Implementation } | undefined;
  return envelope?.[CLIENT_INFO_META_KEY] ?? server.server.getClientVersion();
}

// Whole, so that two clients are never taken for one because of what a shortened name leaves out.
function clientIdentity(server: McpServer, context: ServerContext): string {
  const { name = '', version = '' } = clientInfoOf(server, context) ?? {};
  return JSON.stringify([name, version]);
}

function clientName(server: McpServer, context: ServerContext): string {
  const name = clientInfoOf(server, context)?.name ?? 'unknown';
  if (PLAIN_NAME.test(name)) return name;
  return [...name.replace(/[^\p{L}\p{N} ._@/-]/gu, '')].slice(0, 60).join('').trim() || 'unknown';
}

// A client of 2025 is asked directly. One that fails to answer has no root, and still gets its context.
async function askForRoots(server: McpServer, { mcpReq }: ServerContext): Promise<string[]> {
  const options = { timeout: ROOTS_TIMEOUT_MS, signal: mcpReq.signal, relatedRequestId: mcpReq.id };
  try {
    return foldersOf((await server.server.listRoots(undefined, options)).roots);
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
