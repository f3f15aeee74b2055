import { describe, expect, it } from 'vitest';
import { ByteReader, ByteWriter } from './index/bytes.ts';
import { SortedTexts } from './index/segment.ts';

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

  it('T20 bytes that end early or never are refused', () => {
    expect(() => new ByteReader(Uint8Array.of(0x80)).number()).toThrow(RangeError);
    expect(() => new ByteReader(new Uint8Array(9).fill(0x80)).number()).toThrow('too long');
    expect(() => new ByteReader(Uint8Array.of(1)).raw(2)).toThrow('end early');
    expect([...new ByteReader(Uint8Array.of(1, 2)).raw(2)]).toEqual([1, 2]);
  });

  it('T20 a path is found among its neighbours by its bytes', () => {
    const paths = ['a', 'a/b', 'b', 'ba', 'é', '😀'];
    const parts = paths.map(bytes);
    let end = 0;
    const ends = Uint32Array.from(parts, (part) => (end += part.length));
    const list = new SortedTexts({ bytes: Uint8Array.from(parts.flatMap((part) => [...part])), ends });
    expect(paths.map((path) => list.idOf(path))).toEqual([0, 1, 2, 3, 4, 5]);
    expect(paths.map((_, id) => list.at(id))).toEqual(paths);
    expect(['', 'a/', 'aa', 'c', 'zz', '😁'].map((path) => list.idOf(path))).toEqual(
      Array.from({ length: 6 }, () => undefined),
    );
    expect(new SortedTexts({ bytes: new Uint8Array(), ends: new Uint32Array() }).idOf('a')).toBeUndefined();
  });
});
