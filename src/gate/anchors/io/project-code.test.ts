import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { codeOf, comparedIn, definitionAnchor, definitionsNamed, enclosing } from './project-code.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const SOURCE = `import x from 'x';

/** Says it. */
export class Router {
  private routes = [];

  match(path: string) {
    const found = this.routes.find(
      (route) => route.path === path,
    );
    return found;
  }

  add(route: Route): void {
    this.routes.push(route);
  }
}

export function longName(
  first: number,
  second: number,
): number {
  return first + second;
}
`;
const code = (text: string, path = 'src/router.ts') => codeOf(path, text, sha256);
const lineOf = (text: string, words: string) => text.split('\n').findIndex((line) => line.includes(words));
const anchored = (words: string) => {
  const found = enclosing(code(SOURCE), lineOf(SOURCE, words));
  if (!found) throw new Error(words);
  return definitionAnchor('src/router.ts:1', 'src/router.ts', found);
};

it('M42 the definition around a line is the innermost one with a body, whole', () => {
  expect(anchored('route.path === path').name).toBe('Router.match');
  expect(anchored('const found').name).toBe('Router.match');
  expect(anchored('private routes').name).toBe('Router');
  expect(anchored('return first + second').name).toBe('longName');
  expect(enclosing(code(SOURCE), 0)).toBeNull();
});

it('M42 a Python body goes on after a text that is further left, and ends at the next line of its level', () => {
  const text = 'def a():\n    """\nfurther left\n    """\n    return 1\n\n# on b\ndef b():\n    return 2\n';
  const [a, b] = code(text, 'a.py').definitions;
  expect([a?.start, a?.end]).toEqual([0, 5]);
  expect([b?.start, b?.end]).toEqual([7, 9]);
});

it('M42 what only shifted, or was re-indented, is the same', () => {
  const anchor = anchored('route.path === path');
  expect(comparedIn(anchor, code(`// one\n// two\n\n${SOURCE}`))).toBe('same');
  expect(comparedIn(anchor, code(SOURCE.replace('return found;', 'return found;\n\n')))).toBe('same');
  expect(comparedIn(anchor, code(SOURCE.replace('this.routes.push(route)', 'other()')))).toBe('same');
});

it('M42 what was moved in or out a level, or has blanks behind its lines, is the same; a changed indent within is not', () => {
  const text = 'def total(rows):\n    count = 0\n    for row in rows:\n        count += row.size\n    return count\n';
  const hashIn = (changed: string) => code(changed, 'a.py').definitions.find(({ name }) => name === 'total')?.hash;
  const inside = text.replaceAll(/^(?=.)/gm, '    ');
  expect(hashIn(`class Sum:\n${inside}`)).toBe(hashIn(text));
  expect(hashIn(text.replaceAll('\n', '  \n'))).toBe(hashIn(text));
  expect(hashIn(text.replace('    count = 0\n', '    count = 0\n   \n\n'))).toBe(hashIn(text));
  expect(hashIn(text.replace('        count +=', '    count +='))).not.toBe(hashIn(text));
});

it('M42 only the name itself is left out of what was said, not a longer one that holds it', () => {
  const text = 'function subtotal(total) {\n  const totals = [total];\n  return totals.map((each) => each + 1);\n}\n';
  const hashOf = (changed: string) => code(changed, 'a.js').definitions[0]?.hash;
  // The definition got another name: the same. What it does has another name: another.
  expect(hashOf(text.replace('subtotal', 'sum'))).toBe(hashOf(text));
  expect(hashOf(text.replace('totals =', 'subtotals ='))).not.toBe(hashOf(text));
  const held = 'const $total = before(total);\n';
  const before = (name: string) => code(`${held.replaceAll('total', name)}`, 'a.js').definitions[0]?.hash;
  expect(before('total')).not.toBe(before('sum'));
});

it('M42 a definition begins with its first line and ends behind its last', () => {
  const at = (words: string) => enclosing(code(SOURCE), lineOf(SOURCE, words))?.qualified ?? null;
  expect([at('match(path'), at('export class Router'), at('export function longName')]).toEqual([
    'Router.match',
    'Router',
    'longName',
  ]);
  const lines = SOURCE.split('\n');
  expect(enclosing(code(SOURCE), lines.length - 2)?.qualified).toBe('longName');
  expect(enclosing(code(SOURCE), lines.length - 1)).toBeNull();
});

it('M42 changed, renamed and missing are told apart', () => {
  const anchor = anchored('route.path === path');
  expect(comparedIn(anchor, code(SOURCE.replace('return found', 'return found ?? null')))).toEqual({
    how: 'changed',
    to: null,
  });
  expect(comparedIn(anchor, code(SOURCE.replace('match(path', 'find(path')))).toEqual({
    how: 'renamed',
    to: 'Router.find',
  });
  expect(comparedIn(anchor, code("export const nothing = 'here';\n"))).toBe('missing');
});

it('M42 a name is found with what is around it, and no local variable is it', () => {
  const names = (name: string) => definitionsNamed(code(SOURCE), name).map(({ qualified }) => qualified);
  expect(names('match')).toEqual(['Router.match']);
  expect(names('Router.match')).toEqual(['Router.match']);
  expect(names('Other.match')).toEqual([]);
});

it('M42 a comment that comes after a definition is not part of it', () => {
  const text = 'export type Options = Base;\n\n/**\n * On the next one.\n */\nexport type Next = Base;\n';
  const [options] = code(text).definitions;
  expect([options?.start, options?.end]).toEqual([0, 1]);
});

it('M42 a long line of data is found by the name it begins with', () => {
  const text = `const schema11 = { ${'"a": 1, '.repeat(100)} };\n`;
  expect(definitionsNamed(code(text), 'schema11')).toHaveLength(1);
});

it('M42 a method whose parameters are on lines of their own is one, a call is not', () => {
  const text = `class Hono {
  private dispatch(
    request: Request,
    method: string
  ): Response {
    describe(
      request,
    );
    return method;
  }
}
`;
  expect(code(text).definitions.map(({ qualified, end }) => [qualified, end])).toEqual([
    ['Hono', 11],
    ['Hono.dispatch', 10],
  ]);
});

it('M42 an example in a docstring defines nothing', () => {
  const text =
    'def add(task):\n    """Example::\n\n        def write(email):\n            pass\n    """\n    return task\n';
  expect(code(text, 'a.py').definitions.map(({ qualified }) => qualified)).toEqual(['add']);
});
