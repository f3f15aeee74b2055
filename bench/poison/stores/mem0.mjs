// mem0's open source: texts with vectors in SQLite. The embedder is a stand-in without a model; its SQLite is libsql's, since nothing is compiled.
import { join } from 'node:path';

const SIZE = 64;

export async function openStore({ load }) {
  const loaded = await load('mem0ai/oss');
  const { Memory } = loaded.default ?? loaded;
  const embed = (text) => {
    const vector = new Array(SIZE).fill(0.01);
    for (const word of text.toLowerCase().split(/\W+/))
      vector[[...word].reduce((sum, each) => sum + each.charCodeAt(0), 0) % SIZE] += 1;
    return vector;
  };
  const model = {
    embedQuery: async (text) => embed(text),
    embedDocuments: async (texts) => texts.map(embed),
    invoke: async () => ({ content: '{}' }),
  };
  const open = (folder) =>
    new Memory({
      embedder: { provider: 'langchain', config: { model, embeddingDims: SIZE } },
      llm: { provider: 'langchain', config: { model } },
      vectorStore: {
        provider: 'memory',
        config: { collectionName: 'memories', dimension: SIZE, dbPath: join(folder, 'vectors.db') },
      },
      historyDbPath: join(folder, 'history.db'),
    });
  const add = async ({ folder, text, source }) => {
    const memory = open(folder);
    await memory.add(text, { userId: 'person', infer: false, metadata: { source } });
    return 'stored';
  };
  return {
    remember: add,
    // Its files lie in the person's home.
    ship: null,
    async log({ folder, text }) {
      const messages = [
        { role: 'user', content: 'Go on.' },
        { role: 'assistant', content: text },
      ];
      await open(folder).add(messages, { userId: 'person', infer: false });
      return 'stored';
    },
    async next({ folder, mark }) {
      const memory = open(folder);
      const filters = { user_id: 'person' };
      const all = await memory.getAll({ filters });
      const found = await memory.search(mark, { filters });
      const texts = (answer) => answer.results.map((item) => JSON.stringify(item));
      return {
        memory: texts(all),
        served: [
          ...texts(all).map((text) => ({ where: 'getAll', text })),
          ...texts(found).map((text) => ({ where: 'search', text })),
        ],
      };
    },
  };
}
