import type { Project } from '../../project/io/open-project.ts';
import { parseYamlTree } from '../../settings/io/yaml-tree.ts';
import type { TreeProblem } from '../../settings/tree-reader.ts';
import { extendPolicy } from '../policy/extend-policy.ts';
import { type Policy, readPolicy } from '../policy/policy.ts';

const MAX_POLICY_CHARS = 1024 * 1024;

export interface PolicyFile {
  policy: Policy | null;
  problems: TreeProblem[];
}

// Null when there is no such file in the project.
export async function readPolicyFile(project: Project, path: string): Promise<PolicyFile | null> {
  const broken = (message: string): PolicyFile => ({ policy: null, problems: [{ line: 1, column: 1, message }] });
  const file = project.readPolicy(path);
  if (file.status === 'missing') return null;
  if (file.status === 'unreadable') return broken(`the file can't be read: ${file.reason}`);
  if (file.value.length > MAX_POLICY_CHARS) return broken('the file is larger than 1 MiB');
  const { tree, problems } = await parseYamlTree(file.value);
  if (tree === null) return { policy: null, problems };
  const read = readPolicy(tree);
  return { policy: read.problems.length === 0 ? extendPolicy(read.written) : null, problems: read.problems };
}
