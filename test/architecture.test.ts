import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const SRC = resolve(import.meta.dirname, '../src');
const TESTS = resolve(import.meta.dirname);

// Who may import whom; a room may also import all that the rooms it names may. Change this table only with a record in
// docs/decisions.
const MAY_IMPORT: Record<string, readonly string[]> = {
  safety: [],
  files: [],
  matching: ['safety'],
  settings: ['safety', 'files'],
  memory: ['settings'],
  project: ['matching', 'settings'],
  gate: ['memory', 'project'],
  loader: ['gate'],
  tasks: ['loader'],
  clients: ['loader'],
  hooks: ['clients'],
  learn: ['clients'],
  waiting: ['tasks'],
  'bearings.ts': ['hooks', 'learn', 'waiting'],
  'library-options.ts': ['tasks'],
  'library.ts': ['bearings.ts', 'library-options.ts'],
  'index.ts': ['library.ts'],
  'person.ts': ['bearings.ts', 'library-options.ts'],
  'memory-tool': ['bearings.ts'],
  cli: ['bearings.ts'],
  mcp: ['bearings.ts'],
  web: ['bearings.ts'],
  'main.ts': ['cli', 'mcp', 'web'],
};
// Small, without effects, known to all, importing only each other.
const LEAVES = [
  'closest.ts',
  'code-points.ts',
  'errors.ts',
  'json.ts',
  'key-guard.ts',
  'options.ts',
  'tokens.ts',
  'version.ts',
  'words.ts',
];
const FACES = ['cli', 'mcp', 'web'];
// Where the world is touched: everything else gets it as an argument.
const EFFECTS = /^(?:files\/|(?:[\w-]+\/)+io\/|tasks\/postgres\/|cli\/|mcp\/|web\/|main\.ts$)/;
// Packages without effects that a room may build on.
const PURE_PACKAGES: Record<string, readonly string[]> = {
  tasks: ['saxes', 'jsonc-parser'],
  clients: ['jsonc-parser', 'smol-toml'],
  'tokens.ts': ['gpt-tokenizer/encoding/o200k_base'],
};
const FORBIDDEN = [
  /\bprocess\.\w/,
  /\bDate\.now\b/,
  /\bnew Date\(\)/,
  /\bMath\.random\b/,
  /\blocaleCompare\b/,
  /\btoLocale/,
  /\bIntl\./,
];
const MOST_FILES = 25;
// Lists of equals: one file for each command, tool or route.
const EQUALS = ['cli/commands', 'mcp/tools', 'web/routes'];

interface Import {
  /** Relative to `src/`, or the name of a package. */
  target: string;
  isInside: boolean;
  isType: boolean;
}

interface Source {
  path: string;
  room: string;
  text: string;
  imports: Import[];
}

const sources: Source[] = readdirSync(SRC, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !entry.name.endsWith('.test.ts'))
  .map((entry) => {
    const file = join(entry.parentPath, entry.name);
    const text = readFileSync(file, 'utf8');
    const path = relative(SRC, file);
    return { path, room: roomOf(path), text, imports: importsIn(path, text) };
  });
const byPath = new Map(sources.map((source) => [source.path, source]));

function roomOf(path: string): string {
  return path.split('/')[0] as string;
}

function importsIn(path: string, text: string): Import[] {
  const found: Import[] = [];
  const add = (node: ts.Node | undefined, isType: boolean): void => {
    if (!node || !ts.isStringLiteralLike(node)) return;
    const isInside = node.text.startsWith('.');
    // package.json is no source.
    if (isInside && !/\.tsx?$/.test(node.text)) return;
    const target = isInside ? relative(SRC, resolve(SRC, dirname(path), node.text)) : node.text;
    found.push({ target, isInside, isType });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) add(node.moduleSpecifier, namesOnlyTypes(node.importClause));
    else if (ts.isExportDeclaration(node)) add(node.moduleSpecifier, node.isTypeOnly);
    else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) add(node.argument.literal, true);
    else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
      add(node.arguments[0], false);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true));
  return found;
}

function namesOnlyTypes(clause: ts.ImportClause | undefined): boolean {
  if (!clause || clause.name) return false;
  if (clause.phaseModifier === ts.SyntaxKind.TypeKeyword) return true;
  const names = clause.namedBindings;
  return !!names && ts.isNamedImports(names) && names.elements.every(({ isTypeOnly }) => isTypeOnly);
}

// All rooms below one, through those that it names.
function below(room: string): string[] {
  return (MAY_IMPORT[room] ?? []).flatMap((next) => [next, ...below(next)]);
}

// Effects that running a file would bring along.
function effectsOf(path: string, seen = new Set<string>()): string[] {
  if (seen.has(path)) return [];
  seen.add(path);
  if (EFFECTS.test(path)) return [path];
  return (byPath.get(path)?.imports ?? [])
    .filter(({ isInside, isType }) => isInside && !isType)
    .flatMap(({ target }) => effectsOf(target, seen));
}

describe('architecture', () => {
  it('every room and top file is in the table', () => {
    const known = [...Object.keys(MAY_IMPORT), ...LEAVES];
    expect([...new Set(sources.map(({ room }) => room))].filter((room) => !known.includes(room))).toEqual([]);
    expect(known.filter((room) => !sources.some((source) => source.room === room))).toEqual([]);
  });

  it('imports go down only, as the table says', () => {
    const wrong = sources.flatMap(({ path, room, imports }) => {
      const rooms = [room, ...LEAVES, ...below(room)];
      return imports
        .filter(({ target, isInside }) => isInside && !rooms.includes(roomOf(target)))
        .map(({ target }) => `${path} → ${target}`);
    });
    expect(wrong).toEqual([]);
  });

  it('of the rooms, faces take types and what has no effects; all else comes through bearings.ts', () => {
    const wrong = sources
      .filter(({ room }) => FACES.includes(room))
      .flatMap(({ path, imports }) =>
        imports
          .filter(({ target, isInside, isType }) => isInside && !isType && roomOf(target) !== 'bearings.ts')
          .filter(({ target }) => !FACES.includes(roomOf(target)) && effectsOf(target).length > 0)
          .map(({ target }) => `${path} → ${target}`),
      );
    expect(wrong).toEqual([]);
  });

  it('there are no import cycles', () => {
    const done = new Set<string>();
    const cycles: string[] = [];
    const visit = (path: string, trail: string[]): void => {
      if (trail.includes(path)) cycles.push([...trail.slice(trail.indexOf(path)), path].join(' → '));
      else if (!done.has(path)) {
        for (const { target, isInside } of byPath.get(path)?.imports ?? [])
          if (isInside) visit(target, [...trail, path]);
        done.add(path);
      }
    };
    for (const { path } of sources) visit(path, []);
    expect(cycles).toEqual([]);
  });

  it('outside of io nothing imports a node module or a package, or knows clock, chance, process or locale', () => {
    const wrong = sources
      .filter(({ path }) => !EFFECTS.test(path))
      .flatMap(({ path, room, imports, text }) => [
        ...imports
          .filter(({ target, isInside, isType }) => !isInside && !isType && !PURE_PACKAGES[room]?.includes(target))
          .map(({ target }) => `${path} imports ${target}`),
        ...FORBIDDEN.filter((pattern) => pattern.test(text)).map((pattern) => `${path} uses ${pattern}`),
      ]);
    expect(wrong).toEqual([]);
  });

  it('all of matching and safety runs wherever JavaScript does', () => {
    const promised = sources.map(({ path }) => path).filter((path) => /^(?:matching|safety)\/(?!io\/)/.test(path));
    expect(promised.length).toBeGreaterThan(2);
    expect(promised.flatMap((path) => effectsOf(path).map((effect) => `${path} → … → ${effect}`))).toEqual([]);
  });

  it('faces never touch the disk or the network by themselves', () => {
    const effects = /^(?:node:)?(?:fs|fs\/promises|child_process|net|http|https|dgram|worker_threads)$/;
    const wrong = sources
      .filter(({ path, room }) => FACES.includes(room) && !path.startsWith('cli/io/'))
      .flatMap(({ path, imports }) =>
        imports.filter(({ target }) => effects.test(target)).map(({ target }) => `${path} imports ${target}`),
      );
    expect(wrong).toEqual([]);
  });

  it(`no folder holds more than ${MOST_FILES} files, tests and lists of equals apart`, () => {
    const counts = new Map<string, number>();
    for (const { path } of sources) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
    const full = [...counts].filter(([folder, count]) => count > MOST_FILES && !EQUALS.includes(folder));
    expect(full).toEqual([]);
  });

  it(`no folder of tests holds more than ${MOST_FILES} files, and what tests share lies in support`, () => {
    const files = readdirSync(TESTS, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const beside = readdirSync(SRC, { recursive: true, withFileTypes: true }).filter(({ name }) =>
      /\.test\.tsx?$/.test(name),
    );
    const counts = new Map<string, number>();
    for (const { parentPath } of [...files, ...beside]) counts.set(parentPath, (counts.get(parentPath) ?? 0) + 1);
    expect([...counts].filter(([, count]) => count > MOST_FILES)).toEqual([]);
    const atTop = files.filter(({ parentPath, name }) => parentPath === TESTS && !name.endsWith('.test.ts'));
    expect(atTop.map(({ name }) => name)).toEqual([]);
  });

  it('M50 folders of the gate import in one direction: what was decided rests on the ledger alone', () => {
    const order = 'ledger contradictions standing proposals anchors/io io domains keys sessions accounting erase';
    const folders = [...order.split(' ').map((name) => `gate/${name}`), 'gate'];
    const own = sources.filter(({ path }) => path.startsWith('gate/'));
    const wrong = own.flatMap(({ path, imports }) =>
      imports
        .filter(({ target }) => target.startsWith('gate/') && dirname(target) !== dirname(path))
        .filter(({ target }) => folders.indexOf(dirname(target)) >= folders.indexOf(dirname(path)))
        .map(({ target }) => `${path} imports ${target}`),
    );
    expect(own.every(({ path }) => folders.includes(dirname(path)))).toBe(true);
    expect(
      own.flatMap(({ imports }) => imports.filter(({ target }) => target.startsWith('gate/'))).length,
    ).toBeGreaterThan(100);
    expect(wrong).toEqual([]);
  });

  it('every file that the pages on the structure name is there', () => {
    for (const page of ['docs/architecture.md', 'AGENTS.md']) {
      const text = readFileSync(join(SRC, '..', page), 'utf8');
      const named = [...text.matchAll(/`((?:[a-z0-9-]+\/)+[a-z0-9-]+)(\.tsx?)?`/g)].map(
        ([, path = '', end = '']) => path + end,
      );
      const isThere = (path: string) =>
        [join(SRC, path), join(SRC, `${path}.ts`), join(SRC, '..', path)].some((each) => existsSync(each));
      expect(named.length).toBeGreaterThan(5);
      expect(named.filter((path) => !isThere(path))).toEqual([]);
    }
  });
});
