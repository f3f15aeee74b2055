import { shownName } from '../../safety/hidden-characters.ts';
import { JsonFault, type JsonNode, plainValue, scanJson } from './scan-json.ts';
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
    if (root.kind === 'object') return taskNode('task', root, placeOf(root.at), { placeOf, problems, inCode });
    problems.error(placeOf(root.at), 'A template in JSON is an object.', 'Start with {"type": "atomic", …}.');
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error;
    problems.error(placeOf(error.at), error.message, 'Fix the JSON here; comments and trailing commas are not JSON.');
  }
  return null;
}

interface Reading {
  placeOf: PositionOf;
  problems: ProblemList;
  /** Names may be written as a program writes them. */
  inCode: boolean;
}

function nameOf(key: string, { inCode }: Reading): string {
  const plain = inCode ? key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) : key;
  return isKnown(plain) ? plain : key;
}

function isKnown(name: string): boolean {
  return (
    Object.hasOwn(ELEMENTS, name) || Object.values(ELEMENTS).some(({ attributes }) => Object.hasOwn(attributes, name))
  );
}

function emptyNode(name: string, place: Position): SourceNode {
  return { name, ...place, attributes: [], children: [], text: '', hasComment: false, complete: true };
}

function taskNode(name: string, value: JsonNode, place: Position, reading: Reading): SourceNode {
  const node = emptyNode(name, place);
  if (value.kind !== 'object') {
    reading.problems.error(
      place,
      `${name} must be an object.`,
      name === 'input' ? 'Write {"name": "…"}.' : 'Write {"description": "…"}.',
    );
    node.complete = false;
    return node;
  }
  for (const entry of value.entries) {
    const at = reading.placeOf(entry.at);
    const key = nameOf(entry.key, reading);
    if (name === 'task' && key === '$schema') continue;
    // In XML the default is the element's text.
    if (name === 'input' && key === 'default') node.text = scalarText(entry.value, at, key, reading);
    else if (Object.hasOwn(ELEMENTS[name]?.attributes ?? {}, key)) {
      if (node.attributes.some((attribute) => attribute.name === key))
        reading.problems.error(at, `"${key}" appears twice.`, 'Keep one of them.');
      else node.attributes.push({ name: key, value: attributeText(entry.value, at, key, reading), ...at });
    } else node.children.push(childNode(key, entry.value, at, reading));
  }
  return node;
}

function childNode(name: string, value: JsonNode, place: Position, reading: Reading): SourceNode {
  const shape = Object.hasOwn(ELEMENTS, name) ? ELEMENTS[name] : undefined;
  if (!shape) return emptyNode(name, place);
  if (shape.many) return listNode(name, value, place, reading);
  if (shape.text) {
    // One problem is enough: what is not text is not also called empty.
    const complete = value.kind === 'scalar' && value.value !== null;
    return { ...emptyNode(name, place), text: scalarText(value, place, name, reading), complete };
  }
  return taskNode(name, value, place, reading);
}

function listNode(name: string, value: JsonNode, place: Position, reading: Reading): SourceNode {
  const node = emptyNode(name, place);
  if (value.kind !== 'array') {
    reading.problems.error(place, `${name} must be a list.`, `Write "${name}": [ … ].`);
    node.complete = false;
    return node;
  }
  for (const item of value.items) {
    const at = reading.placeOf(item.at);
    if (name === 'steps') node.children.push(taskNode('task', item, at, reading));
    else if (name === 'inputs') node.children.push(taskNode('input', item, at, reading));
    else {
      const child = ELEMENTS[name]?.children[0] ?? '';
      node.children.push({ ...emptyNode(child, at), text: scalarText(item, at, child, reading) });
    }
  }
  return node;
}

function attributeText(value: JsonNode, place: Position, name: string, reading: Reading): string {
  return name === 'schema' && value.kind === 'object'
    ? JSON.stringify(plainValue(value))
    : scalarText(value, place, name, reading);
}

function scalarText(value: JsonNode, place: Position, name: string, reading: Reading): string {
  if (value.kind === 'scalar' && value.value !== null) return String(value.value);
  reading.problems.error(place, `"${shownName(name)}" must be a text.`, `Write "${shownName(name)}": "…".`);
  return '';
}
