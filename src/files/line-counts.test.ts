import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { linedText } from '../../test/support/lined-text.ts';
import { tempFolder } from '../../test/support/temp-folder.ts';
import type { FileMemo } from './file-fingerprint.ts';
import { lineCount, scanLines, withFile } from './read-file.ts';

const BLOCK = 64 * 1024;
const path = join(tempFolder(), 'file');

function scanned(content: string | Uint8Array, most?: number) {
  writeFileSync(path, content);
  const result = withFile(path, null, (file) => scanLines(file, most));
  if (result.status !== 'ok') throw new Error('unreadable');
  return result.value;
}

function linesByHand(text: string): number {
  const ends = text.match(/\r\n|\n|\r/g)?.length ?? 0;
  return ends + (text === '' || /[\r\n]$/.test(text) ? 0 : 1);
}

describe('scanLines', () => {
  it('M10 counts lines as a reader of the whole text does', () => {
    fc.assert(
      fc.property(linedText(BLOCK), (text) => {
        expect(scanned(text).lines).toBe(linesByHand(text));
      }),
      { numRuns: 150 },
    );
  });

  it('M10 counts any bytes right', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 70 }), (bytes) => {
        const binary = Buffer.from(bytes).toString('latin1');
        expect(scanned(bytes).lines).toBe(linesByHand(binary));
      }),
    );
    const every = Uint8Array.from({ length: 256 * 40 }, (_, i) => (i * 7 + (i >> 8)) % 256).filter(
      (byte) => byte !== 13,
    );
    expect(scanned(every).lines).toBe(linesByHand(Buffer.from(every).toString('latin1')));
    expect(scanned('\n'.repeat(BLOCK * 2 + 3)).lines).toBe(BLOCK * 2 + 3);
  });

  it('M14 finds where the line after so many others begins', () => {
    fc.assert(
      fc.property(linedText(BLOCK), fc.nat(50), (text, most) => {
        const bytes = Buffer.from(text).toString('latin1');
        const starts = [0, ...[...bytes.matchAll(/\r\n|\n|\r/g)].map((match) => match.index + match[0].length)];
        expect(scanned(text, most).end).toBe(starts[most] ?? bytes.length);
      }),
      { numRuns: 50 },
    );
  });

  it('M14 asks the store first and tells it what it found', () => {
    const kept: number[] = [];
    const count = (store: FileMemo<number>) => withFile(path, null, (file) => lineCount(file, store));
    writeFileSync(path, 'a\nb');
    count({ get: () => null, put: (_, lines) => void kept.push(lines) });
    expect(kept).toEqual([2]);
    expect(count({ get: () => 7, put: () => expect.unreachable() })).toEqual({ status: 'ok', value: 7 });
  });
});
