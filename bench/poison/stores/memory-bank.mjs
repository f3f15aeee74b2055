// Markdown files by project over MCP: on npm the nearest to basic-memory, which is a Python package.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { startServer } from '../../stdio-server.mjs';

export async function openStore({ bin }) {
  const within = async (folder, use) => {
    const root = join(folder, 'bank');
    mkdirSync(root, { recursive: true });
    const env = { PATH: process.env.PATH, HOME: folder, MEMORY_BANK_ROOT: root };
    const server = await startServer([bin('@allpepper/memory-bank-mcp')], { cwd: folder, env });
    try {
      return await use((name, input) => server.call(name, input).then(({ result }) => JSON.stringify(result)));
    } finally {
      await server.end();
    }
  };
  const write =
    (fileName) =>
    ({ folder, text }) =>
      within(folder, (call) => call('memory_bank_write', { projectName: 'project', fileName, content: text }));
  return {
    remember: write('activeContext.md'),
    // Its root is where the person says: not in a project.
    ship: null,
    log: write('progress.md'),
    next: ({ folder }) =>
      within(folder, async (call) => {
        const texts = [];
        for (const fileName of ['activeContext.md', 'progress.md'])
          texts.push(await call('memory_bank_read', { projectName: 'project', fileName }).catch(() => ''));
        return { memory: texts, served: texts.map((text) => ({ where: 'memory_bank_read', text })) };
      }),
  };
}
