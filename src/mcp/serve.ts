import { once } from 'node:events';
import { parseArgs } from 'node:util';
import type { Transport } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { openRooms } from '../bearings.ts';
import { argumentFault, BearingsError } from '../errors.ts';
import { shownName } from '../safety/hidden-characters.ts';
import { clientSession, endWithTransport, interruptClientSession } from './client-session.ts';
import { openQuestions } from './open-questions.ts';
import { createMcpServer, type ServerOptions, TOOLS } from './server.ts';
import { runTaskTool } from './tools/run-task.ts';

// Serves until the client closes the pipe, or over HTTP until it is stopped.
export async function serveFromArgs(args: string[]): Promise<number> {
  try {
    return await serve(args);
  } catch (error) {
    if (!(error instanceof BearingsError)) throw error;
    process.stderr.write(`bearings: ${error.message}\n${error.hint ? `          ${error.hint}\n` : ''}`);
    return error.code === 'invalid_input' || error.code === 'not_found' ? 2 : 1;
  }
}

async function serve(args: string[]): Promise<number> {
  const options = parseServeOptions(args);
  if (typeof options === 'string') {
    process.stderr.write(`bearings: ${options}\n          See: bearings mcp --help\n`);
    return 2;
  }
  const { http, port, ...places } = options;
  const bearings = openRooms({ ...places, only: places.workspace !== undefined });
  const pinned = places.workspace === undefined ? null : await (await bearings.clients()).foreignPin(places.workspace);
  if (pinned !== null) {
    process.stderr.write(
      `bearings: ${pinned} names the workspace "${places.workspace}", which is not this project's.\n          If you mean it: bearings workspaces link ${places.workspace}\n`,
    );
    return 3;
  }
  // A misspelt name would show only when an agent calls; a client keeps this line in its log.
  if (places.workspace !== undefined && (await (await bearings.memory()).workspaceKey({})) === null)
    process.stderr.write(
      `bearings: there is no workspace "${shownName(places.workspace)}" here: every call will say so until there is one. Those you have: bearings workspaces\n`,
    );
  const server: ServerOptions = {
    bearings,
    questions: openQuestions(),
    hasStandingWorkspace: options.workspace !== undefined,
    tools: (await (await bearings.settings()).offersRunTask()) ? [...TOOLS, runTaskTool] : TOOLS,
  };
  if (http) return serveHttp(server, port);
  // A person who starts it by hand would wait for nothing.
  if (process.stdin.isTTY)
    process.stderr.write(
      'This speaks MCP: it is meant for a client, not for a person. Ctrl-C ends it.\nTo set up a client: bearings install\n',
    );
  // Only the protocol goes to stdout.
  const { session } = serveClient(server, new StdioServerTransport(), () =>
    process.stderr.write(
      'bearings: a message of the client is none of MCP, or longer than 10 MB: nothing was done with it.\n',
    ),
  );
  // A signal, or an end in the middle of a call: what was proposed waits for the person, and the transcript says that it was cut off.
  process.once('exit', () => interruptClientSession(session, 'interrupted'));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(0));
  return 0;
}

/** One client on one transport: what it begins in one call goes on in the next, and ends with it. */
export function serveClient(server: ServerOptions, transport: Transport, onerror?: () => void) {
  const session = clientSession();
  const serving = serveStdio(() => createMcpServer({ ...server, clientSessionOf: session }), {
    transport,
    ...(onerror && { onerror }),
  });
  endWithTransport(server.bearings, session, transport);
  return { session, serving };
}

async function serveHttp(server: ServerOptions, port: number | undefined): Promise<number> {
  const { DEFAULT_PORT, openHttpServer } = await import('./http-server.ts');
  const create = (clientSessionOf: NonNullable<ServerOptions['clientSessionOf']>) =>
    createMcpServer({ ...server, clientSessionOf });
  const running = await openHttpServer({ bearings: server.bearings, create, port: port ?? DEFAULT_PORT });
  process.stdout.write(
    [
      `Serving MCP at ${running.url} on this machine only. Ctrl-C stops it.`,
      `A client sends the token from ${running.tokenPath}: Authorization: Bearer TOKEN`,
      '',
    ].join('\n'),
  );
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  await running.close();
  return 0;
}

export function parseServeOptions(args: string[]) {
  const text = { type: 'string' } as const;
  const options = { workspace: text, home: text, workspaces: text, tastes: text, port: text } as const;
  try {
    const { values } = parseArgs({
      args,
      options: { ...options, http: { type: 'boolean' }, 'no-color': { type: 'boolean' } },
    });
    const { port, http = false, 'no-color': _, ...places } = values;
    if (port !== undefined && !http) return '--port goes with --http.';
    if (port !== undefined && !(/^\d{1,5}$/.test(port) && Number(port) < 65_536))
      return '--port needs a number from 0 to 65535.';
    return { ...places, http, port: port === undefined ? undefined : Number(port) };
  } catch (error) {
    return argumentFault(error);
  }
}
