import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assembleTastes, findConflicts } from './read-context.ts';

const genre = (name: string, text: string, identity = name) => ({ name, text, identity });

describe('tastes', () => {
  it('M6 puts genres in declaration order, also through JSON', () => {
    const { genres } = assembleTastes('', [
      genre('10', 'x'),
      genre('b', 'y'),
      genre('2', 'z'),
      genre('__proto__', 'p'),
    ]);
    expect(Object.keys(genres)).toEqual(['10', 'b', '2', '__proto__']);
    expect(JSON.stringify(genres)).toBe('{"10":"x","b":"y","2":"z","__proto__":"p"}');
  });

  it('M7 finds a line that is in two genres, stripped and case-sensitive', () => {
    const conflicts = findConflicts([
      genre('a', '  lift shadows \nCool\nonly a\n'),
      genre('b', 'cool\r\nlift shadows\r\n'),
      genre('c', 'Cool'),
    ]);
    expect(conflicts).toEqual([
      { point: 'lift shadows', files: ['a', 'b'] },
      { point: 'Cool', files: ['a', 'c'] },
    ]);
  });

  it.each([
    '',
    '   ',
    '# Head',
    '#no-blank',
    '<!-- note -->',
    ' <!--a--> <!--b--> ',
    '<!--a--><!--b-->',
    '<!---->',
    '<!-- <!-- -->',
    '<!-- a > b -- c -->',
    '#',
    '----',
    '**\t*',
    '_ __',
    '---',
    '***',
    '___',
    '- - -',
    '* * *',
    '_____',
  ])('M7 takes %j for no point', (line) => expect(findConflicts([genre('a', line), genre('b', line)])).toEqual([]));

  it.each([
    '--',
    '-*-',
    'a <!-- b -->',
    '<!-- open',
    '<!-- a --> text',
    '- # x',
    '-- -x',
    '<!--a-->x',
    '<!--a--><!--b-->x',
    '<!--a--><!-- open',
    '<!-->',
    '<!--->',
    '<!--a--->b',
    'x---',
    '---x',
    '**',
    '_',
    '*_*',
    'a #',
    '-->',
  ])('M7 takes %j for a point', (line) =>
    expect(findConflicts([genre('a', line), genre('b', line)])).toEqual([{ point: line, files: ['a', 'b'] }]),
  );

  it('M7 lets neither one file twice nor the default take part', () => {
    expect(findConflicts([genre('a', 'x\nx')])).toEqual([]);
    expect(findConflicts([genre('a', 'x', 'same'), genre('link', 'x', 'same')])).toEqual([]);
    expect(assembleTastes('x', [genre('a', 'x')]).conflicts).toEqual([]);
  });

  it('M7 a line of comments alone is no point, one with any word beside them is', () => {
    const comment = fc.constantFrom('<!---->', '<!--a-->', '<!-- a -> b -->', '<!-- # -->');
    const blank = fc.constantFrom('', ' ', '\t');
    fc.assert(
      fc.property(
        fc.array(fc.tuple(comment, blank), { minLength: 1, maxLength: 4 }),
        fc.constantFrom('', 'x', '-', '<!--'),
        (parts, word) => {
          const line = parts.flat().join('') + word;
          const isPoint = findConflicts([genre('a', line), genre('b', line)]).length === 1;
          expect(isPoint).toBe(word !== '');
        },
      ),
    );
  });

  it('M7 names each different file that holds a point, in the order of declaration', () => {
    expect(
      findConflicts([genre('a', 'x', '1'), genre('b', 'x', '2'), genre('link', 'x', '1'), genre('c', 'y\nx\nx', '3')]),
    ).toEqual([{ point: 'x', files: ['a', 'b', 'c'] }]);
  });

  it('M7 agrees with a search of every pair of lines', () => {
    const line = fc.constantFrom('a', ' a ', 'A', 'b', '# a', '---', '', '<!-- a -->', 'c');
    const file = fc.array(line, { maxLength: 6 });
    fc.assert(
      fc.property(fc.array(file, { maxLength: 5 }), (files) => {
        const genres = files.map((lines, index) => genre(`g${index}`, lines.join('\n')));
        expect(findConflicts(genres)).toEqual(byHand(files));
      }),
    );
  });
});

function byHand(files: string[][]) {
  const ignored = ['', '# a', '---', '<!-- a -->'];
  const points = [...new Set(files.flat().map((line) => line.trim()))].filter((point) => !ignored.includes(point));
  return points
    .map((point) => ({
      point,
      files: files.flatMap((lines, index) => (lines.some((line) => line.trim() === point) ? [`g${index}`] : [])),
    }))
    .filter((conflict) => conflict.files.length > 1);
}
