import { createAnthropic } from '@ai-sdk/anthropic';
import Anthropic from '@anthropic-ai/sdk';
import { betaMemoryTool } from '@anthropic-ai/sdk/helpers/beta/memory';
import { ChatAnthropic, tools } from '@langchain/anthropic';
import { type BaseMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { BaseStore, InMemoryStore, type Operation, type OperationResults } from '@langchain/langgraph-checkpoint';
import { generateText, stepCountIs, type ToolSet } from 'ai';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MemoryCommand } from '../../src/memory-tool/commands.ts';
import { effort } from '../support/effort.ts';
import { acceptAll, home, scriptedModel, toolIn } from '../support/memory-tool.ts';

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

type Tool = ReturnType<typeof toolIn>;

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

async function sessionOf(
  person: string,
  sdk: (url: string, tool: Tool) => Promise<unknown>,
  commands: MemoryCommand[],
) {
  const model = await scriptedModel(commands.map((input) => ({ name: 'memory', input })));
  const tool = toolIn(person);
  await sdk(model.url, tool);
  await tool.end();
  return model.answers;
}

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

  it('M57 a LangGraph store gives what LangGraph’s own store in memory gives, and holds what comes at once', async () => {
    const label = fc.constantFrom('users', 'ada@x', 'Ä ö', '=41', '_=', 'a/b', '__proto__');
    const namespace = fc.array(label, { minLength: 1, maxLength: 2 });
    const key = fc.constantFrom('k', '../x', 'a.json', '日本', 'con', '=', ' ');
    const value = fc.record({
      n: fc.nat(3),
      text: fc.constantFrom('', '# Head', '## /memories/notes.md', '\n\n', '```'),
    });
    const filter = fc.constantFrom({ n: 1 }, { n: { $gte: 2 } }, { n: { $in: [0, 3] } }, { n: { $nin: [1] } }, {});
    const puts = fc.array(fc.record({ namespace, key, value: fc.option(value) }), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(puts, namespace, filter, async (operations, prefix, filter) => {
        const [ours, theirs] = [new MemoryStore(toolIn(home())), new InMemoryStore()];
        for (const { namespace, key, value } of operations)
          for (const store of [ours, theirs])
            await (value === null ? store.delete(namespace, key) : store.put(namespace, key, value));
        for (const { namespace, key } of operations)
          expect((await ours.get(namespace, key))?.value).toEqual((await theirs.get(namespace, key))?.value);
        const all = async (store: BaseStore) =>
          (await store.search(prefix, { filter, limit: 100 })).map((item) => JSON.stringify(item.value)).sort();
        expect(await all(ours)).toEqual(await all(theirs));
        const batch = operations.map(({ namespace, key }) => ({ namespace, key }));
        expect((await ours.batch(batch)).map((item) => item?.value)).toEqual(
          (await theirs.batch(batch)).map((item) => item?.value),
        );
      }),
      { numRuns: effort(300, 10) },
    );
    const store = new MemoryStore(toolIn(home()));
    const start = Date.now();
    await Promise.all([0, 1, 2, 3].map((n) => store.put(['a'], 'k', { n })));
    const item = await store.get(['a'], 'k');
    expect(item?.value).toEqual({ n: 3 });
    expect(item?.updatedAt.getTime()).toBeGreaterThanOrEqual(start);
    for (const bad of [[1], 'text', { n: 1n }])
      await expect(store.put(['a'], 'k', bad as never)).rejects.toThrow('JSON');
  });
});
