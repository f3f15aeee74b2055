import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareCodePoints } from '../code-point-order.ts';
import { ByteReader, ByteWriter } from './bytes.ts';
import { Candidates } from './candidates.ts';
import { FIELD } from './fields.ts';
import { memoryIndex } from './index-view.ts';
import { leaders } from './leaders.ts';
import { bm25, inverseFrequency } from './lexical.ts';
import { livePostings, machine, postingsOf } from './machine.ts';
import { Tally } from './tally.ts';

// Each loop against the plain words of what it does. The numbers must be the same to the last bit.
const SIZE = 40;
const value = fc.oneof(fc.constantFrom(0, 1, -1, 0.5), fc.double({ min: -10, max: 10, noNaN: true })).map((n) => n + 0);
const values = fc.array(value, { minLength: SIZE, maxLength: SIZE }).map((list) => Float64Array.from(list));
const ids = fc.uniqueArray(fc.nat(SIZE - 1)).map((list) => Uint32Array.from(list));

// In plain words: the key's list as it is kept, empty where the block does not have it.
function postingsIn(block: Uint8Array, key: string): Uint8Array {
  const wanted = Buffer.from(key);
  const reader = new ByteReader(block);
  while (!reader.done) {
    const name = reader.raw(reader.number());
    const list = reader.raw(reader.number());
    if (wanted.equals(name)) return list;
  }
  return new Uint8Array(0);
}

describe('the loops of ranking', () => {
  test('T20 postings: what was written, without the dead', () => {
    const entry = fc.record({ id: fc.nat(5_000), count: fc.integer({ min: 1, max: 3_000_000 }), dead: fc.boolean() });
    fc.assert(
      fc.property(
        fc.uniqueArray(entry, { selector: ({ id }) => id, maxLength: 60 }),
        fc.nat(100_000),
        (entries, base) => {
          const sorted = entries.sort((a, b) => a.id - b.id);
          const list = new ByteWriter();
          const dead = new Uint8Array(5_001);
          let last = 0;
          for (const { id, count, dead: isDead } of sorted) {
            list.number((id - last) * 2 + (count === 1 ? 1 : 0));
            if (count !== 1) list.number(count);
            last = id;
            if (isDead) dead[id] = 1;
          }
          const live = sorted.filter((one) => !one.dead);
          const { ids, counts } = livePostings(list.taken(), dead, base);
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

  test('T20 a key is found in its block as plain reading finds it, and a cut block is refused', () => {
    const entry = fc.record({
      key: fc.string({ maxLength: 4, unit: 'grapheme' }),
      ids: fc.uniqueArray(fc.nat(99), { maxLength: 9 }),
    });
    fc.assert(
      fc.property(
        fc.uniqueArray(entry, { selector: ({ key }) => key, maxLength: 8 }),
        fc.string({ maxLength: 4, unit: 'grapheme' }),
        fc.nat(),
        (entries, other, cut) => {
          const writer = new ByteWriter();
          for (const { key, ids } of entries) {
            const list = new ByteWriter();
            let last = 0;
            for (const id of ids.sort((a, b) => a - b)) {
              list.number((id - last) * 2 + 1);
              last = id;
            }
            writer.text(key);
            writer.number(list.length);
            writer.raw(list.taken());
          }
          const block = writer.taken();
          const dead = new Uint8Array(100);
          const found = (key: string, bytes = block) =>
            postingsOf(new TextEncoder().encode(key), [{ bytes, dead, base: 0 }]);
          for (const key of [other, ...entries.map(({ key }) => key)])
            expect(found(key)).toEqual(livePostings(postingsIn(block, key), dead, 0));
          const short = block.subarray(0, cut % (block.length + 1));
          let isBroken = false;
          try {
            postingsIn(short, other);
          } catch {
            isBroken = true;
          }
          if (isBroken) expect(() => found(other, short)).toThrow();
          else expect(found(other, short)).toEqual(livePostings(postingsIn(short, other), dead, 0));
        },
      ),
      { numRuns: 500 },
    );
  });

  const given = (list: Float64Array | readonly number[]): Tally => {
    const tally = new Tally(list.length);
    for (const [id, value] of list.entries()) tally.set(id, value);
    return tally;
  };

  test('T20 values are levelled, raised, increased and weighed as plain loops do it', () => {
    fc.assert(
      fc.property(values, values, ids, value, (one, other, ids, amount) => {
        machine().within(() => {
          const tally = given(one);
          const most = Math.max(0, ...one);
          tally.level();
          const levelled = one.map((value) => (most > 0 ? value / most : value));
          expect(tally.values.all).toEqual(levelled);
          const raised = given(other);
          raised.raise(ids, Math.abs(amount) + 1);
          const least = (value: number, id: number) =>
            ids.includes(id) ? Math.max(value, Math.abs(amount) + 1) : value;
          expect(raised.values.all).toEqual(other.map(least));
          const increased = given(other);
          increased.increase(ids, amount);
          expect(increased.values.all).toEqual(other.map((value, id) => (ids.includes(id) ? value + amount : value)));
          expect(new Set(raised.ids)).toEqual(new Set([...ids, ...[...other.keys()].filter((id) => other[id] !== 0)]));
          const scores = given(other);
          const place = machine().put(ids);
          machine().code.weigh(place, ids.length, tally.values.place, scores.values.place, 0.3);
          const sum = (value: number, id: number) =>
            ids.includes(id) ? value + 0.3 * (levelled[id] as number) : value;
          expect(scores.values.all).toEqual(other.map(sum));
        });
      }),
      { numRuns: 500 },
    );
  });

  test('T20 candidates: each once, whoever speaks of it', () => {
    fc.assert(
      fc.property(fc.array(values, { maxLength: 4 }), (all) => {
        machine().within(() => {
          const candidates = new Candidates(SIZE);
          for (const list of all) candidates.add(given(list));
          const spoken = [...Array(SIZE).keys()].filter((id) => all.some((list) => list[id] !== 0));
          expect([...candidates.ids].sort((a, b) => a - b)).toEqual(spoken);
        });
      }),
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
          const lengths = { body: 0, path: 0, base: 0, defines: 0 };
          const view = memoryIndex(documents.map(([path]) => ({ path, imports: [], lengths, keys: new Map() })));
          const plain = documents
            .filter(([, score]) => score > 0)
            .sort(([a, one], [b, other]) => other - one || compareCodePoints(a, b))
            .slice(0, top)
            .map(([path]) => path);
          machine().within(() => {
            const { values, list, count } = given(documents.map(([, score]) => score));
            const found = leaders(view, values, { list, count, top }).map((id) => view.path(id));
            expect(found.sort()).toEqual(plain.sort());
          });
        },
      ),
      { numRuns: 1000 },
    );
  });

  test('T20 what is held in memory stays what it was when the memory grows', () => {
    machine().within(() => {
      const tally = given([1, 0, 2]);
      const before = machine().code.memory.buffer.byteLength;
      machine().room(before);
      expect(machine().code.memory.buffer.byteLength).toBeGreaterThan(before);
      expect([...tally.values.all]).toEqual([1, 0, 2]);
      tally.set(1, 3);
      expect([tally.at(1), ...tally.ids]).toEqual([3, 0, 2, 1]);
    });
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
        const { scores, spoken } = machine().within(() => {
          const tally = bm25(view, [{ term: 'roof', weight: 0.7, word: 'roof' }], parts);
          return { scores: tally && [...tally.values.all], spoken: tally && [...tally.ids].sort((a, b) => a - b) };
        });
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
