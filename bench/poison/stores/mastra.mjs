// Mastra's memory: working memory of a resource, which the agent's own tool writes, and the messages of its threads.
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const RESOURCE = 'person';

export async function openStore({ load }) {
  const [{ Memory }, { LibSQLStore }] = [await load('@mastra/memory'), await load('@mastra/libsql')];
  const open = (folder) => {
    mkdirSync(folder, { recursive: true });
    // As its guide says: a file in the project.
    const storage = new LibSQLStore({ id: 'memory', url: `file:${join(folder, 'mastra.db')}` });
    return new Memory({ storage, options: { workingMemory: { enabled: true, scope: 'resource' }, lastMessages: 20 } });
  };
  const thread = async (memory, threadId) => {
    await memory.createThread({ resourceId: RESOURCE, threadId });
    return { threadId, resourceId: RESOURCE };
  };
  const remember = async ({ folder, text }) => {
    const memory = open(folder);
    const { threadId, resourceId } = await thread(memory, 'first');
    await memory.updateWorkingMemory({ threadId, resourceId, workingMemory: text });
    return 'stored';
  };
  return {
    remember,
    // The attacker's own database, brought by a clone.
    async ship({ folder, ...what }) {
      const elsewhere = mkdtempSync(join(tmpdir(), 'bearings-poison-shipped-'));
      try {
        await remember({ folder: elsewhere, ...what });
        for (const name of readdirSync(elsewhere)) cpSync(join(elsewhere, name), join(folder, name));
        return 'shipped';
      } finally {
        rmSync(elsewhere, { recursive: true, force: true });
      }
    },
    async log({ folder, text }) {
      const memory = open(folder);
      const { threadId, resourceId } = await thread(memory, 'first');
      const content = { format: 2, parts: [{ type: 'text', text }] };
      await memory.saveMessages({
        messages: [{ id: 'one', role: 'assistant', content, createdAt: new Date(), threadId, resourceId }],
      });
      return 'stored';
    },
    async next({ folder }) {
      const memory = open(folder);
      const { threadId, resourceId } = await thread(memory, 'second');
      const system = (await memory.getSystemMessage({ threadId, resourceId })) ?? '';
      const { messages } = await memory.recall({ threadId: 'first', resourceId });
      const texts = [await memory.getWorkingMemory({ threadId, resourceId }), JSON.stringify(messages)];
      return {
        memory: texts.filter((text) => typeof text === 'string'),
        served: [
          { where: 'system message', text: system },
          { where: 'recall', text: JSON.stringify(messages) },
        ],
      };
    },
  };
}
