import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, type ClientOptions, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect } from 'vitest';
import { afterEachTest } from '../after-tests.ts';
import { type Answer, ownStdioServer, PATIENCE_MS, type Place, stdioServer } from '../process/binary.ts';

export type Reply = 'accept' | 'decline' | 'cancel' | 'silence';

export interface AskingClient {
  client: Client;
  /** Of a process of its own; else 0. */
  pid: number;
  /** Questions the person was shown. */
  asked: string[];
  call(tool: string, input?: Record<string, unknown>, signal?: AbortSignal): Promise<Answer>;
  /** A notes proposal; its id. */
  propose(content: string): Promise<string>;
}

export interface AskingOptions {
  era?: ClientOptions;
  name?: string;
  /** False: a client that can't ask anyone. */
  elicits?: boolean;
  reply?: Reply | ((message: string) => Promise<Reply>);
  /** What the person writes into the form beside a yes. */
  form?: Record<string, string>;
  args?: string[];
  /** A process of its own, which can be killed. */
  own?: boolean;
  /** Over HTTP to this server instead of a process of its own. */
  http?: { url: string; token: string } | undefined;
  /** Which kinds of questions the client can show; forms by default. */
  capabilities?: { form?: Record<string, never>; url?: Record<string, never> };
  onAsked?: (params: Record<string, unknown>) => void;
}

const open: Client[] = [];
afterEachTest(async () => {
  for (const client of open.splice(0)) await client.close();
});

// A real client with a person behind it, who gives the same reply to every question.
export async function askingClient(place: Place, options: AskingOptions = {}): Promise<AskingClient> {
  const {
    era = {},
    name = 'studio',
    elicits = true,
    reply = 'accept',
    args = [],
    capabilities = { form: {} },
  } = options;
  const client = new Client(
    { name, version: '1' },
    { ...era, capabilities: elicits ? { elicitation: capabilities } : {} },
  );
  const asked: string[] = [];
  if (elicits)
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      asked.push(params.message);
      options.onAsked?.(params as Record<string, unknown>);
      const action = typeof reply === 'function' ? await reply(params.message) : reply;
      return action === 'silence'
        ? new Promise<never>(() => undefined)
        : { action, ...(options.form && action === 'accept' ? { content: options.form } : {}) };
    });
  const own = options.own ? ownStdioServer(place, args) : null;
  await client.connect(own ?? (options.http ? overHttp(options.http) : stdioServer(place, args)));
  open.push(client);
  const call: AskingClient['call'] = async (tool, input = {}, signal) => {
    const how = { timeout: PATIENCE_MS, ...(signal ? { signal } : {}) };
    const result = await client.callTool({ name: tool, arguments: input }, how);
    const texts = result.content.map((block) => (block.type === 'text' ? block.text : ''));
    // M31: whatever the answer, no place of the disk is in it.
    for (const text of texts) expect(text).not.toContain(place.home);
    // L30: a bundle is shown as text; every other answer is the same in both forms.
    const isBundle = tool === 'load_context' && result.isError !== true;
    const value = isBundle ? (result.structuredContent as Record<string, unknown>) : parsed(texts[0] ?? '');
    if (result.isError !== true) expect(result.structuredContent).toEqual(value);
    return { isError: result.isError === true, texts, value, structured: result.structuredContent };
  };
  const propose = async (content: string): Promise<string> => {
    const { value } = await call('propose_notes_update', { image_id: 'manta', content });
    expect(value).toMatchObject({ status: 'pending', content });
    return String(value.proposal_id);
  };
  return { client, pid: own?.pid ?? 0, asked, call, propose };
}

function overHttp(server: { url: string; token: string }): StreamableHTTPClientTransport {
  return new StreamableHTTPClientTransport(new URL(server.url), {
    requestInit: { headers: { authorization: `Bearer ${server.token}` } },
  });
}

function parsed(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return {};
  }
}

/** Everything below a folder, by path from it: to see that nothing else was touched. */
export function filesBelow(folder: string): Record<string, string> {
  if (!existsSync(folder)) return {};
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(files.sort().map((path) => [path.slice(folder.length + 1), readFileSync(path, 'utf8')]));
}

/** Proposals that wait, by the files on disk. */
export function pendingBelow(folder: string): string[] {
  return Object.keys(filesBelow(folder))
    .filter((path) => /(?:^|\/)sessions\/[^/]+\/p_[0-9a-f]+\.json$/.test(path))
    .map((path) => path.replace(/.*\/|\.json$/g, ''));
}
