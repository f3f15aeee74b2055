// LangGraph's store for what outlasts a thread. The one in memory: those on a database have the same interface.
export async function openStore({ load }) {
  const { InMemoryStore } = await load('@langchain/langgraph');
  const stores = new Map();
  const storeOf = (folder) => {
    if (!stores.has(folder)) stores.set(folder, new InMemoryStore());
    return stores.get(folder);
  };
  const put =
    (namespace) =>
    async ({ folder, text, source }) => {
      await storeOf(folder).put(['person', namespace], 'one', { text, source });
      return 'stored';
    };
  return {
    remember: put('memories'),
    ship: null,
    log: put('log'),
    async next({ folder }) {
      const items = await storeOf(folder).search(['person']);
      const memory = items.map(({ value }) => value.text);
      return { memory, served: items.map((item) => ({ where: 'search', text: JSON.stringify(item) })) };
    },
  };
}
