import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll } from 'vitest';

export interface EchoModel {
  url: string;
  /** What was asked for, by the name that the caller gives each call. */
  calls: Map<string, number>;
  /** The most calls that were under way at the same time. */
  most(): number;
  delayMs: number;
  /** From now on nothing is answered until the function that this gives is called. */
  hold(): () => void;
  config: string;
}

// A model that always says the same to the same prompt, over a real connection. It refuses prompts with the word "refuse", and is long where it is asked to tell "at length".
export async function echoModel(delayMs = 0): Promise<EchoModel> {
  const calls = new Map<string, number>();
  let [under, most] = [0, 0];
  let held: Promise<void> | undefined;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString('utf8');
    const name = String(request.headers['idempotency-key'] ?? '');
    calls.set(name, (calls.get(name) ?? 0) + 1);
    under += 1;
    most = Math.max(most, under);
    await new Promise((done) => setTimeout(done, echo.delayMs));
    await held;
    under -= 1;
    const prompt = promptOf(JSON.parse(body) as { messages: { content: string | { text: string }[] }[] });
    if (prompt.includes('refuse')) {
      response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":{"message":"no"}}');
      return;
    }
    const hash = createHash('sha256').update(prompt).digest('hex');
    // What asks for JSON gets a judgement that is good now and then.
    const text = prompt.includes('Put the answer under "answer"')
      ? JSON.stringify({ answer: { success: hash < '6' }, notes: `noted ${hash.slice(12, 20)}` })
      : `answer ${hash.slice(0, 12)}${prompt.includes('at length') ? ' and on'.repeat(4_000) : ''}\n<notes>noted ${hash.slice(12, 20)}</notes>`;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const say = (delta: object, finish: string | null): void => {
      const choices = [{ index: 0, delta, finish_reason: finish }];
      response.write(`data: ${JSON.stringify({ id: '1', object: 'chat.completion.chunk', choices })}\n\n`);
    };
    say({ role: 'assistant', content: text }, null);
    say({}, 'stop');
    response.end('data: [DONE]\n\n');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  const config = `models:\n  echo:\n    provider: openai-compatible\n    model: echo\n    base_url: ${url}\n`;
  const hold = () => {
    let letGo = () => {};
    held = new Promise((done) => {
      letGo = done;
    });
    return letGo;
  };
  const echo: EchoModel = { url, calls, most: () => most, delayMs, hold, config };
  return echo;
}

function promptOf({ messages }: { messages: { content: string | { text: string }[] }[] }): string {
  const content = messages.at(-1)?.content ?? '';
  return typeof content === 'string' ? content : content.map(({ text }) => text).join('');
}
