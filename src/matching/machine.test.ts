import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { putNumber } from './bytes.ts';
import { Candidates } from './candidates.ts';
import { FIELD } from './fields.ts';
import { memoryIndex } from './index-view.ts';
import { bm25, inverseFrequency } from './lexical.ts';
import { leaders, level, livePostings, weighted } from './machine.ts';

// Each loop against the plain words of what it does. The numbers must be the same to the last bit.
const SIZE = 40;
const value = fc.oneof(fc.constantFrom(0, 1, -1, 0.5), fc.double({ min: -10, max: 10, noNaN: true }));
const values = fc.array(value, { minLength: SIZE, maxLength: SIZE }).map((list) => Float64Array.from(list));
const ids = fc.uniqueArray(fc.nat(SIZE - 1)).map((list) => Uint32Array.from(list));

describe('the loops of ranking', () => {
  test('T20 postings: what was written, without the dead', () => {
    const entry = fc.record({ id: fc.nat(5_000), count: fc.integer({ min: 1, max: 3_000_000 }), dead: fc.boolean() });
    fc.assert(
      fc.property(
        fc.uniqueArray(entry, { selector: ({ id }) => id, maxLength: 60 }),
        fc.nat(100_000),
        (entries, base) => {
          const sorted = entries.sort((a, b) => a.id - b.id);
          const bytes = new Uint8Array(sorted.length * 10);
          const dead = new Uint8Array(5_001);
          let [at, last] = [0, 0];
          for (const { id, count, dead: isDead } of sorted) {
            at = putNumber(bytes, at, (id - last) * 2 + (count === 1 ? 1 : 0));
            if (count !== 1) at = putNumber(bytes, at, count);
            last = id;
            if (isDead) dead[id] = 1;
          }
          const live = sorted.filter((one) => !one.dead);
          const { ids, counts } = livePostings(bytes.subarray(0, at), dead, base);
          expect([...ids]).toEqual(live.map(({ id }) => id + base));
          expect([...counts]).toEqual(live.map(({ count }) => count));
        },
      ),
      { numRuns: 500 },
    );
  });

  test('T20 postings that end in the middle of a number, or name a document that is not there, are refused', () => {
    const dead = new Uint8Array(3);
    expect(() => livePostings(Uint8Array.of(0x81), dead, 0)).toThrow('broken');
    expect(() => livePostings(Uint8Array.of(2), dead, 0)).toThrow('broken');
    expect(() => livePostings(Uint8Array.of(7), dead, 0)).toThrow('broken');
    expect([...livePostings(Uint8Array.of(5), dead, 0).ids]).toEqual([2]);
  });

  test('T20 values are levelled, weighed and chosen as plain loops do it', () => {
    fc.assert(
      fc.property(
        fc.array(values, { minLength: 1, maxLength: 4 }),
        ids,
        fc.integer({ min: 1, max: 12 }),
        (all, ids, top) => {
          const plain = all.map((list) => {
            const most = Math.max(0, ...Array.from(ids, (id) => list[id] as number));
            return list.map((one, id) => (most > 0 && ids.includes(id) ? one / most : one));
          });
          for (const list of all) level(list, ids);
          expect(all).toEqual(plain);
          const scores = weighted(
            all.map((list, n) => [list, 0.3 * n + 0.1]),
            ids,
            SIZE,
          );
          const summed = new Float64Array(SIZE);
          for (const [n, list] of all.entries())
            for (const id of ids) summed[id] = (summed[id] as number) + (0.3 * n + 0.1) * (list[id] as number);
          expect(scores).toEqual(summed);
          const able = [...ids].filter((id) => (scores[id] as number) > 0);
          const edge = able.map((id) => scores[id] as number).sort((a, b) => b - a)[top - 1] ?? 0;
          expect([...leaders(scores, ids, top)]).toEqual(able.filter((id) => (scores[id] as number) >= edge));
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
            lengths: { body: body + n, path: path + 1, base: 0, defines: 0 },
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
        const candidates = new Candidates(view.size);
        const scores = bm25(view, [{ term: 'roof', weight: 0.7, word: 'roof' }], { parts: [...parts], candidates });
        const having = [...documents.keys()].filter((id) => parts.some(({ field }) => documents[id]?.[field]));
        expect([...candidates.ids].sort((a, b) => a - b)).toEqual(having);
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
        expect([...scores]).toEqual(expected);
      }),
      { numRuns: 500 },
    );
  });
});
