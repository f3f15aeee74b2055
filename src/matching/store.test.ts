import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ByteTable, hashOf, keyHash } from './byte-table.ts';
import { ByteReader, ByteWriter, putNumber, sizeOf } from './bytes.ts';
import { groupedBy, startsOf } from './grouping.ts';
import { PathList } from './path-list.ts';
import { wordsOf } from './terms.ts';
import { wordBounds } from './word-bounds.ts';

const EDGES = [0, 1, 0x7f, 0x80, 0x3fff, 0x4000, 0x1fffff, 0x200000, 0xfffffff, 0x10000000, 0xffffffff];
const bytes = (text: string) => new TextEncoder().encode(text);

describe('what an index is kept in', () => {
  it('T20 numbers and texts survive writing and reading, at every edge of their sizes', () => {
    const writer = new ByteWriter(1);
    for (const value of EDGES) writer.number(value);
    for (const text of ['', 'plain', 'é😀', 'x'.repeat(200), `${'y'.repeat(130)}ü`]) writer.text(text);
    writer.utf8('ü!');
    writer.raw(Uint8Array.of(1, 2));
    const reader = new ByteReader(writer.taken());
    expect(EDGES.map(() => reader.number())).toEqual(EDGES);
    expect([reader.text(), reader.text(), reader.text()]).toEqual(['', 'plain', 'é😀']);
    expect([reader.text(), reader.text()]).toEqual(['x'.repeat(200), `${'y'.repeat(130)}ü`]);
    expect([...reader.raw(5)]).toEqual([...bytes('ü!'), 1, 2]);
    expect(reader.done).toBe(true);
  });

  it('T20 a number takes as many bytes as it says', () => {
    for (const value of EDGES) {
      const room = new Uint8Array(8);
      expect([value, putNumber(room, 1, value)]).toEqual([value, 1 + sizeOf(value)]);
      expect(new ByteReader(room.subarray(1)).number()).toBe(value);
    }
    expect(EDGES.map(sizeOf)).toEqual([1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5]);
  });

  it('T20 bytes that end early or never are refused', () => {
    expect(() => new ByteReader(Uint8Array.of(0x80)).number()).toThrow(RangeError);
    expect(() => new ByteReader(new Uint8Array(9).fill(0x80)).number()).toThrow('too long');
    expect(() => new ByteReader(Uint8Array.of(1)).raw(2)).toThrow('end early');
    expect([...new ByteReader(Uint8Array.of(1, 2)).raw(2)]).toEqual([1, 2]);
  });

  it('T20 a table numbers strings in the order they came, also tens of thousands and long ones', () => {
    const table = new ByteTable();
    const add = (text: string) => {
      const codes = bytes(`__${text}_`);
      return table.numberOf(codes, 2, codes.length - 1, hashOf(bytes(text)));
    };
    const texts = Array.from({ length: 25_000 }, (_, at) =>
      at % 1_000 === 999 ? `${at}${'z'.repeat(300)}` : `k${at}`,
    );
    expect(texts.every((text, at) => add(text) === at)).toBe(true);
    expect(texts.every((text, at) => add(text) === at)).toBe(true);
    expect(table.size).toBe(25_000);
    const room = new Uint8Array(400);
    for (const at of [0, 1, 999, 8_191, 8_192, 16_384, 24_999]) {
      const own = bytes(texts[at] ?? '');
      expect([...table.bytesOf(at)]).toEqual([...own]);
      expect([table.lengthAt(at), table.hashAt(at)]).toEqual([own.length, hashOf(own)]);
      expect(table.copyTo(room, 3, at)).toBe(3 + own.length);
      expect([...room.subarray(3, 3 + own.length)]).toEqual([...own]);
    }
    // Two of one hash are told apart by their bytes.
    expect(table.numberOf(bytes('ab'), 0, 2, 7)).toBe(25_000);
    expect(table.numberOf(bytes('ac'), 0, 2, 7)).toBe(25_001);
    expect(table.numberOf(bytes('a'), 0, 1, 7)).toBe(25_002);
    expect(table.numberOf(bytes('ac'), 0, 2, 7)).toBe(25_001);
  });

  it('T20 a key’s hash is known: an index that was kept is found again', () => {
    expect(hashOf(bytes(''))).toBe(0x811c9dc5 | 0);
    expect(hashOf(bytes('a')) >>> 0).toBe(0xe40c292c);
    expect(hashOf(bytes('foobar')) >>> 0).toBe(0xbf9cf968);
    expect(keyHash(bytes('xfoo'))).toBe(hashOf(bytes('foox')));
    expect(keyHash(bytes('xfoobar'), 4)).toBe(keyHash(bytes('xfoo')));
  });

  it('T20 a path is found among its neighbours by its bytes', () => {
    const paths = ['a', 'a/b', 'b', 'ba', 'é', '😀'];
    const parts = paths.map(bytes);
    let end = 0;
    const ends = Uint32Array.from(parts, (part) => (end += part.length));
    const list = new PathList(Uint8Array.from(parts.flatMap((part) => [...part])), ends);
    expect(paths.map((path) => list.idOf(path))).toEqual([0, 1, 2, 3, 4, 5]);
    expect(paths.map((_, id) => list.at(id))).toEqual(paths);
    expect(['', 'a/', 'aa', 'c', 'zz', '😁'].map((path) => list.idOf(path))).toEqual(
      Array.from({ length: 6 }, () => undefined),
    );
    expect(new PathList(new Uint8Array(), new Uint32Array()).idOf('a')).toBeUndefined();
  });

  it('T20 items stand by group, within a group in their order', () => {
    const groups = Uint32Array.of(2, 0, 2, 1, 0);
    expect(groupedBy(groups, 4)).toEqual({
      starts: Uint32Array.of(0, 2, 3, 5, 5),
      items: Uint32Array.of(1, 4, 3, 0, 2),
    });
    expect(startsOf(groups, 3, 3)).toEqual(Uint32Array.of(0, 1, 1, 3));
  });

  it('T20 a scan finds the words that the plain way finds', () => {
    const signs = fc.string({
      unit: fc.constantFrom('a', 'z', 'A', 'Z', '0', '9', '_', '$', '@', '[', '`', '{', '/', ':'),
    });
    fc.assert(
      fc.property(signs, (text) => {
        const bounds = new Int32Array(2 * text.length + 2);
        const count = wordBounds(bytes(`-${text}-`), 1, text.length + 1, bounds);
        const found = Array.from({ length: count }, (_, at) =>
          `-${text}-`.slice(bounds[2 * at], bounds[2 * at + 1]).toLowerCase(),
        );
        expect(found).toEqual(wordsOf(text));
      }),
    );
  });
});
