import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { accountsOf, signedEntry as entry, sha256 } from '../../../test/support/signed-entry.ts';
import { fingerprintOf } from '../ledger/text-blocks.ts';
import { type Accounts, accountBlock } from './accounts.ts';

const accepted = (...texts: string[]) => accountsOf([texts.map((text, index) => entry(index + 1, 'accept', text))]);
const accounted = (text: string, accounts: Accounts) => accountBlock({ lines: text.split('\n') }, accounts, sha256);
// Each part as its text, from and to, and the proposal behind it; the fingerprint must be that of the text.
const partsOf = (text: string, accounts: Accounts) =>
  accounted(text, accounts).parts.map(({ fingerprint, from, to, origin }) => {
    const part = text.split('\n').slice(from, to).join('\n');
    expect(fingerprint).toBe(fingerprintOf(part, sha256));
    return [part, from, to, origin?.proposal_id ?? null];
  });

describe('a block of a file', () => {
  const known = ['one', 'two a\ntwo b', 'three a\nthree b\nthree c', 'four'];
  const accounts = accepted(...known);
  const run = fc.array(fc.nat(known.length - 1), { maxLength: 4 });
  const unknown = fc.array(fc.constantFrom('mine', 'evil', 'two b', 'three a', 'three c'), { maxLength: 4 });

  it('M32 is known with every part of it where known blocks are end to end, new between them where not', () => {
    fc.assert(
      fc.property(run, unknown, run, (above, between, below) => {
        const rest = between.length === 0 ? [] : ['mine', ...between, 'mine'];
        const texts = (list: number[]) => list.map((index) => known[index] ?? '');
        const text = [...texts(above), ...rest, ...texts(below)].join('\n');
        fc.pre(text !== '');
        let at = 0;
        const expected = [
          ...above.map((index) => [known[index], `p_${index + 1}`]),
          ...(rest.length > 0 ? [[rest.join('\n'), null]] : []),
          ...below.map((index) => [known[index], `p_${index + 1}`]),
        ].map(([part, origin]) => {
          const from = at;
          at += `${part}`.split('\n').length;
          return [part, from, at, origin];
        });
        expect(partsOf(text, accounts)).toEqual(expected);
        expect(accounted(text, accounts).mixed).toBeNull();
      }),
      { numRuns: 300 },
    );
  });

  it('M32 the longest known block counts, in whatever order they were confirmed', () => {
    for (const texts of [
      ['a', 'a\nb', 'b\nc\nd', 'd'],
      ['d', 'b\nc\nd', 'a\nb', 'a'],
    ]) {
      const parts = (text: string) => partsOf(text, accepted(...texts)).map(([part]) => part);
      expect(parts('a\nb\nmine')).toEqual(['a\nb', 'mine']);
      expect(parts('mine\nb\nc\nd')).toEqual(['mine', 'b\nc\nd']);
      // Unless only a shorter one leaves nothing over.
      expect(parts('a\nb\nc\nd')).toEqual(['a', 'b\nc\nd']);
    }
  });

  it('M32 the first block ever confirmed is known beside a new line as any other', () => {
    expect(partsOf('a\nb\nmine', accepted('a\nb'))).toEqual([
      ['a\nb', 0, 2, 'p_1'],
      ['mine', 2, 3, null],
    ]);
  });

  it('M32 up to two thousand lines are looked at one by one, more count as one', () => {
    const mine = (count: number) => Array.from({ length: count }, (_, index) => `mine ${index}`).join('\n');
    expect(partsOf(`one\n${mine(1_999)}`, accounts).map(([, from, to]) => [from, to])).toEqual([
      [0, 1],
      [1, 2_000],
    ]);
    expect(partsOf(`one\n${mine(2_000)}`, accounts).map(([, from, to]) => [from, to])).toEqual([[0, 2_001]]);
  });

  it('M44 of a block whose text is not kept only the whole is known, not a part of it and nothing next to it', () => {
    const bare = accountsOf([[entry(9, 'accept', 'an old\nnote', { texts: [] }), entry(10, 'accept', 'new')]]);
    expect(partsOf('an old\nnote', bare)).toEqual([['an old\nnote', 0, 2, 'p_9']]);
    expect(partsOf('new', bare)).toEqual([['new', 0, 1, 'p_10']]);
    expect(partsOf('an old', bare)).toEqual([['an old', 0, 1, null]]);
    expect(partsOf('an old\nnote\nmine', bare)).toEqual([['an old\nnote\nmine', 0, 3, null]]);
    expect(partsOf('a\nb', accountsOf([]))).toEqual([['a\nb', 0, 2, null]]);
  });
});

describe('lines that a merge mixed', () => {
  const mixedIn = (text: string, accounts: Accounts) => {
    const { parts, mixed } = accounted(text, accounts);
    const names = new Map(
      ['a1\nsame\na2', 'b1\nsame\nb2\nb3', 'same', 'a1', 'b2\nb3'].map((each) => [fingerprintOf(each, sha256), each]),
    );
    return { names: mixed?.map(({ fingerprint }) => names.get(fingerprint)) ?? null, parts };
  };

  it('M32 M33 are known as the blocks they came from, in the order of their first lines, and nobody decided on the mixture', () => {
    for (const texts of [
      ['a1\nsame\na2', 'b1\nsame\nb2\nb3'],
      ['b1\nsame\nb2\nb3', 'a1\nsame\na2'],
    ]) {
      const accounts = accepted(...texts);
      const first = mixedIn('a1\nb1\nsame\na2\nb2\nb3', accounts);
      expect(first.names).toEqual(['a1\nsame\na2', 'b1\nsame\nb2\nb3']);
      expect(first.parts).toMatchObject([{ from: 0, to: 6, origin: null }]);
      expect(first.parts[0]?.fingerprint).toBe(fingerprintOf('a1\nb1\nsame\na2\nb2\nb3', sha256));
      const second = mixedIn('b1\na1\nsame\nb2\na2\nb3', accounts);
      expect(second.names).toEqual(['b1\nsame\nb2\nb3', 'a1\nsame\na2']);
      expect(second.parts).toMatchObject([{ from: 0, to: 6, origin: null }]);
    }
  });

  it('M33 what the larger blocks explain is no block of its own there', () => {
    const accounts = accepted('same', 'a1', 'a1\nsame\na2', 'b2\nb3', 'b1\nsame\nb2\nb3');
    expect(mixedIn('a1\nb1\nsame\na2\nb2\nb3', accounts).names).toEqual(['a1\nsame\na2', 'b1\nsame\nb2\nb3']);
  });

  it('M32 are unaccounted where one line is new, one is missing or their order is another', () => {
    const accounts = accepted('a1\nsame\na2', 'b1\nsame\nb2\nb3');
    for (const text of [
      'a1\nb1\nsame\nmine\na2\nb2\nb3',
      'a1\nb1\nsame\na2\nb2',
      'a1\nb1\nsame\na2\nb3\nb2',
      'a2\nsame\na1',
      'same\na1',
    ])
      expect(mixedIn(text, accounts)).toMatchObject({
        names: null,
        parts: [{ from: 0, to: text.split('\n').length, origin: null }],
      });
  });
});
