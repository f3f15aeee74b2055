import { closest } from '../../closest.ts';
import { shownName } from '../../safety/hidden-characters.ts';
import { cleanText } from '../text.ts';
import { type AttributeShape, ELEMENTS, type ElementShape, ROLES, SETTING_NAMES } from './shape.ts';
import { attribute, type ProblemList, type SourceAttribute, type SourceNode } from './template.ts';

// How an editor finds the schema; nothing is ever fetched from it.
const FOR_EDITORS = ['xmlns:xsi', 'xsi:noNamespaceSchemaLocation'];
const TASK_LIKE = ['task', 'steps', 'call', 'approve', ...ROLES];

// What the shape alone can tell of an element and of what is in it; tasks below are checked when they are built.
export function checkElement(node: SourceNode, problems: ProblemList): void {
  const shape = ELEMENTS[node.name];
  if (!shape) return;
  cleanNode(node, problems);
  checkAttributes(node, shape.attributes, problems);
  const seen = new Set<string>();
  for (const child of node.children) {
    if (!shape.children.includes(child.name)) reportUnknown(node, child, problems);
    else {
      if (seen.has(child.name) && !shape.many)
        problems.error(child, `<${child.name}> appears twice in <${node.name}>.`, 'Keep one of them.');
      seen.add(child.name);
      if (!TASK_LIKE.includes(child.name)) checkElement(child, problems);
    }
  }
  if (!node.complete) return;
  const isEmpty = node.children.length === 0 && node.text.trim() === '';
  const isDraft = node.hasComment && TASK_LIKE.includes(node.name);
  // A call says all in its attribute where the template takes no parameters.
  const hint = shape.text ? 'Write its value, or take it out.' : expected(node.name);
  if (isEmpty && !shape.mayBeEmpty && !isDraft && typeOf(node) !== 'call')
    problems.error(node, `<${node.name}> is empty.`, hint);
  else if (!shape.text && node.text.trim() !== '')
    problems.error(node, `Text is not allowed in <${node.name}>: "${shownName(node.text.trim())}".`, hint);
}

function checkAttributes(node: SourceNode, shapes: ElementShape['attributes'], problems: ProblemList): void {
  for (const attribute of node.attributes) {
    const shape = Object.hasOwn(shapes, attribute.name) ? shapes[attribute.name] : undefined;
    if (shape) checkValue(attribute, shape, node, problems);
    else if (SETTING_NAMES.some((name) => name === attribute.name)) {
      const hint = `Write <${attribute.name}>…</${attribute.name}> inside <context_management>.`;
      problems.error(attribute, `${attribute.name} is a setting, not an attribute.`, hint);
    } else if (!FOR_EDITORS.includes(attribute.name)) {
      const known = Object.keys(shapes);
      const message = `<${shownName(node.name)}> has no attribute "${shownName(attribute.name)}".`;
      problems.unknown(attribute, message, `${meant(attribute.name, known)}Known here: ${known.join(', ') || 'none'}.`);
    }
  }
  for (const [name, shape] of Object.entries(shapes)) {
    if (shape.required && !node.attributes.some((attribute) => attribute.name === name)) {
      const value = shape.choices?.join('|') ?? '…';
      problems.error(node, `<${node.name}> has no ${name}.`, `Write <${node.name} ${name}="${value}">.`);
    }
  }
}

function checkValue(attribute: SourceAttribute, shape: AttributeShape, node: SourceNode, problems: ProblemList): void {
  const value = attribute.value.trim();
  const said = `${attribute.name}="${shownName(value)}"`;
  if (shape.choices && !shape.choices.includes(value))
    problems.error(attribute, `${said} is not known.`, `Write one of: ${shape.choices.join(', ')}.`);
  else if (shape.range && !isWithin(value, shape.range))
    problems.error(attribute, `${said} does not fit.`, `Write a whole number from ${shape.range.join(' to ')}.`);
  else if (value === '') problems.error(attribute, `${attribute.name} is empty.`, 'Write its value, or take it out.');
  else if (shape.only && typeOf(node) !== shape.only)
    problems.warning(attribute, `${attribute.name} has no effect here.`, `Only a ${shape.only} task knows it.`);
}

function reportUnknown(parent: SourceNode, child: SourceNode, problems: ProblemList): void {
  if (Object.hasOwn(ELEMENTS, child.name))
    problems.error(child, `<${child.name}> does not belong in <${shownName(parent.name)}>.`, expected(parent.name));
  else {
    const message = `<${shownName(child.name)}> is not known in <${shownName(parent.name)}>.`;
    const near = meant(child.name, ELEMENTS[parent.name]?.children ?? []);
    problems.unknown(child, message, `${near}${expected(parent.name)}`);
  }
}

export function meant(word: string, known: readonly string[]): string {
  const near = closest(word, known);
  return near === null ? '' : `Did you mean ${near}? `;
}

function expected(name: string): string {
  const children = ELEMENTS[name]?.children ?? [];
  return children.length > 0 ? `Known in <${name}>: ${children.join(', ')}.` : `<${name}> holds no elements.`;
}

export function typeOf(node: SourceNode): string {
  if (node.name === 'call' || node.name === 'approve' || node.name === 'script') return node.name;
  return attribute(node, 'type') ?? 'atomic';
}

function isWithin(value: string, [from, to]: readonly [number, number]): boolean {
  return /^\d{1,9}$/.test(value) && Number(value) >= from && Number(value) <= to;
}

/** Elements whose text reaches a model, a program or the person. */
const SPOKEN: ReadonlySet<string> = new Set(['description', 'prompt', 'input', 'path']);

// A secret in a template would reach every model that it asks, and every journal (L25).
function cleanNode(node: SourceNode, problems: ProblemList): void {
  const isCommand = node.name === 'arg';
  const { text, kinds } = isCommand || SPOKEN.has(node.name) ? cleanText(node.text) : { text: node.text, kinds: [] };
  if (kinds.length === 0) return;
  const message = `<${node.name}> holds what looks like a secret (${kinds.join(', ')})`;
  if (isCommand) problems.error(node, `${message}.`, 'Let the program read it from a file of its own.');
  else problems.warning(node, `${message}: it is redacted.`, 'Take it out of the template.');
  node.text = text;
}
