import { sha256 } from '../../files/sha256.ts';
import { isTest } from '../../matching/text/paths.ts';
import { type CodeDefinition, definitionAnchor, definitionsNamed, enclosing } from '../ledger/cited-definition.ts';
import type { Anchor } from '../ledger/entry.ts';
import { type Citation, citationsIn } from './citations.ts';
import type { ProjectCode } from './io/project-code.ts';

interface Defined {
  path: string;
  definition: CodeDefinition;
}

/** The anchors of one block. */
export type AnchorsOf = (block: string) => Anchor[];

// What a text cites is looked up once, before anything is locked; each block then gets its own.
export async function anchorsIn(text: string, project: ProjectCode): Promise<AnchorsOf> {
  if (citationsIn(text).length === 0) return () => [];
  const files = await project.list();
  return (block) => {
    const citations = citationsIn(block);
    const placed = citations.flatMap((citation) => pathAnchor(citation, project, files));
    const named = citations.flatMap((citation) =>
      nameAnchor(citation, project, { cited: placed.map(({ path }) => path), files }),
    );
    return [...placed, ...named];
  };
}

function pathAnchor({ cited, path, line }: Citation, project: ProjectCode, files: readonly string[]): Anchor[] {
  if (path === null) return [];
  const own = project.stands(path) === null ? onlyEnding(path, files) : path;
  if (own === null) return [];
  if (project.stands(own) === 'folder') return [{ cited, path: own, of: 'folder', name: null, hash: null }];
  const code = line === null ? null : project.code(own);
  if (code && line !== null) {
    const around = enclosing(code, line - 1);
    if (around) return [definitionAnchor(cited, own, around)];
    const said = code.lines[line - 1]?.trim();
    if (said) return [{ cited, path: own, of: 'line', name: null, hash: sha256(said) }];
  }
  return [{ cited, path: own, of: 'file', name: null, hash: project.hash(own) }];
}

// A file is often called by the end of its path alone.
function onlyEnding(path: string, files: readonly string[]): string | null {
  const ending = `/${path}`;
  const found = files.filter((file) => file.endsWith(ending));
  return found.length === 1 ? (found[0] ?? null) : null;
}

// Where it is defined once, tests aside, or in a file that the same block cites; which of several is meant nobody can tell.
function nameAnchor(
  { cited, name }: Citation,
  project: ProjectCode,
  { cited: near, files }: { cited: readonly string[]; files: readonly string[] },
): Anchor[] {
  if (name === null) return [];
  const last = name.slice(name.lastIndexOf('.') + 1);
  const definedIn = (paths: readonly string[]): Defined[] =>
    paths.flatMap((path) => {
      const code = project.holds(path, last) ? project.code(path) : null;
      return code ? definitionsNamed(code, name).map((definition) => ({ path, definition })) : [];
    });
  const [close] = definedIn([...new Set(near)]);
  if (close) return [definitionAnchor(cited, close.path, close.definition)];
  const own = preferring(definedIn(files), ({ path }) => !isTest(path));
  const found = preferring(own, ({ definition }) => !definition.isHandedOn);
  const isOne = new Set(found.map(({ path, definition }) => `${path} ${definition.qualified}`)).size === 1;
  const [only] = found;
  return only && isOne ? [definitionAnchor(cited, only.path, only.definition)] : [];
}

function preferring(all: readonly Defined[], isPreferred: (each: Defined) => boolean): readonly Defined[] {
  const preferred = all.filter(isPreferred);
  return preferred.length > 0 ? preferred : all;
}
