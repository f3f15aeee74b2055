import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { type BearingsError, openBearings } from '../src/index.ts';
import { openPerson } from '../src/person.ts';
import { NOTE, sentence, table } from './reference/markdown.ts';
import { tempFolder } from './support/temp-folder.ts';

const root = resolve(import.meta.dirname, '..');
const home = tempFolder();
const options = { home, cwd: home, variables: {} };
const opened = openBearings(options);
const methods = Object.entries({ ...opened, person: openPerson(options) }).flatMap(([space, all]) =>
  Object.keys(all).map((name) => `${space}.${name}`),
);

// Objects that an earlier call gave: nobody writes their keys.
const GIVEN_BACK = new Set(['session', 'bundle', 'before', 'after', 'task']);

describe('M23 a session of a program', () => {
  it('M23 M29 ends with a footer, and proposes nothing after it', async () => {
    const { gate } = openBearings(options);
    const session = await gate.openSession({ workspace: null, client: 'a program' });
    const wish = { kind: 'taste', category: 'value', content: 'Small commits.' } as const;
    await gate.propose(session, wish);
    expect(await gate.endSession(session)).toEqual([]);
    await expect(gate.propose(session, { ...wish, content: 'Later.' })).rejects.toThrow('This session has ended.');
    const [name = ''] = readdirSync(join(home, 'sessions')).filter((each) => each.endsWith('.jsonl'));
    expect(readFileSync(join(home, 'sessions', name), 'utf8')).toContain('"reason":"ended"');
  });
});

describe('what a program may call', () => {
  it('is little enough to be known by heart, and an import shows what only a person may do', () => {
    const own = methods.filter((name) => !name.startsWith('person.'));
    expect(own.length).toBeLessThanOrEqual(36);
    expect(
      own.filter((name) => /decide|adopt|erase|undo|restore|trust|allow|create|rename|remove/i.test(name)),
    ).toEqual([]);
  });

  it('has hover text and types in the built package, is in the reference by them, and every type that a method takes or gives is exported', async () => {
    const files = ['index', 'person'].map((name) => join(root, `dist/${name}.d.ts`));
    const program = ts.createProgram(files, { skipLibCheck: true, types: [], target: ts.ScriptTarget.ES2022 });
    const checker = program.getTypeChecker();
    const names = files.map((file) =>
      checker.getExportsOfModule(
        checker.getSymbolAtLocation(program.getSourceFile(file) as ts.SourceFile) as ts.Symbol,
      ),
    );
    const exported = new Set(names.flat().map(({ name }) => name));
    const typeOf = (at: number, name: string) => {
      const symbol = names[at]?.find((each) => each.name === name) as ts.Symbol;
      return checker.getDeclaredTypeOfSymbol(
        symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol,
      );
    };
    const spaces: [string, ts.Type][] = [
      ...typeOf(0, 'Bearings')
        .getProperties()
        .map((space): [string, ts.Type] => [space.name, checker.getTypeOfSymbol(space)]),
      ['person', typeOf(1, 'Person')],
    ];
    const missing = new Set<string>();
    const look = (type: ts.Type): void => {
      const { name = '' } = type.aliasSymbol ?? type.symbol ?? {};
      const isOurs = (type.aliasSymbol ?? type.symbol)?.declarations?.some((each) =>
        each.getSourceFile().fileName.startsWith(join(root, 'dist')),
      );
      if (isOurs && !name.startsWith('__') && !exported.has(name)) missing.add(name);
      if (type.isUnionOrIntersection() && !type.aliasSymbol) type.types.forEach(look);
      checker.getTypeArguments(type as ts.TypeReference)?.forEach(look);
    };
    const documented: string[] = [];
    const parts = spaces.map(([space, type]) => {
      const rows = type.getProperties().map((method) => {
        const about = ts.displayPartsToString(method.getDocumentationComment(checker));
        if (about.length > 10) documented.push(`${space}.${method.name}`);
        const [signature] = checker.getTypeOfSymbol(method).getCallSignatures();
        look(signature?.getReturnType() as ts.Type);
        const parameters = signature?.parameters ?? [];
        for (const parameter of parameters) look(checker.getTypeOfSymbol(parameter));
        const names = parameters.map((parameter) => {
          const declared = parameter.valueDeclaration as ts.ParameterDeclaration;
          // What is taken apart in place has no name of its own.
          const name = parameter.name.replace(/^args_\d$/, 'options');
          return declared.questionToken ? `${name}?` : name;
        });
        const takes = parameters.flatMap((parameter, at) => {
          const type = checker.getNonNullableType(checker.getTypeOfSymbol(parameter));
          const isPlain = (type.flags & ts.TypeFlags.StringLike) !== 0 || type.getCallSignatures().length > 0;
          if (isPlain || GIVEN_BACK.has(parameter.name)) return [];
          const words = type.isUnion()
            ? type.types.flatMap((each) => (each.isStringLiteral() ? [each.value] : []))
            : [];
          if (words.length > 0) return [`\`${names[at]?.replace('?', '')}\`: ${words.join(', ')}`];
          const keys = type
            .getProperties()
            .map(({ name, flags }) => `${name}${flags & ts.SymbolFlags.Optional ? '?' : ''}`);
          return keys.length === 0 ? [] : [`\`${names[at]?.replace('?', '')}\`: ${keys.join(', ')}`];
        });
        return [`\`${space}.${method.name}(${names.join(', ')})\``, [sentence(about), ...takes].join('<br>')];
      });
      const opened = space === 'person' ? 'openPerson()' : `openBearings().${space}`;
      return [`## \`${opened}\``, table(['method', 'what it does'], rows)].join('\n\n');
    });
    expect(documented).toEqual(methods);
    expect([...missing]).toEqual([]);
    const page = ['# Methods of the library', NOTE, 'How they are called: [in a program](../library.md).', ...parts];
    await expect(`${page.join('\n\n')}\n`).toMatchFileSnapshot('../docs/reference/library.md');
  });

  it.each<[string, string, string | undefined, () => unknown]>([
    ['openBearings', 'hom', 'Did you mean: home', () => openBearings({ hom: '/' } as object)],
    ['memory.read', 'foragent', 'Did you mean: forAgent', () => opened.memory.read({ foragent: true } as object)],
    ['memory.readNotes', 'lmit', 'Did you mean: limit', () => opened.memory.readNotes({ lmit: 1 } as object)],
    ['loader.load', 'maxFils', 'Did you mean: maxFiles', () => opened.loader.load({ maxFils: 1 } as object)],
    ['matching.rank', 'topp', 'Did you mean: top', () => opened.matching.rank('a', { project: '.', topp: 1 } as never)],
    ['tasks.resume', 'zzz', undefined, () => opened.tasks.resume('last', { zzz: 1 } as object)],
    ['person.createWorkspace', 'name', undefined, () => openPerson(options).createWorkspace({ name: 'a' } as object)],
  ])('%s refuses the unknown option %s by its name', async (method, key, hint, call) => {
    const error = await (async () => call())().then(
      () => null,
      (reason: unknown) => reason as BearingsError,
    );
    expect(error).toMatchObject({ code: 'invalid_input', message: `${method} has no option "${key}".`, data: { key } });
    if (hint !== undefined) expect(error?.hint).toBe(hint);
    else expect(error?.hint).toMatch(/^It knows /);
  });

  it('loads no other room for a read: what is there from the start is reading', () => {
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
