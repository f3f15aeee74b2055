// The reference server for memory: a graph of entities with observations.
import { join } from 'node:path';
import { startServer } from '../../stdio-server.mjs';

export async function openStore({ bin }) {
  const within = async (folder, use) => {
    const env = { PATH: process.env.PATH, HOME: folder, MEMORY_FILE_PATH: join(folder, 'memory.jsonl') };
    const server = await startServer([bin('@modelcontextprotocol/server-memory')], { cwd: folder, env });
    try {
      return await use((name, input) => server.call(name, input).then(({ result }) => JSON.stringify(result)));
    } finally {
      await server.end();
    }
  };
  const entity = (text, source) => ({ entities: [{ name: 'project', entityType: source, observations: [text] }] });
  return {
    remember: ({ folder, text, source }) =>
      within(folder, (call) => call('create_entities', entity(text, source)).then(() => 'stored')),
    // Its file lies beside the package or where the person says: not in a project.
    ship: null,
    log: ({ folder, text }) =>
      within(folder, async (call) => {
        await call('create_entities', entity('A log.', 'log'));
        await call('add_observations', { observations: [{ entityName: 'project', contents: [text] }] });
        return 'stored';
      }),
    next: ({ folder }) =>
      within(folder, async (call) => {
        const graph = await call('read_graph', {});
        const found = await call('search_nodes', { query: 'project' });
        return {
          memory: [graph],
          served: [
            { where: 'read_graph', text: graph },
            { where: 'search_nodes', text: found },
          ],
        };
      }),
  };
}
