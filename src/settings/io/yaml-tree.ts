import { shownName } from '../../safety/hidden-characters.ts';
import type { LocatedNode, TreeProblem } from '../tree-reader.ts';

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
  const document = parseDocument(text, { lineCounter: lines, schema: 'core', strict: true });
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

// Deeper than any policy. The parser recurses: past some hundred levels it answers with raw system text, or ends the process.
const MAX_NESTING = 50;

// The first line that nests too deep, by its indent and markers or by brackets; null where none does.
export async function deepYamlLine(text: string): Promise<number | null> {
  for (const [index, line] of text.split(/\r\n|\n|\r/).entries()) {
    const lead = /^[ \t]*(?:[-?:][ \t]+)*/.exec(line)?.[0] ?? '';
    if (lead.length > MAX_NESTING && line.trim() !== '') return index + 1;
  }
  const brackets = text.match(/[[{]/g)?.length ?? 0;
  return brackets > MAX_NESTING ? deepBracket(text) : null;
}

// The lexer knows which brackets are in texts and comments, and does not recurse.
async function deepBracket(text: string): Promise<number | null> {
  const { Lexer } = await import('yaml');
  let [depth, line] = [0, 1];
  for (const token of new Lexer().lex(text)) {
    if (token === '[' || token === '{') depth += 1;
    else if (token === ']' || token === '}') depth = Math.max(0, depth - 1);
    if (depth > MAX_NESTING) return line;
    line += token.match(/\n/g)?.length ?? 0;
  }
  return null;
}

const MAX_MESSAGE = 200;

// The library's sentence without its place and without what it quotes of hidden characters: it may reach a terminal or an agent.
function plainMessage(message: string): string {
  const sentence = (message.split('\n')[0] ?? message).replace(/ at line \d+, column \d+:?$/, '');
  return shownName(sentence, MAX_MESSAGE);
}
