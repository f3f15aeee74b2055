import type { Client, ClientOptions, Transport } from '@modelcontextprotocol/client';
import { programVariables, type RunningProgram, startProgram } from '../../files/run-program.ts';
import { traced, traceMeta } from '../../settings/io/tracing.ts';
import type { McpAdapter } from '../policy/adapter-definitions.ts';
import {
  type AdapterFolder,
  cantStart,
  type Payload,
  parsePayloadBytes,
  parsePayloadText,
  plainPayload,
  tooLarge,
  tooSlow,
} from './adapter-command.ts';

type Answer = { structuredContent?: unknown; content?: unknown; contents?: unknown; isError?: boolean | undefined };

// One question to an MCP server that is started for it and ended with it.
export async function mcpPayload(config: McpAdapter, place: AdapterFolder): Promise<Payload> {
  const running: RunningProgram[] = [];
  let timer: NodeJS.Timeout | undefined;
  let failed: string | null = null;
  const limit = new Promise<Payload>((resolve) => {
    timer = setTimeout(() => resolve({ status: 'bad', reason: tooSlow(config.timeout_ms) }), config.timeout_ms);
  });
  const asked = ask(config, place.version, () => {
    const program = startProgram({
      command: config.command,
      cwd: place.root,
      variables: programVariables(config.env ?? [], place.variables, place.root),
      input: 'open',
    });
    running.push(program);
    return lineTransport(program, {
      maxBytes: config.max_bytes,
      fail: (reason) => {
        failed ??= reason;
      },
    });
  }).catch((): Payload => ({ status: 'bad', reason: failed ?? 'its server gave no valid answer' }));
  try {
    return await Promise.race([asked, limit]);
  } finally {
    clearTimeout(timer);
    for (const program of running) program.stop();
  }
}

async function ask(config: McpAdapter, version: string, open: () => Transport): Promise<Payload> {
  const { Client } = await import('@modelcontextprotocol/client');
  const request = { timeout: config.timeout_ms };
  const connected = async (options: ClientOptions): Promise<Client> => {
    const client = new Client({ name: 'bearings', version }, options);
    await client.connect(open(), request);
    return client;
  };
  // Most servers know the handshake of 2025. One that refuses it is asked again in the 2026 way; one that keeps silent is not
  // waited for twice.
  const client = await connected({}).catch((error: unknown) => {
    if (isRefusal(error)) return connected(MODERN);
    throw error;
  });
  const { tool, resource } = config;
  const method = resource === undefined ? 'tools/call' : 'resources/read';
  const facts = () => ({
    ...{ 'mcp.method.name': method, 'gen_ai.tool.name': tool, 'network.transport': 'pipe' },
    'gen_ai.operation.name': tool === undefined ? undefined : 'execute_tool',
  });
  const name = tool === undefined ? method : `${method} ${tool}`;
  const answer = await traced({ name, kind: 'client', facts }, async (): Promise<Answer> => {
    // The server's own spans then belong to the same trace.
    const meta = await traceMeta();
    const _meta = Object.keys(meta).length === 0 ? {} : { _meta: meta };
    return resource === undefined
      ? client.callTool({ name: tool ?? '', arguments: config.arguments ?? {}, ..._meta }, request)
      : client.readResource({ uri: resource, ..._meta }, request);
  });
  return payloadOf(answer);
}

const MODERN: ClientOptions = { versionNegotiation: { mode: { pin: '2026-07-28' } } };

// An answer of the server that says no, not a line that broke.
function isRefusal(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'number';
}

// A tool's structure, else the first text; a resource's first content.
function payloadOf({ isError, structuredContent, content, contents }: Answer): Payload {
  if (isError) return { status: 'bad', reason: 'its tool reported an error' };
  if (structuredContent !== undefined) return plainPayload(structuredContent);
  const blocks = [content, contents].flat().filter((block) => typeof block === 'object' && block !== null);
  for (const block of blocks as { text?: unknown; blob?: unknown }[]) {
    if (typeof block.text === 'string') return parsePayloadText(block.text);
    if (typeof block.blob === 'string') return parsePayloadBytes(Buffer.from(block.blob, 'base64'));
  }
  return { status: 'bad', reason: 'it returned nothing' };
}

// Messages as lines, over a program that ends with all it started; the SDK's own transport ends only the first process.
function lineTransport(
  { child, stop }: RunningProgram,
  { maxBytes, fail }: { maxBytes: number; fail(reason: string): void },
): Transport {
  let rest: Buffer[] = [];
  let size = 0;
  const transport: Transport = {
    async start() {
      child.on('error', (error) => {
        fail(cantStart(error));
        transport.onclose?.();
      });
      child.on('exit', () => {
        fail('its server ended before it answered');
      });
      child.on('close', () => transport.onclose?.());
      child.stdout?.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size > maxBytes) {
          fail(tooLarge(maxBytes));
          stop();
          transport.onclose?.();
          return;
        }
        rest.push(chunk);
        if (!chunk.includes('\n')) return;
        const whole = Buffer.concat(rest);
        const end = whole.lastIndexOf('\n');
        rest = [whole.subarray(end + 1)];
        for (const line of whole.toString('latin1', 0, end).split('\n')) receive(Buffer.from(line, 'latin1'));
      });
    },
    async send(message) {
      child.stdin?.write(`${JSON.stringify(message)}\n`);
    },
    async close() {
      stop();
      transport.onclose?.();
    },
  };
  const receive = (line: Buffer): void => {
    const message = parsePayloadBytes(line);
    if (message.status === 'ok') transport.onmessage?.(message.value as Parameters<typeof transport.send>[0]);
    else if (line.some((byte) => byte > 0x20)) {
      fail(message.reason);
      transport.onerror?.(new Error(message.reason));
    }
  };
  return transport;
}
