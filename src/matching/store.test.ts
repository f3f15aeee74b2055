import { describe, expect, it } from 'vitest';
import { SortedTexts } from './index/segment.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

describe('what an index is kept in', () => {
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
