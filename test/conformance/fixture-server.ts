// The server that the conformance suite meets: our factory, our HTTP server, our guard; only the tools, prompts and
// resources have the suite's names. A small door in front shows the token, because the suite can't.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  completable,
  type GetPromptResult,
  inputRequired,
  inputResponse,
  type McpServer,
  ResourceTemplate,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { openRooms } from '../../src/bearings.ts';
import { openHttpServer } from '../../src/mcp/http-server.ts';
import { openQuestions } from '../../src/mcp/open-questions.ts';
import { createMcpServer } from '../../src/mcp/server.ts';
import { PIXEL } from './fixture-media.ts';
import { FIXTURE_TOOLS } from './fixture-tools.ts';

const home = mkdtempSync(join(tmpdir(), 'bearings-conformance-'));
const bearings = openRooms({ cwd: home, variables: { HOME: home } });
const questions = openQuestions();
const server = await openHttpServer({
  bearings,
  port: 0,
  create: (clientSessionOf) => {
    const made = createMcpServer({
      bearings,
      questions,
      hasStandingWorkspace: true,
      clientSessionOf,
      tools: FIXTURE_TOOLS,
    });
    addResources(made);
    addPrompts(made);
    return made;
  },
});
const door = openBrowser(readFileSync(join(home, '.bearings/mcp-token'), 'utf8').trim());
process.once('SIGTERM', async () => {
  door.close();
  door.closeAllConnections();
  await server.close();
  rmSync(home, { recursive: true, force: true });
  process.exit(0);
});

function addResources(made: McpServer): void {
  const text = { description: 'A text', mimeType: 'text/plain' };
  made.registerResource('static-text', 'test://static-text', text, async (uri) => ({
    contents: [{ uri: uri.href, mimeType: 'text/plain', text: 'This is the content of the static text resource.' }],
  }));
  const image = { description: 'An image', mimeType: 'image/png' };
  made.registerResource('static-binary', 'test://static-binary', image, async (uri) => ({
    contents: [{ uri: uri.href, mimeType: 'image/png', blob: PIXEL }],
  }));
  const template = new ResourceTemplate('test://template/{id}/data', { list: undefined });
  const data = { description: 'Data by id', mimeType: 'application/json' };
  made.registerResource('template', template, data, async (uri, { id }) => ({
    contents: [
      {
        uri: uri.href,
        mimeType: 'application/json',
        text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
      },
    ],
  }));
}

function addPrompts(made: McpServer): void {
  const says = (...contents: GetPromptResult['messages'][number]['content'][]): GetPromptResult => ({
    messages: contents.map((content) => ({ role: 'user', content })),
  });
  const about = (name: string) => ({ description: `Fixture of the conformance suite: ${name}.` });
  made.registerPrompt('test_simple_prompt', about('simple'), async () =>
    says({ type: 'text', text: 'This is a simple prompt for testing.' }),
  );
  const word = completable(z.string(), (value) => ['paris', 'park', 'party'].filter((each) => each.startsWith(value)));
  made.registerPrompt(
    'test_prompt_with_arguments',
    { ...about('arguments'), argsSchema: z.object({ arg1: word, arg2: z.string() }) },
    async ({ arg1, arg2 }) => says({ type: 'text', text: `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'` }),
  );
  made.registerPrompt(
    'test_prompt_with_embedded_resource',
    { ...about('resource'), argsSchema: z.object({ resourceUri: z.string() }) },
    async ({ resourceUri: uri }) =>
      says(
        {
          type: 'resource',
          resource: { uri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' },
        },
        { type: 'text', text: 'Please process the embedded resource above.' },
      ),
  );
  made.registerPrompt('test_prompt_with_image', about('image'), async () =>
    says(
      { type: 'image', data: PIXEL, mimeType: 'image/png' },
      { type: 'text', text: 'Please analyze the image above.' },
    ),
  );
  made.registerPrompt('test_input_required_result_prompt', about('a question'), async ({ mcpReq }) => {
    const response = inputResponse(mcpReq.inputResponses, 'user_context');
    if (response.kind === 'elicit') return says({ type: 'text', text: `Context: ${response.content?.context}` });
    const context = { type: 'string' as const };
    const requestedSchema = { type: 'object' as const, properties: { context }, required: ['context'] };
    const message = 'What context should the prompt use?';
    return inputRequired({ inputRequests: { user_context: inputRequired.elicit({ message, requestedSchema }) } });
  });
}

// Shows the token, and names our port where the door's own was meant. What claims another Host or Origin keeps it.
function openBrowser(token: string) {
  const opened = createServer((incoming, outgoing) => {
    const own = (opened.address() as AddressInfo).port;
    const ours = (value: string | undefined) => value?.replace(new RegExp(`:${own}$`), `:${server.port}`);
    const headers = { ...incoming.headers, authorization: `Bearer ${token}`, host: ours(incoming.headers.host) };
    const { origin } = incoming.headers;
    const { method, url: path } = incoming;
    const passed = request(
      {
        host: '127.0.0.1',
        port: server.port,
        method,
        path,
        headers: { ...headers, ...(origin ? { origin: ours(origin) } : {}) },
      },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
        outgoing.flushHeaders();
        answer.pipe(outgoing);
      },
    );
    passed.on('error', () => outgoing.destroy());
    outgoing.on('close', () => passed.destroy());
    incoming.pipe(passed);
  });
  opened.listen(0, '127.0.0.1', () => console.log(`http://localhost:${(opened.address() as AddressInfo).port}/mcp`));
  return opened;
}
