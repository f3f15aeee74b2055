import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { afterEachTest } from '../after-tests.ts';

/** What the server does with one call. */
export type Behaviour =
  | { kind: 'answer'; text: string; delayMs?: number; finish?: 'stop' | 'length' | 'content_filter' }
  | { kind: 'status'; status: number; headers?: Record<string, string>; body?: string }
  | { kind: 'cut'; after: string }
  | { kind: 'ends early'; after: string }
  | { kind: 'malformed' }
  | { kind: 'not a stream'; body: string }
  | { kind: 'silence' }
  | { kind: 'endless' }
  | { kind: 'redirect'; to: string };

export interface SeenCall {
  path: string;
  headers: IncomingMessage['headers'];
  body: Record<string, unknown>;
  /** The text of the prompt, whatever the protocol calls it. */
  prompt: string;
  at: number;
}

export interface ModelServer {
  url: string;
  calls: SeenCall[];
  close(): Promise<void>;
}

const open: ModelServer[] = [];
afterEachTest(async () => {
  for (const server of open.splice(0)) await server.close();
});

// A real server on loopback that speaks the streams of Anthropic (/messages), OpenAI (/responses) and the many that
// follow its older interface (/chat/completions).
export async function modelServer(behave: (call: SeenCall, count: number) => Behaviour): Promise<ModelServer> {
  const calls: SeenCall[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString('utf8') || '{}') as Record<string, unknown>;
    const path = request.url ?? '';
    const call = { path, headers: request.headers, body, prompt: promptOf(body), at: Date.now() };
    calls.push(call);
    await respond(response, path, behave(call, calls.length));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  const made = {
    url: `http://127.0.0.1:${port}/v1`,
    calls,
    close: () =>
      new Promise<void>((done) => {
        server.closeAllConnections();
        server.close(() => done());
      }),
  };
  open.push(made);
  return made;
}

async function respond(response: ServerResponse, path: string, behaviour: Behaviour): Promise<void> {
  const wire = path.endsWith('/messages') ? anthropic : path.endsWith('/responses') ? responses : chat;
  switch (behaviour.kind) {
    case 'status':
      response.writeHead(behaviour.status, { 'content-type': 'application/json', ...behaviour.headers });
      response.end(behaviour.body ?? '{"error":{"message":"no","type":"error"}}');
      return;
    case 'redirect':
      response.writeHead(307, { location: behaviour.to }).end();
      return;
    case 'not a stream':
      response.writeHead(200, { 'content-type': 'application/json' }).end(behaviour.body);
      return;
    case 'silence':
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
      return;
    case 'malformed':
      begin(response);
      response.end('data: {"half": \n\n');
      return;
    case 'cut':
      begin(response);
      for (const event of wire.text(behaviour.after)) response.write(event);
      setTimeout(() => response.destroy(), 20);
      return;
    case 'ends early':
      begin(response);
      for (const event of wire.text(behaviour.after)) response.write(event);
      response.end();
      return;
    case 'endless': {
      begin(response);
      const [first = '', ...rest] = wire.text('word '.repeat(20_000));
      // As fast as it is read: what piles up unread slowed both ends of it down on a busy machine.
      const events = function* () {
        yield first;
        for (;;) yield* rest;
      };
      await pipeline(Readable.from(events()), response).catch(() => undefined);
      return;
    }
    case 'answer': {
      if (behaviour.delayMs) await new Promise((done) => setTimeout(done, behaviour.delayMs));
      begin(response);
      // In pieces, some of them in the middle of a character's bytes.
      const bytes = Buffer.from([...wire.text(behaviour.text), ...wire.end(behaviour.finish ?? 'stop')].join(''));
      for (let at = 0; at < bytes.length; at += 701) response.write(bytes.subarray(at, at + 701));
      response.end();
    }
  }
}

function begin(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
}

interface Wire {
  text(text: string): string[];
  end(finish: string): string[];
}

const named = (type: string, value: object): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...value })}\n\n`;
const data = (value: object): string => `data: ${JSON.stringify(value)}\n\n`;
const pieces = (text: string): string[] => text.match(/[\s\S]{1,40}/gu) ?? [];

const anthropic: Wire = {
  text: (text) => [
    named('message_start', {
      message: {
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        model: 'm',
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { input_tokens: 7, output_tokens: 1 },
      },
    }),
    named('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
    ...pieces(text).map((part) =>
      named('content_block_delta', { index: 0, delta: { type: 'text_delta', text: part } }),
    ),
  ],
  end: (finish) => [
    named('content_block_stop', { index: 0 }),
    named('message_delta', {
      delta: {
        stop_reason: finish === 'length' ? 'max_tokens' : finish === 'content_filter' ? 'refusal' : 'end_turn',
        stop_sequence: null,
      },
      usage: { output_tokens: 11 },
    }),
    named('message_stop', {}),
  ],
};

const chunk = (delta: object, finish: string | null): string =>
  data({
    id: 'c1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm',
    choices: [{ index: 0, delta, finish_reason: finish }],
  });
const chat: Wire = {
  text: (text) => [
    chunk({ role: 'assistant', content: '' }, null),
    ...pieces(text).map((content) => chunk({ content }, null)),
  ],
  end: (finish) => [
    chunk({}, finish),
    data({
      id: 'c1',
      object: 'chat.completion.chunk',
      created: 1,
      model: 'm',
      choices: [],
      usage: { prompt_tokens: 7, completion_tokens: 11, total_tokens: 18 },
    }),
    'data: [DONE]\n\n',
  ],
};

const responses: Wire = {
  text: (text) => [
    named('response.created', { response: { id: 'r1', created_at: 1, model: 'm' } }),
    named('response.output_item.added', { output_index: 0, item: { type: 'message', id: 'i1' } }),
    ...pieces(text).map((delta) => named('response.output_text.delta', { item_id: 'i1', delta })),
  ],
  end: (finish) => [
    named('response.output_item.done', { output_index: 0, item: { type: 'message', id: 'i1' } }),
    finish === 'stop'
      ? named('response.completed', { response: { usage: { input_tokens: 7, output_tokens: 11 } } })
      : named('response.incomplete', {
          response: {
            incomplete_details: { reason: finish === 'length' ? 'max_output_tokens' : 'content_filter' },
            usage: { input_tokens: 7, output_tokens: 11 },
          },
        }),
  ],
};

function promptOf(body: Record<string, unknown>): string {
  const texts: string[] = [];
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, part] of Object.entries(value))
      if ((key === 'text' || key === 'content') && typeof part === 'string') texts.push(part);
      else visit(part);
  };
  visit(body.messages ?? body.input);
  return texts.join('\n');
}
