import { createScanner, getNodeValue, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';

/** One member of ours: under a name in an object, or recognised by its look in an array. */
export interface Slot {
  path: readonly string[];
  name: string | null;
  isOurs?(value: unknown): boolean;
}

export type EntryState =
  | { status: 'broken'; reason: string }
  | { status: 'absent' }
  | { status: 'present'; value: unknown };

/** The ways into one kind of entry. `brings`: how many keys above it come with it. */
export interface EntryTools {
  look(text: string): EntryState;
  put(text: string, value: unknown): string | null;
  take(text: string, broughtKeys: number): string | null;
  brings(text: string): number;
}

// SyntaxKind of jsonc-parser, whose constants are for its own compiler alone.
const COMMA = 5;

// What is in our place. Comments and trailing commas are fine; anything else that is not valid JSON is refused.
export function entryInJson(text: string, slot: Slot): EntryState {
  const place = placeIn(text, slot);
  if (typeof place === 'string') return { status: 'broken', reason: place };
  return place?.member ? { status: 'present', value: getNodeValue(valueNode(place.member)) } : { status: 'absent' };
}

// Only ever inserts, or swaps the text of our own value: every other byte stays. A broken file stays as it is.
export function putIntoJson(text: string, slot: Slot, value: unknown): string {
  const place = placeIn(text, slot);
  if (typeof place === 'string') return text;
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const pretty = (part: unknown, indent: string, unit = '  ') =>
    JSON.stringify(part, null, unit)
      .split('\n')
      .join(eol + indent);
  if (place === null) return text + pretty(nested(slot.path, slot, value), text.slice(text.search(/[ \t]*$/))) + eol;
  const unit = unitOf(text, place.root);
  if (place.member) {
    const { offset, length } = valueNode(place.member);
    const isInline = !text.slice(offset, offset + length).includes('\n');
    const written = isInline ? JSON.stringify(value) : pretty(value, indentAt(text, place.member.offset), unit);
    return spliced(text, offset, offset + length, written);
  }
  const rest = slot.path.slice(place.depth);
  const [name, inner] = rest.length > 0 ? [rest[0] ?? null, nested(rest.slice(1), slot, value)] : [slot.name, value];
  const key = name === null ? '' : `${JSON.stringify(name)}: `;
  // As the first of its container: what follows a last member, a comma or a comment, is somebody's own.
  const { container } = place;
  const [first] = container.children ?? [];
  const start = container.offset + 1;
  const isFlat = first ? !startsLine(text, first.offset) : !/[\r\n]/.test(text.trim());
  if (isFlat) {
    const at = first?.offset ?? start;
    return spliced(text, at, at, `${key}${JSON.stringify(inner)}${first ? ', ' : ''}`);
  }
  const outer = indentAt(text, container.offset);
  const indent = first ? indentAt(text, first.offset) : outer + unit;
  const isOpen = text.slice(start, container.offset + container.length - 1).includes('\n');
  const after = first ? ',' : isOpen ? '' : eol + outer;
  return spliced(text, start, start, eol + indent + key + pretty(inner, indent, unit) + after);
}

// Takes our member away, with the comma it brought; then, where `emptied` allows, the keys above that held nothing else.
export function takeFromJson(text: string, slot: Slot, emptied: number): string {
  const place = placeIn(text, slot);
  if (typeof place === 'string' || !place?.member) return text;
  const left = without(text, place.container, place.member);
  if (emptied === 0 || (place.container.children ?? []).length > 1) return left;
  return takeFromJson(left, { path: slot.path.slice(0, -1), name: slot.path.at(-1) ?? null }, emptied - 1);
}

/** How many of the slot's keys a fresh entry would bring along. */
export function missingKeys(text: string, slot: Slot): number {
  const place = placeIn(text, slot);
  return typeof place === 'string' ? 0 : slot.path.length - (place?.depth ?? 0);
}

/** `depth` says how many keys of the slot's path are there, `container` what the last of them holds. */
interface Found {
  root: Node;
  container: Node;
  depth: number;
  member: Node | null;
}

// Null: an empty file. A text: why it can't be understood.
function placeIn(text: string, slot: Slot): Found | string | null {
  if (/^\ufeff?[ \t\r\n]*$/.test(text)) return null;
  const errors: ParseError[] = [];
  // A byte order mark is not valid JSON; a blank in its place keeps all offsets.
  const root = parseTree(text.replace(/^\ufeff/, ' '), errors, { allowTrailingComma: true });
  const [error] = errors;
  if (error) {
    const line = text.slice(0, error.offset).split('\n').length;
    return `line ${line} is not valid JSON (${printParseErrorCode(error.error)})`;
  }
  return root?.type === 'object' ? find(root, slot) : 'it holds no JSON object';
}

function find(root: Node, slot: Slot): Found | string {
  let container = root;
  for (const [depth, key] of slot.path.entries()) {
    const members = propertiesNamed(container, key);
    if (members.length > 1) return `it holds the key "${key}" twice`;
    const next = members[0]?.children?.[1];
    if (!next) return { root, container, depth, member: null };
    const wanted = depth === slot.path.length - 1 && slot.name === null ? 'array' : 'object';
    if (next.type !== wanted) return `"${key}" is not an ${wanted}`;
    container = next;
  }
  const own =
    slot.name === null
      ? (container.children ?? []).filter((node) => slot.isOurs?.(getNodeValue(node)))
      : propertiesNamed(container, slot.name);
  if (slot.name !== null && own.length > 1) return `it holds the key "${slot.name}" twice`;
  return { root, container, depth: slot.path.length, member: own[0] ?? null };
}

function propertiesNamed(object: Node, key: string): Node[] {
  return (object.children ?? []).filter((member) => member.children?.[0]?.value === key);
}

function valueNode(member: Node): Node {
  return member.type === 'property' ? (member.children?.[1] ?? member) : member;
}

function nested(path: readonly string[], slot: Slot, value: unknown): unknown {
  const innermost = slot.name === null ? [value] : { [slot.name]: value };
  return path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), innermost);
}

function spliced(text: string, from: number, to: number, content = ''): string {
  return text.slice(0, from) + content + text.slice(to);
}

function without(text: string, container: Node, member: Node): string {
  const children = container.children ?? [];
  const before = children[children.indexOf(member) - 1];
  const end = member.offset + member.length;
  const after = commaAfter(text, end);
  const start = startsLine(text, member.offset) ? lineBreakBefore(text, member.offset) : member.offset;
  if (after !== null) {
    const blanks = start === member.offset ? (/^[ \t]*/.exec(text.slice(after + 1))?.[0].length ?? 0) : 0;
    return spliced(text, start, after + 1 + blanks);
  }
  if (before) {
    const comma = commaAfter(text, before.offset + before.length) ?? start;
    if (/^,\s*$/.test(text.slice(comma, member.offset))) return spliced(text, comma, end);
    return spliced(spliced(text, start, end), comma, comma + 1);
  }
  const from = container.offset + 1;
  const to = container.offset + container.length - 1;
  const isAlone = text.slice(from, member.offset).trim() === '' && text.slice(end, to).trim() === '';
  return isAlone ? spliced(text, from, to) : spliced(text, start, end);
}

// The comma that follows a value, after blanks and comments.
function commaAfter(text: string, from: number): number | null {
  const scanner = createScanner(text, true);
  scanner.setPosition(from);
  return scanner.scan() === COMMA ? scanner.getTokenOffset() : null;
}

function lineStart(text: string, offset: number): number {
  return Math.max(text.lastIndexOf('\n', offset - 1), text.lastIndexOf('\r', offset - 1)) + 1;
}

function startsLine(text: string, offset: number): boolean {
  return /^[ \t]*$/.test(text.slice(lineStart(text, offset), offset));
}

function lineBreakBefore(text: string, offset: number): number {
  const start = lineStart(text, offset);
  return start - (text.slice(0, start).endsWith('\r\n') ? 2 : 1);
}

function indentAt(text: string, offset: number): string {
  const line = text.slice(lineStart(text, offset), offset);
  return /^[ \t]*/.exec(line.replace(/^\ufeff/, ''))?.[0] ?? '';
}

// One step of indentation, as the file's own first member shows it.
function unitOf(text: string, root: Node): string {
  const [first] = root.children ?? [];
  if (!first || !startsLine(text, first.offset)) return '  ';
  const outer = indentAt(text, root.offset);
  const inner = indentAt(text, first.offset);
  return (inner.startsWith(outer) ? inner.slice(outer.length) : inner) || '  ';
}
