import { join } from 'node:path';
import { statsOf } from '../../../files/file-fingerprint.ts';
import { gitFolderOf } from '../../../files/git-folder.ts';
import { withFile } from '../../../files/open-file.ts';
import { lstatOf } from '../../../files/path-scope.ts';
import { decode, readRange } from '../../../files/read-text.ts';
import { sha256 } from '../../../files/sha256.ts';
import { extentsIn } from '../../../matching/text/extents.ts';
import { whyPrivate } from '../../../matching/text/paths.ts';
import { listProject } from '../../../project/io/project-listing.ts';
import type { AppContext } from '../../../settings/app-context.ts';
import type { CodeChange } from '../../ledger/code-change.ts';
import type { Anchor, Sha256 } from '../../ledger/entry.ts';

export type ProjectCode = ReturnType<typeof openCode>;

type Stats = ReturnType<typeof statsOf>;
type Elsewhere = Pick<CodeChange, 'how' | 'to'>;

const MAX_FILES = 20_000;
const MAX_BYTES = 1024 * 1024;
const MAX_REMEMBERED = 512;

/** What was worked out of a project's files, for as long as they stay as they are. */
export function codeMemo(app: Pick<AppContext, 'memo' | 'facts'>) {
  return {
    code: app.memo<Code>('code', MAX_REMEMBERED),
    // What became of what is no longer at its place.
    elsewhere: app.memo<Elsewhere>('code elsewhere', MAX_REMEMBERED),
    same: app.facts<Anchor>('code'),
  };
}

/** For one read: each file, and the state of git, is asked for once. */
export function openCode(root: string, memo: ReturnType<typeof codeMemo>) {
  let listing: Promise<readonly string[]> | undefined;
  let gitState: Stats | undefined;
  // Several notes cite the same file: it is asked for once.
  const seen = new Map<string, Stats>();
  const statsAt = (path: string): Stats => {
    let stats = seen.get(path);
    if (!stats) {
      stats = statsOf([`${root}/${path}`]);
      seen.set(path, stats);
    }
    return stats;
  };
  const read = <T>(path: string, use: (bytes: Buffer) => T): T | null => {
    if (whyPrivate(path) !== null) return null;
    const file = withFile(join(root, path), root, ({ fd, size }) =>
      size > MAX_BYTES ? null : use(readRange(fd, 0, size)),
    );
    return file.status === 'ok' ? file.value : null;
  };
  return {
    stands(path: string): 'file' | 'folder' | null {
      const stat = statsAt(path)[0] ?? lstatOf(join(root, path));
      return stat?.isFile() || stat?.isSymbolicLink() ? 'file' : stat?.isDirectory() ? 'folder' : null;
    },
    /** Null: not there, not a text, or larger than any code that people write. */
    code(path: string): Code | null {
      const stats = statsAt(path);
      const known = memo.code.get(stats, path);
      if (known) return known;
      const code = read(path, (bytes) => (bytes.includes(0) ? null : codeOf(path, decode(bytes).text, sha256)));
      if (code) memo.code.put(stats, code, path);
      return code;
    },
    hash: (path: string) => read(path, sha256),
    /** Whether a file holds these characters, without parsing it. */
    holds: (path: string, text: string) => read(path, (bytes) => bytes.includes(text)) ?? false,
    list(): Promise<readonly string[]> {
      listing ??= listProject(root).then((paths) =>
        paths.filter((path) => whyPrivate(path) === null).slice(0, MAX_FILES),
      );
      return listing;
    },
    /** What was found of a missing anchor before, as long as neither its file nor git's list of files changed. */
    found(anchor: Anchor) {
      gitState ??= gitStateOf(root);
      const stats = [...statsAt(anchor.path), ...gitState];
      const name = JSON.stringify(anchor);
      return {
        get: () => memo.elsewhere.get(stats, name),
        put: (found: Elsewhere) => memo.elsewhere.put(stats, found, name),
      };
    },
    /** Whether it was found as it was before, and its file has not changed since. */
    wasSame: (anchor: Anchor) => memo.same.holds(anchor, statsAt(anchor.path)[0]),
    rememberSame: (anchor: Anchor) => memo.same.put(anchor, statsAt(anchor.path)[0]),
  };
}

function gitStateOf(root: string): Stats {
  const own = gitFolderOf(root)?.own;
  return own === undefined ? [] : statsOf([join(own, 'index'), join(own, 'HEAD')]);
}

export type CodeDefinition = Code['definitions'][number];

const SHORT_CHARS = 60;
const PART_OF_NAME = /[\p{L}\p{N}_$]/u;
const HANDED_ON = /^\s*(?:module\.)?exports\.[\w$]+\s*=(?!\s*(?:async\b|function\b|class\b|\())/;

type Code = ReturnType<typeof codeOf>;

/** A file's definitions, its lines, and the hash of each line without its indent, worked out when first asked for. */
export function codeOf(path: string, text: string, sha256: Sha256) {
  const lines = text.split(/\r\n|\n|\r/);
  const definitions = extentsIn(path, text).map(({ name, qualified, start, end, isLocal }) => {
    // Without its name: a definition that was only renamed has the same. So short that others may well be the same.
    const said = withoutName(lines.slice(start, end), name);
    const isShort = said.length < SHORT_CHARS;
    // `exports.Router = Router;`: what is defined elsewhere is only handed on.
    const isHandedOn = end - start === 1 && HANDED_ON.test(lines[start] ?? '');
    return { name, qualified, start, end, isLocal, hash: sha256(said), isShort, isHandedOn };
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
