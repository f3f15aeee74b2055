// A memory without any gate: a list in a file. What the harness says of it is what it must be able to say.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const pathIn = (folder) => join(folder, 'memory.json');
const read = (folder) => (existsSync(pathIn(folder)) ? JSON.parse(readFileSync(pathIn(folder), 'utf8')) : []);
const add = async ({ folder, text }) => {
  writeFileSync(pathIn(folder), JSON.stringify([...read(folder), text]));
  return 'stored';
};

export const openStore = async () => ({
  remember: add,
  ship: add,
  log: add,
  async next({ folder }) {
    const memory = read(folder);
    return { memory, served: [{ where: 'memory', text: `What you remember:\n${memory.join('\n')}` }] };
  },
});
