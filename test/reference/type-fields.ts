import { resolve } from 'node:path';
import ts from 'typescript';

/** One field of a written form, as the source declares it. */
export interface TypeField {
  /** Inside other fields by its full name: `policy.name`, `files[].path`, `lines.*`. */
  path: string;
  kind: string;
  optional: boolean;
  /** What the source says of it; empty where it says nothing. */
  about: string;
}

/** The fields of one shape; where a form has several, `tag` is what tells them apart. */
export interface TypeShape {
  tag: string | null;
  fields: TypeField[];
}

export interface TypePlace {
  /** Relative to `src/`. */
  file: string;
  type: string;
  /** The field that tells the shapes of a union apart. */
  tag?: string;
  /** Fields whose inside is told elsewhere. */
  closed?: readonly string[];
}

const src = resolve(import.meta.dirname, '../../src');
const MAX_DEPTH = 6;

// What the compiler knows of the types that files are written from: a field that is added there is seen here.
export function typeReader(places: readonly TypePlace[]): (place: TypePlace) => TypeShape[] {
  const program = ts.createProgram([...new Set(places.map(({ file }) => resolve(src, file)))], {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    types: ['node'],
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.NodeNext,
    exactOptionalPropertyTypes: true,
  });
  const checker = program.getTypeChecker();
  return (place) => {
    const type = checker.getTypeAtLocation(declarationOf(program, place));
    const shapes = type.isUnion() ? type.types : [type];
    return shapes.map((shape) => ({
      tag: place.tag && type.isUnion() ? tagOf(checker, shape, place.tag) : null,
      fields: fieldsOf(checker, shape, { before: '', depth: 0, closed: new Set(place.closed) }),
    }));
  };
}

function declarationOf(program: ts.Program, { file, type }: TypePlace): ts.Node {
  const found = program
    .getSourceFile(resolve(src, file))
    ?.statements.find(
      (node) => (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) && node.name.text === type,
    );
  if (!found) throw new Error(`${file} has no type ${type}`);
  return found;
}

function tagOf(checker: ts.TypeChecker, shape: ts.Type, tag: string): string {
  const symbol = shape.getProperty(tag);
  return symbol ? checker.typeToString(checker.getTypeOfSymbol(symbol)).replaceAll('"', '') : '';
}

interface Way {
  before: string;
  depth: number;
  closed: ReadonlySet<string>;
}

function fieldsOf(checker: ts.TypeChecker, type: ts.Type, way: Way): TypeField[] {
  const own = checker.getPropertiesOfType(type).flatMap((symbol) => {
    const path = `${way.before}${symbol.name}`;
    const optional = (symbol.flags & ts.SymbolFlags.Optional) !== 0;
    const inner = checker.getTypeOfSymbol(symbol);
    const about = ts.displayPartsToString(symbol.getDocumentationComment(checker)).replaceAll('\n', ' ');
    const field = { path, kind: kindOf(checker, inner), optional, about };
    return way.closed.has(path) ? [field] : [field, ...inside(checker, inner, { ...way, before: path })];
  });
  return own;
}

// What is in a field: of a list in each of its elements, of a map under each of its names.
function inside(checker: ts.TypeChecker, whole: ts.Type, way: Way): TypeField[] {
  if (way.depth >= MAX_DEPTH) throw new Error(`${way.before} goes too deep: close it`);
  const type = checker.getNonNullableType(whole);
  const element = checker.isArrayLikeType(type) ? checker.getIndexTypeOfType(type, ts.IndexKind.Number) : undefined;
  if (element) return inside(checker, element, { ...way, before: `${way.before}[]`, depth: way.depth + 1 });
  const shapes = (type.isUnion() ? type.types : [type]).filter(isPlainObject);
  const named = shapes.flatMap((shape) => {
    const value = checker.getIndexTypeOfType(shape, ts.IndexKind.String);
    return value ? inside(checker, value, { ...way, before: `${way.before}.*`, depth: way.depth + 1 }) : [];
  });
  const deeper = { ...way, before: `${way.before}.`, depth: way.depth + 1 };
  const found = shapes.flatMap((shape) => fieldsOf(checker, shape, deeper));
  return merged([...found, ...named], shapes.length);
}

// Of several shapes: a field that is in each of them once, and one that some lack as optional.
function merged(fields: readonly TypeField[], shapes: number): TypeField[] {
  const paths = [...new Set(fields.map(({ path }) => path))];
  return paths.flatMap((path) => {
    const same = fields.filter((field) => field.path === path);
    const kind = [...new Set(same.map((field) => field.kind))].join(', ');
    const optional = same.length < shapes || same.some((field) => field.optional);
    return same[0] ? [{ ...same[0], kind, optional }] : [];
  });
}

function isPlainObject(type: ts.Type): boolean {
  const isObject = (type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) !== 0;
  return isObject && type.getCallSignatures().length === 0;
}

function kindOf(checker: ts.TypeChecker, type: ts.Type): string {
  const known = checker.getNonNullableType(type);
  const orNull = checker.typeToString(type).split(' | ').includes('null') ? ' or null' : '';
  return `${plainKind(checker, known)}${orNull}`;
}

function plainKind(checker: ts.TypeChecker, type: ts.Type): string {
  if (type.flags & ts.TypeFlags.BooleanLike) return 'true or false';
  if (type.isUnion() && type.types.every((one) => one.isLiteral() || one.flags & ts.TypeFlags.BooleanLiteral))
    return type.types.map((one) => `\`${checker.typeToString(one).replaceAll('"', '')}\``).join(', ');
  if (type.isLiteral()) return `\`${checker.typeToString(type).replaceAll('"', '')}\``;
  if (type.flags & ts.TypeFlags.StringLike) return 'text';
  if (type.flags & ts.TypeFlags.NumberLike) return 'number';
  const element = checker.isArrayLikeType(type) ? checker.getIndexTypeOfType(type, ts.IndexKind.Number) : undefined;
  if (element) return `list of ${plainKind(checker, element)}`;
  if (type.flags & (ts.TypeFlags.Unknown | ts.TypeFlags.Any)) return 'anything';
  if (type.isUnion() && !type.types.every(isPlainObject))
    return type.types.map((one) => plainKind(checker, one)).join(' or ');
  const value = checker.getIndexTypeOfType(type, ts.IndexKind.String);
  return value ? `map to ${plainKind(checker, value)}` : 'object';
}
