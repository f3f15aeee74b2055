import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { memoryIndex } from '../../test/support/memory-index.ts';
import { compareCodePoints } from '../code-points.ts';
import { FIELD } from './index/fields.ts';
import { type Segment, SegmentWriter } from './index/segment.ts';
import { segmentedIndex } from './index/segmented-index.ts';
import { leaders } from './rank.ts';
import { bm25, inverseFrequency } from './signals/lexical.ts';
import { Tally } from './signals/tally.ts';
import { createTokenizer } from './text/terms.ts';

// Each loop against the plain words of what it does. The numbers must be the same to the last digit.
const SIZE = 40;
const value = fc.oneof(fc.constantFrom(0, 1, -1, 0.5), fc.double({ min: -10, max: 10, noNaN: true })).map((n) => n + 0);
const values = fc.array(value, { minLength: SIZE, maxLength: SIZE }).map((list) => Float64Array.from(list));
const ids = fc.uniqueArray(fc.nat(SIZE - 1)).map((list) => Uint32Array.from(list));

function given(list: Float64Array | readonly number[]): Tally {
  const tally = new Tally(list.length);
  for (const [id, value] of list.entries()) tally.set(id, value);
  return tally;
}

describe('the loops of ranking', () => {
  test('T20 postings that name a document that is not there, or are not there, are refused', () => {
    const writer = new SegmentWriter(createTokenizer());
    writer.add('a.md', 'ants');
    const segment = writer.end();
    const asked = (change: Partial<Segment>) =>
      segmentedIndex([{ segment: { ...segment, ...change }, live: Uint8Array.of(1) }]).postings(`${FIELD.body}ant`).ids;
    expect([...asked({})]).toEqual([0]);
    expect(() => asked({ ids: segment.ids.map(() => 1) })).toThrow('not there');
    expect(() => asked({ ids: new Uint32Array() })).toThrow('not there');
  });

  test('T20 values are levelled, raised and increased as plain loops do it', () => {
    fc.assert(
      fc.property(values, values, ids, value, (one, other, ids, amount) => {
        const tally = given(one);
        const most = Math.max(0, ...one);
        tally.level();
        expect(tally.values).toEqual(one.map((value) => (most > 0 ? value / most : value)));
        const raised = given(other);
        raised.raise(ids, Math.abs(amount) + 1);
        const least = (value: number, id: number) => (ids.includes(id) ? Math.max(value, Math.abs(amount) + 1) : value);
        expect(raised.values).toEqual(other.map(least));
        const increased = given(other);
        increased.increase(ids, Math.abs(amount) + 1);
        const more = (value: number, id: number) => (ids.includes(id) ? value + (Math.abs(amount) + 1) : value);
        // Zero is said of nobody: what comes to it stays as it was.
        const isZero = (id: number) => ids.includes(id) && more(other[id] as number, id) === 0;
        expect(increased.values).toEqual(other.map((value, id) => (isZero(id) ? value : more(value, id))));
        expect(new Set(raised.ids)).toEqual(new Set([...ids, ...[...other.keys()].filter((id) => other[id] !== 0)]));
      }),
      { numRuns: 500 },
    );
  });

  test('T20 the leaders are the first of all, sorted by score and then by path', () => {
    const path = fc.stringMatching(/^[a-cé漢😀]{1,3}$/u);
    const score = fc.constantFrom(0, -1, 0.25, 0.25, 0.5, 0.5, 0.5, 1);
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.tuple(path, score), { selector: ([path]) => path, minLength: 1, maxLength: 40 }),
        fc.integer({ min: 1, max: 12 }),
        fc.boolean(),
        (documents, top, sorted) => {
          if (sorted) documents.sort(([a], [b]) => compareCodePoints(a, b));
          const lengths = { body: 0, path: 0, base: 0 };
          const view = memoryIndex(documents.map(([path]) => ({ path, imports: [], lengths, keys: new Map() })));
          const plain = documents
            .filter(([, score]) => score > 0)
            .sort(([a, one], [b, other]) => other - one || compareCodePoints(a, b))
            .slice(0, top)
            .map(([path]) => path);
          const { values, ids } = given(documents.map(([, score]) => score));
          expect(leaders(view, values, ids, top).map((id) => view.path(id))).toEqual(plain);
        },
      ),
      { numRuns: 1000 },
    );
  });

  test('T20 BM25 over two fields', () => {
    const document = fc.record({ body: fc.integer({ min: 0, max: 9 }), path: fc.integer({ min: 0, max: 3 }) });
    fc.assert(
      fc.property(fc.array(document, { minLength: 1, maxLength: 30 }), (documents) => {
        const view = memoryIndex(
          documents.map(({ body, path }, n) => ({
            path: `${n}`,
            imports: [],
            lengths: { body: body + n, path: path + 1, base: 0 },
            keys: new Map([
              ...(body > 0 ? [[`${FIELD.body}roof`, body] as const] : []),
              ...(path > 0 ? [[`${FIELD.path}roof`, path] as const] : []),
            ]),
          })),
        );
        const parts = [
          { field: 'body', weight: 1, b: 0.2 },
          { field: 'path', weight: 4, b: 0.3 },
        ] as const;
        const tally = bm25(view, [{ term: 'roof', weight: 0.7, word: 'roof' }], parts);
        const [scores, spoken] = [tally && [...tally.values], tally && [...tally.ids].sort((a, b) => a - b)];
        const having = [...documents.keys()].filter((id) => parts.some(({ field }) => documents[id]?.[field]));
        expect(spoken ?? []).toEqual(having);
        expect(scores === null).toBe(having.length === 0);
        if (scores === null) return;
        const idf = inverseFrequency(view.documents, having.length);
        const expected = documents.map((one, id) => {
          let sum = 0;
          for (const { field, weight, b } of parts) {
            if (one[field] === 0) continue;
            const average = view.totals[field] / view.documents || 1;
            sum += (weight * one[field]) / (1 - b + (b * (view.lengths(field)[id] as number)) / average);
          }
          return sum === 0 ? 0 : (0.7 * idf * sum * 2.2) / (1.2 + sum);
        });
        expect(scores).toEqual(expected);
      }),
      { numRuns: 500 },
    );
  });
});
