import { extentsIn } from '../../matching/text/extents.ts';
import type { CodeChange } from './code-change.ts';
import type { Anchor, Sha256 } from './entry.ts';

/** One definition of a file. */
export interface CodeDefinition {
  name: string;
  qualified: string;
  /** Without its name: a definition that was only renamed has the same. */
  hash: string;
  start: number;
  end: number;
  /** Within another, and no part of it that people cite by its name. */
  isLocal: boolean;
  /** So short that others may well be the same. */
  isShort: boolean;
  /** `exports.Router = Router;`: what is defined elsewhere is only handed on. */
  isHandedOn: boolean;
}

/** A file's definitions, and its lines. */
export interface Code {
  definitions: readonly CodeDefinition[];
  lines: readonly string[];
  /** Of each line without its indent, worked out when first asked for. */
  lineHashes(): ReadonlySet<string>;
}

const SHORT_CHARS = 60;
const PART_OF_NAME = /[\p{L}\p{N}_$]/u;
const HANDED_ON = /^\s*(?:module\.)?exports\.[\w$]+\s*=(?!\s*(?:async\b|function\b|class\b|\())/;

export function codeOf(path: string, text: string, sha256: Sha256): Code {
  const lines = text.split(/\r\n|\n|\r/);
  const definitions = extentsIn(path, text).map(({ name, qualified, start, end, isLocal }) => {
    const said = withoutName(lines.slice(start, end), name);
    const isHandedOn = end - start === 1 && HANDED_ON.test(lines[start] ?? '');
    return { name, qualified, start, end, isLocal, hash: sha256(said), isShort: said.length < SHORT_CHARS, isHandedOn };
  });
  let hashes: ReadonlySet<string> | undefined;
  const lineHashes = () => {
    hashes ??= new Set(lines.map((line) => sha256(line.trim())));
    return hashes;
  };
  return { definitions, lines, lineHashes };
}

// Indents and blank lines are not part of what was said: a definition that is only elsewhere is the same. Its name is first
// said where it is defined.
function withoutName(lines: readonly string[], name: string): string {
  const indent = (lines[0] ?? '').length - (lines[0] ?? '').trimStart().length;
  const said = lines
    .filter((line) => line.trim() !== '')
    .map((line) => line.slice(Math.min(indent, line.length - line.trimStart().length)).trimEnd())
    .join('\n');
  const at = placeOf(name, said);
  return at === -1 ? said : `${said.slice(0, at)}\0${said.slice(at + name.length)}`;
}

// Where it is a word of its own. Without a pattern: one for each name takes longer to build than to look.
function placeOf(name: string, text: string): number {
  const isPart = (character: string | undefined) => character !== undefined && PART_OF_NAME.test(character);
  let at = text.indexOf(name);
  while (at !== -1 && (isPart(text[at - 1]) || isPart(text[at + name.length]))) at = text.indexOf(name, at + 1);
  return at;
}

/** The innermost definition around a line, from 0. */
export function enclosing({ definitions }: Code, line: number): CodeDefinition | null {
  return definitions.findLast(({ start, end, isLocal }) => start <= line && line < end && !isLocal) ?? null;
}

/** Definitions that a note may mean by `name`, which may say what is around it too. */
export function definitionsNamed({ definitions }: Code, name: string): CodeDefinition[] {
  return definitions.filter(
    ({ qualified, isLocal }) => !isLocal && (qualified === name || qualified.endsWith(`.${name}`)),
  );
}

export function definitionAnchor(cited: string, path: string, { qualified, hash }: CodeDefinition): Anchor {
  return { cited, path, of: 'definition', name: qualified, hash };
}

/** `same`, what it became within its file, or `missing` where it may be in another. */
export function comparedIn(anchor: Anchor, code: Code): 'same' | 'missing' | Pick<CodeChange, 'how' | 'to'> {
  if (anchor.of === 'line') return code.lineHashes().has(anchor.hash ?? '') ? 'same' : { how: 'changed', to: null };
  if (anchor.of !== 'definition') return 'same';
  const named = code.definitions.filter(({ qualified }) => qualified === anchor.name);
  if (named.some(({ hash }) => hash === anchor.hash)) return 'same';
  if (named.length > 0) return { how: 'changed', to: null };
  const renamed = code.definitions.filter(({ hash, isShort }) => hash === anchor.hash && !isShort);
  const [only] = renamed;
  return only && renamed.length === 1 ? { how: 'renamed', to: only.qualified } : 'missing';
}
