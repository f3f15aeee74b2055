import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { type BearingsError, openBearings } from '../src/index.ts';
import { tempFolder } from './temp-folder.ts';

const root = resolve(import.meta.dirname, '..');
const home = tempFolder();
const opened = openBearings({ home, cwd: home, variables: {} });
const methods = Object.entries(opened).flatMap(([space, all]) => Object.keys(all).map((name) => `${space}.${name}`));

describe('what a program may call', () => {
  it('is in docs/library.md, all of it and nothing else', () => {
    const page = readFileSync(join(root, 'docs/library.md'), 'utf8');
    const listed = [...page.matchAll(/^\| `(\w+\.\w+)\(/gm)].map(([, name]) => name);
    expect(listed).toEqual(methods);
  });

  it('has hover text and types in the built package, and no method of the faces', () => {
    const program = ts.createProgram([join(root, 'dist/index.d.ts')], { skipLibCheck: true, types: [], noLib: true });
    const checker = program.getTypeChecker();
    const source = program.getSourceFile(join(root, 'dist/index.d.ts')) as ts.SourceFile;
    const names = checker.getExportsOfModule(checker.getSymbolAtLocation(source) as ts.Symbol);
    const exported = names.find(({ name }) => name === 'Bearings') as ts.Symbol;
    const bearings = checker.getDeclaredTypeOfSymbol(
      exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported,
    );
    const documented = bearings.getProperties().flatMap((space) =>
      checker
        .getTypeOfSymbol(space)
        .getProperties()
        .filter((method) => ts.displayPartsToString(method.getDocumentationComment(checker)).length > 10)
        .map((method) => `${space.name}.${method.name}`),
    );
    expect(documented).toEqual(methods);
    expect(names.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['Session', 'Proposal', 'Decision', 'Bundle']),
    );
  });

  it.each<[string, string, string | undefined, () => unknown]>([
    ['openBearings', 'hom', 'Did you mean: home', () => openBearings({ hom: '/' } as object)],
    ['memory.read', 'foragent', 'Did you mean: forAgent', () => opened.memory.read('a', { foragent: true } as object)],
    ['memory.readNotes', 'lmit', 'Did you mean: limit', () => opened.memory.readNotes('a', { lmit: 1 } as object)],
    ['loader.load', 'max_fils', 'Did you mean: max_files', () => opened.loader.load({ max_fils: 1 } as object)],
    ['matching.rank', 'topp', 'Did you mean: top', () => opened.matching.rank('a', { project: '.', topp: 1 } as never)],
    ['tasks.resume', 'zzz', undefined, () => opened.tasks.resume('last', { zzz: 1 } as object)],
    ['A workspace', 'workspace', undefined, () => opened.memory.read({ workspace: 'a' } as object)],
  ])('%s refuses the unknown option %s by its name', async (method, key, hint, call) => {
    const error = await (async () => call())().then(
      () => null,
      (reason: unknown) => reason as BearingsError,
    );
    expect(error).toMatchObject({ code: 'invalid_input', message: `${method} has no option "${key}".`, data: { key } });
    if (hint !== undefined) expect(error?.hint).toBe(hint);
    else expect(error?.hint).toMatch(/^It knows /);
  });

  it('loads no other room for a read: what is there from the start are namespaces and reading', () => {
    const seen = new Set<string>();
    const follow = (path: string): void => {
      if (seen.has(path)) return;
      seen.add(path);
      const { statements } = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest);
      for (const statement of statements) {
        if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) continue;
        const { moduleSpecifier } = statement;
        if (!moduleSpecifier || !ts.isStringLiteral(moduleSpecifier) || !moduleSpecifier.text.startsWith('.')) continue;
        const isType = ts.isExportDeclaration(statement)
          ? statement.isTypeOnly
          : statement.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword;
        const target = resolve(dirname(path), moduleSpecifier.text);
        if (!isType && existsSync(target)) follow(target);
      }
    };
    follow(join(root, 'src/library.ts'));
    const rooms = new Set([...seen].map((path) => relative(join(root, 'src'), path).split('/')[0] as string));
    expect(seen.has(join(root, 'src/memory/read-context.ts'))).toBe(true);
    expect(['tasks', 'loader', 'clients', 'matching', 'project'].filter((room) => rooms.has(room))).toEqual([]);
    expect(seen.has(join(root, 'src/gate/decide.ts'))).toBe(false);
  });
});
