import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAnthropic } from '@ai-sdk/anthropic';
import Anthropic from '@anthropic-ai/sdk';
import { betaMemoryTool } from '@anthropic-ai/sdk/helpers/beta/memory';
import { ChatAnthropic, tools } from '@langchain/anthropic';
import { type BaseMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { BaseStore, type Operation, type OperationResults } from '@langchain/langgraph-checkpoint';
import { generateText, stepCountIs, type ToolSet } from 'ai';
import { describe, expect, it } from 'vitest';
import { shownOf } from '../../src/gate/proposals/proposal.ts';
import type { MemoryCommand } from '../../src/memory-tool/commands.ts';
import { openMemoryTool } from '../../src/memory-tool/memory-tool.ts';
import { afterEachTest } from '../support/after-tests.ts';
import { openLibrary } from '../support/open-library.ts';
import { put, tempFolder } from '../support/temp-folder.ts';

const PATH = '/memories/ports.md';
const WRITES: MemoryCommand[] = [
  { command: 'create', path: PATH, file_text: 'The web server listens on 8080.' },
  { command: 'str_replace', path: PATH, old_str: '8080', new_str: '9090' },
  { command: 'insert', path: PATH, insert_line: 1, insert_text: 'The cache on 6379.' },
  { command: 'rename', old_path: PATH, new_path: '/memories/net.md' },
  { command: 'create', path: '/memories/draft.md', file_text: 'Not needed.' },
  { command: 'delete', path: '/memories/draft.md' },
  { command: 'view', path: '/memories/net.md' },
];
const READS: MemoryCommand[] = [{ command: 'view', path: '/memories/net.md' }];

type Tool = ReturnType<typeof openMemoryTool>;

// A model that calls the memory tool with each command in turn, then says that it is done. What the tool answered is kept.
async function scriptedModel(commands: readonly MemoryCommand[]) {
  const answers: string[] = [];
  let next = 0;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString()) as { messages: { content: unknown }[] };
    const last = body.messages.at(-1)?.content;
    const results = Array.isArray(last) ? last.filter((part) => part.type === 'tool_result') : [];
    answers.push(...results.map(({ content }) => (typeof content === 'string' ? content : (content?.[0]?.text ?? ''))));
    const command = commands[next];
    next += 1;
    const content = command
      ? [{ type: 'tool_use', id: `call_${next}`, name: 'memory', input: command }]
      : [{ type: 'text', text: 'done' }];
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({
        id: `msg_${next}`,
        type: 'message',
        role: 'assistant',
        model: 'scripted',
        content,
        stop_reason: command ? 'tool_use' : 'end_turn',
        stop_sequence: null,
        usage: { input_tokens: 1, output_tokens: 1 },
      }),
    );
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  afterEachTest(() => new Promise<void>((done) => void server.close(() => done())));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, answers };
}

const SDKS: Record<string, (url: string, tool: Tool) => Promise<unknown>> = {
  async "Anthropic's SDK"(url, tool) {
    const client = new Anthropic({ apiKey: 'none', baseURL: url });
    await client.beta.messages.toolRunner({
      model: 'scripted',
      max_tokens: 100,
      messages: [{ role: 'user', content: 'Go on.' }],
      tools: [betaMemoryTool(tool.handlers)],
    });
  },
  async 'the AI SDK'(url, tool) {
    const provider = createAnthropic({ apiKey: 'none', baseURL: `${url}/v1` });
    const memory = provider.tools.memory_20250818({ execute: (command) => tool.execute(command) });
    const model = provider('claude-sonnet-4-5');
    // Its types do not allow for `exactOptionalPropertyTypes`.
    const tools = { memory } as unknown as ToolSet;
    await generateText({ model, tools, stopWhen: stepCountIs(20), prompt: 'Go on.' });
  },
  async LangChain(url, tool) {
    const memory = tools.memory_20250818({ execute: (command) => tool.execute(command as MemoryCommand) });
    const model = new ChatAnthropic({ apiKey: 'none', anthropicApiUrl: url, model: 'scripted' }).bindTools([memory]);
    const messages: BaseMessage[] = [new HumanMessage('Go on.')];
    for (;;) {
      const answer = await model.invoke(messages);
      messages.push(answer);
      if (!answer.tool_calls?.length) return;
      for (const { id = '', args } of answer.tool_calls) {
        const content = await memory.invoke(args as MemoryCommand).catch((error: Error) => error.message);
        messages.push(new ToolMessage({ content: String(content), tool_call_id: id }));
      }
    }
  },
};

function home(): string {
  const person = tempFolder();
  put(person, { '.bearings/workspaces/billing/brief.md': '# Billing\n' });
  return person;
}

const toolIn = (person: string) => openMemoryTool({ cwd: person, variables: { HOME: person }, workspace: 'billing' });

async function acceptAll(person: string): Promise<number> {
  const gate = await openLibrary(person).gate();
  const waiting = await gate.listProposals({ id: 'billing' });
  for (const proposal of waiting)
    await gate.decide(shownOf(proposal), null, { decision: 'accept', via: 'review', client: null });
  return waiting.length;
}

async function sessionOf(
  person: string,
  sdk: (url: string, tool: Tool) => Promise<unknown>,
  commands: MemoryCommand[],
) {
  const model = await scriptedModel(commands);
  const tool = toolIn(person);
  await sdk(model.url, tool);
  await tool.end();
  return model.answers;
}

describe('M57 with the SDKs as they are', () => {
  for (const [name, sdk] of Object.entries(SDKS))
    it(`M57 ${name}: six commands, its own write read back, the next session only after the yes`, async () => {
      const person = home();
      const answers = await sessionOf(person, sdk, WRITES);
      expect(answers).toHaveLength(WRITES.length);
      expect(answers.at(-1)).toContain('The web server listens on 9090.\n     2\tThe cache on 6379.');
      expect((await sessionOf(person, sdk, READS))[0]).toContain('does not exist');
      expect(await acceptAll(person)).toBe(1);
      expect((await sessionOf(person, sdk, READS))[0]).toContain('The cache on 6379.');
    });

  it('M57 a LangGraph store: what is put waits, is seen by its session and by the others after the yes', async () => {
    class MemoryStore extends BaseStore {
      readonly #tool: Tool;
      constructor(tool: Tool) {
        super();
        this.#tool = tool;
      }
      batch<Op extends Operation[]>(operations: Op) {
        return this.#tool.batch(operations) as Promise<OperationResults<Op>>;
      }
    }
    const person = home();
    const store = new MemoryStore(toolIn(person));
    await store.put(['users', 'ada:1', 'prefs'], 'editor', { name: 'vim', tabs: 2 });
    await store.put(['users', 'ada:1', 'prefs'], 'shell', { name: 'fish', tabs: 4 });
    await store.put(['users', 'ada:1', 'prefs'], 'editor', { name: 'helix', tabs: 2 });
    expect((await store.get(['users', 'ada:1', 'prefs'], 'editor'))?.value).toEqual({ name: 'helix', tabs: 2 });
    const next = new MemoryStore(toolIn(person));
    expect(await next.search(['users'])).toEqual([]);
    expect(await acceptAll(person)).toBe(2);
    const found = await next.search(['users', 'ada:1'], { filter: { tabs: { $gte: 3 } } });
    expect(found.map(({ key, value, namespace }) => [key, value, namespace])).toEqual([
      ['shell', { name: 'fish', tabs: 4 }, ['users', 'ada:1', 'prefs']],
    ]);
    expect((await next.search(['users'], { query: 'helix editor', limit: 1 }))[0]?.key).toBe('editor');
    expect(await next.listNamespaces({ prefix: ['users'], maxDepth: 2 })).toEqual([['users', 'ada:1']]);
    await next.delete(['users', 'ada:1', 'prefs'], 'shell');
    expect(await next.get(['users', 'ada:1', 'prefs'], 'shell')).toBeNull();
    expect(await acceptAll(person)).toBe(1);
    expect(await new MemoryStore(toolIn(person)).search(['users'])).toHaveLength(1);
  });
});
