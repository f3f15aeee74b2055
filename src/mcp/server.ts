import { McpServer, type ServerContext } from '@modelcontextprotocol/server';
import { SkillsExtension, skillEntry } from '@modelcontextprotocol/server/ext/skills';
import type { Rooms } from '../bearings.ts';
import { VERSION } from '../version.ts';
import { registerTasks, TASKS_EXTENSION } from './call-tasks.ts';
import { clientIdentity } from './client-info.ts';
import { type ClientSession, clientSession, registerBundles } from './client-session.ts';
import { APPS_EXTENSION, registerInboxApp } from './inbox-app.ts';
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
        resources: { listChanged: true, subscribe: true },
        logging: {},
        extensions: { [APPS_EXTENSION]: {}, [TASKS_EXTENSION]: {} },
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
  registerResources(server, options.bearings, options.watches ?? true);
  registerInboxApp(server, options.bearings);
  registerBundles(server, (context) => clientSessionOf(context).bundles);
  registerTasks(server, (context) => clientSessionOf(context).tasks);
  bearingsSkill(options.bearings).attach(server);
  return server;
}

const MANIFEST = 'skill://bearings/SKILL.md';
const MIME = 'text/markdown';

// The skill that plugins carry, for clients that take skills from a server: one source for both (`clients/skill.md`).
function bearingsSkill(bearings: Rooms): SkillsExtension {
  const text = async () => Buffer.from(await (await bearings.page()).servedFile('SKILL.md')).toString('utf8');
  const entry = async () => skillEntry('bearings', { 'SKILL.md': await text() });
  const resource = async () => {
    const { name, description } = (await entry()).frontmatter;
    return { uri: MANIFEST, name: String(name), description: String(description), mimeType: MIME };
  };
  return new SkillsExtension({
    cacheHint: { ttlMs: 3_600_000, cacheScope: 'public' },
    source: {
      list: async () => ({ skills: [await entry()] }),
      get: async (uri) => (uri === MANIFEST ? entry() : undefined),
      read: async (uri) => (uri === MANIFEST ? { text: await text(), mimeType: MIME } : undefined),
      listResources: async () => [await resource()],
    },
  });
}
