import { join } from 'node:path';
import { sha256, statsOf } from '../../../files/file-fingerprint.ts';
import { gitFolderOf } from '../../../files/folders.ts';
import { lstatOf, statOf } from '../../../files/paths.ts';
import { decode, readRange, withFile } from '../../../files/read-file.ts';
import { extentsIn } from '../../../matching/text/extents.ts';
import { baseName, isTest, whyPrivate } from '../../../matching/text/paths.ts';
import { listProject } from '../../../project/io/project-listing.ts';
import type { AppContext, Settings } from '../../../settings/app-context.ts';
import type { Workspace } from '../../../settings/io/workspace-folders.ts';
import { linkAt } from '../../../settings/io/workspace-links.ts';
import type { Anchor, CodeChange, Sha256, StoredText } from '../../ledger/entry.ts';
import type { Proposal } from '../../proposals/proposal.ts';

/** Something that a note may cite of a project: a path with or without a line, or a name. */
export interface Citation {
  /** As the note says it. */
  cited: string;
  path: string | null;
  /** From 1. */
  line: number | null;
  name: string | null;
}

const MAX_CITATIONS = 20;
// Code in a fence is an example: it need not be the project's.
const FENCED = /^[^\S\n]*(?:```|~~~)[\s\S]*?(?:^[^\S\n]*(?:```|~~~).*$|(?![\s\S]))/gm;
const QUOTED = /`([^`\n]{1,200})`/g;
// A slash, or a name with an ending: what is only a word names no file.
const PATH = /^(?:\.\/)?((?:[\w.@+~-]+\/)*[\w.@+~-]*\w\/?)(?::(\d{1,7})(?:[-:]\d{1,7})?|#L(\d{1,7})(?:-L?\d{1,7})?)?$/u;
const ENDING = /\.[A-Za-z][A-Za-z0-9]{0,9}$/;
const NAME = /^[@#.]?([\p{L}_$][\p{L}\p{N}_$]*(?:(?:\.|::|#)[\p{L}_$][\p{L}\p{N}_$]*)*)(?:\(.*\))?$/u;
const SHORTEST_NAME = 3;
const ADDRESS = /\w:\/\/\S*/g;

/** What a text may cite, in its order; whether the project has it is not asked here. */
export function citationsIn(text: string): Citation[] {
  const prose = text.replace(FENCED, '');
  const names = [...prose.matchAll(QUOTED)].map(([, quoted = '']) => quoted.trim());
  const plain = prose.replace(QUOTED, ' ').replace(ADDRESS, ' ');
  const words = plain.split(/[\s"'“”‘’()[\]{}<>|]+/).map((word) => pathIn(word.replace(/[.,;:!?…]+$/, '')));
  const cited = [...names.map((quoted) => pathIn(quoted) ?? nameIn(quoted)), ...words].filter((each) => each !== null);
  return [...new Map(cited.map((each) => [each.cited, each])).values()].slice(0, MAX_CITATIONS);
}

function pathIn(word: string): Citation | null {
  const match = PATH.exec(word);
  const path = match?.[1];
  if (path === undefined || !(path.includes('/') || ENDING.test(path)) || path.split('/').includes('..')) return null;
  const line = Number(match?.[2] ?? match?.[3]);
  return { cited: word, path: path.replace(/\/$/, ''), line: Number.isNaN(line) ? null : line, name: null };
}

function nameIn(quoted: string): Citation | null {
  const name = NAME.exec(quoted)?.[1]?.replaceAll(/::|#/g, '.');
  if (name === undefined || name.length < SHORTEST_NAME) return null;
  return { cited: quoted, path: null, line: null, name };
}

/** The project that a workspace's notes speak of; null: a workspace of the home, which has none. */
export function citedProject(app: AppContext, settings: Settings, workspace: Pick<Workspace, 'id' | 'scope'>) {
  const link = linkAt(settings.folders, app.cwd);
  const isLinked = link !== null && link.id === workspace.id && link.root === workspace.scope;
  return isLinked ? link.folder : workspace.scope;
}

export type ToStored = (text: string) => StoredText;

/** Of what is about to be decided; notes alone cite a project. Before the lock: a large project takes its time. */
export async function anchoringFor(
  app: AppContext,
  settings: Settings,
  { kind, image_id, file }: Pick<Proposal, 'kind' | 'image_id' | 'file'>,
  said: string,
): Promise<ToStored> {
  const isNotes = kind === 'notes' && file === 'notes.md' && image_id !== null;
  const root = isNotes ? citedProject(app, settings, settings.workspace({ id: image_id })) : null;
  const anchorsOf = root === null ? () => [] : await openCode(app, root).anchorsIn(said);
  return (text) => {
    const anchors = anchorsOf(text);
    return anchors.length > 0 ? { text, anchors } : { text };
  };
}

type Found = Pick<CodeChange, 'how' | 'to'>;

const MAX_FILES = 20_000;
const MAX_BYTES = 1024 * 1024;
const MAX_REMEMBERED = 512;

const onlyOne = <T>(found: readonly T[]): T | null => (found.length === 1 ? (found[0] ?? null) : null);
const lastOf = (name: string): string => name.slice(name.lastIndexOf('.') + 1);
const endingOf = (path: string): string => baseName(path).slice(baseName(path).lastIndexOf('.'));

/** For one read: the list of files and the state of git are asked for once. What was worked out is kept for as long as files stay as they are. */
export function openCode(app: Pick<AppContext, 'memo'>, root: string) {
  const known = app.memo<Code>('code', MAX_REMEMBERED);
  const moved = app.memo<Found>('code elsewhere', MAX_REMEMBERED);
  let listing: Promise<readonly string[]> | undefined;
  let gitState: ReturnType<typeof statsOf> | undefined;
  const statsAt = (path: string) => statsOf([`${root}/${path}`]);
  const isOpen = (path: string) => whyPrivate(path) === null;
  const list = (): Promise<readonly string[]> => {
    listing ??= listProject(root).then((paths) => paths.filter(isOpen).slice(0, MAX_FILES));
    return listing;
  };
  const read = <T>(path: string, use: (bytes: Buffer) => T): T | null => {
    if (!isOpen(path)) return null;
    const file = withFile(join(root, path), root, ({ fd, size }) =>
      size > MAX_BYTES ? null : use(readRange(fd, 0, size)),
    );
    return file.status === 'ok' ? file.value : null;
  };
  const hashOf = (path: string) => read(path, sha256);
  // Whether a file holds these characters, without parsing it.
  const holds = (path: string, text: string) => read(path, (bytes) => bytes.includes(text)) ?? false;
  const stands = (path: string): 'file' | 'folder' | null => {
    const stat = statOf(join(root, path)) ?? lstatOf(join(root, path));
    return stat?.isFile() || stat?.isSymbolicLink() ? 'file' : stat?.isDirectory() ? 'folder' : null;
  };
  // Null: not there, not a text, or larger than any code that people write.
  const codeAt = (path: string): Code | null => {
    const stats = statsAt(path);
    const before = known.get(stats, path);
    if (before) return before;
    const code = read(path, (bytes) => (bytes.includes(0) ? null : codeOf(path, decode(bytes).text, sha256)));
    if (code) known.put(stats, code, path);
    return code;
  };

  // A file is often called by the end of its path alone.
  const pathAnchor = ({ cited, path, line }: Citation, files: readonly string[]): Anchor[] => {
    if (path === null) return [];
    const own = stands(path) === null ? onlyOne(files.filter((file) => file.endsWith(`/${path}`))) : path;
    if (own === null) return [];
    const whole = { cited, path: own, name: null };
    if (stands(own) === 'folder') return [{ ...whole, of: 'folder', hash: null }];
    const code = line === null ? null : codeAt(own);
    const around = code && line !== null ? enclosing(code, line - 1) : null;
    if (around) return [definitionAnchor(cited, own, around)];
    const said = code?.lines[(line ?? 0) - 1]?.trim();
    return [said ? { ...whole, of: 'line', hash: sha256(said) } : { ...whole, of: 'file', hash: hashOf(own) }];
  };

  // Where it is defined once, tests aside, or in a file that the same block cites; which of several is meant nobody can tell.
  const nameAnchor = ({ cited, name }: Citation, near: readonly string[], files: readonly string[]): Anchor[] => {
    if (name === null) return [];
    const definedIn = (paths: readonly string[]) =>
      paths.flatMap((path) => {
        const code = holds(path, lastOf(name)) ? codeAt(path) : null;
        return code ? definitionsNamed(code, name).map((definition) => definitionAnchor(cited, path, definition)) : [];
      });
    const [close] = definedIn(near);
    if (close) return [close];
    const all = definedIn(files);
    const own = all.filter(({ path }) => !isTest(path));
    const found = own.length > 0 ? own : all;
    return new Set(found.map(({ path, name }) => `${path} ${name}`)).size === 1 ? found.slice(0, 1) : [];
  };

  const atItsPlace = (anchor: Anchor): ReturnType<typeof comparedIn> => {
    if (stands(anchor.path) === null) return 'missing';
    const code = anchor.of === 'folder' || anchor.of === 'file' ? null : codeAt(anchor.path);
    return code ? comparedIn(anchor, code) : 'same';
  };

  // The same under its name in another file; else the only one of that name, which was changed on the way.
  const definitionElsewhere = ({ path, name, hash }: Anchor, files: readonly string[]): Found => {
    const last = lastOf(name ?? '');
    const named = files
      .filter((file) => file !== path && endingOf(file) === endingOf(path) && holds(file, last))
      .flatMap((file) =>
        (codeAt(file)?.definitions ?? [])
          .filter((each) => each.name === last && (each.qualified === name || each.hash === hash))
          .map((each) => ({ file, isSame: each.hash === hash })),
      );
    const same = named.find(({ isSame }) => isSame);
    const own = [...new Set(named.map(({ file }) => file))].filter((file) => isTest(file) === isTest(path));
    const to = same?.file ?? onlyOne(own);
    return to === null ? { how: 'gone', to } : { how: 'moved', to };
  };

  const fileElsewhere = ({ path, of, hash }: Anchor, files: readonly string[]): Found => {
    const named = files.filter((file) => baseName(file) === baseName(path));
    const isSame = (file: string) => of === 'file' && hashOf(file) === hash;
    const same = named.find(isSame) ?? files.find((file) => endingOf(file) === endingOf(path) && isSame(file));
    const to = of === 'folder' ? null : (same ?? onlyOne(named));
    if (to === null) return { how: 'gone', to };
    return { how: baseName(to) === baseName(path) ? 'moved' : 'renamed', to };
  };

  // What was found of a missing anchor before holds as long as neither its file nor git's list of files changed.
  const elsewhere = async (anchor: Anchor): Promise<Found> => {
    gitState ??= statsOf(['index', 'HEAD'].map((name) => join(gitFolderOf(root)?.own ?? root, name)));
    const stats = [...statsAt(anchor.path), ...gitState];
    const name = JSON.stringify(anchor);
    const before = moved.get(stats, name);
    if (before) return before;
    const found = (anchor.of === 'definition' ? definitionElsewhere : fileElsewhere)(anchor, await list());
    moved.put(stats, found, name);
    return found;
  };

  return {
    /** What a text cites is looked up once, before anything is locked; each block then gets its own. */
    async anchorsIn(text: string): Promise<(block: string) => Anchor[]> {
      if (citationsIn(text).length === 0) return () => [];
      const files = await list();
      return (block) => {
        const citations = citationsIn(block);
        const placed = citations.flatMap((citation) => pathAnchor(citation, files));
        const cited = placed.map(({ path }) => path);
        return [...placed, ...citations.flatMap((citation) => nameAnchor(citation, cited, files))];
      };
    },

    /** What became of the code that these anchors hold to; nothing where all is as it was. */
    async changesOf(anchors: readonly Anchor[]): Promise<CodeChange[]> {
      const changes: CodeChange[] = [];
      for (const anchor of anchors) {
        const here = atItsPlace(anchor);
        if (here === 'same') continue;
        const { cited, path, name } = anchor;
        changes.push({ cited, path, name, ...(here === 'missing' ? await elsewhere(anchor) : here) });
      }
      return changes;
    },
  };
}

type CodeDefinition = Code['definitions'][number];

const SHORT_CHARS = 60;

type Code = ReturnType<typeof codeOf>;

/** A file's definitions and its lines. */
export function codeOf(path: string, text: string, sha256: Sha256) {
  const lines = text.split(/\r\n|\n|\r/);
  const definitions = extentsIn(path, text).map(({ name, qualified, start, end, isLocal }) => {
    // Without its name: a definition that was only renamed has the same. So short that others may well be the same.
    const said = withoutName(lines.slice(start, end), name);
    const isShort = said.length < SHORT_CHARS;
    return { name, qualified, start, end, isLocal, hash: sha256(said), isShort };
  });
  return { definitions, lines };
}

// Indents and blank lines are not part of what was said: a definition that is only elsewhere is the same. Its name is first
// said where it is defined.
function withoutName(lines: readonly string[], name: string): string {
  const indent = (lines[0] ?? '').length - (lines[0] ?? '').trimStart().length;
  const said = lines
    .filter((line) => line.trim() !== '')
    .map((line) => line.slice(Math.min(indent, line.length - line.trimStart().length)).trimEnd())
    .join('\n');
  const own = name.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&');
  return said.replace(new RegExp(`(?<![\\p{L}\\p{N}_$])${own}(?![\\p{L}\\p{N}_$])`, 'u'), '\0');
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
  const isIt = (line: string): boolean => sha256(line.trim()) === anchor.hash;
  if (anchor.of === 'line') return code.lines.some(isIt) ? 'same' : { how: 'changed', to: null };
  const named = code.definitions.filter(({ qualified }) => qualified === anchor.name);
  if (named.some(({ hash }) => hash === anchor.hash)) return 'same';
  if (named.length > 0) return { how: 'changed', to: null };
  const only = onlyOne(code.definitions.filter(({ hash, isShort }) => hash === anchor.hash && !isShort));
  return only ? { how: 'renamed', to: only.qualified } : 'missing';
}
