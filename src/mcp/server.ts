import {
  type CallToolResult,
  inputRequired,
  McpServer,
  type ServerContext,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { failSpan, type Rooms, traced } from '../bearings.ts';
import { BearingsError } from '../errors.ts';
import type { Session } from '../gate/sessions/sessions.ts';
import type { Target } from '../settings/meant-workspace.ts';
import { VERSION } from '../version.ts';
import {
  askForRoots,
  type ClientSession,
  capabilitiesOf,
  clientIdentity,
  clientName,
  clientSession,
  endSessions,
  registerBundles,
  rootsOf,
  shelve,
} from './client-session.ts';
import type { OpenQuestions } from './open-questions.ts';
import { FRAME, registerPrompts, registerResources } from './resources.ts';
import { failure, inputOf, readInput, type Tool, type ToolCall, toldSchema } from './tool.ts';
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
  bearings: Rooms;
  /** True when the server was started for one workspace, so that a client's root need not be asked for. */
  hasStandingWorkspace: boolean;
  questions: OpenQuestions;
  /** What lasts of a client. Default: one, for as long as this server is connected. */
  clientSessionOf?: ClientSession | ((client: string, context: ServerContext) => ClientSession);
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
      capabilities: { tools: { listChanged: false }, prompts: { listChanged: false }, resources: {}, logging: {} },
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
  const sessions = options.clientSessionOf ?? clientSession();
  const clientSessionOf = (context: ServerContext) =>
    typeof sessions === 'function' ? sessions(clientIdentity(server, context), context) : sessions;
  for (const tool of options.tools ?? TOOLS) registerTool(server, tool, options, clientSessionOf);
  registerPrompts(server, options.bearings);
  registerResources(server, options.bearings);
  registerBundles(server, (context) => clientSessionOf(context).bundles);
  return server;
}

// From the arguments to the answer: which workspace is meant, whose session it is, the work itself, and the transcript.
function registerTool(
  server: McpServer,
  tool: Tool,
  { bearings, questions, hasStandingWorkspace }: ServerOptions,
  clientSessionOf: (context: ServerContext) => ClientSession,
): void {
  const schema = inputOf(tool);
  const config = {
    title: tool.title,
    description: tool.description,
    // A schema that says more than its fields is told as it is.
    inputSchema: toldSchema(schema.meta() === undefined ? z.strictObject(schema.shape) : schema),
    outputSchema: toldSchema(tool.output),
    // Whether it destroys, and how far it reaches, is asked only of a tool that writes.
    annotations: tool.readOnly
      ? { readOnlyHint: true }
      : { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
  };
  const handle = async (given: unknown, context: ServerContext) => {
    const read = readInput(given, schema);
    if (read instanceof BearingsError) return failure(read);
    const { input } = read;
    const connection = clientSessionOf(context);
    const { sessions, bundles } = connection;
    // What names no workspace by its nature (a taste, a question) belongs to the one that was read last.
    const takesWorkspace = 'image_id' in schema.shape;
    const id = takesWorkspace ? read.id : (connection.workspace ?? undefined);
    let roots = rootsOf(context);
    const namesNone = id === undefined && !hasStandingWorkspace;
    const needsRoot = (namesNone || tool.readsProject) && roots === null;
    if (needsRoot && capabilitiesOf(server, context)?.roots !== undefined) {
      const isModern = context.mcpReq.envelope !== undefined;
      if (isModern) return inputRequired({ inputRequests: { roots: inputRequired.listRoots() } });
      roots = await askForRoots(server, context);
    }
    const target: Target = { id, root: roots?.[0] };
    const client = clientName(server, context);
    const key = await (await bearings.memory()).workspaceKey(target);
    const session = async (): Promise<Session> => {
      // A tool that takes a workspace fails on an unknown one; a taste may be proposed outside of any.
      if (key === null && takesWorkspace) return (await bearings.sessions()).openSession(target, client);
      const known = sessions.get(key ?? '');
      if (known) return known;
      const begun = await (await bearings.sessions()).openSession(key === null ? null : target, client);
      // Of calls that begin side by side, the first one's session is everybody's.
      const first = sessions.get(key ?? '') ?? begun;
      sessions.set(key ?? '', first);
      return first;
    };
    const sessionWith = (id: string) => [...sessions.values()].find(({ session_id }) => session_id === id);
    // One that is named, or all of this connection.
    const endSession = async (): Promise<string[]> => {
      const ending = id === undefined ? [...sessions.values()] : [await session()];
      for (const [name, each] of sessions) if (ending.includes(each)) sessions.delete(name);
      if (!sessions.has(connection.workspace ?? '')) connection.workspace = null;
      return endSessions(bearings, ending, 'end_session');
    };
    const elicitation = capabilitiesOf(server, context)?.elicitation;
    const clientOpens = elicitation?.url !== undefined;
    // Without a mode it is a form: so it was before there were two.
    const clientElicits = elicitation !== undefined && (elicitation.form !== undefined || !clientOpens);
    // A session that can't begin (a workspace just gone) keeps nobody from reading; the tool itself says what is wrong.
    const transcript = key === null && takesWorkspace ? null : await session().catch(() => null);
    if (takesWorkspace && key !== null) connection.workspace = key;
    const asked = { type: 'tool_call', tool: tool.name, arguments: input } as const;
    // What only reads leaves its call and its answer in one write; anything else is told before it is done.
    if (!tool.servesContext) transcript?.record(asked);
    const keepBundle: ToolCall<unknown>['keepBundle'] = (bundle) => shelve(bundles, bundle, transcript);
    const call = {
      ...{ input, bearings, target, client, clientElicits, clientOpens, questions, context },
      ...{ session, sessionWith, endSession, keepBundle },
    };
    const work = withProgress(context, tool.title, (tellProgress) => tool.run({ ...call, tellProgress }));
    const result = await work.catch(failure);
    if (result.isError || (result.content?.length ?? 0) > 1) await tellWarnings(context, tool.name, result);
    if (tool.servesContext && !result.isError)
      transcript?.served(textOf(result), {
        ...{ tool: tool.name, arguments: input },
        ...(tool.name === loadContextTool.name && { root: target.root }),
      });
    else if (tool.servesContext) transcript?.record(asked, resultEntry(tool.name, result));
    else if (tool.name !== endSessionTool.name) transcript?.record(resultEntry(tool.name, result));
    if (context.mcpReq.signal.aborted) closeStream(server, context);
    return takesWorkspace && !result.isError ? namingWorkspace(result, key) : result;
  };
  // The trace of the client goes on here, where it tells one.
  server.registerTool(tool.name, config, (given, context) =>
    traced(
      {
        name: `tools/call ${tool.name}`,
        kind: 'server',
        facts: () => callFacts(tool.name, context),
        from: context.mcpReq._meta ?? {},
      },
      async (span) => {
        const result = await handle(given, context);
        if ('isError' in result && result.isError) failSpan(span, 'tool_error');
        return result;
      },
    ),
  );
}

function callFacts(tool: string, { mcpReq, http }: ServerContext) {
  return {
    'mcp.method.name': 'tools/call',
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': tool,
    'jsonrpc.request.id': String(mcpReq.id),
    'network.transport': http === undefined ? 'pipe' : 'tcp',
  };
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
  const { status } = (result.structuredContent ?? {}) as { status?: unknown };
  const told = typeof status === 'string' ? { status } : {};
  return { type: 'tool_result' as const, tool, ok: result.isError !== true, ...told, chars: textOf(result).length };
}

// As structure where there is one: what an agent is shown of it may be rendered.
function textOf(result: CallToolResult): string {
  if (result.structuredContent !== undefined) return JSON.stringify(result.structuredContent);
  const [first] = result.content ?? [];
  return first?.type === 'text' ? first.text : '';
}

const STEP_MS = 2_000;
const LEAST_PAUSE_MS = 500;

// For a client that asks to be told: what the tool says, now and then, and a progress message every two seconds, so that a
// wait for the person or a model is no hang. One counter for both, since progress may only ever grow.
async function withProgress<T>(
  { mcpReq: { _meta, notify, signal } }: ServerContext,
  title: string,
  work: (tell: (message: string) => void) => Promise<T>,
): Promise<T> {
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) return work(() => undefined);
  let [progress, toldAt, message] = [0, 0, title];
  const send = (): void => {
    if (signal.aborted) return;
    progress += 1;
    toldAt = performance.now();
    notify({ method: 'notifications/progress', params: { progressToken, progress, message } }).catch(() => undefined);
  };
  const timer = setInterval(send, STEP_MS);
  try {
    return await work((said) => {
      message = said;
      if (progress === 0 || performance.now() - toldAt >= LEAST_PAUSE_MS) send();
    });
  } finally {
    clearInterval(timer);
  }
}

// Warnings and refusals, for the client's own log; the client says from which level on it wants to hear.
async function tellWarnings(context: ServerContext, tool: string, result: CallToolResult): Promise<void> {
  const [first, ...others] = result.content ?? [];
  const texts = (result.isError ? [first] : others).flatMap((block) => (block?.type === 'text' ? [block.text] : []));
  for (const text of texts) await context.mcpReq.log('warning', { tool, text }, 'bearings').catch(() => undefined);
}
