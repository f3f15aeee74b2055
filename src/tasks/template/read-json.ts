import { createScanner, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import { shownName } from '../../safety/hidden-characters.ts';
import { ELEMENTS } from './shape.ts';
import {
  type Position,
  type PositionOf,
  type ProblemList,
  positionFinder,
  type SourceNode,
  TEMPLATE_LIMITS,
} from './template.ts';

// The same tree as from XML: what is an attribute there is a plain key here, and lists are arrays.
export function readJson(text: string, problems: ProblemList, inCode = false): SourceNode | null {
  const placeOf = positionFinder(text);
  const start = text.search(/\S/);
  if (start === -1 || !'{['.includes(text[start] as string)) {
    const message = start === -1 ? 'The template is empty.' : 'This is neither XML nor JSON.';
    problems.error(placeOf(Math.max(0, start)), message, 'Start with <task type="atomic"> or {"type": "atomic", …}.');
    return null;
  }
  try {
    const root = scanJson(text, { depth: TEMPLATE_LIMITS.depth, values: TEMPLATE_LIMITS.elements });
    const place = placeOf(root.offset);
    if (root.type === 'object') return taskNode('task', root, place, { text, placeOf, problems, inCode });
    problems.error(place, 'A template in JSON is an object.', 'Start with {"type": "atomic", …}.');
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error;
    problems.error(placeOf(error.at), error.message, 'Fix the JSON here; comments and trailing commas are not JSON.');
  }
  return null;
}

interface Reading {
  text: string;
  placeOf: PositionOf;
  problems: ProblemList;
  /** Names may be written as a program writes them. */
  inCode: boolean;
}

function nameOf(key: string, { inCode }: Reading): string {
  const plain = inCode ? key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) : key;
  const isKnown =
    Object.hasOwn(ELEMENTS, plain) ||
    Object.values(ELEMENTS).some(({ attributes }) => Object.hasOwn(attributes, plain));
  return isKnown ? plain : key;
}

function emptyNode(name: string, place: Position): SourceNode {
  return { name, ...place, attributes: [], children: [], text: '', hasComment: false, complete: true };
}

function taskNode(name: string, value: Node, place: Position, reading: Reading): SourceNode {
  const node = emptyNode(name, place);
  if (value.type !== 'object') {
    const hint = name === 'input' ? 'Write {"name": "…"}.' : 'Write {"description": "…"}.';
    reading.problems.error(place, `${name} must be an object.`, hint);
    node.complete = false;
  }
  for (const { offset, children: [keyNode, inner] = [] } of value.type === 'object' ? (value.children ?? []) : []) {
    if (!keyNode || !inner) continue;
    const at = reading.placeOf(offset);
    const key = nameOf(String(keyNode.value), reading);
    if (name === 'task' && key === '$schema') continue;
    // In XML the default is the element's text.
    if (name === 'input' && key === 'default') node.text = scalarText(inner, at, key, reading);
    else if (!Object.hasOwn(ELEMENTS[name]?.attributes ?? {}, key))
      node.children.push(childNode(key, inner, at, reading));
    else if (node.attributes.some((attribute) => attribute.name === key))
      reading.problems.error(at, `"${key}" appears twice.`, 'Keep one of them.');
    else {
      const isSchema = key === 'schema' && inner.type === 'object';
      const text = reading.text.slice(inner.offset, inner.offset + inner.length);
      node.attributes.push({ name: key, value: isSchema ? text : scalarText(inner, at, key, reading), ...at });
    }
  }
  return node;
}

function childNode(name: string, value: Node, place: Position, reading: Reading): SourceNode {
  const shape = Object.hasOwn(ELEMENTS, name) ? ELEMENTS[name] : undefined;
  if (!shape) return emptyNode(name, place);
  if (shape.text) {
    // One problem is enough: what is not text is not also called empty.
    const complete = isScalar(value);
    return { ...emptyNode(name, place), text: scalarText(value, place, name, reading), complete };
  }
  if (!shape.many) return taskNode(name, value, place, reading);
  const node = emptyNode(name, place);
  if (value.type !== 'array') {
    reading.problems.error(place, `${name} must be a list.`, `Write "${name}": [ … ].`);
    return { ...node, complete: false };
  }
  const [child = ''] = shape.children;
  for (const item of value.children ?? []) {
    const at = reading.placeOf(item.offset);
    node.children.push(
      name === 'steps' || name === 'inputs'
        ? taskNode(child, item, at, reading)
        : { ...emptyNode(child, at), text: scalarText(item, at, child, reading) },
    );
  }
  return node;
}

function isScalar({ type }: Node): boolean {
  return type === 'string' || type === 'number' || type === 'boolean';
}

function scalarText(value: Node, place: Position, name: string, reading: Reading): string {
  if (isScalar(value)) return String(value.value);
  reading.problems.error(place, `"${shownName(name)}" must be a text.`, `Write "${shownName(name)}": "…".`);
  return '';
}

export class JsonFault extends Error {
  readonly at: number;
  constructor(at: number, message: string) {
    super(message);
    this.at = at;
  }
}

const TOKENS = { '{': 1, '}': 2, '[': 3, ']': 4, ',': 5, ':': 6, end: 17 } as const;
// JSON with the place of every key and value, which JSON.parse does not tell. Strict: what JSON.parse refuses is refused.
export function scanJson(text: string, limits: { depth: number; values: number }): Node {
  assertWithin(text, limits);
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { disallowComments: true });
  const [{ error, offset } = { error: 0, offset: 0 }] = errors;
  if (root && errors.length === 0) return root;
  const isEnd = offset >= text.trimEnd().length;
  // `CommaExpected`
  const words = printParseErrorCode(error)
    .replace(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toLowerCase();
  throw new JsonFault(offset, isEnd ? 'The file ends too early.' : `This is not valid JSON: ${words}.`);
}

// Before anything goes down into it.
function assertWithin(text: string, limits: { depth: number; values: number }): void {
  const scanner = createScanner(text, true);
  let [depth, values] = [0, 0];
  for (let token: number = scanner.scan(); token !== TOKENS.end; token = scanner.scan()) {
    if (token === TOKENS['}'] || token === TOKENS[']']) depth -= 1;
    // What came before a colon was a name.
    else if (token === TOKENS[':']) values -= 1;
    else if (token !== TOKENS[',']) {
      values += 1;
      const at = scanner.getTokenOffset();
      if (values > limits.values) throw new JsonFault(at, `There are more than ${limits.values} values.`);
      if (depth > limits.depth) throw new JsonFault(at, `Values are nested deeper than ${limits.depth} levels.`);
      if (token === TOKENS['{'] || token === TOKENS['[']) depth += 1;
    }
  }
}
