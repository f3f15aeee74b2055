import { readText } from '../../files/read-text.ts';
import type { FileEntry } from '../models.ts';
import type { ConfigFile } from '../resolve.ts';
import type { LocatedNode } from '../tree-reader.ts';

const MAX_CONFIG_CHARS = 64 * 1024;

// Null when there is no such file. The YAML parser is loaded only when there is one: start-up time is a feature.
export async function readConfigFile(
  path: string,
  options: { label: string; owner: ConfigFile['owner']; scope: string | null },
): Promise<ConfigFile | null> {
  const { label, owner } = options;
  const file = readText(path, options.scope);
  if (file.status === 'missing') return null;
  const broken = (message: string): ConfigFile => ({
    label,
    owner,
    entries: [],
    problems: [{ file: label, line: 1, column: 1, message }],
  });
  if (file.status === 'unreadable') return broken(`the file can't be read: ${file.reason}`);
  if (!file.value.valid) return broken('the file is not UTF-8 text');
  if (file.value.text.length > MAX_CONFIG_CHARS) return broken('the file is larger than 64 KiB');
  const { parseYamlTree } = await import('./yaml-tree.ts');
  // A key that is there twice is told by its name, with the other problems of the settings.
  const { tree, problems } = await parseYamlTree(file.value.text, { uniqueKeys: false });
  if (tree === null) return { label, owner, entries: [], problems: problems.map((each) => ({ file: label, ...each })) };
  if (tree.kind === 'scalar' && tree.value === null) return { label, owner, entries: [], problems: [] };
  if (tree.kind !== 'map') return broken('expected lines of the form `key: value`');
  return { label, owner, entries: entriesOf(tree), problems: [] };
}

function entriesOf({ entries }: LocatedNode & { kind: 'map' }): FileEntry[] {
  return entries.map(({ key, value, line, column }) => ({
    key: key === '' ? '(not a name)' : key,
    value: value.kind === 'scalar' ? value.value : {},
    ...(value.kind === 'map' ? { children: entriesOf(value) } : {}),
    ...{ line, column },
  }));
}
