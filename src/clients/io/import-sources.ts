import { type Dirent, existsSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { notFound } from '../../errors.ts';
import { entriesIn, isInside, realPath, statOf } from '../../files/paths.ts';
import { readText } from '../../files/read-file.ts';
import { whyPrivate } from '../../matching/text/paths.ts';
import { isIgnoredIn } from '../../project/io/project-listing.ts';
import { showHidden, whyNotPlainName } from '../../safety/hidden-characters.ts';
import { findCertainSecret } from '../../safety/secrets.ts';
import type { AppContext } from '../../settings/app-context.ts';
import type { ImportSource } from '../import-plan.ts';
import { readChatGpt, readMem0 } from '../memory-formats.ts';
import { readImages } from './chemigram-images.ts';
import { dashed, projectNames } from './client-locations.ts';

/** A file to read, and where its text would belong. */
interface Candidate {
  path: string;
  /** A repository: no link in it may lead out, and its files are not the person's own. */
  scope: string | null;
  to: ImportSource['to'];
  workspace?: string;
  /** An export that is a list of texts; null: it is none. */
  read?: (text: string) => string[] | null;
  /** Where `@path` lines name more files: how many of them led here. */
  hops?: number;
}

export interface ImportFolders extends Pick<AppContext, 'forPerson' | 'inFull'> {
  /** A folder or file to read in place of where the program keeps it. */
  from?: string | undefined;
  to?: ImportSource['to'] | undefined;
  /** The person's own folder. */
  home: string;
  /** The repository, or the person's current folder. */
  root: string;
  /** Folders of the product itself. */
  own: readonly string[];
}

const CHEMIGRAM_IMAGES = '~/Pictures/Chemigram';
// Rules and memories are texts that people wrote; what is larger is something else.
const MAX_BYTES = 4 * 1024 * 1024;
const MAX_HOPS = 5;
const DEFAULT_TASTE = { kind: 'taste', file: '_default.md' } as const;
const NOTES = { kind: 'notes' } as const;

type NamedFolders = Pick<ImportFolders, 'from' | 'inFull'>;

/** Where the images of Chemigram are, in full: in the folder that the person named, or in one of that name inside. */
function imagesFolder({ from, inFull }: NamedFolders): string {
  if (from === undefined) return inFull(CHEMIGRAM_IMAGES);
  const inside = join(inFull(from), 'images');
  return readImages(inside).length > 0 ? inside : inFull(from);
}

/** The folders of images that these words mean. */
export function imageFolders(words: readonly string[], places: NamedFolders): string[] {
  return words.flatMap((word) => {
    if (word === 'chemigram') return [imagesFolder(places)];
    return isFolder(word, places) ? [imagesFolder({ ...places, from: word })] : [];
  });
}

// A name of ours is that, whatever lies here.
function isFolder(word: string, { inFull }: Pick<ImportFolders, 'inFull'>): boolean {
  return !Object.hasOwn(KNOWN, word) && statOf(inFull(word))?.isDirectory() === true;
}

/** Tastes in the folder of a home, or in a folder that is nothing but tastes. */
function tastesIn(folder: string): Candidate[] {
  const files = filesIn(folder, '.md');
  const names = files.map((path) => basename(path));
  const isOther = (entry: Dirent) =>
    !entry.name.startsWith('.') &&
    (!entry.isFile() || !entry.name.endsWith('.md') || /^(?:taste|brief|notes)\.md$/.test(entry.name));
  const isTastes = names.includes('_default.md') || !entriesIn(folder).some(isOther);
  return [
    { path: join(folder, 'taste.md'), scope: null, to: DEFAULT_TASTE },
    ...[...filesIn(join(folder, 'tastes'), '.md'), ...(isTastes ? files : [])].map(
      (path): Candidate => ({ path, scope: null, to: { kind: 'taste', file: basename(path) } }),
    ),
  ];
}

type Source = (places: ImportFolders) => Candidate[];

// A folder that the person names is theirs; their own programs' files lie there as they do in their home.
const given = ({ from, inFull }: NamedFolders, usual: string): string => (from === undefined ? usual : inFull(from));

/** Rules that a project keeps: files by name, and with `*` all in a folder that end so. */
function rules(...names: string[]): Source {
  return (places) => {
    const root = given(places, places.root);
    const pathsOf = (name: string) => {
      const [folder = '', ending] = name.split('*');
      return ending === undefined ? [join(root, name)] : filesIn(join(root, folder), ending);
    };
    return names.flatMap(pathsOf).map((path) => ({ path, scope: root, to: NOTES }));
  };
}

/** What a program remembers by itself, as Markdown in its own folders. */
function markdown(to: ImportSource['to'], usual: (home: string, root: string) => string[]): Source {
  return ({ home, root, from, inFull }) =>
    (from === undefined ? usual(home, root) : [inFull(from)])
      .flatMap((folder) => markdownBelow(folder))
      .map((path) => ({ path, scope: null, to }));
}

/** One file that a program exports. */
function exported(usual: string, inside: string, read: NonNullable<Candidate['read']>): Source {
  return ({ from = usual, inFull }) => {
    const path = inFull(from);
    return [{ path: statOf(path)?.isDirectory() ? join(path, inside) : path, scope: null, to: DEFAULT_TASTE, read }];
  };
}

// What known programs keep where: a project's own rules become notes of it, what holds for all work a taste.
const KNOWN: Record<string, Source> = {
  chemigram(places) {
    const images = imagesFolder(places);
    return [
      ...tastesIn(given(places, join(places.home, '.chemigram'))),
      ...readImages(images)
        .filter(({ notes }) => notes !== null)
        .map(({ id }): Candidate => ({ path: join(images, id, 'notes.md'), scope: null, to: NOTES, workspace: id })),
    ];
  },
  claude(places) {
    const own = join(given(places, places.home), '.claude/CLAUDE.md');
    const ofProject = rules('CLAUDE.md', '.claude/CLAUDE.md', '.claude/rules/*.md');
    const all: Candidate[] = [{ path: own, scope: null, to: DEFAULT_TASTE }, ...ofProject(places)];
    return all.map((each) => ({ ...each, hops: 0 }));
  },
  agents: rules('AGENTS.md'),
  gemini: rules('GEMINI.md'),
  cursor: rules('.cursorrules', '.cursor/rules/*.mdc'),
  copilot: rules('.github/copilot-instructions.md', '.github/instructions/*.instructions.md'),
  'claude-memory': markdown(NOTES, (home, root) => [join(home, '.claude/projects', dashed(root), 'memory')]),
  'codex-memory': markdown(DEFAULT_TASTE, (home) => [join(home, '.codex/memories')]),
  'gemini-memory': markdown(NOTES, (home, root) =>
    projectNames(root).map((name) => join(home, '.gemini/tmp', name, 'memory')),
  ),
  'basic-memory': markdown(NOTES, (home) => [join(home, 'basic-memory')]),
  mem0: exported('mem0.json', 'mem0.json', readMem0),
  chatgpt: exported('.', 'conversations.json', readChatGpt),
};

/** Of those: what a project tells an agent. */
export const INSTRUCTIONS: readonly string[] = ['claude', 'agents', 'gemini', 'cursor', 'copilot'];

export const IMPORT_NAMES = Object.keys(KNOWN);

export function readImportSources(words: readonly string[], places: ImportFolders) {
  const sources: ImportSource[] = [];
  const unread: { name: string; reason: string }[] = [];
  if (places.from !== undefined && !existsSync(places.inFull(places.from)))
    throw notFound(`There is nothing at ${showHidden(places.from)}.`, 'Give the folder or file to read: --from PATH');
  for (const word of words) {
    const known = Object.hasOwn(KNOWN, word) ? KNOWN[word] : undefined;
    const ofFolder = isFolder(word, places) ? KNOWN.chemigram?.({ ...places, from: word }) : null;
    const ofFile: Candidate = { path: places.inFull(word), scope: null, to: places.to ?? NOTES };
    const open = known?.(places) ?? ofFolder ?? [ofFile];
    const seen = new Set<string>();
    let isFound = false;
    for (let next = open.shift(); next; next = open.shift()) {
      const { path, scope, workspace, hops } = next;
      if (seen.has(path)) continue;
      seen.add(path);
      const file = hops ? followed(path, scope, places.own) : readSource(path, scope);
      if (file.status === 'missing') continue;
      isFound = true;
      const name = places.forPerson(path);
      const texts = file.status === 'ok' ? next.read?.(file.text) : null;
      if (file.status === 'unreadable' || texts === null) {
        unread.push({ name, reason: file.status === 'ok' ? `it is not an export of ${word}` : file.reason });
        continue;
      }
      // Where the person says so, else as is usual for the program.
      const to = known && places.to && !workspace ? places.to : next.to;
      const { text, named } = hops === undefined ? { text: file.text, named: [] } : withoutImports(file.text);
      const byItem = INSTRUCTIONS.includes(word);
      sources.push({ name, text, to, inProject: scope !== null, byItem, workspace, texts });
      if (hops !== undefined && hops < MAX_HOPS)
        open.unshift(
          ...named.map((line) => ({ ...next, path: importedPath(line, path, places.home), hops: hops + 1 })),
        );
    }
    if (!isFound) unread.push({ name: word, reason: whyNothing(known !== undefined, Boolean(ofFolder)) });
  }
  return { sources, unread };
}

function whyNothing(isKnown: boolean, isNamedFolder: boolean): string {
  if (isKnown) return 'nothing of it was found here';
  if (isNamedFolder) return 'it holds no images and no tastes';
  return `there is no such file, and the sources by name are ${IMPORT_NAMES.join(', ')}`;
}

// What a line of a file names, and not the person: only what is in the corpus of a project, and holds no secret.
function followed(path: string, scope: string | null, own: readonly string[]): ReturnType<typeof readSource> {
  const unreadable = (reason: string) =>
    ({ status: 'unreadable', reason: `an @ line names it, and it ${reason}` }) as const;
  const real = realPath(path) ?? path;
  for (const name of [path, real].map((each) => (scope === null ? each : relative(scope, each)).split(sep).join('/'))) {
    const why = whyPrivate(name);
    if (why !== null) return unreadable(why);
    if (scope !== null && isIgnoredIn(scope, name)) return unreadable('is ignored by git');
  }
  if (own.some((folder) => isInside(realPath(folder) ?? folder, real))) return unreadable('is in a folder of Bearings');
  const file = readSource(path, scope);
  return file.status === 'ok' && findCertainSecret(file.text) ? unreadable('holds a secret') : file;
}

function readSource(path: string, scope: string | null) {
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > MAX_BYTES)
    return { status: 'unreadable', reason: 'it is too large (the limit is 4 MiB)' } as const;
  const file = readText(path, scope);
  return file.status === 'ok' ? ({ status: 'ok', text: file.value.text } as const) : file;
}

const IMPORT = /^@(\S+)$/;
const FENCE = /^\s*(?:```|~~~)/;

/** The text without its `@path` lines, and the paths they name; not those in code. */
function withoutImports(text: string): { text: string; named: string[] } {
  const named: string[] = [];
  let isFenced = false;
  const lines = text.split(/\r\n|\n|\r/).filter((line) => {
    if (FENCE.test(line)) isFenced = !isFenced;
    const path = isFenced ? undefined : IMPORT.exec(line.trim())?.[1];
    if (path !== undefined) named.push(path);
    return path === undefined;
  });
  return { text: lines.join('\n'), named };
}

function importedPath(named: string, from: string, home: string): string {
  return named.startsWith('~/') ? join(home, named.slice(2)) : resolve(dirname(from), named);
}

function markdownBelow(folder: string, depth = 4): string[] {
  const entries = entriesIn(folder).map((entry) => ({ entry, path: join(folder, entry.name) }));
  return [
    ...entries.filter(({ entry, path }) => entry.isFile() && path.endsWith('.md')).map(({ path }) => path),
    ...entries
      .filter(({ entry }) => depth > 0 && entry.isDirectory() && !entry.name.startsWith('.'))
      .flatMap(({ path }) => markdownBelow(path, depth - 1)),
  ];
}

function filesIn(folder: string, ending: string): string[] {
  return entriesIn(folder)
    .filter(({ name }) => name.endsWith(ending) && whyNotPlainName(name) === null)
    .map(({ name }) => join(folder, name));
}
