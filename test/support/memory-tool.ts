import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { shownOf } from '../../src/gate/proposals/proposal.ts';
import { openMemoryTool } from '../../src/memory-tool/memory-tool.ts';
import { afterEachTest } from './after-tests.ts';
import { openLibrary } from './open-library.ts';
import { put, tempFolder } from './temp-folder.ts';

/** A person with a workspace called billing. */
export function home(): string {
  const person = tempFolder();
  put(person, { '.bearings/workspaces/billing/brief.md': '# Billing\n' });
  return person;
}

export const toolIn = (person: string) =>
  openMemoryTool({ cwd: person, variables: { HOME: person }, workspace: 'billing' });

export async function acceptAll(person: string): Promise<number> {
  const gate = await openLibrary(person).gate();
  const waiting = await gate.listProposals({ id: 'billing' });
  for (const proposal of waiting)
    await gate.decide(shownOf(proposal), null, { decision: 'accept', via: 'review', client: null });
  return waiting.length;
}

/** A model that calls each tool in turn, then says that it is done. What the tools answered is kept, and each request. */
export async function scriptedModel(calls: readonly { name: string; input: object }[]) {
  const answers: string[] = [];
  const requests: string[] = [];
  let next = 0;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    requests.push(Buffer.concat(chunks).toString());
    const body = JSON.parse(requests.at(-1) ?? '') as { messages: { content: unknown }[] };
    const last = body.messages.at(-1)?.content;
    const results = Array.isArray(last) ? last.filter((part) => part.type === 'tool_result') : [];
    answers.push(...results.map(({ content }) => (typeof content === 'string' ? content : (content?.[0]?.text ?? ''))));
    const call = calls[next];
    next += 1;
    const content = call ? [{ type: 'tool_use', id: `call_${next}`, ...call }] : [{ type: 'text', text: 'done' }];
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({
        id: `msg_${next}`,
        type: 'message',
        role: 'assistant',
        model: 'scripted',
        content,
        stop_reason: call ? 'tool_use' : 'end_turn',
        stop_sequence: null,
        usage: { input_tokens: 1, output_tokens: 1 },
      }),
    );
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  afterEachTest(() => new Promise<void>((done) => void server.close(() => done())));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, answers, requests };
}
