import type { LocatedNode, TreeProblem } from '../tree-reader.ts';
import { deepYamlLine } from './yaml-depth.ts';
import { plainMessage } from './yaml-message.ts';

const MAX_DEPTH = 20;
const MAX_NODES = 20_000;

export type YamlTree = { tree: LocatedNode | null; problems: TreeProblem[] };

// Plain text, numbers, booleans, null, lists and maps, each with its place. No aliases, no custom tags.
export async function parseYamlTree(text: string): Promise<YamlTree> {
  const deep = await deepYamlLine(text);
  if (deep !== null)
    return { tree: null, problems: [{ line: deep, column: 1, message: 'the file is nested too deep or too long' }] };
  const { isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument, visit } = await import('yaml');
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, schema: 'core', strict: true, uniqueKeys: true });
  const place = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const problems: TreeProblem[] = [...document.errors, ...document.warnings].map((error) => ({
    ...place(error.pos[0]),
    message: plainMessage(error.message),
  }));
  let nodes = 0;
  visit(document, (_, node, path) => {
    nodes += 1;
    const at = place((node as { range?: [number] | null } | null)?.range?.[0] ?? 0);
    if (isAlias(node)) problems.push({ ...at, message: 'aliases are not allowed' });
    if (path.length > MAX_DEPTH * 2 || nodes > MAX_NODES) {
      problems.push({ ...at, message: 'the file is nested too deep or too long' });
      return visit.BREAK;
    }
    return undefined;
  });
  if (problems.length > 0) return { tree: null, problems };

  const located = (node: unknown, otherwise: { line: number; column: number }): LocatedNode => {
    const at = (node as { range?: [number] | null } | null)?.range
      ? place((node as { range: [number] }).range[0])
      : otherwise;
    if (isMap(node)) {
      const entries = node.items.map(({ key, value }) => {
        const keyAt = isScalar(key) && key.range ? place(key.range[0]) : at;
        return { key: isScalar(key) ? String(key.value) : '', ...keyAt, value: located(value, keyAt) };
      });
      return { kind: 'map', entries, ...at };
    }
    if (isSeq(node)) return { kind: 'list', items: node.items.map((item) => located(item, at)), ...at };
    return { kind: 'scalar', value: isScalar(node) ? node.value : null, ...at };
  };
  return { tree: located(document.contents, { line: 1, column: 1 }), problems };
}

export async function writeYaml(value: unknown): Promise<string> {
  const { stringify } = await import('yaml');
  return stringify(value, { lineWidth: 100, aliasDuplicateObjects: false });
}
