import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { linedText } from '../../test/support/lined-text.ts';
import { tempFolder } from '../../test/support/temp-folder.ts';
import type { FileMemo } from './file-fingerprint.ts';
import { type LineCounts, lineCounts, withFile } from './read-file.ts';

const BLOCK = 64 * 1024;
const path = join(tempFolder(), 'file');
const forgetful: FileMemo<LineCounts> = { get: () => null, put: () => {} };

function factsOf(content: string | Uint8Array, store = forgetful): LineCounts {
  writeFileSync(path, content);
  const result = withFile(path, null, (file) => lineCounts(file, store));
  if (result.status !== 'ok') throw new Error('unreadable');
  return result.value;
}

function linesByHand(text: string): number {
  const ends = text.match(/\r\n|\n|\r/g)?.length ?? 0;
  return ends + (text === '' || /[\r\n]$/.test(text) ? 0 : 1);
}

describe('lineFacts', () => {
  it('M10 counts lines as a reader of the whole text does', () => {
    fc.assert(
      fc.property(linedText(BLOCK), (text) => {
        expect(factsOf(text).lines).toBe(linesByHand(text));
      }),
      { numRuns: 150 },
    );
  });

  it('M10 counts any bytes right, four at a time or one', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 70 }), (bytes) => {
        const binary = Buffer.from(bytes).toString('latin1');
        expect(factsOf(bytes).lines).toBe(linesByHand(binary));
      }),
    );
    const every = Uint8Array.from({ length: 256 * 40 }, (_, i) => (i * 7 + (i >> 8)) % 256).filter(
      (byte) => byte !== 13,
    );
    expect(factsOf(every).lines).toBe(linesByHand(Buffer.from(every).toString('latin1')));
    expect(factsOf('\n'.repeat(BLOCK * 2 + 3)).lines).toBe(BLOCK * 2 + 3);
  });

  it('M14 marks hold the count of line ends before each stride', () => {
    fc.assert(
      fc.property(linedText(BLOCK), (text) => {
        const { marks, stride } = factsOf(text);
        const bytes = Buffer.from(text).toString('latin1');
        const starts = [...bytes.matchAll(/\r\n|\n|\r/g)].map((match) => match.index);
        expect(marks).toEqual(
          Array.from(
            { length: Math.ceil(bytes.length / stride) },
            (_, i) => starts.filter((at) => at < i * stride).length,
          ),
        );
      }),
      { numRuns: 50 },
    );
  });

  it('M14 asks the store first and tells it what it found', () => {
    const kept: LineCounts[] = [];
    factsOf('a\nb', { get: () => null, put: (_, facts) => void kept.push(facts) });
    expect(kept).toEqual([{ lines: 2, stride: BLOCK, marks: [0] }]);
    const known = { lines: 7, stride: BLOCK, marks: [0] };
    expect(factsOf('a\nb', { get: () => known, put: () => expect.unreachable() })).toBe(known);
  });
});
