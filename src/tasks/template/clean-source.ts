import { cleanText } from '../text.ts';
import type { ProblemList, SourceNode } from './source.ts';

/** Elements whose text reaches a model, a program or the person. */
const SPOKEN: ReadonlySet<string> = new Set(['description', 'prompt', 'input', 'path']);

// A secret in a template would reach every model that it asks, and every journal (L25).
export function cleanSource(node: SourceNode, problems: ProblemList): SourceNode {
  const children = node.children.map((child) => cleanSource(child, problems));
  const isCommand = node.name === 'arg';
  if (!isCommand && !SPOKEN.has(node.name)) return { ...node, children };
  const { text, kinds } = cleanText(node.text);
  if (kinds.length === 0) return { ...node, children };
  const found = `<${node.name}> holds what looks like a secret (${kinds.join(', ')})`;
  if (isCommand) problems.error(node, `${found}.`, 'Let the program read it from a file of its own.');
  else problems.warning(node, `${found}: it is redacted.`, 'Take it out of the template.');
  return { ...node, children, text };
}
