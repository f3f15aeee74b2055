import { join } from '../files/paths.ts';
import { readText } from '../files/read-file.ts';
import type { Project } from '../project/io/open-project.ts';
import { parseYamlTree, type YamlTree } from '../settings/io/yaml-tree.ts';
import type { TreeProblem } from '../settings/tree-reader.ts';
import { type AdapterConfig, readAdapterFile } from './policy/adapter-definitions.ts';
import { extendPolicy } from './policy/extend-policy.ts';
import { type Policy, readPolicy } from './policy/policy.ts';

export const ADAPTERS_FILE = 'adapters.yaml';
const MAX_CHARS = 1024 * 1024;

// Null when there is no such file in the project.
export async function readPolicyFile(
  project: Project,
  path: string,
): Promise<{ policy: Policy | null; problems: TreeProblem[] } | null> {
  const file = project.readPolicy(path);
  if (file.status === 'missing') return null;
  const { tree, problems } = await (file.status === 'ok' ? treeOf(file.value) : unread(file.reason));
  if (tree === null) return { policy: null, problems };
  const read = readPolicy(tree);
  return { policy: read.problems.length === 0 ? extendPolicy(read.written) : null, problems: read.problems };
}

// The person's own adapters, in the home. No file is no adapter.
export async function readHomeAdapters(home: string): Promise<{ adapters: AdapterConfig[]; problems: TreeProblem[] }> {
  const file = readText(join(home, ADAPTERS_FILE), null);
  if (file.status === 'missing') return { adapters: [], problems: [] };
  const { tree, problems } = await (file.status === 'unreadable'
    ? unread(file.reason)
    : file.value.valid
      ? treeOf(file.value.text)
      : broken('the file is not UTF-8 text'));
  return tree === null ? { adapters: [], problems } : readAdapterFile(tree);
}

function treeOf(text: string): Promise<YamlTree> | YamlTree {
  return text.length > MAX_CHARS ? broken('the file is larger than 1 MiB') : parseYamlTree(text);
}

function unread(reason: string): YamlTree {
  return broken(`the file can't be read: ${reason}`);
}

function broken(message: string): YamlTree {
  return { tree: null, problems: [{ line: 1, column: 1, message }] };
}
