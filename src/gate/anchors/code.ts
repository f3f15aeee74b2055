import { extentsIn } from '../../matching/text/extents.ts';
import type { Anchor } from '../ledger/anchor.ts';
import type { Sha256 } from '../ledger/entry.ts';

type Became = 'moved' | 'renamed' | 'changed' | 'gone';

/** What became of cited code. */
export interface CodeChange extends Pick<Anchor, 'cited' | 'path' | 'name'> {
  how: Became;
  /** Where it is now; null: not known. */
  to: string | null;
}

/** One definition of a file. */
interface CodeDefinition {
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
}

/** A file's definitions, and its lines. */
export interface Code {
  definitions: readonly CodeDefinition[];
  lines: readonly string[];
}

const SHORT_CHARS = 60;

export function codeOf(path: string, text: string, sha256: Sha256): Code {
  const lines = text.split(/\r\n|\n|\r/);
  const definitions = extentsIn(path, text).map(({ name, qualified, start, end, isLocal }) => {
    const said = withoutName(lines.slice(start, end), name);
    return { name, qualified, start, end, isLocal, hash: sha256(said), isShort: said.length < SHORT_CHARS };
  });
  return { definitions, lines };
}

// Indents and blank lines are no part of what was said: a definition that only stands elsewhere is the same. Its name is first
// said where it is defined.
function withoutName(lines: readonly string[], name: string): string {
  const indent = (lines[0] ?? '').length - (lines[0] ?? '').trimStart().length;
  const said = lines
    .filter((line) => line.trim() !== '')
    .map((line) => line.slice(Math.min(indent, line.length - line.trimStart().length)).trimEnd())
    .join('\n');
  const at = said.search(new RegExp(`(?<![\\p{L}\\p{N}_$])${name.replaceAll('$', '\\$')}(?![\\p{L}\\p{N}_$])`, 'u'));
  return at === -1 ? said : `${said.slice(0, at)}\0${said.slice(at + name.length)}`;
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

/** `same`, what it became within its file, or `missing` where it may stand in another. */
export function comparedIn(
  anchor: Anchor,
  code: Code,
  sha256: Sha256,
): 'same' | 'missing' | Pick<CodeChange, 'how' | 'to'> {
  if (anchor.of === 'line')
    return code.lines.some((line) => sha256(line.trim()) === anchor.hash) ? 'same' : { how: 'changed', to: null };
  if (anchor.of !== 'definition') return 'same';
  const named = code.definitions.filter(({ qualified }) => qualified === anchor.name);
  if (named.some(({ hash }) => hash === anchor.hash)) return 'same';
  if (named.length > 0) return { how: 'changed', to: null };
  const renamed = code.definitions.filter(({ hash, isShort }) => hash === anchor.hash && !isShort);
  const [only] = renamed;
  return only && renamed.length === 1 ? { how: 'renamed', to: only.qualified } : 'missing';
}
