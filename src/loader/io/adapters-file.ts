import { join } from 'node:path';
import { readText } from '../../files/read-text.ts';
import { parseYamlTree } from '../../settings/io/yaml-tree.ts';
import type { TreeProblem } from '../../settings/tree-reader.ts';
import type { AdapterConfig } from '../policy/adapter-definitions.ts';
import { readAdapterFile } from '../policy/adapter-definitions.ts';

export const ADAPTERS_FILE = 'adapters.yaml';
const MAX_CHARS = 1024 * 1024;

// The person's own adapters, in the home. No file is no adapter.
export async function readHomeAdapters(home: string): Promise<{ adapters: AdapterConfig[]; problems: TreeProblem[] }> {
  const broken = (message: string) => ({ adapters: [], problems: [{ line: 1, column: 1, message }] });
  const file = readText(join(home, ADAPTERS_FILE), null);
  if (file.status === 'missing') return { adapters: [], problems: [] };
  if (file.status === 'unreadable') return broken(`the file can't be read: ${file.reason}`);
  if (!file.value.valid) return broken('the file is not UTF-8 text');
  if (file.value.text.length > MAX_CHARS) return broken('the file is larger than 1 MiB');
  const { tree, problems } = await parseYamlTree(file.value.text);
  return tree === null ? { adapters: [], problems } : readAdapterFile(tree);
}
