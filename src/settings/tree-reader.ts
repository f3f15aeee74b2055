import { shownName } from '../safety/hidden-characters.ts';

export interface Position {
  line: number;
  column: number;
}

export interface TreeProblem extends Position {
  message: string;
}

/** A parsed file in which everything knows where it is. */
export type LocatedNode = Position &
  (
    | { kind: 'scalar'; value: unknown }
    | { kind: 'list'; items: LocatedNode[] }
    | { kind: 'map'; entries: (Position & { key: string; value: LocatedNode })[] }
  );

/** Reads one value, or says what is wrong with it and answers undefined. */
export type Reader<T> = (node: LocatedNode, problems: TreeProblem[]) => T | undefined;

/** The type that a reader gives: a shape is declared once, where it is read. */
export type ReadBy<R> = R extends Reader<infer T> ? T : never;

export type FieldReaders = Record<string, Reader<unknown>>;

type Fields<F extends FieldReaders> = { [K in keyof F]?: ReadBy<F[K]> };
type Complete<F extends FieldReaders, N extends PropertyKey> = {
  [K in keyof F as K extends N ? K : never]: ReadBy<F[K]>;
} & { [K in keyof F as K extends N ? never : K]?: ReadBy<F[K]> };

// A map of which some keys must be there and others have a default; undefined where anything in it is wrong.
export function record<F extends FieldReaders, N extends keyof F = never, D extends Fields<F> = Record<never, never>>(
  fields: F,
  { needs = [], otherwise, lacks }: { needs?: readonly N[]; otherwise?: D; lacks?: string } = {},
): Reader<Complete<F, N | keyof D>> {
  return (node, problems) => {
    const before = problems.length;
    const found = readMap(node, fields, problems);
    if (!found || problems.length > before) return undefined;
    if (needs.some((key) => found[key] === undefined))
      return refuse(node, lacks ?? `needs ${needs.join(' and ')}`, problems);
    return { ...otherwise, ...found } as Complete<F, N | keyof D>;
  };
}

export function orNull<T>(reader: Reader<T>): Reader<T | null> {
  return (node, problems) => (node.kind === 'scalar' && node.value === null ? null : reader(node, problems));
}

// A map with known keys only. A typing mistake in a key is an error with its place, never silently nothing.
export function readMap<F extends FieldReaders>(
  node: LocatedNode,
  fields: F,
  problems: TreeProblem[],
): Fields<F> | undefined {
  if (node.kind !== 'map') return refuse(node, `expected ${Object.keys(fields).join(', ')}`, problems);
  const found: Record<string, unknown> = {};
  for (const { key, value, line, column } of node.entries) {
    const reader = Object.hasOwn(fields, key) ? fields[key] : undefined;
    if (!reader) {
      problems.push({
        line,
        column,
        message: `there is no "${shownName(key, 80)}" here; known: ${Object.keys(fields).join(', ')}`,
      });
    } else found[key] = reader(value, problems);
  }
  return found as Fields<F>;
}

export function list<T>(item: Reader<T>, limits: { min?: number; max: number }): Reader<T[]> {
  return (node, problems) => {
    if (node.kind !== 'list') return refuse(node, 'must be a list', problems);
    if (node.items.length < (limits.min ?? 0)) return refuse(node, 'must not be empty', problems);
    if (node.items.length > limits.max) return refuse(node, `may have at most ${limits.max} entries`, problems);
    return node.items.flatMap((child) => {
      const value = item(child, problems);
      return value === undefined ? [] : [value];
    });
  };
}

export function text(whyNot: (value: string) => string | null = () => null): Reader<string> {
  return (node, problems) => {
    if (node.kind !== 'scalar' || typeof node.value !== 'string') return refuse(node, 'must be a text', problems);
    const reason = whyNot(node.value);
    return reason ? refuse(node, `"${shownName(node.value, 80)}" ${reason}`, problems) : node.value;
  };
}

export function oneOf<const T extends string>(known: readonly T[]): Reader<T> {
  return (node, problems) => {
    const value = node.kind === 'scalar' ? known.find((candidate) => candidate === node.value) : undefined;
    return value ?? refuse(node, `must be ${known.join(' or ')}`, problems);
  };
}

export function wholeNumber(min: number, max: number): Reader<number> {
  return (node, problems) => {
    const value = node.kind === 'scalar' ? node.value : undefined;
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= min && value <= max) return value;
    return refuse(node, `must be a whole number from ${min} to ${max}`, problems);
  };
}

export const yesOrNo: Reader<boolean> = (node, problems) =>
  node.kind === 'scalar' && typeof node.value === 'boolean'
    ? node.value
    : refuse(node, 'must be true or false', problems);

export function refuse(node: Position, message: string, problems: TreeProblem[]): undefined {
  problems.push({ line: node.line, column: node.column, message });
}
